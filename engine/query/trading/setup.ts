/**
 * The registered setups of an account (behaviour 5.4a).
 */
import { listGroupsBody } from "../../../src/contract/command.ts";
import { setupListPrefix } from "../../projection/setup.ts";
import { accountOfRows, forUser } from "../desk.ts";
import { pageOfRows } from "../pages.ts";

/** By id. */
export const listSetups = forUser({
  schema: listGroupsBody,
  handle: async (desk, userId, { brokerageCode, accountNumber, from }, pageBytesMax) => {
    const account = await accountOfRows(desk, userId, brokerageCode, accountNumber);
    if (!account.ok) return account;
    const prefix = setupListPrefix(userId, brokerageCode, account.value.accountNumber);
    return pageOfRows(desk.store, prefix, from ?? null, pageBytesMax);
  },
});
