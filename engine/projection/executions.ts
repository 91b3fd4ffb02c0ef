/**
 * Orders that actors follow, as their owners see them: a reader for each kind of actor that has executions.
 */
import type { FollowedOrderView } from "../../src/contract/trading/followed-order.ts";
import { type Bot, executionsOf } from "../../src/domain/bot/bot.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { doubtText, type Execution } from "../../src/domain/order/execution.ts";
import { averagePriceOf, filledQuantityOf, nameOf, orderNoOf } from "../../src/domain/order/order-number.ts";
import { lostText, type PendingSetup } from "../../src/domain/setup.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Actors } from "../ports/actor.ts";

/** Whose orders are asked for. */
interface Place {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

/** The followed orders of an actor, if it belongs to the account; none for an actor without executions. */
export function ordersOf(actors: Pick<Actors, "find">, actorId: number, place: Place): readonly FollowedOrderView[] {
  const group = actors.find("group", actorId)?.context as OcoGroup | undefined;
  if (group !== undefined && isOf(group, place)) {
    return group.followed.map(({ execution }) => {
      return viewOf(execution, { type: "group", id: actorId }, doubtText(execution));
    });
  }
  const setup = actors.find("setup", actorId)?.context as PendingSetup | undefined;
  if (setup !== undefined && isOf(setup, place)) {
    return [viewOf(setup.buy, { type: "pendingOco", id: actorId }, lostText(setup))];
  }
  const bot = botOf(actors, actorId);
  if (bot === undefined || !isOf(bot, place)) return [];
  return executionsOf(bot).map((execution) => viewOf(execution, { type: "bot", id: actorId }, doubtText(execution)));
}

/** The bot of this id, of either kind; undefined where the actor is none. */
export function botOf(actors: Pick<Actors, "find">, actorId: number): Bot | undefined {
  return (actors.find("levelBot", actorId) ?? actors.find("webhookBot", actorId))?.context as Bot | undefined;
}

function isOf(owner: Place, { userId, brokerageCode, accountNumber }: Place): boolean {
  return owner.userId === userId && owner.brokerageCode === brokerageCode && owner.accountNumber === accountNumber;
}

function viewOf(execution: Execution, owner: FollowedOrderView["owner"], message: string | null): FollowedOrderView {
  const { symbol, buySell, quantity, phase, sinceMs, orders } = execution;
  return {
    orderNo: orderNoOf(execution),
    orderNumbers: orders.map(({ orderNo }) => orderNo),
    clientOrderId: nameOf(execution),
    symbol,
    buySell,
    quantity,
    filledQuantity: filledQuantityOf(execution),
    averagePrice: averagePriceOf(execution),
    // A settled order is followed no more: it leaves in the step that settles it.
    state: phase === "settled" ? "ended" : phase,
    since: formatTime(sinceMs),
    message,
    owner,
  };
}
