/** The limits of an account (behaviour 27). */
import { limitsQuery } from "../../../src/contract/trading/limits.ts";
import { forUser } from "../context.ts";

export const readLimits = forUser({
  schema: limitsQuery,
  handle: async ({ accounts, limits }, userId, { brokerageCode, accountNumber: name }) => {
    const account = await accounts.resolve(userId, brokerageCode, name);
    if (!account.ok) return account;
    const { accountNumber } = account.value;
    return { ok: true, data: limits.find({ userId, brokerageCode, accountNumber }) };
  },
});
