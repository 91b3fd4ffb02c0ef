/**
 * Enters with exits: a buy and the pending OCO of what it buys (behaviour 24).
 *
 * Invariants:
 * 1. The setup, its claim on the symbol and its buy, named and not sent, are one batch: a kill leaves both or neither.
 * 2. The answer comes with that of the brokerage, in its batch.
 */
import type { Reply } from "../../../src/contract/command.ts";
import { type EnterBody, enterBody } from "../../../src/contract/trading/setup.ts";
import { BUY } from "../../../src/domain/order/order.ts";
import { refuseOrder } from "../../../src/domain/order/trading-state.ts";
import { type Refusal, refuse } from "../../../src/domain/refusal.ts";
import type { PendingSetup } from "../../../src/domain/setup.ts";
import { enter as enterSetup, entryName, isUnanswered, planEntry } from "../../../src/domain/setup-entry.ts";
import { groupClaim } from "../../../src/machine/group.ts";
import { entryClaim } from "../../../src/machine/setup.ts";
import type { Actors } from "../../ports/actor.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import type { OrderName, OrderOutcome, OutboxOrder } from "../../ports/order.ts";
import { setupEvent } from "../../projection/setup.ts";
import { type CommandContext, checked, refuseUnlessTraded } from "../context.ts";
import type { CommandRunner } from "../runner.ts";
import { isHeld, waitsForTicks } from "./oco.ts";
import { withPatience } from "./order.ts";
import { replyToOrder } from "./order-reply.ts";

export const enter = checked<EnterBody>({
  schema: enterBody,
  handle: async (context, body, turn) => {
    const { actors, clock, events, journal, outbox, symbols } = context;
    const { brokerageCode, symbol } = body;
    const market = [symbols.tickTableOf(symbol), symbols.zoneOf(symbol), symbols.calendarOf(symbol)] as const;
    const plan = planEntry(body, clock.nowMs(), ...market);
    if (!plan.ok) return plan;
    const notTraded = refuseUnlessTraded(context, symbol);
    if (notTraded !== undefined) return notTraded;
    const account = await context.accounts.resolve(turn.userId, brokerageCode, body.accountNumber);
    if (!account.ok) return account;
    const { userId } = turn;
    const place = { userId, brokerageCode, accountNumber: account.value.accountNumber };
    const names: OrderName[] = [];
    let setupId = 0;
    const reply = turn.decideLater((commandId) => {
      const refusal = refuseNow(context, { ...place, symbol });
      if (refusal !== undefined) return refusal;
      [setupId = 0] = journal.allocateIds(1);
      const name = entryName({ setupId });
      const clientOrderId = context.orderName(setupId, name);
      const setup = enterSetup(plan.value, { setupId, ...place }, { clientOrderId, commandId }, clock.nowMs());
      actors.create("setup", setupId, setup);
      events.emit(userId, "setup.registered", setupEvent(setup));
      const origin = { kind: "actor", actorId: setupId, name } as const;
      outbox.submit({ ...plan.value.order, ...place, clientOrderId, urgency: "client", origin });
      names.push({ brokerageCode, clientOrderId });
      return undefined;
    });
    return withPatience(context, turn, names, reply, () => replyInDoubt(context, setupId));
  },
});

/** Within the turn: why an entry of the symbol cannot begin now (behaviour 24.2); undefined where it can. */
function refuseNow(context: CommandContext, owner: AccountPlace & { readonly symbol: string }): Refusal | undefined {
  const { actors, clock, tradingStates } = context;
  const { symbol } = owner;
  const stopped = refuseOrder(tradingStates.of(owner), BUY) ?? waitsForTicks(context, owner);
  if (stopped !== undefined) return stopped;
  if (isHeld(actors, groupClaim(owner), clock.nowMs())) {
    return refuse("INVALID", `an active OCO group already exists for symbol ${symbol}; cancel it first`);
  }
  const holder = actors.holderOf(entryClaim(owner));
  if (holder === undefined) return undefined;
  return refuse("INVALID", `pending OCO ${holder} is an entry of symbol ${symbol}; remove it first`);
}

/** The brokerage may have the buy and has not answered: the entry goes on, and its pending OCO shows what becomes of it. */
function replyInDoubt({ actors }: CommandContext, setupId: number): Reply {
  const setup = actors.find("setup", setupId)?.context as PendingSetup | undefined;
  // What was taken back unsent is answered as such, before this.
  if (setup === undefined || !isUnanswered(setup)) return { ok: false, code: "UNAVAILABLE", message: NOT_SENT };
  return { ok: true, data: { setupId, orderNo: null, orderStatus: null }, message: NOT_ANSWERED };
}

const NOT_SENT = "the entry was not sent: it waited too long for the brokerage or for its quota, and no order exists";
const NOT_ANSWERED = "The brokerage has not answered yet and the order may exist; the pending OCO follows it";

/** Within the turn of an outcome: the answer of the entry whose buy it is. */
export function settleEntry(
  commands: Pick<CommandRunner, "settle">,
  actors: Pick<Actors, "find">,
  order: OutboxOrder,
  outcome: OrderOutcome,
): void {
  // Of actors' orders only those of entries are a client's.
  if (order.origin.kind !== "actor" || order.urgency !== "client") return;
  const setup = actors.find("setup", order.origin.actorId)?.context as PendingSetup | undefined;
  if (setup?.entry !== undefined) commands.settle(setup.entry.commandId, replyToEntry(setup, order, outcome));
}

function replyToEntry({ setupId, outcome: end }: PendingSetup, order: OutboxOrder, outcome: OrderOutcome): Reply {
  if (outcome.type === "placed") {
    const { orderNo, orderStatus } = outcome;
    return { ok: true, data: { setupId, orderNo, orderStatus } };
  }
  const isRemoved = end?.type === "removed";
  return isRemoved
    ? refuse("CONFLICT", `the entry was ended before it was sent: pending OCO ${setupId}`)
    : replyToOrder(order, outcome);
}
