/** Sets the limits of an account (behaviour 27). */
import { LIMITS_COMMANDS, limitsRequest } from "../../../src/contract/trading/limits.ts";
import { NO_LIMITS } from "../../../src/domain/order/limits.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import { type AnyCommandHandler, type CommandContext, checked } from "../context.ts";
import { setState } from "./trading-state.ts";

const setLimits = checked({
  schema: limitsRequest,
  handle: async (context, { brokerageCode, accountNumber: name, ...given }, turn) => {
    const account = await context.accounts.resolve(turn.userId, brokerageCode, name);
    if (!account.ok) return account;
    const brokerage = context.brokerages.find(brokerageCode);
    if (brokerage === undefined) return refuse("INVALID", "brokerageCode is not known");
    const place = { userId: turn.userId, brokerageCode, accountNumber: account.value.accountNumber };
    const positions = await brokerage.positions({ ...place, includeOrders: false });
    const held = (positions.ok ? positions.data : [])
      .filter(({ quantity, averagePrice }) => quantity > 0 && averagePrice > 0)
      .map(({ symbol, quantity, averagePrice }) => ({ symbol, lots: quantity, cost: quantity * averagePrice }));
    return turn.decide(() => {
      context.limits.setInTurn(place, { ...NO_LIMITS, ...given }, held);
      return { ok: true, data: true };
    });
  },
});

export const limitsCommands: ReadonlyMap<string, AnyCommandHandler> = new Map([[LIMITS_COMMANDS.set, setLimits]]);

/** In a turn: lets only sells pass in an account that has lost too much today, unless its state is stricter already. */
export function reduceByLoss(context: CommandContext, account: AccountPlace, reason: string): void {
  const { tradingStates, events } = context;
  const { userId, brokerageCode, accountNumber } = account;
  const place = { scope: "account", userId, brokerageCode, accountNumber } as const;
  if (tradingStates.isRestricted(place)) return;
  if (!setState(context, place, { state: "reducing", reason }).ok) return;
  events.emit(userId, "alarm.lossLimit", { brokerageCode, accountNumber, message: reason });
}
