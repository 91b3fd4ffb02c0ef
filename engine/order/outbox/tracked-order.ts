/**
 * An order in the outbox as the process knows it: its entry, and what the entry does not say.
 *
 * Owns: that record and its face for operators. Does not own: what is done with it.
 */
import { unreachable } from "../../../src/assert.ts";
import type { ResendPromise } from "../../../src/contract/trading/order.ts";
import { SELL } from "../../../src/domain/order/order.ts";
import { formatTime } from "../../../src/domain/time.ts";
import type { PendingOrderRecord, UnansweredOrderRecord } from "../../ports/operator.ts";
import type { OutboxOrder } from "../../ports/order.ts";
import type { Row } from "../../ports/storage.ts";
import { type AttemptRules, type OutboxEntry, wasMaybeSent } from "./entry/entry.ts";
import type { KnownState, Moment, Next, Refusal } from "./settle.ts";

/**
 * - `queued`: not sent yet, or proven not to exist.
 * - `sending`: its attempt is being stored, is on its way, or was answered in this turn of the loop.
 * - `retrying`: certainly not accepted, waits for its next try, also where the market does not take it now.
 * - `settling`: may exist, is being looked up or sent again by name.
 * - `quarantined`: may exist, and a person must decide.
 */
export type OrderState = "queued" | "sending" | "retrying" | "settling" | "quarantined";

/** Mutable: only the outbox and its lanes change it. */
export interface TrackedOrder {
  /** As last put in the journal. */
  entry: OutboxEntry;
  /** The entry's. */
  readonly row: Row;
  state: OrderState;
  /** Since when it is in that state, by the wall clock. */
  sinceMs: number;
  /** Why it is in that state; empty when there is nothing to say. */
  reason: string;
  /** The promise by which what was sent is settled. */
  promise: ResendPromise;
  /** Attempts to send it, as far as this process knows. */
  attempt: number;
  /** True once the attempt in the entry had its outcome: the next one needs a record of its own. */
  isAttemptRecordSpent: boolean;
  /** Steady time: when this process recorded that attempt; null where an earlier one did. */
  attemptRecordedMs: number | null;
  mayExist: boolean;
  /** True once an attempt had an unknown outcome, also after it was settled. */
  wasInDoubt: boolean;
  /** How it was refused, while it is looked up whether an earlier attempt was taken. */
  refusal: Refusal | null;
  /** Steady time, as are those below: when it was last put in its queue. */
  queuedMs: number;
  /** From when on its time limit counts: its first attempt, or when it was first held back by one that failed. */
  firstSentMs: number | null;
  failureCount: number;
  /** Tries that were answered NOT_NOW, and since when. */
  notNowCount: number;
  notNowSinceMs: number | null;
  /** When the market opens that it waits for, by the wall clock; null: it waits for none. */
  sessionMs: number | null;
  /** True: a measure keeps it back, and it waits for its next try. */
  isHeld: boolean;
  /** Steady time: when its owner was last told so; null: never. */
  heldToldMs: number | null;
  provenFromMs: number | null;
  /** Not sent before this. */
  notBeforeMs: number;
  /** True once its outcome is known and on its way into a batch. */
  isDecided: boolean;
  /** Grows when it is taken out of the queues' hands: what they hold of an older generation is void. */
  generation: number;
}

/** The record of an order whose entry was just made or was found in the store. */
export function trackOrder(
  entry: OutboxEntry,
  row: Row,
  promise: ResendPromise,
  attempt: number,
  nowMs: number,
): TrackedOrder {
  return {
    entry,
    row,
    state: entry.quarantine === null ? "queued" : "quarantined",
    sinceMs: entry.quarantine?.sinceMs ?? nowMs,
    reason: entry.quarantine?.reason ?? "",
    promise,
    attempt,
    isAttemptRecordSpent: false,
    attemptRecordedMs: null,
    mayExist: false,
    wasInDoubt: false,
    refusal: null,
    queuedMs: 0,
    firstSentMs: null,
    failureCount: 0,
    notNowCount: 0,
    notNowSinceMs: null,
    sessionMs: null,
    isHeld: false,
    heldToldMs: null,
    provenFromMs: null,
    notBeforeMs: 0,
    isDecided: false,
    generation: 0,
  };
}

/** What {@link decideNext} needs to know of it. `awakeSinceMs`: before that the process stood still and tried nothing. */
export function knownStateOf(order: TrackedOrder, awakeSinceMs: number): KnownState {
  return {
    promise: order.promise,
    urgency: order.entry.order.urgency,
    isSell: order.entry.order.buySell === SELL,
    mayExist: order.mayExist,
    wasInDoubt: order.wasInDoubt,
    refusal: order.refusal,
    firstSentMs: order.firstSentMs === null ? null : Math.max(order.firstSentMs, awakeSinceMs),
    failureCount: order.failureCount,
    notNowCount: order.notNowCount,
    notNowSinceMs: order.notNowSinceMs,
    expiresAtMs: order.entry.expiresAtMs,
    expiresAtSteadyMs: expiresAtSteadyMs(order),
    provenFromMs: order.provenFromMs,
  };
}

function expiresAtSteadyMs({ entry, attemptRecordedMs }: TrackedOrder): number | null {
  if (attemptRecordedMs === null || entry.expiresAtMs === null || entry.attemptRecordedMs === null) return null;
  return attemptRecordedMs + entry.expiresAtMs - entry.attemptRecordedMs;
}

/**
 * Whether the entry must be written again before the order may be sent now: when it does not say that it may have been
 * sent, when it says so of an earlier attempt, or when the attempt it tells of would expire too soon to be useful.
 */
export function needsAttemptRecord(order: TrackedOrder, rules: AttemptRules, wallMs: number): boolean {
  const { entry } = order;
  if (entry.promise !== rules.promise || !wasMaybeSent(entry)) return true;
  if (entry.promise === "idempotent") return false;
  return order.isAttemptRecordSpent || (entry.expiresAtMs !== null && entry.expiresAtMs - wallMs < rules.expiryMs / 2);
}

/**
 * Whether the entry says that the order may have been sent, though it is certainly nowhere: an attempt was recorded and never left,
 * or its last answer was that it was not accepted.
 */
export function isAttemptRecordedInVain(order: TrackedOrder): boolean {
  const { entry, state } = order;
  if (entry.attemptRecordedMs === null || order.mayExist || order.isDecided) return false;
  return state === "queued" || state === "retrying" || (state === "sending" && entry.attempt > order.attempt);
}

/** Whether no order of this name exists or can come to exist while nothing is done about it. */
export function isCertainlyUnsent({ state, mayExist, isDecided }: TrackedOrder): boolean {
  return (state === "queued" || state === "retrying") && !mayExist && !isDecided;
}

/** Kind and limit of an order. */
type Terms = Pick<OutboxOrder, "orderType" | "price">;

/**
 * Kind and limit that differ from the entry's; undefined: they do not, or the order may exist. An order that may exist keeps
 * its own, as the same name is the same order.
 */
export function changedTerms(
  { entry: { order }, mayExist }: TrackedOrder,
  termsOf: ((order: OutboxOrder) => Terms) | undefined,
): Terms | undefined {
  const terms = mayExist ? undefined : termsOf?.(order);
  const isSame = terms?.orderType === order.orderType && terms.price === order.price;
  return terms === undefined || isSame ? undefined : { orderType: terms.orderType, price: terms.price };
}

/** Moves it to a state; the time of a state is that of its beginning. */
export function enterState(order: TrackedOrder, state: OrderState, reason: string, wallMs: number): void {
  if (order.state !== state) order.sinceMs = wallMs;
  order.state = state;
  order.reason = reason;
}

/** It is proven, or a person's word, that no order exists: its next attempt is as if the first. */
export function resetToUnsent(order: TrackedOrder): void {
  order.isAttemptRecordSpent = true;
  order.mayExist = false;
  order.refusal = null;
  order.firstSentMs = null;
  order.failureCount = 0;
  order.provenFromMs = null;
  order.notBeforeMs = 0;
}

/** The brokerage judged it and the market does not take it now: its next try is as if the first, however late. */
function notePostponed(order: TrackedOrder, atMs: number, nowMs: number): void {
  order.notNowCount += 1;
  order.notNowSinceMs ??= nowMs;
  order.firstSentMs = null;
  order.failureCount = 0;
  order.queuedMs = atMs;
  order.notBeforeMs = 0;
}

/** Notes what was decided; carrying it out is the caller's. */
export function applyNext(order: TrackedOrder, next: Next, { wallMs, steadyMs }: Moment): void {
  switch (next.type) {
    case "finish":
      order.isDecided = true;
      return;
    case "retry":
      enterState(order, "retrying", next.reason, wallMs);
      order.failureCount += 1;
      order.notBeforeMs = next.atMs;
      return;
    case "postpone":
      enterState(order, "retrying", next.reason, wallMs);
      notePostponed(order, next.atMs, steadyMs);
      return;
    case "resend":
      enterState(order, "settling", next.reason, wallMs);
      order.failureCount += 1;
      noteDoubt(order);
      order.notBeforeMs = 0;
      return;
    case "lookUp":
      // The first look-up of an attempt begins its own count of failures.
      order.failureCount = order.state === "settling" ? order.failureCount + 1 : 0;
      enterState(order, "settling", next.reason, wallMs);
      noteDoubt(order);
      order.provenFromMs = next.provenFromMs;
      order.refusal = next.refusal ?? null;
      return;
    case "sendAnew":
      resetToUnsent(order);
      enterState(order, "queued", next.reason, wallMs);
      return;
    case "quarantine":
      noteDoubt(order);
      enterState(order, "quarantined", next.reason, wallMs);
      return;
    default:
      unreachable(next);
  }
}

/** It may exist from here on. */
export function noteDoubt(order: TrackedOrder): void {
  order.mayExist = true;
  order.wasInDoubt = true;
}

/**
 * The attempt that the fence of a request about it names: the one that was stored before it was used. Where the promise
 * is `idempotent` attempts are not stored, and a connector that gives it holds none against another.
 */
export function fencedAttempt({ entry, attempt }: TrackedOrder): number {
  return entry.promise === "idempotent" ? attempt : entry.attempt;
}

/** What operators see of it (behaviour 11.7: outbox and quarantine). */
export function toPendingOrder(order: TrackedOrder): PendingOrderRecord {
  const { sequence, order: what } = order.entry;
  return {
    sequence,
    clientOrderId: what.clientOrderId,
    userId: what.userId,
    brokerageCode: what.brokerageCode,
    accountNumber: what.accountNumber,
    symbol: what.symbol,
    state: order.state,
    attempt: order.attempt,
    since: formatTime(order.sinceMs),
    reason: order.reason,
  };
}

/** The order as its owner sees it. */
export function toUnansweredOrder({ entry, state, sinceMs, reason }: TrackedOrder): UnansweredOrderRecord {
  const { clientOrderId, symbol, buySell, quantity, origin } = entry.order;
  return { clientOrderId, symbol, buySell, quantity, origin, state, since: formatTime(sinceMs), reason };
}

/** The same as a log's fields: whom and what it concerns, no message text of others. */
export function logFields(order: { readonly entry: OutboxEntry }): object {
  const { sequence, order: what } = order.entry;
  const { clientOrderId, userId, brokerageCode, accountNumber, symbol } = what;
  return { sequence, clientOrderId, userId, brokerageCode, accountNumber, symbol };
}
