/**
 * An order in the outbox in this process: its entry, and the state that the entry does not contain.
 *
 * Owns: that record and its form for operators. Does not own: the handling of the order.
 */
import { unreachable } from "../../../src/assert.ts";
import type { ResendPromise } from "../../../src/contract/trading/order.ts";
import { SELL } from "../../../src/domain/order/order.ts";
import { formatTime } from "../../../src/domain/time.ts";
import type { PendingOrderRecord, UnansweredOrderRecord } from "../../ports/operator.ts";
import type { OrderOutcome, OutboxOrder } from "../../ports/order.ts";
import type { Row } from "../../ports/storage.ts";
import { type AttemptRules, type OutboxEntry, wasMaybeSent } from "./entry/entry.ts";
import type { KnownState, Moment, Next, Refusal } from "./settle.ts";

/**
 * - `queued`: not sent yet, or proven not to exist.
 * - `sending`: its attempt is being stored, is on its way, or was answered in this turn of the loop.
 * - `retrying`: certainly not accepted; it waits for its next try, also if the market does not take it now.
 * - `settling`: may exist; it is being looked up or sent again by name.
 * - `quarantined`: may exist, and a person must decide.
 */
export type OrderState = "queued" | "sending" | "retrying" | "settling" | "quarantined";

/** Mutable: only the outbox and its lanes change it. */
export interface TrackedOrder {
  /** The entry as it was last put in the journal. */
  entry: OutboxEntry;
  /** The row of the entry. */
  readonly row: Row;
  state: OrderState;
  /** Since when it is in that state, by the wall clock. */
  sinceMs: number;
  /** Why it is in that state; empty without a reason. */
  reason: string;
  /** The promise by which a sent attempt is settled. */
  promise: ResendPromise;
  /** The attempts to send it that this process knows of. */
  attempt: number;
  /** True once the attempt in the entry has its outcome: the next attempt needs a record of its own. */
  isAttemptRecordSpent: boolean;
  /** Steady time when this process recorded that attempt; null if an earlier process recorded it. */
  attemptRecordedMs: number | null;
  mayExist: boolean;
  /** True once an attempt had an unknown outcome, even after it was settled. */
  wasInDoubt: boolean;
  /** The refusal, while a look-up finds out whether an earlier attempt was taken. */
  refusal: Refusal | null;
  /** Steady time, as are the times below: when it was last put in its queue. */
  queuedMs: number;
  /** Start of its time limit: its first attempt, or when an order that failed first held it back. */
  firstSentMs: number | null;
  failureCount: number;
  /** The tries with the answer NOT_NOW, and since when. */
  notNowCount: number;
  notNowSinceMs: number | null;
  /** When the market opens that it waits for, by the wall clock; null: it does not wait for one. */
  sessionMs: number | null;
  /** True while a measure keeps it back and it waits for its next try. */
  isHeld: boolean;
  /** Steady time when its owner was last notified of that; null: never. */
  heldToldMs: number | null;
  provenFromMs: number | null;
  /** It is not sent before this. */
  notBeforeMs: number;
  /** True once its outcome is known and on its way into a batch. */
  isDecided: boolean;
  /** Grows when the order is withdrawn from the queues: their tickets of an older generation are void. */
  generation: number;
}

/** Makes the record of an order whose entry was just made or was found in the store. */
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

/** Returns the input of {@link decideNext}. `awakeSinceMs`: when the last standstill, without any tries, ended. */
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
 * Whether the entry must be written again before the order can be sent now: if it has another promise, records no
 * attempt or only an earlier one, or if the recorded attempt would expire too soon.
 */
export function needsAttemptRecord(order: TrackedOrder, rules: AttemptRules, wallMs: number): boolean {
  const { entry } = order;
  if (entry.promise !== rules.promise || !wasMaybeSent(entry)) return true;
  if (entry.promise === "idempotent") return false;
  return order.isAttemptRecordSpent || (entry.expiresAtMs !== null && entry.expiresAtMs - wallMs < rules.expiryMs / 2);
}

/**
 * Whether the entry records an attempt although no order exists: the attempt never left, or its last answer was that it
 * was not accepted.
 */
export function isAttemptRecordedInVain(order: TrackedOrder): boolean {
  const { entry, state } = order;
  if (entry.attemptRecordedMs === null || order.mayExist || order.isDecided) return false;
  return state === "queued" || state === "retrying" || (state === "sending" && entry.attempt > order.attempt);
}

/** Whether no order of this name exists, and none can come to exist as long as it is not sent. */
export function isCertainlyUnsent({ state, mayExist, isDecided }: TrackedOrder): boolean {
  return (state === "queued" || state === "retrying") && !mayExist && !isDecided;
}

/** An order whose outcome is known and not yet reported. */
export interface FinishedOrder {
  readonly order: TrackedOrder;
  readonly outcome: OrderOutcome;
}

/** The name of the symbol, the kind and the limit of an order. */
type Terms = Pick<OutboxOrder, "symbol" | "orderType" | "price">;
type TermsOf = (order: OutboxOrder) => Terms;

/**
 * Returns name, kind and limit if they differ from the entry's; undefined if they do not, or if the order may exist. An
 * order that may exist keeps its own, as the same name of an order means the same order.
 */
export function changedTerms({ entry, mayExist }: TrackedOrder, termsOf: TermsOf | undefined): Terms | undefined {
  return mayExist ? undefined : otherTerms(entry, termsOf);
}

/** Whether the order would leave with other terms now, also if it may exist. */
export function hasOtherTerms({ entry }: TrackedOrder, termsOf: TermsOf | undefined): boolean {
  return otherTerms(entry, termsOf) !== undefined;
}

function otherTerms({ order }: OutboxEntry, termsOf: TermsOf | undefined): Terms | undefined {
  const terms = termsOf?.(order);
  if (terms === undefined) return undefined;
  const { symbol, orderType, price } = terms;
  const isSame = symbol === order.symbol && orderType === order.orderType && price === order.price;
  return isSame ? undefined : { symbol, orderType, price };
}

/** Moves an order to a state; `sinceMs` of a state is its beginning. */
export function enterState(order: TrackedOrder, state: OrderState, reason: string, wallMs: number): void {
  if (order.state !== state) order.sinceMs = wallMs;
  order.state = state;
  order.reason = reason;
}

/** Resets an order that is proven, or confirmed by a person, not to exist: its next attempt counts as the first. */
export function resetToUnsent(order: TrackedOrder): void {
  order.isAttemptRecordSpent = true;
  order.mayExist = false;
  order.refusal = null;
  order.firstSentMs = null;
  order.failureCount = 0;
  order.provenFromMs = null;
  order.notBeforeMs = 0;
}

/** The brokerage judged it and the market does not take it now: its next try counts as the first, however late. */
function notePostponed(order: TrackedOrder, atMs: number, nowMs: number): void {
  order.notNowCount += 1;
  order.notNowSinceMs ??= nowMs;
  order.firstSentMs = null;
  order.failureCount = 0;
  order.queuedMs = atMs;
  order.notBeforeMs = 0;
}

/** Notes the decision in the order; the caller carries it out. */
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

/** Notes that the order may exist from now on. */
export function noteDoubt(order: TrackedOrder): void {
  order.mayExist = true;
  order.wasInDoubt = true;
}

/**
 * Returns the attempt number for the fence of a request: the number that was stored before its use. Under the promise
 * `idempotent` attempts are not stored, and a connector with that promise compares no attempts.
 */
export function fencedAttempt({ entry, attempt }: TrackedOrder): number {
  return entry.promise === "idempotent" ? attempt : entry.attempt;
}

/** The order's record for operators (behaviour 11.7: outbox and quarantine). */
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

/** The order's record for its owner. */
export function toUnansweredOrder({ entry, state, sinceMs, reason }: TrackedOrder): UnansweredOrderRecord {
  const { clientOrderId, symbol, buySell, quantity, origin } = entry.order;
  return { clientOrderId, symbol, buySell, quantity, origin, state, since: formatTime(sinceMs), reason };
}

/** The same as fields of a log line: user, account and order, without messages from others. */
export function logFields(order: { readonly entry: OutboxEntry }): object {
  const { sequence, order: what } = order.entry;
  const { clientOrderId, userId, brokerageCode, accountNumber, symbol } = what;
  return { sequence, clientOrderId, userId, brokerageCode, accountNumber, symbol };
}
