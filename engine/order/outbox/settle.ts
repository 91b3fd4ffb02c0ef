/**
 * Decides the next step of an order that was sent, looked up or found in the store after a restart. The heart of the
 * outbox: one pure function of the known state and the news.
 *
 * Owns: when an order is placed, refused, tried again, looked up or put in quarantine (behaviour 4.5).
 * Does not own: carrying that out, storing, pacing.
 *
 * Invariants:
 * 1. `refused` is returned only when no order exists and none can come to exist. A refusal after an attempt of unknown
 *    outcome does not prove that: the order is looked up first, even if the brokerage promised that its first answer is
 *    final. The look-up costs a moment if the promise is kept, and prevents a second order if it is not. Only a brokerage
 *    that answers that it can look nothing up is taken at its promise.
 * 2. An order that may exist is sent again only under the promise `idempotent` with the same terms, or after a NOT_FOUND
 *    late enough to be a proof (`provenFromMs`).
 * 3. Giving up follows an answer, never the clock alone: an order that is refused as unreachable was tried just before.
 * 4. An order that may exist is pursued without a time limit, until the brokerage answers that it can never know.
 */

import { assert, unreachable } from "../../../src/assert.ts";
import type {
  BrokerFailureCode,
  BrokerReply,
  OrderAnswer,
  OrderRecord,
  ResendPromise,
} from "../../../src/contract/trading/order.ts";
import { CLOSED_PAUSE_MS } from "../../../src/domain/market/calendar.ts";
import { fillPriceOf, ORDER_COMPLETED, ORDER_REJECTED } from "../../../src/domain/order/order.ts";
import type { OrderOutcome, OutboxOrder } from "../../ports/order.ts";

/**
 * How long an order that the brokerage certainly did not take is tried again. The time counts from its first attempt,
 * or from when an order of its account that was not taken first held it back.
 */
export const RETRY_LIMIT_MS = 30_000;
/** How far the brokerage's clock may be behind ours: an order may be accepted this long after its `expiresAt`. */
export const CLOCK_SKEW_MS = 1_000;
/** The pauses after consecutive NOT_NOW answers; the last one repeats. */
const NOT_NOW_PAUSES_MS = [1_000, 5_000, 30_000, 60_000] as const;
const BACKOFF_FIRST_MS = 100;
const RETRY_BACKOFF_MAX_MS = 5_000;
const SETTLE_BACKOFF_MAX_MS = 10_000;
/** The least time allowed for a brokerage that refused a repeat to accept the attempt before it after all. */
const DOUBT_MS = 5_000;
/** The largest random share added to a delay, so that accounts that failed together do not all retry together. */
const JITTER_SHARE = 0.2;

const UNREACHABLE_MESSAGE = "brokerage unreachable";
const LOGIN_MESSAGE = "log in to the brokerage first";
const NOT_NOW_MESSAGE = "the market does not take the order now";
const REJECTED_MESSAGE = "rejected by the brokerage";

/** The known state of an order when news arrives. */
export interface KnownState {
  /** The promise by which its unknown outcome is settled. */
  readonly promise: ResendPromise;
  readonly urgency: OutboxOrder["urgency"];
  readonly isSell: boolean;
  /** True once an attempt had an unknown outcome, until it is settled. */
  readonly mayExist: boolean;
  /** True once an attempt had an unknown outcome, even after a look-up found that no order exists. */
  readonly wasInDoubt: boolean;
  /** The refusal, while a look-up finds out whether an earlier attempt was taken. */
  readonly refusal: Refusal | null;
  /** Steady time from which the time limit counts; null before the first attempt. */
  readonly firstSentMs: number | null;
  /** Consecutive failed calls. */
  readonly failureCount: number;
  /** Tries with the answer NOT_NOW. */
  readonly notNowCount: number;
  /** Steady time of the first NOT_NOW; null before it. */
  readonly notNowSinceMs: number | null;
  /** `expiry`: when the last attempt ceases to be acceptable, by the wall clock, which the brokerage reads too. */
  readonly expiresAtMs: number | null;
  /** The same in steady time, as long as no clock steps; null if an earlier process recorded the attempt. */
  readonly expiresAtSteadyMs: number | null;
  /** Steady time from which NOT_FOUND proves that no order exists. */
  readonly provenFromMs: number | null;
}

/** How a brokerage refused an order. */
export type Refusal = Omit<Extract<OrderOutcome, { type: "refused" }>, "type">;

/** One moment on two clocks. The wall clock may step; durations are measured in steady time. */
export interface Moment {
  readonly steadyMs: number;
  readonly wallMs: number;
}

export type OrderNews =
  | { readonly type: "sent"; readonly reply: BrokerReply<OrderAnswer> }
  | { readonly type: "lookedUp"; readonly asked: Moment; readonly reply: BrokerReply<OrderRecord> }
  /** Found in the store at a start; it may have been sent. */
  | { readonly type: "recovered" };

export interface Conditions {
  readonly now: Moment;
  /** From 0 to below 1. */
  readonly random: number;
  /** How long an order of the brokerage may stay on its way (`query`). */
  readonly settleMs: number;
  /** Whether the brokerage can be asked about an order. */
  readonly canLookUp: boolean;
  /** The milliseconds until the market opens for the order; null: it is open, or no calendar is known. */
  readonly opensInMs: number | null;
  /** Whether the order would leave with another kind or limit now than its last attempt. */
  readonly hasOtherTerms: boolean;
  /** For how many milliseconds a measure keeps the order back, Infinity if unknown; null: no measure does. */
  readonly heldForMs: number | null;
}

/** All `atMs` are steady time. */
export type Next =
  | { readonly type: "finish"; readonly outcome: OrderOutcome }
  /** Certainly not accepted: it keeps its place before the account's later orders and is sent again at `atMs`. */
  | { readonly type: "retry"; readonly atMs: number; readonly reason: string }
  /**
   * No order exists, and the market does not take it now: sent again at `atMs`; later orders of the account pass it.
   */
  | {
      readonly type: "postpone";
      readonly atMs: number;
      readonly reason: string;
      /** When the market opens that it waits for, by the wall clock; null: it waits for a pause. */
      readonly sessionMs: number | null;
    }
  /** It may exist and may be sent again under its name at `atMs`; later orders do not wait for it. */
  | { readonly type: "resend"; readonly atMs: number; readonly reason: string }
  /** It may exist and is looked up at `atMs`; later orders do not wait for it. */
  | {
      readonly type: "lookUp";
      readonly atMs: number;
      readonly provenFromMs: number;
      readonly reason: string;
      /** The refusal to report once no order is proven to exist; if absent the order is then sent again. */
      readonly refusal?: Refusal;
    }
  /** No order exists, which is proven: a new attempt is made as if it were the first. */
  | { readonly type: "sendAnew"; readonly reason: string }
  /** It may exist and its fate cannot be found out: a person must decide. */
  | { readonly type: "quarantine"; readonly reason: string };

/** Decides the next step. Pure. */
export function decideNext(known: KnownState, news: OrderNews, conditions: Conditions): Next {
  switch (news.type) {
    case "sent":
      return afterSend(known, news.reply, conditions);
    case "lookedUp":
      return afterLookUp(known, news.asked, news.reply, conditions);
    case "recovered":
      return afterRestart(known, conditions);
    default:
      return unreachable(news);
  }
}

function afterRestart(known: KnownState, conditions: Conditions): Next {
  const reason = "outcome unknown after a restart";
  return known.promise === "idempotent" ? repeat(conditions, reason, 0) : settleUnknown(known, reason, conditions);
}

/**
 * Sends an order that may exist again after `pauseMs`, by its name. A repeat has the terms of the attempt before. If the
 * order would leave with other terms now, perhaps on another day, it is looked up instead.
 */
function repeat(conditions: Conditions, reason: string, pauseMs: number): Next {
  const { now, hasOtherTerms, canLookUp } = conditions;
  if (hasOtherTerms && canLookUp) return lookUpDoubted(conditions, reason);
  return { type: "resend", atMs: now.steadyMs + pauseMs, reason };
}

/** Looks up an order that may exist; if it does not, it is sent as if for the first time. */
function lookUpDoubted({ now, settleMs }: Conditions, reason: string): Next {
  const nowMs = now.steadyMs;
  return { type: "lookUp", atMs: nowMs, provenFromMs: nowMs + Math.max(settleMs, DOUBT_MS), reason };
}

/**
 * Returns the promise for settling an entry that was stored under one promise and is found under another: the weaker of
 * the two. An order that was sent without `expiresAt` never expires, so two different promises give `query` at best.
 */
export function settlingPromise(stored: ResendPromise, current: ResendPromise): ResendPromise {
  if (stored === current) return stored;
  return stored === "none" || current === "none" ? "none" : "query";
}

/** Returns the delay before the next try in milliseconds: it doubles from 100 ms up to `maxMs`, plus up to a fifth. */
export function backoffMs(failureCount: number, maxMs: number, random: number): number {
  const delayMs = Math.min(maxMs, BACKOFF_FIRST_MS * 2 ** Math.min(failureCount, 30));
  return Math.round(delayMs * (1 + JITTER_SHARE * random));
}

function afterSend(known: KnownState, reply: BrokerReply<OrderAnswer>, conditions: Conditions): Next {
  assert(!known.mayExist || known.promise === "idempotent", "what may exist is sent again by name only");
  if (reply.ok) return finishPlaced(reply.data);
  switch (reply.code) {
    case "REJECTED":
    case "NOT_FOUND":
      return afterRefusal(known, { code: reply.code, message: reply.message || REJECTED_MESSAGE }, conditions);
    case "NOT_NOW":
      return afterNotNow(known, reply.message || NOT_NOW_MESSAGE, conditions);
    case "UNAUTHORIZED":
    case "NOT_SENT":
      return afterNotAccepted(known, reply.code, reply.message, conditions);
    case "UNAVAILABLE":
      return settleUnknown(known, reply.message || "outcome unknown", conditions);
    case "UNKNOWN":
      // Only a repeat settles it under this promise, and the brokerage answers that no repeat ever will.
      return known.promise === "idempotent"
        ? cannotTell(reply.message || "outcome unknown")
        : settleUnknown(known, reply.message || "outcome unknown", conditions);
    case "FENCED":
      // Another attempt of this order has an answer that is not known here: the truth is found out as promised.
      return settleUnknown(known, reply.message || "fenced by the connector", conditions);
    default:
      return unreachable(reply.code);
  }
}

/** Decides after a refusal of this attempt; an earlier attempt may have been accepted, or may still be under way. */
function afterRefusal(known: KnownState, refusal: Refusal, { now, settleMs, canLookUp }: Conditions): Next {
  // Under the promise `none` a person has confirmed that no earlier attempt exists.
  const canDoubt = known.wasInDoubt && known.promise !== "none" && canLookUp;
  if (!canDoubt) return { type: "finish", outcome: { type: "refused", ...refusal } };
  const nowMs = now.steadyMs;
  const provenFromMs = known.mayExist ? nowMs + Math.max(settleMs, DOUBT_MS) : nowMs;
  return { type: "lookUp", atMs: nowMs, provenFromMs, reason: `refused in doubt: ${refusal.message}`, refusal };
}

/**
 * Decides when the market does not take the order now (behaviour 6.8). A triggered sell is tried until the market takes
 * it; if the market is closed, when it opens (21.3). A triggered buy is tried for as long as with an unreachable
 * brokerage. A client gets the refusal and decides.
 */
function afterNotNow(known: KnownState, message: string, conditions: Conditions): Next {
  const { now, random, opensInMs, heldForMs, canLookUp } = conditions;
  const nowMs = now.steadyMs;
  const atMs = nowMs + notNowPauseMs(known.notNowCount, random);
  const openMs = opensInMs === null ? Number.POSITIVE_INFINITY : nowMs + opensInMs;
  if (known.mayExist) {
    // It keeps its terms as long as it may exist, and the market may take it on another day.
    if (canLookUp && known.urgency !== "client") return lookUpDoubted(conditions, message);
    return repeat(conditions, message, Math.min(notNowPauseMs(known.failureCount, random), openMs - nowMs));
  }
  const isPostponed = known.urgency !== "client";
  // It leaves immediately when the measure ends; until then its owner is notified from time to time.
  if (heldForMs !== null) {
    return { type: "postpone", atMs: nowMs + Math.min(heldForMs, CLOSED_PAUSE_MS), reason: message, sessionMs: null };
  }
  if (isPostponed && known.isSell && opensInMs !== null) {
    return {
      ...{ type: "postpone", reason: message, sessionMs: now.wallMs + opensInMs },
      atMs: Math.min(openMs, nowMs + CLOSED_PAUSE_MS),
    };
  }
  const limitMs = known.isSell ? Number.POSITIVE_INFINITY : (known.notNowSinceMs ?? nowMs) + RETRY_LIMIT_MS;
  if (isPostponed && nowMs < limitMs) {
    return { type: "postpone", atMs: Math.min(atMs, limitMs), reason: message, sessionMs: null };
  }
  return afterRefusal(known, { code: "NOT_NOW", message }, conditions);
}

/** Returns the pause before the next try of an order with so many tries answered NOT_NOW, in milliseconds. */
function notNowPauseMs(count: number, random: number): number {
  const pauseMs = NOT_NOW_PAUSES_MS[Math.min(count, NOT_NOW_PAUSES_MS.length - 1)] ?? 0;
  return Math.round(pauseMs * (1 + JITTER_SHARE * random));
}

/** Decides after an attempt that was certainly not accepted; an earlier attempt may have been. */
function afterNotAccepted(
  known: KnownState,
  code: Extract<BrokerFailureCode, "UNAUTHORIZED" | "NOT_SENT">,
  message: string,
  conditions: Conditions,
): Next {
  const { now, random } = conditions;
  const nowMs = now.steadyMs;
  assert(known.firstSentMs !== null, "only what was sent is answered");
  const limitMs = known.firstSentMs + RETRY_LIMIT_MS;
  // A client can log in and ask again; a triggered order waits for the session to be renewed.
  const isWorthWaiting = code !== "UNAUTHORIZED" || known.urgency !== "client";
  const reason = message || code;
  if (isWorthWaiting && nowMs < limitMs) {
    const atMs = Math.min(limitMs, nowMs + backoffMs(known.failureCount, RETRY_BACKOFF_MAX_MS, random));
    return { type: "retry", atMs, reason };
  }
  if (known.mayExist) return repeat(conditions, reason, backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random));
  return code === "UNAUTHORIZED"
    ? refused("UNAUTHORIZED", message || LOGIN_MESSAGE)
    : refused("UNAVAILABLE", UNREACHABLE_MESSAGE);
}

function cannotTell(reason: string): Next {
  return { type: "quarantine", reason: `the brokerage does not know the outcome: ${reason}` };
}

function settleUnknown(known: KnownState, reason: string, conditions: Conditions): Next {
  const { now, random, settleMs } = conditions;
  const nowMs = now.steadyMs;
  switch (known.promise) {
    case "idempotent":
      return repeat(conditions, reason, backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random));
    case "expiry": {
      const provenFromMs = nowMs + acceptableForMs(known, now);
      return { type: "lookUp", atMs: provenFromMs, provenFromMs, reason };
    }
    case "query":
      return { type: "lookUp", atMs: nowMs + settleMs, provenFromMs: nowMs + settleMs, reason };
    case "none":
      return { type: "quarantine", reason };
    default:
      return unreachable(known.promise);
  }
}

function afterLookUp(
  known: KnownState,
  asked: Moment,
  reply: BrokerReply<OrderRecord>,
  { now: { steadyMs: nowMs }, random }: Conditions,
): Next {
  const { provenFromMs, refusal } = known;
  assert(known.mayExist && provenFromMs !== null, "only what may exist is looked up");
  if (reply.ok) return finishPlaced(reply.data);
  const reason = reply.message || reply.code;
  const kept = refusal === null ? {} : { refusal };
  const isRepeatable = known.promise === "idempotent" && refusal === null;
  if (isRepeatable && reply.code !== "NOT_FOUND" && (reply.code === "UNKNOWN" || nowMs >= provenFromMs)) {
    // Without an answer in time, or ever, the order is repeated. The repeat has the terms of the attempt before.
    return { type: "resend", atMs: nowMs + backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random), reason };
  }
  if (reply.code === "UNKNOWN") {
    return known.promise === "idempotent" && refusal !== null
      ? { type: "finish", outcome: { type: "refused", ...refusal } }
      : cannotTell(reason);
  }
  if (reply.code !== "NOT_FOUND") {
    const atMs = nowMs + backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random);
    return { type: "lookUp", atMs, provenFromMs, reason, ...kept };
  }
  // Both clocks must have passed the bound: the wall clock may have stepped back, or forward and back.
  const leftMs = known.promise === "expiry" ? acceptableForMs(known, asked) : 0;
  const boundMs = Math.max(provenFromMs, asked.steadyMs + leftMs);
  if (asked.steadyMs < boundMs) {
    // A refused order is also looked up before the bound: if it was taken after all, that is known sooner.
    const soonMs = refusal === null ? boundMs : nowMs + backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random);
    return { type: "lookUp", atMs: Math.max(nowMs, Math.min(boundMs, soonMs)), provenFromMs: boundMs, reason, ...kept };
  }
  if (refusal !== null) return { type: "finish", outcome: { type: "refused", ...refusal } };
  return { type: "sendAnew", reason: "the brokerage does not know it" };
}

/**
 * Returns for how many milliseconds more the last attempt may be accepted, by the clock that gives the longer time. The
 * wall clock may have been set forward since the attempt, which does not advance the brokerage's clock.
 */
function acceptableForMs({ expiresAtMs, expiresAtSteadyMs }: KnownState, { steadyMs, wallMs }: Moment): number {
  assert(expiresAtMs !== null, "an attempt under the promise of expiry has a time of expiry");
  const byWallMs = expiresAtMs - wallMs;
  const leftMs = expiresAtSteadyMs === null ? byWallMs : Math.max(byWallMs, expiresAtSteadyMs - steadyMs);
  return Math.max(0, leftMs + CLOCK_SKEW_MS);
}

/**
 * Returns an order that the brokerage itself rejected as refused, with the brokerage's message. If a part of it was
 * filled it counts as placed: its owner is notified of the fill once the order is followed. The fill of a completed
 * order goes along, if quantity and price are known.
 */
function finishPlaced(answer: OrderAnswer & Pick<Partial<OrderRecord>, "message">): Next {
  const { orderNo, orderStatus, message } = answer;
  const quantity = answer.filledQuantity ?? 0;
  if (orderStatus === ORDER_REJECTED && quantity === 0) return refused("REJECTED", message || REJECTED_MESSAGE);
  const price = fillPriceOf(answer.averagePrice ?? 0);
  return orderStatus === ORDER_COMPLETED && quantity > 0 && price !== null
    ? { type: "finish", outcome: { type: "placed", orderNo, orderStatus, fill: { quantity, price } } }
    : { type: "finish", outcome: { type: "placed", orderNo, orderStatus } };
}

function refused(code: Extract<OrderOutcome, { type: "refused" }>["code"], message: string): Next {
  return { type: "finish", outcome: { type: "refused", code, message } };
}
