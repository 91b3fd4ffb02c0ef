/**
 * The registered setups: those of an account, and one by its id (behaviour 5.4a).
 */
import { listGroupsBody, readSetupBody } from "../../../src/contract/command.ts";
import type { PendingSetup } from "../../../src/domain/setup.ts";
import { setupListPrefix, setupView } from "../../projection/setup.ts";
import { accountOfRows, forUser } from "../context.ts";
import { pageOfRows } from "../pages.ts";

/** One that is registered, by its id. */
export const readSetup = forUser({
  schema: readSetupBody,
  handle: async ({ actors }, userId, { id }) => {
    const found = actors.find("setup", id);
    const setup = found?.context as PendingSetup | undefined;
    if (setup?.userId === userId && setup.outcome === null) return { ok: true, data: setupView(setup) };
    return { ok: false, code: "NOT_FOUND", message: `pending OCO ${id} was not found, or is registered no more` };
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
