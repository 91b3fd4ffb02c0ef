/**
 * Sets a paper account back to its beginning (behaviour 11.1b).
 *
 * Invariant: at that moment no object watches a position of the account, and no order waits for an answer: their
 * knowledge of the account would be wrong after it.
 */
import { resetBody } from "../../../src/contract/trading/trading.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { checked } from "../context.ts";
import { listOwned, liveGroups, pendingOf } from "./owned.ts";

export const resetAccount = checked({
  schema: resetBody,
  handle: async (context, { brokerageCode, accountNumber: name }, { userId }) => {
    const account = await context.accounts.resolve(userId, brokerageCode, name);
    if (!account.ok) return account;
    const brokerage = context.brokerages.find(brokerageCode);
    if (brokerage?.reset === undefined)
      return refuse("INVALID", "brokerageCode is not a paper brokerage of this engine");
    const { accountNumber } = account.value;
    const place = { userId, brokerageCode, accountNumber };
    const owned = await listOwned(context, place);
    const counts = [
      [liveGroups(context, owned).length, "OCO groups"],
      [owned.setups.length, "pending OCOs"],
      [owned.bots.length, "bots"],
      [pendingOf(context, place).length, "orders without an answer"],
    ] as const;
    const left = counts.filter(([count]) => count > 0).map(([count, what]) => `${what} (${count})`);
    if (left.length > 0) return refuse("CONFLICT", `end what the account still has: ${left.join(", ")}`);
    const answer = await brokerage.reset({ userId, accountNumber });
    if (!answer.ok) {
      if (answer.code === "UNAUTHORIZED") return refuse("FORBIDDEN", "log in to the brokerage first");
      return refuse("UNAVAILABLE", "the brokerage cannot be reached now; nothing was set back");
    }
    const positions = await brokerage.positions({ userId, accountNumber, includeOrders: false });
    if (positions.ok) context.holdings.learn(place, positions.data);
    return { ok: true, data: answer.data };
  },
});
