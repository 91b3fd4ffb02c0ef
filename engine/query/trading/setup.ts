/**
 * The registered setups of an account (behaviour 5.4a).
 */
import { listGroupsBody } from "../../../src/contract/command.ts";
import { setupListPrefix } from "../../projection/setup.ts";
import { accountOfRows, forUser } from "../context.ts";
import { pageOfRows } from "../pages.ts";

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
