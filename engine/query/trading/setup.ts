/**
 * The registered setups: those of an account, and one by its id (behaviour 5.4a).
 */
import { listGroupsBody, readSetupBody } from "../../../src/contract/command.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { findNamedSetup, refuseEnded, setupListPrefix, setupView } from "../../projection/setup.ts";
import { forUser } from "../context.ts";
import { pageOfRows } from "../pages.ts";
import { accountOfRows } from "./account-of-rows.ts";

/** One that is registered, by its id. Of one that ended its owner is told what became of it. */
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
  handle: async (context, userId, { brokerageCode, accountNumber, from }, pageBytesMax) => {
    const account = await accountOfRows(context, userId, brokerageCode, accountNumber);
    if (!account.ok) return account;
    const prefix = setupListPrefix(userId, brokerageCode, account.value.accountNumber);
    return pageOfRows(context.store, prefix, from ?? null, pageBytesMax);
  },
});
