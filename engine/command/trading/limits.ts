/** Sets the limits of an account (behaviour 27). */
import { LIMITS_COMMANDS, limitsRequest } from "../../../src/contract/trading/limits.ts";
import { type CostedLots, NO_LIMITS } from "../../../src/domain/order/limits.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import type { AccountPlace, Brokerage } from "../../ports/brokerage.ts";
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
    const limits = { ...NO_LIMITS, ...given };
    const held = limits.maxDailyLoss === null ? [] : await costedLots(brokerage, place);
    return turn.decide(() => {
      context.limits.setInTurn(place, limits, held);
      return { ok: true, data: true };
    });
  },
});

/** The lots of an account whose cost is known; none if the brokerage does not answer. */
async function costedLots(brokerage: Brokerage, place: AccountPlace): Promise<readonly CostedLots[]> {
  const positions = await brokerage.positions({ ...place, includeOrders: false });
  return (positions.ok ? positions.data : [])
    .filter(({ quantity, averagePrice }) => quantity > 0 && averagePrice > 0)
    .map(({ symbol, quantity, averagePrice }) => ({ symbol, lots: quantity, cost: quantity * averagePrice }));
}

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
