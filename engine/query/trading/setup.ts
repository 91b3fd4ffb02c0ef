/**
 * The registered setups: those of an account, and one by its id (behaviour 5.4a).
 */
import { listGroupsBody, readSetupBody } from "../../../src/contract/command.ts";
import type { PendingSetup } from "../../../src/domain/setup.ts";
import { refuseUnknownBrokerage } from "../../projection/named-brokerage.ts";
import { refuseEnded, setupListPrefix, setupView } from "../../projection/setup.ts";
import { forUser } from "../context.ts";
import { pageOfRows } from "../pages.ts";
import { accountOfRows } from "./account-of-rows.ts";

/** One that is registered, by its id. Of one that ended its owner is told what became of it. */
export const readSetup = forUser({
  schema: readSetupBody,
  handle: async ({ actors, brokerages }, userId, { id, brokerageCode }) => {
    const unknown = refuseUnknownBrokerage({ brokerages }, brokerageCode);
    if (unknown !== undefined) return unknown;
    const setup = actors.find("setup", id)?.context as PendingSetup | undefined;
    const isMeant = brokerageCode === undefined || setup?.brokerageCode === brokerageCode;
    const mine = setup?.userId === userId && isMeant ? setup : undefined;
    return mine?.outcome === null ? { ok: true, data: setupView(mine) } : refuseEnded(id, mine);
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
