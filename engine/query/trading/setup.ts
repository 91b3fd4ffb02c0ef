/**
 * The registered setups of an account, and one setup by its id (behaviour 5.4a).
 */
import type { z } from "zod";
import { listGroupsBody, readSetupBody } from "../../../src/contract/command.ts";
import { setupViewSchema } from "../../../src/contract/trading/setup.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { findNamedSetup, refuseEnded, setupListPrefix, setupView } from "../../projection/setup.ts";
import { forUser } from "../context.ts";
import { pageOfPart, pageOfRows } from "../pages.ts";
import { accountOfRows } from "./account-of-rows.ts";

/** A registered setup by its id. If it ended, the refusal contains the outcome for its owner. */
export const readSetup = forUser({
  schema: readSetupBody,
  handle: async ({ actors, brokerages }, userId, { id, brokerageCode }) => {
    const unknown = refuseUnknownBrokerage({ brokerages }, brokerageCode);
    if (unknown !== undefined) return unknown;
    const found = findNamedSetup(actors, userId, { id, brokerageCode });
    if (!found.ok) return found;
    const setup = found.value;
    if (setup.outcome !== null) return refuseEnded(id, setup);
    return { ok: true, data: setupView(setup), version: versionOf(setup) };
  },
});

/** The code of the brokerage at which the setup's order is. */
export const brokerageOfSetup = forUser({
  schema: readSetupBody,
  handle: async ({ actors }, userId, { id }) => {
    const found = findNamedSetup(actors, userId, { id });
    return found.ok ? { ok: true, data: found.value.brokerageCode } : found;
  },
});

/** By id. */
export const listSetups = forUser({
  schema: listGroupsBody,
  handle: async (context, userId, { brokerageCode, accountNumber, from = null, part }, pageBytesMax) => {
    const account = await accountOfRows(context, userId, brokerageCode, accountNumber);
    if (!account.ok) return account;
    const prefix = setupListPrefix(userId, brokerageCode, account.value.accountNumber);
    if (part === undefined) return pageOfRows(context.store, prefix, from, pageBytesMax);
    const { symbol, limit = Infinity } = part;
    const isMatch = (row: z.infer<typeof listedSchema>): boolean => symbol === undefined || symbol === row.symbol;
    const asked = { prefix, schema: listedSchema, idOf: idOfSetup, isMatch, limit };
    return pageOfPart(context.store, asked, from, pageBytesMax);
  },
});

const listedSchema = setupViewSchema.pick({ setupId: true, symbol: true });

function idOfSetup({ setupId }: { readonly setupId: number }): number {
  return setupId;
}
