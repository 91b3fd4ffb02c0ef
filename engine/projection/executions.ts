/**
 * Orders that actors follow, as their owners see them: a reader for each kind of actor that has executions.
 */
import type { FollowedOrderView } from "../../src/contract/trading/followed-order.ts";
import { executionsOf } from "../../src/domain/bot/bot.ts";
import { doubtText, type Execution } from "../../src/domain/order/execution.ts";
import { averagePriceOf, filledQuantityOf, nameOf, orderNoOf } from "../../src/domain/order/order-number.ts";
import { lostText } from "../../src/domain/setup.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Actors } from "../ports/actor.ts";
import type { UnansweredOrderRecord } from "../ports/operator.ts";

/** The account whose orders are asked for. */
interface Place {
  readonly userId: number;
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

/** An actor that has executions: whose it is, and what is wrong with one of them, as text; null: nothing. */
export interface ExecutionOwner {
  readonly kind: "group" | "setup" | "levelBot" | "webhookBot" | "clientOrder";
  readonly place: Place;
  readonly executions: readonly Execution[];
  readonly describe: (execution: Execution) => string | null;
}

/** The actor of this id as an owner of executions; undefined if no actor with executions has this id. */
export function executionOwnerOf(actors: Pick<Actors, "find">, actorId: number): ExecutionOwner | undefined {
  const group = actors.find("group", actorId)?.context;
  if (group !== undefined) {
    const executions = group.followed.map(({ execution }) => execution);
    return { kind: "group", place: group, executions, describe: doubtText };
  }
  const setup = actors.find("setup", actorId)?.context;
  if (setup !== undefined) {
    return { kind: "setup", place: setup, executions: [setup.buy], describe: () => lostText(setup) };
  }
  for (const kind of ["levelBot", "webhookBot"] as const) {
    const bot = actors.find(kind, actorId)?.context;
    if (bot !== undefined) return { kind, place: bot, executions: executionsOf(bot), describe: doubtText };
  }
  const order = actors.find("clientOrder", actorId)?.context;
  return order && { kind: "clientOrder", place: order, executions: [order.execution], describe: doubtText };
}

const VIEWED_AS = {
  group: "group",
  setup: "pendingOco",
  levelBot: "bot",
  webhookBot: "bot",
  clientOrder: "client",
} as const;

/** An order that has its name and no answer yet. A client's order has the number of its name. */
export function unansweredView(actors: Pick<Actors, "find">, order: UnansweredOrderRecord): FollowedOrderView {
  const { clientOrderId, symbol, buySell, quantity, origin, state, since, reason } = order;
  const actor = origin.kind === "actor" ? executionOwnerOf(actors, origin.actorId) : undefined;
  const id = origin.kind === "actor" ? origin.actorId : Number(/\d+$/.exec(clientOrderId)?.[0]);
  const why = state === "quarantined" ? `${reason}: an operator decides` : reason;
  return {
    ...{ orderNo: null, orderNumbers: [], clientOrderId, symbol, buySell, quantity },
    ...{ filledQuantity: 0, averagePrice: null, state: "unanswered", since },
    message: why === "" ? null : why,
    owner: { type: actor === undefined ? "client" : VIEWED_AS[actor.kind], id },
  };
}

/** The followed orders of an actor, if it belongs to the account; none for an actor without executions. */
export function ordersOf(actors: Pick<Actors, "find">, actorId: number, place: Place): readonly FollowedOrderView[] {
  const owner = executionOwnerOf(actors, actorId);
  if (owner === undefined || !isOf(owner.place, place)) return [];
  const { kind, executions, describe } = owner;
  return executions.map((execution) => viewOf(execution, { type: VIEWED_AS[kind], id: actorId }, describe(execution)));
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
    // Only orders of clients are kept once they are settled; any other leaves in the step that settles it.
    state: phase === "settled" && owner.type !== "client" ? "ended" : phase,
    since: formatTime(sinceMs),
    message,
    owner,
  };
}
