/**
 * Reads of symbols, lists and restrictions. Only the shared partition answers these.
 *
 * Invariant: an answer shows nothing that a crash could take back.
 */
import type { z } from "zod";
import { describeIssue } from "../../../src/contract/issue.ts";
import {
  checkRestrictionBody,
  findSymbolBody,
  listActiveRestrictionsBody,
  listIdBody,
  listListsBody,
  listRestrictedByTypeBody,
  listRestrictionsOfBody,
  listSymbolsBody,
  REFERENCE_QUERIES,
} from "../../../src/contract/operator/reference.ts";
import { accept, type Result } from "../../../src/domain/refusal.ts";
import type { ReferenceData } from "../../ports/reference.ts";
import { forUser, type QueryHandler } from "../context.ts";
import { pageOfRecords } from "../pages.ts";

const PAGE_BYTES_MAX = 512 * 1024;

type Paged = { readonly from?: string | null | undefined };

/** The queries over the reference data, by name. Symbols and restrictions are everybody's: no user is needed. */
export function referenceQueries(reference: ReferenceData): ReadonlyMap<string, QueryHandler> {
  const one = <B, T>(schema: z.ZodType<B>, find: (body: B) => Result<T>): QueryHandler => {
    return async (_context, _userId, body) => {
      const parsed = schema.safeParse(body);
      if (!parsed.success) return { ok: false, code: "INVALID", message: describeIssue(parsed.error) };
      const found = find(parsed.data);
      await reference.whenDurable();
      return found.ok ? { ok: true, data: found.value } : found;
    };
  };
  const rows = <B extends Paged>(schema: z.ZodType<B>, list: (body: B) => Result<readonly object[]>): QueryHandler => {
    return async (_context, _userId, body, pageBytesMax = PAGE_BYTES_MAX) => {
      const parsed = schema.safeParse(body);
      if (!parsed.success) return { ok: false, code: "INVALID", message: describeIssue(parsed.error) };
      const listed = list(parsed.data);
      await reference.whenDurable();
      return listed.ok ? pageOfRecords(listed.value, parsed.data.from ?? null, pageBytesMax) : listed;
    };
  };
  const listLists = forUser({
    schema: listListsBody,
    handle: async (_context, userId, { from }, pageBytesMax) => {
      const lists = reference.listLists(userId);
      await reference.whenDurable();
      return pageOfRecords(lists, from ?? null, pageBytesMax);
    },
  });
  const findList = forUser({
    schema: listIdBody,
    handle: async (_context, userId, { id }) => {
      const list = reference.findList(userId, id);
      await reference.whenDurable();
      return list.ok ? { ok: true, data: list.value } : list;
    },
  });
  return new Map<string, QueryHandler>([
    [REFERENCE_QUERIES.listSymbols, rows(listSymbolsBody, () => accept(reference.listSymbols()))],
    [REFERENCE_QUERIES.findSymbol, one(findSymbolBody, ({ symbol }) => reference.findSymbol(symbol))],
    [REFERENCE_QUERIES.listLists, listLists],
    [REFERENCE_QUERIES.findList, findList],
    [
      REFERENCE_QUERIES.listActiveRestrictions,
      rows(listActiveRestrictionsBody, ({ restrictionType }) =>
        accept(reference.listActiveRestrictions(restrictionType ?? null)),
      ),
    ],
    [
      REFERENCE_QUERIES.checkRestriction,
      one(checkRestrictionBody, ({ code, restrictionType }) => reference.checkRestriction(code, restrictionType)),
    ],
    [
      REFERENCE_QUERIES.listRestrictedByType,
      rows(listRestrictedByTypeBody, ({ restrictionType }) => accept(reference.listRestrictedByType(restrictionType))),
    ],
    [
      REFERENCE_QUERIES.listRestrictionsOf,
      rows(listRestrictionsOfBody, ({ code }) => reference.listRestrictionsOf(code)),
    ],
  ]);
}
