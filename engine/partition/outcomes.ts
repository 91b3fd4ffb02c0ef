/**
 * The brokerage's answer to an order of the outbox, for its owner: a client's command, or an actor.
 *
 * Owns: what an outcome changes, in its batch. Does not own: sending (`outbox.ts`), the report that comes with an answer
 * or later (`followers.ts`).
 */
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import { mayReclaim } from "../actor/reclaim.ts";
import type { CommandRunner } from "../command/runner.ts";
import { settleEntry } from "../command/trading/entry.ts";
import { clientOrderEvent, replyToOrder } from "../command/trading/order-reply.ts";
import type { EventLog } from "../event/event-log.ts";
import type { OrderOutcome, OutboxOrder } from "../ports/order.ts";
import type { Symbols } from "../ports/price.ts";
import type { Receipts } from "../receipt/receipts.ts";
import type { PartitionJournal } from "../store/journal/journal.ts";
import { followClientOrder } from "./client-orders.ts";
import type { Followers } from "./followers.ts";
import { logLost, outcomeEvent } from "./order-events.ts";
import type { OrderFacts } from "./order-facts.ts";

interface OutcomeOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly symbols: Pick<Symbols, "presentName">;
  /** Parts of the partition. */
  readonly parts: {
    readonly journal: PartitionJournal;
    readonly host: ActorHost;
    readonly events: EventLog;
    readonly receipts: Receipts;
    readonly orderFacts: OrderFacts;
    readonly commands: CommandRunner;
    readonly followers: Followers;
  };
}

/** In a turn: applies the outcome of an order. */
export function applyOutcome(
  { clock, log, symbols, parts }: OutcomeOptions,
  order: OutboxOrder,
  outcome: OrderOutcome,
): void {
  const { host, events, receipts, orderFacts, commands, followers } = parts;
  const { origin } = order;
  const end = receipts.settled(order, outcome);
  if (outcome.type === "refused") orderFacts.noteRefusal(order);
  if (origin.kind === "command") {
    commands.settle(origin.commandId, replyToOrder(order, outcome));
    const { type, payload } = clientOrderEvent(order, outcome);
    events.emit(order.userId, type, payload);
    if (outcome.type !== "placed") return;
    followClientOrder({ ...parts, clock, symbols }, order, outcome);
    followers.taken(order, outcome, end);
    return;
  }
  const event = outcomeEvent(order, origin.name, outcome, clock.nowMs(), () => mayReclaim(host, origin.actorId));
  const isHeard =
    outcome.type === "placed"
      ? followers.placed(origin.actorId, event, order, outcome, end)
      : host.wake(origin.actorId, event);
  settleEntry(commands, host, order, outcome);
  if (!isHeard) logLost(log, origin, outcome);
}
