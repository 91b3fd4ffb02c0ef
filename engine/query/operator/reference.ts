/**
 * Reads of symbols, lists and restrictions. Only the shared partition answers these.
 *
 * Invariant: an answer shows nothing that a crash could take back.
 */
import type { z } from "zod";
import {
  checkRestrictionBody,
  findSymbolBody,
  listActiveRestrictionsBody,
  listIdBody,
  listListsBody,
  listMeasuresBody,
  listRestrictedByTypeBody,
  listRestrictionsOfBody,
  listSymbolsBody,
  REFERENCE_QUERIES,
} from "../../../src/contract/operator/reference.ts";
import { accept, type Result } from "../../../src/domain/refusal.ts";
import type { ReferenceData } from "../../ports/reference.ts";
import { forAnyone, forUser, type QueryAnswer, type QueryHandler } from "../context.ts";
import { pageOfRecords } from "../pages.ts";

type Paged = { readonly from?: string | null | undefined };

/** The queries over the reference data, by name. Symbols and restrictions are everybody's: no user is needed. */
export function referenceQueries(reference: ReferenceData): ReadonlyMap<string, QueryHandler> {
  const { symbols, lists, restrictions } = reference;
  const one = <B, T>(schema: z.ZodType<B>, find: (body: B) => Result<T>): QueryHandler =>
    forAnyone(schema, async (_context, body) => settled(find(body)));
  const rows = <B extends Paged>(schema: z.ZodType<B>, list: (body: B) => Result<readonly object[]>): QueryHandler =>
    forAnyone(schema, async (_context, body, pageBytesMax) => settledPage(list(body), body, pageBytesMax));
  const settled = async <T>(found: Result<T>): Promise<QueryAnswer> => {
    await reference.whenDurable();
    return found.ok ? { ok: true, data: found.value } : found;
  };
  const settledPage = async (listed: Result<readonly object[]>, { from }: Paged, pageBytesMax: number) => {
    await reference.whenDurable();
    return listed.ok ? pageOfRecords(listed.value, from ?? null, pageBytesMax) : listed;
  };
  const listLists = forUser({
    schema: listListsBody,
    handle: (_context, userId, body, pageBytesMax) => settledPage(accept(lists.visibleTo(userId)), body, pageBytesMax),
  });
  const findList = forUser({
    schema: listIdBody,
    handle: (_context, userId, { id }) => settled(lists.find(userId, id)),
  });
  return new Map<string, QueryHandler>([
    [
      REFERENCE_QUERIES.listSymbols,
      rows(listSymbolsBody, ({ hasRenames }) => accept(hasRenames === true ? symbols.known() : symbols.all())),
    ],
    [REFERENCE_QUERIES.findSymbol, one(findSymbolBody, ({ symbol }) => symbols.view(symbol))],
    [REFERENCE_QUERIES.listLists, listLists],
    [REFERENCE_QUERIES.findList, findList],
    [
      REFERENCE_QUERIES.listActiveRestrictions,
      rows(listActiveRestrictionsBody, ({ restrictionType }) =>
        accept(restrictions.activeBySymbol(restrictionType ?? null)),
      ),
    ],
    [
      REFERENCE_QUERIES.checkRestriction,
      one(checkRestrictionBody, ({ code, restrictionType }) => restrictions.check(code, restrictionType)),
    ],
    [
      REFERENCE_QUERIES.listRestrictedByType,
      rows(listRestrictedByTypeBody, ({ restrictionType }) => accept(restrictions.activeOfType(restrictionType))),
    ],
    [REFERENCE_QUERIES.listMeasures, rows(listMeasuresBody, () => accept(restrictions.measures()))],
    [REFERENCE_QUERIES.listRestrictionsOf, rows(listRestrictionsOfBody, ({ code }) => restrictions.historyOf(code))],
  ]);
}
