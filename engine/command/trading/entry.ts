/**
 * Enters with exits: a buy and the pending OCO of its lots (behaviour 24).
 *
 * Invariants:
 * 1. The setup, its claim on the symbol and its buy, named and not sent, are one batch: a kill leaves both or neither.
 * 2. The answer is in the batch of the brokerage's answer; for a stop entry it follows once the trigger is under watch.
 */
import type { Reply } from "../../../src/contract/command.ts";
import { type EnterBody, enterBody } from "../../../src/contract/trading/setup.ts";
import { BUY } from "../../../src/domain/order/order.ts";
import { refuseOrder } from "../../../src/domain/order/trading-state.ts";
import { formatPrice, numberText, priceToNumber } from "../../../src/domain/price/price.ts";
import { isRecent } from "../../../src/domain/price/tick-time.ts";
import { accept, type Refusal, refuse } from "../../../src/domain/refusal.ts";
import type { PendingSetup } from "../../../src/domain/setup.ts";
import {
  type EntryPlan,
  enter as enterSetup,
  entryName,
  isUnanswered,
  planEntry,
} from "../../../src/domain/setup-entry.ts";
import { groupClaim } from "../../../src/machine/group.ts";
import { entryClaim } from "../../../src/machine/setup.ts";
import type { Actors } from "../../ports/actor.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import type { OrderName, OrderOutcome, OutboxOrder } from "../../ports/order.ts";
import { type CommandContext, checked, refuseUnlessTraded } from "../context.ts";
import type { CommandRunner } from "../runner.ts";
import { describeHold, describeNoPrice, isHeld, waitsForTicks } from "./oco.ts";
import { withPatience } from "./order.ts";
import { replyToOrder } from "./order-reply.ts";

export const enter = checked<EnterBody>({
  schema: enterBody,
  handle: async (context, body, turn) => {
    const { brokerageCode, symbol } = body;
    const plan = planEntry(body, entryTerms(context, symbol));
    if (!plan.ok) return plan;
    const notTraded = refuseUnlessTraded(context, symbol);
    if (notTraded !== undefined) return notTraded;
    const account = await context.accounts.resolve(turn.userId, brokerageCode, body.accountNumber);
    if (!account.ok) return account;
    const { userId } = turn;
    const place = { userId, brokerageCode, accountNumber: account.value.accountNumber };
    const { order, trigger } = plan.value;
    if (trigger !== undefined) return turn.decide(() => waitForTrigger(context, plan.value, place));
    const names: OrderName[] = [];
    let setupId = 0;
    const reply = turn.decideLater((commandId) => {
      const begun = begin(context, plan.value, place, commandId);
      if (!begun.ok) return begun;
      const { clientOrderId } = begun.value;
      setupId = begun.value.setupId;
      const origin = { kind: "actor", actorId: setupId, name: entryName({ setupId }) } as const;
      context.outbox.submit({ ...order, ...place, clientOrderId, urgency: "client", origin });
      names.push({ brokerageCode, clientOrderId });
      return undefined;
    });
    return withPatience(context, turn, names, reply, () => replyInDoubt(context, setupId));
  },
});

/** Returns the present terms for planning an entry of a symbol. */
function entryTerms({ clock, prices, symbols }: CommandContext, symbol: string) {
  const nowMs = clock.nowMs();
  const last = prices.last(symbol);
  const lastPrice = last !== undefined && isRecent(last, nowMs) ? last.price.value : undefined;
  const market = { zone: symbols.zoneOf(symbol), calendar: symbols.calendarOf(symbol) };
  return { nowMs, lastPrice, table: symbols.tickTableOf(symbol), ...market };
}

/** In the turn: makes an entry's setup with its buy, named and not sent. `commandId`: the buy's answer settles it. */
function begin(context: CommandContext, plan: EntryPlan, place: AccountPlace, commandId?: string) {
  const { order, trigger } = plan;
  const limited = trigger === undefined ? order : { ...order, price: priceToNumber(trigger.level) };
  const refusal = refuseNow(context, { ...place, symbol: order.symbol }) ?? context.limits.refuseInTurn(place, limited);
  if (refusal !== undefined) return refusal;
  const [setupId = 0] = context.journal.allocateIds(1);
  const clientOrderId = context.orderName(setupId, entryName({ setupId }));
  const names = { clientOrderId, ...(commandId !== undefined && { commandId }) };
  const setup = enterSetup(plan, { setupId, ...place }, names, context.clock.nowMs());
  context.actors.create("setup", setupId, setup, "setup.registered");
  return accept({ setupId, clientOrderId });
}

/** In the turn: begins a stop entry, which buys now if the last price has reached its trigger (behaviour 24.11). */
function waitForTrigger(context: CommandContext, plan: EntryPlan, place: AccountPlace): Reply {
  const begun = begin(context, plan, place);
  if (!begun.ok) return begun;
  const { setupId } = begun.value;
  const { quantity } = plan.order;
  const setup = context.actors.find("setup", setupId)?.context;
  const message = setup && describeTrigger(context, setup);
  return { ok: true, data: { setupId, orderNo: null, orderStatus: null, quantity }, message };
}

/**
 * In the turn that gave a stop entry its trigger: states what it waits for, or that the last price has reached it.
 * Undefined for an entry without a trigger.
 */
export function describeTrigger(context: CommandContext, setup: PendingSetup): string | undefined {
  if (setup.entry?.trigger === undefined) return undefined;
  const { symbol } = setup;
  const { level, reachedPrice } = setup.entry.trigger;
  const said =
    reachedPrice === undefined
      ? `${symbol} must rise to ${formatPrice(level)} before the entry buys`
      : `${symbol} is at ${numberText(reachedPrice)}, at or over the trigger ${formatPrice(level)}, so it buys immediately`;
  const stopped = refuseOrder(context.tradingStates.of(setup), BUY)?.message;
  const warnings = [describeNoPrice(context, symbol), describeHold(context, symbol), stopped];
  return [said, ...warnings.filter((warning) => warning !== undefined)].join("; ");
}

/** In the turn: returns why an entry of the symbol cannot begin now (behaviour 24.2); undefined if it can. */
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

/** The brokerage may have the buy and has not answered: the entry continues, and its pending OCO shows the outcome. */
function replyInDoubt({ actors }: CommandContext, setupId: number): Reply {
  const setup = actors.find("setup", setupId)?.context;
  // A buy that was withdrawn unsent got its answer before this.
  if (setup === undefined || !isUnanswered(setup)) return { ok: false, code: "UNAVAILABLE", message: NOT_SENT };
  const { quantity } = setup.stopLoss;
  return { ok: true, data: { setupId, orderNo: null, orderStatus: null, quantity }, message: NOT_ANSWERED };
}

const NOT_SENT = "the entry was not sent: it waited too long for the brokerage or for its quota, and no order exists";
const NOT_ANSWERED = "The brokerage has not answered yet and the order may exist; the pending OCO follows it";

/** In the turn of an outcome: answers the entry to which the buy belongs. */
export function settleEntry(
  commands: Pick<CommandRunner, "settle">,
  actors: Pick<Actors, "find">,
  order: OutboxOrder,
  outcome: OrderOutcome,
): void {
  // Of actors' orders only those for entries answer a client. The command of a stop entry was answered before.
  if (order.origin.kind !== "actor" || order.urgency !== "client") return;
  const setup = actors.find("setup", order.origin.actorId)?.context;
  const commandId = setup?.entry?.commandId;
  if (setup !== undefined && commandId !== undefined) commands.settle(commandId, replyToEntry(setup, order, outcome));
}

function replyToEntry(
  { setupId, stopLoss, outcome: end }: PendingSetup,
  order: OutboxOrder,
  outcome: OrderOutcome,
): Reply {
  if (outcome.type === "placed") {
    const { orderNo, orderStatus } = outcome;
    return { ok: true, data: { setupId, orderNo, orderStatus, quantity: stopLoss.quantity } };
  }
  const isRemoved = end?.type === "removed";
  return isRemoved
    ? refuse("CONFLICT", `the entry was ended before it was sent: pending OCO ${setupId}`)
    : replyToOrder(order, outcome);
}
