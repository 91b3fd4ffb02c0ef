/**
 * What next for an order that was sent, looked up or found in the store after a restart. The heart of the outbox: one
 * plain function over what is known and what happened.
 *
 * Owns: when an order is placed, refused, tried again, looked up or put in quarantine (behaviour 4.5).
 * Does not own: carrying that out, storing, pacing.
 *
 * Invariants:
 * 1. `refused` is said only when no order exists and none can come to exist. A refusal that comes after an attempt of
 *    unknown outcome is no proof of that: the order is looked up first, even where the brokerage promised that its first
 *    answer stands for ever. That costs a moment where the promise is kept, and no second order where it is not.
 * 2. An order of which one may exist is sent again only where the brokerage promised `idempotent`, or once a look-up
 *    said NOT_FOUND after the moment from which that proves it (`provenFromMs`).
 * 3. Giving up is decided on an answer, never on the clock alone: what is refused as unreachable was just tried.
 * 4. What may exist is pursued for as long as it takes, or until the brokerage says that it can never tell.
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
import { ORDER_REJECTED } from "../../../src/domain/order/order.ts";
import type { OrderOutcome, OutboxOrder } from "../../ports/order.ts";

/**
 * How long an order that the brokerage certainly did not take is tried again: from its first attempt on, or from when
 * it was first held back by an order of its account that was not taken.
 */
export const RETRY_LIMIT_MS = 30_000;
/** How far the brokerage's clock may be behind ours: an order may be accepted that long after its `expiresAt`. */
export const CLOCK_SKEW_MS = 1_000;
/** The pauses after each NOT_NOW, one after the other; the last one repeats. */
const NOT_NOW_PAUSES_MS = [1_000, 5_000, 30_000, 60_000] as const;
const BACKOFF_FIRST_MS = 100;
const RETRY_BACKOFF_MAX_MS = 5_000;
const SETTLE_BACKOFF_MAX_MS = 10_000;
/** How long a brokerage that refuses a repeat may still accept the attempt before it, at least. */
const DOUBT_MS = 5_000;
/** Share of a delay that chance adds, so that accounts which failed together do not all come back together. */
const JITTER_SHARE = 0.2;

const UNREACHABLE_MESSAGE = "brokerage unreachable";
const LOGIN_MESSAGE = "log in to the brokerage first";
const NOT_NOW_MESSAGE = "the market does not take the order now";
const REJECTED_MESSAGE = "rejected by the brokerage";

/** What is known of an order when something happens to it. */
export interface KnownState {
  /** By what its unknown outcome is settled. */
  readonly promise: ResendPromise;
  readonly urgency: OutboxOrder["urgency"];
  readonly isSell: boolean;
  /** True once an attempt had an unknown outcome, until it is settled. */
  readonly mayExist: boolean;
  /** True once an attempt had an unknown outcome, also after a look-up said that it came to nothing. */
  readonly wasInDoubt: boolean;
  /** How it was refused, while it is looked up whether an earlier attempt was taken. */
  readonly refusal: Refusal | null;
  /** Steady time: from when on the time limit counts; null before the first attempt. */
  readonly firstSentMs: number | null;
  /** Calls that failed one after the other. */
  readonly failureCount: number;
  /** Tries that were answered NOT_NOW. */
  readonly notNowCount: number;
  /** Steady time of the first NOT_NOW; null before it. */
  readonly notNowSinceMs: number | null;
  /** `expiry`: when the last attempt ceases to be acceptable, by the wall clock, which the brokerage reads too. */
  readonly expiresAtMs: number | null;
  /** The same in steady time, as long as nothing steps; null where an earlier process recorded the attempt. */
  readonly expiresAtSteadyMs: number | null;
  /** Steady time: from when on NOT_FOUND proves that no order exists. */
  readonly provenFromMs: number | null;
}

/** How a brokerage refused an order. */
export type Refusal = Omit<Extract<OrderOutcome, { type: "refused" }>, "type">;

/** One moment on two clocks. The wall clock may step; what is measured here is measured in steady time. */
export interface Moment {
  readonly steadyMs: number;
  readonly wallMs: number;
}

export type OrderNews =
  | { readonly type: "sent"; readonly reply: BrokerReply<OrderAnswer> }
  | { readonly type: "lookedUp"; readonly asked: Moment; readonly reply: BrokerReply<OrderRecord> }
  /** Found in the store at a start, and it may have been sent. */
  | { readonly type: "recovered" };

export interface Conditions {
  readonly now: Moment;
  /** From 0 to below 1. */
  readonly random: number;
  /** How long an order of the brokerage may stay on its way (`query`). */
  readonly settleMs: number;
  /** Whether the brokerage can be asked what became of an order. */
  readonly canLookUp: boolean;
  /** In how many milliseconds the market opens for the order; null: it is open, or no calendar tells. */
  readonly opensInMs: number | null;
  /** For how long a measure keeps the order back, Infinity if nobody knows; null: none does. */
  readonly heldForMs: number | null;
}

/** All `atMs` are steady time. */
export type Next =
  | { readonly type: "finish"; readonly outcome: OrderOutcome }
  /** Certainly not accepted: it keeps its place before the account's later orders and is sent again at `atMs`. */
  | { readonly type: "retry"; readonly atMs: number; readonly reason: string }
  /** No order exists, and the market does not take it now: it is sent again at `atMs`; later orders of the account pass it. */
  | {
      readonly type: "postpone";
      readonly atMs: number;
      readonly reason: string;
      /** When the market opens that it waits for, by the wall clock; null: it waits for a pause. */
      readonly sessionMs: number | null;
    }
  /** It may exist and may be sent again under its name at `atMs`; later orders go on meanwhile. */
  | { readonly type: "resend"; readonly atMs: number; readonly reason: string }
  /** It may exist: it is looked up at `atMs`; later orders go on meanwhile. */
  | {
      readonly type: "lookUp";
      readonly atMs: number;
      readonly provenFromMs: number;
      readonly reason: string;
      /** What is told once it is proven that no order exists; without it the order is then sent again. */
      readonly refusal?: Refusal;
    }
  /** It is proven that no order exists: a new attempt, as if it were the first. */
  | { readonly type: "sendAnew"; readonly reason: string }
  /** It may exist and nothing can be found out: a person must decide. */
  | { readonly type: "quarantine"; readonly reason: string };

/** Says what next. Pure. */
export function decideNext(known: KnownState, news: OrderNews, conditions: Conditions): Next {
  switch (news.type) {
    case "sent":
      return afterSend(known, news.reply, conditions);
    case "lookedUp":
      return afterLookUp(known, news.asked, news.reply, conditions);
    case "recovered":
      return known.promise === "idempotent"
        ? { type: "resend", atMs: conditions.now.steadyMs, reason: "sent again after a restart" }
        : settleUnknown(known, "outcome unknown after a restart", conditions);
    default:
      return unreachable(news);
  }
}

/**
 * The promise by which an entry is settled that was stored under one promise and is found under another: the weaker
 * of the two. What was sent without `expiresAt` never expires, so that two different ones leave `query` at best.
 */
export function settlingPromise(stored: ResendPromise, current: ResendPromise): ResendPromise {
  if (stored === current) return stored;
  return stored === "none" || current === "none" ? "none" : "query";
}

/** The delay before the next try, in milliseconds: doubling from 100 ms up to `maxMs`, and up to a fifth more. */
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
      // A repeat is all that settles it under this promise, and the brokerage says that none ever will.
      return known.promise === "idempotent"
        ? cannotTell(reply.message || "outcome unknown")
        : settleUnknown(known, reply.message || "outcome unknown", conditions);
    case "FENCED":
      // Another attempt of this order has an answer that is not known here: what is true is found out, as promised.
      return settleUnknown(known, reply.message || "fenced by the connector", conditions);
    default:
      return unreachable(reply.code);
  }
}

/** This attempt was refused; an earlier one may have been accepted, or may be under way still. */
function afterRefusal(known: KnownState, refusal: Refusal, { now, settleMs, canLookUp }: Conditions): Next {
  // Behind the promise `none` a person said that no earlier attempt exists.
  const canDoubt = known.wasInDoubt && known.promise !== "none" && canLookUp;
  if (!canDoubt) return { type: "finish", outcome: { type: "refused", ...refusal } };
  const nowMs = now.steadyMs;
  const provenFromMs = known.mayExist ? nowMs + Math.max(settleMs, DOUBT_MS) : nowMs;
  return { type: "lookUp", atMs: nowMs, provenFromMs, reason: `refused in doubt: ${refusal.message}`, refusal };
}

/**
 * The market does not take the order now (behaviour 6.8). A triggered sell is tried until the market takes it, and when the
 * market opens if it is closed (21.3); a triggered buy for as long as an unreachable brokerage is. A client decides for himself.
 */
function afterNotNow(known: KnownState, message: string, conditions: Conditions): Next {
  const { now, random, opensInMs, heldForMs } = conditions;
  const nowMs = now.steadyMs;
  const pauseMs = NOT_NOW_PAUSES_MS[Math.min(known.notNowCount, NOT_NOW_PAUSES_MS.length - 1)] ?? 0;
  const atMs = nowMs + Math.round(pauseMs * (1 + JITTER_SHARE * random));
  const openMs = opensInMs === null ? Number.POSITIVE_INFINITY : nowMs + opensInMs;
  if (known.mayExist) return { type: "resend", atMs: Math.min(atMs, openMs), reason: message };
  const isPostponed = known.urgency !== "client";
  // It leaves at once when the measure ends; until then its owner hears of it now and then.
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

/** This attempt was certainly not accepted; an earlier one may have been. */
function afterNotAccepted(
  known: KnownState,
  code: Extract<BrokerFailureCode, "UNAUTHORIZED" | "NOT_SENT">,
  message: string,
  { now: { steadyMs: nowMs }, random }: Conditions,
): Next {
  assert(known.firstSentMs !== null, "only what was sent is answered");
  const limitMs = known.firstSentMs + RETRY_LIMIT_MS;
  // A client is there to log in and ask again; a triggered order waits for the session to be renewed.
  const isWorthWaiting = code !== "UNAUTHORIZED" || known.urgency !== "client";
  const reason = message || code;
  if (isWorthWaiting && nowMs < limitMs) {
    const atMs = Math.min(limitMs, nowMs + backoffMs(known.failureCount, RETRY_BACKOFF_MAX_MS, random));
    return { type: "retry", atMs, reason };
  }
  if (known.mayExist) {
    return { type: "resend", atMs: nowMs + backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random), reason };
  }
  return code === "UNAUTHORIZED"
    ? refused("UNAUTHORIZED", message || LOGIN_MESSAGE)
    : refused("UNAVAILABLE", UNREACHABLE_MESSAGE);
}

function cannotTell(reason: string): Next {
  return { type: "quarantine", reason: `the brokerage cannot tell: ${reason}` };
}

function settleUnknown(known: KnownState, reason: string, { now, random, settleMs }: Conditions): Next {
  const nowMs = now.steadyMs;
  switch (known.promise) {
    case "idempotent":
      return { type: "resend", atMs: nowMs + backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random), reason };
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
  if (reply.code === "UNKNOWN") {
    return refusal !== null && known.promise === "idempotent"
      ? { type: "finish", outcome: { type: "refused", ...refusal } }
      : cannotTell(reason);
  }
  if (reply.code !== "NOT_FOUND") {
    const atMs = nowMs + backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random);
    return { type: "lookUp", atMs, provenFromMs, reason, ...kept };
  }
  // Both clocks must have passed the bound: the wall clock may have stepped back, or forth and back.
  const leftMs = known.promise === "expiry" ? acceptableForMs(known, asked) : 0;
  const boundMs = Math.max(provenFromMs, asked.steadyMs + leftMs);
  if (asked.steadyMs < boundMs) {
    // A refused order is asked for meanwhile too: what was taken after all is known the sooner.
    const soonMs = refusal === null ? boundMs : nowMs + backoffMs(known.failureCount, SETTLE_BACKOFF_MAX_MS, random);
    return { type: "lookUp", atMs: Math.max(nowMs, Math.min(boundMs, soonMs)), provenFromMs: boundMs, reason, ...kept };
  }
  if (refusal !== null) return { type: "finish", outcome: { type: "refused", ...refusal } };
  return { type: "sendAnew", reason: "the brokerage does not know it" };
}

/**
 * How much longer the last attempt may be accepted, in milliseconds, by the clock that says longer: the wall clock may
 * have been set forth since the attempt, which brings the brokerage's no further.
 */
function acceptableForMs({ expiresAtMs, expiresAtSteadyMs }: KnownState, { steadyMs, wallMs }: Moment): number {
  assert(expiresAtMs !== null, "an attempt under the promise of expiry says when it expires");
  const byWallMs = expiresAtMs - wallMs;
  const leftMs = expiresAtSteadyMs === null ? byWallMs : Math.max(byWallMs, expiresAtSteadyMs - steadyMs);
  return Math.max(0, leftMs + CLOCK_SKEW_MS);
}

/**
 * An order that the brokerage itself rejected is a refusal, in the brokerage's words; not so where a part of it was
 * filled, which its owner hears of once it is followed.
 */
function finishPlaced(answer: OrderAnswer & Partial<OrderRecord>): Next {
  const { orderNo, orderStatus, filledQuantity = 0, message } = answer;
  if (orderStatus === ORDER_REJECTED && filledQuantity === 0) return refused("REJECTED", message || REJECTED_MESSAGE);
  return { type: "finish", outcome: { type: "placed", orderNo, orderStatus } };
}

function refused(code: Extract<OrderOutcome, { type: "refused" }>["code"], message: string): Next {
  return { type: "finish", outcome: { type: "refused", code, message } };
}
