/**
 * The life of one order, judged from its brokerage's reports (behaviour 13).
 *
 * An execution is one wish to buy or sell a quantity, from its name to its settlement. It is plain data inside its
 * owner: a row of a group, a leg of a pair, the entry of a setup. `apply` is the only judge of a brokerage's record.
 *
 * Owns: identity, filled quantity, end, confirmation of an end, doubt, and when the brokerage is asked again.
 * Does not own: the effect of a fact on the owner, asking, sending.
 *
 * Invariants:
 * 1. The name is the identity of an order; a number is only its address. A replaced order has several numbers.
 * 2. The filled quantity of a number never falls. Status words only state whether more can come.
 * 3. `ended` is given once, after the end was confirmed by a look-up that was asked later; an order that filled whole
 *    needs no confirmation. A fill after that is `filledAfterEnd`.
 * 4. Every phase but `open`, `inDoubt` and `settled` has a time at which the brokerage is asked again.
 * 5. A fill after the end waits for its price for ten minutes at most. It is kept until then, and counts without a
 *    price after that, whether or not the brokerage still answers.
 * 6. An end with a rest is settled by an answer to the last question about it; without one, a day after the end.
 */
import { DOUBT_SENTENCES, type DoubtCode } from "./doubt.ts";
import type { Contradiction, EndedBy, Evidence, Fact } from "./evidence.ts";
import { BUY, type Fill, isUndone, ORDER_CANCELLED, ORDER_COMPLETED, type OrderNotice } from "./order.ts";
import {
  averagePriceOf,
  countRecord,
  filledQuantityOf,
  isAbout,
  isLess,
  isOfOverNumber,
  isSameNumber,
  type NumberedOrder,
  newNumber,
  orderNoOf,
  type Wish,
} from "./order-number.ts";

/**
 * - `open`: the brokerage works it.
 * - `unclear`: the report contradicts itself; a better one is asked for.
 * - `ending`: an end with a rest was reported and is not confirmed.
 * - `ended`: that end is confirmed; the brokerage is asked again for an hour.
 * - `settled`: nothing more is asked.
 * - `inDoubt`: the brokerage cannot report its outcome; a person decides.
 */
export type Phase = "open" | "unclear" | "ending" | "ended" | "settled" | "inDoubt";

export interface ReportedEnd {
  readonly by: EndedBy;
  /** Completed, cancelled or rejected. */
  readonly orderStatus: number;
  readonly message: string | null;
  /** The first look-up that was asked for after the end was reported. */
  readonly fromLook: number;
}

export interface Execution extends Wish {
  /** The newest last; empty only while an order of ours waits for its brokerage's answer. */
  readonly orders: readonly NumberedOrder[];
  readonly phase: Phase;
  /** Since when, in epoch milliseconds. */
  readonly sinceMs: number;
  /** Look-ups asked for in this phase, and at all. */
  readonly askCount: number;
  readonly lookCount: number;
  readonly askAtMs: number | null;
  /** When a look-up first failed to find it; null while it is known. */
  readonly missingSinceMs: number | null;
  readonly end: ReportedEnd | null;
  /** Why it is in doubt; absent otherwise, and in executions that an earlier edition stored. */
  readonly doubt?: DoubtCode | undefined;
  /** Numbers with a fill after the end whose price is not known yet: as they will count. Absent otherwise. */
  readonly unpriced?: readonly NumberedOrder[] | undefined;
}

export interface ExecutionStep {
  readonly execution: Execution;
  readonly facts: readonly Fact[];
}

/** Waits between questions about a report that contradicts itself; then every minute. */
const UNCLEAR_WAITS_MS = [1_000, 2_000, 5_000, 15_000, 60_000];
const UNCLEAR_MS_MAX = 600_000;
/** When an end that is confirmed is asked for again, counted from the confirmation. */
const AGAIN_MS = [10_000, 60_000, 600_000, 3_600_000];
/** How long the last one of them is repeated if it is not answered. */
const AGAIN_MS_MAX = 24 * 3_600_000;
const UNANSWERED_MS = 10_000;
const UNANSWERED_MS_MAX = 3_600_000;
const MISSING_MS = 30_000;
/** Without a look-up an end counts once no news has come for so long. */
const QUIET_MS = 5_000;

/**
 * The execution of an order that the brokerage answered with `orderNo` and `orderStatus`. A completed order is unclear
 * until a record comes, and an order that is over waits for its confirmation (behaviour 13.5).
 */
export function beginExecution(wish: Wish, orderNo: string, orderStatus: number, timeMs: number): ExecutionStep {
  const execution = { ...awaitAnswer(wish, timeMs), orders: [newNumber(orderNo, null)] };
  // The engine asks for every order that it was just given, so that no look-up of its own is needed.
  if (orderStatus === ORDER_COMPLETED) return { execution: unclear(execution, timeMs), facts: [] };
  if (!isUndone({ orderStatus })) return { execution, facts: [] };
  const ended = { ...execution, orders: [{ ...newNumber(orderNo, null), isEnded: true }] };
  return beginEnding(ended, [], { by: null, orderStatus, message: null }, timeMs);
}

/** The execution of an order that its brokerage has not answered: it has no number, and nothing is asked about it. */
export function awaitAnswer(wish: Wish, timeMs: number): Execution {
  const { clientOrderId, symbol, buySell, quantity, limitPrice, needsPrice, createdDate } = wish;
  return {
    clientOrderId,
    symbol,
    buySell,
    quantity,
    limitPrice,
    needsPrice,
    createdDate,
    orders: [],
    phase: "open",
    sinceMs: timeMs,
    askCount: 0,
    lookCount: 0,
    askAtMs: null,
    missingSinceMs: null,
    end: null,
  };
}

/**
 * Applies the evidence; returns the execution and the facts for the owner. The same execution if it changes nothing.
 */
export function apply(execution: Execution, evidence: Evidence): ExecutionStep {
  switch (evidence.type) {
    case "reported":
      return read(execution, evidence.record, evidence.timeMs, false);
    case "lookedUp":
      return lookedUp(execution, evidence.record, evidence.look, evidence.timeMs);
    case "notFound":
    case "unknown":
      if (isLastAsked(execution)) return { execution: settle(execution, evidence.timeMs), facts: [] };
      return miss(execution, evidence.type, evidence.timeMs);
    case "cannotLookUp":
      if (isLastAsked(execution)) return { execution: settle(execution, evidence.timeMs), facts: [] };
      return confirmByQuiet(execution, evidence.timeMs);
    case "waited":
      return askAgain(execution, evidence.timeMs);
    case "decided":
      return decide(execution, evidence.fill, evidence.timeMs);
  }
}

/** True until the end is known for sure: every consequence of the end has to wait. */
export function isUnderWay({ phase }: Pick<Execution, "phase">): boolean {
  return phase !== "ended" && phase !== "settled";
}

/** True for an execution that the rounds of asking leave out: its end is confirmed. */
export function isQuiet({ phase }: Pick<Execution, "phase">): boolean {
  return phase === "ended" || phase === "settled";
}

/** Why an order in doubt waits for a person, as text; null if it is not in doubt. */
export function doubtText(execution: Execution): string | null {
  if (execution.phase !== "inDoubt") return null;
  const filled = filledQuantityOf(execution);
  const why = execution.doubt === undefined ? "" : `: ${DOUBT_SENTENCES[execution.doubt]}`;
  const order = `order ${orderNoOf(execution)} is in doubt, ${filled} of ${execution.quantity} known as filled`;
  return `${order}${why}${why === "" ? ":" : ";"} an operator decides`;
}

function read(execution: Execution, record: OrderNotice, timeMs: number, isNewest: boolean): ExecutionStep {
  if (!isAbout(execution, record)) {
    return { execution, facts: [{ type: "ignored", orderNo: record.orderNo }] };
  }
  const facts: Fact[] = [];
  if (isOfOverNumber(execution, record)) return { execution, facts };
  const found = findAgain(execution, facts, timeMs);
  const counted = count(found, record, facts, isNewest);
  if (counted.unpriced !== null) return awaitPrice(found, counted.unpriced, facts, timeMs);
  const known = adoptQuantity(counted.execution, record);
  noteFills(execution, known, facts);
  const judged = judge(execution, known, record, facts, timeMs, isNewest);
  return isLess(execution, record) && !isNewest ? verify(judged.execution, facts) : judged;
}

function lookedUp(execution: Execution, record: OrderNotice, look: number | null, timeMs: number): ExecutionStep {
  const step = read(execution, record, timeMs, isNewestLook(execution, look));
  // The clock was set back: the next question can be far away, and an answer from a round confirms nothing.
  const isFarAway = step.execution.phase === "ending" && timeMs < step.execution.sinceMs;
  if (look === null && isFarAway) return verify(step.execution, [...step.facts]);
  const isAnswered = look === execution.lookCount && isAbout(execution, record) && isLastAsked(step.execution);
  return isAnswered ? { ...step, execution: settle(step.execution, timeMs) } : step;
}

/** Whether the last of the questions after the end was asked: its answer settles the order. */
function isLastAsked({ phase, askCount, unpriced }: Execution): boolean {
  return phase === "ended" && unpriced === undefined && askCount >= AGAIN_MS.length;
}

/** Only a look-up that is asked for now can resolve this; nothing waits for it. */
function verify(execution: Execution, facts: Fact[]): ExecutionStep {
  const lookCount = execution.lookCount + 1;
  facts.push({ type: "lookUp", look: lookCount });
  return { execution: { ...execution, lookCount }, facts };
}

/** Adopts the quantity of another's order that is surely this one: its owner can have changed it. */
function adoptQuantity(execution: Execution, { quantity }: OrderNotice): Execution {
  const isChanged = execution.createdDate !== null && quantity !== undefined && quantity > 0;
  return isChanged && quantity !== execution.quantity ? { ...execution, quantity } : execution;
}

/** The execution with the record's quantity. `unpriced`: the number with a late fill that must wait for its price. */
function count(
  execution: Execution,
  record: OrderNotice,
  facts: Fact[],
  isNewest: boolean,
): { readonly execution: Execution; readonly unpriced: NumberedOrder | null } {
  const { number, isReplacement, isPriceImpossible, correctedTo } = countRecord(execution, record, isNewest);
  const was = execution.orders.find(({ orderNo }) => orderNo === number.orderNo);
  const isWaiting = execution.unpriced?.some(({ orderNo }) => orderNo === number.orderNo) === true;
  if (isReplacement && !isWaiting) facts.push({ type: "replaced", orderNo: number.orderNo });
  if (isPriceImpossible) facts.push({ type: "contradicted", code: "impossiblePrice" });
  if (correctedTo !== null) facts.push({ type: "corrected", from: number.filledQuantity, to: correctedTo });
  if (was !== undefined && isSameNumber(was, number)) return { execution, unpriced: null };
  const isLate = isQuiet(execution) && number.filledQuantity > (was?.filledQuantity ?? 0);
  if (isLate && execution.needsPrice && execution.buySell === BUY && number.averagePrice === null) {
    return { execution, unpriced: number };
  }
  return { execution: withNumber(execution, number), unpriced: null };
}

/** The execution with a number as it is known now. A number keeps its place: the newest is the last. */
function withNumber(execution: Execution, number: NumberedOrder): Execution {
  const isKnown = execution.orders.some(({ orderNo }) => orderNo === number.orderNo);
  const orders = isKnown
    ? execution.orders.map((order) => (order.orderNo === number.orderNo ? number : order))
    : [...execution.orders, number];
  if (execution.unpriced === undefined) return { ...execution, orders };
  const { unpriced: waiting, ...known } = execution;
  const unpriced = waiting.filter(
    ({ orderNo, filledQuantity }) => orderNo !== number.orderNo || filledQuantity > number.filledQuantity,
  );
  return unpriced.length === 0 ? { ...known, orders } : { ...known, orders, unpriced };
}

function noteFills(before: Execution, after: Execution, facts: Fact[]): void {
  const quantity = filledQuantityOf(after) - filledQuantityOf(before);
  if (quantity <= 0) return;
  facts.push({ type: isQuiet(before) ? "filledAfterEnd" : "filled", quantity, price: averagePriceOf(after) });
  const over = filledQuantityOf(after) - Math.max(after.quantity, filledQuantityOf(before));
  if (over > 0) facts.push({ type: "overfilled", quantity: over });
}

function judge(
  before: Execution,
  execution: Execution,
  record: OrderNotice,
  facts: Fact[],
  timeMs: number,
  isNewest: boolean,
): ExecutionStep {
  const filled = filledQuantityOf(execution);
  const isAllEnded = execution.orders.every(({ isEnded }) => isEnded);
  const isFull = filled >= execution.quantity && (isAllEnded || execution.createdDate === null);
  if (isQuiet(execution)) return judgeLate(before, execution, facts, timeMs);
  if (!isFull && !isAllEnded) return { execution: open(execution, timeMs), facts };
  const contradiction = contradictionOf(execution, record);
  if (contradiction !== undefined) return beUnclear(execution, facts, contradiction, timeMs);
  if (isFull) return end({ ...execution, end: endOf(record, execution) }, facts, timeMs);
  // The result of a look-up that was asked for after the report is the end.
  if (execution.phase === "ending" && isNewest)
    return end({ ...execution, end: endOf(record, execution) }, facts, timeMs);
  if (execution.phase === "ending") return { execution, facts };
  if (record.orderStatus === ORDER_COMPLETED) facts.push({ type: "contradicted", code: "completedInPart" });
  return beginEnding(execution, facts, endOf(record, execution), timeMs);
}

/** After the end only quantities count: more can still come, or all of it has. */
function judgeLate(before: Execution, execution: Execution, facts: Fact[], timeMs: number): ExecutionStep {
  if (execution.unpriced !== undefined) return { execution, facts };
  const isMore = filledQuantityOf(execution) !== filledQuantityOf(before);
  if (!isMore && (execution.phase === "settled" || !isFullAndOver(execution))) return { execution, facts };
  return { execution: settleOrAsk(execution, timeMs), facts };
}

/** Nothing more can come. A brokerage that still works a full order can fill more (behaviour 13.3). */
function isFullAndOver({ orders, quantity }: Execution): boolean {
  return filledQuantityOf({ orders }) >= quantity && orders.every(({ isEnded }) => isEnded);
}

function settleOrAsk(execution: Execution, timeMs: number): Execution {
  return isFullAndOver(execution) ? settle(execution, timeMs) : askAfterEnd(execution, timeMs);
}

function contradictionOf(execution: Execution, record: OrderNotice): Contradiction | undefined {
  const filled = filledQuantityOf(execution);
  if (filled === 0 && record.orderStatus === ORDER_COMPLETED) return "completedWithoutQuantity";
  return filled > 0 && waitsForPrice(execution) && averagePriceOf(execution) === null
    ? "completedWithoutPrice"
    : undefined;
}

/** The rest of a sell is sold again, independent of the filled part's price. */
function waitsForPrice(execution: Execution): boolean {
  const { needsPrice, buySell, quantity } = execution;
  return needsPrice && (buySell === BUY || filledQuantityOf(execution) >= quantity);
}

function open(execution: Execution, timeMs: number): Execution {
  return execution.phase === "open" ? execution : { ...enter(execution, "open", timeMs), end: null };
}

function beUnclear(execution: Execution, facts: Fact[], code: Contradiction, timeMs: number): ExecutionStep {
  if (execution.phase === "unclear") return { execution, facts };
  facts.push({ type: "contradicted", code });
  return { execution: unclear(execution, timeMs), facts };
}

function unclear(execution: Execution, timeMs: number): Execution {
  const entered = enter(execution, "unclear", timeMs);
  return { ...entered, askAtMs: timeMs + unclearWaitMs(entered) };
}

function unclearWaitMs({ askCount }: Execution): number {
  return UNCLEAR_WAITS_MS[askCount] ?? 60_000;
}

function beginEnding(
  execution: Execution,
  facts: Fact[],
  reported: Omit<ReportedEnd, "fromLook">,
  timeMs: number,
): ExecutionStep {
  const fromLook = execution.lookCount + 1;
  return lookUp({ ...enter(execution, "ending", timeMs), end: { ...reported, fromLook } }, facts, timeMs);
}

function endOf(record: OrderNotice, { end, lookCount }: Execution): ReportedEnd {
  return {
    by: record.endedBy ?? end?.by ?? null,
    orderStatus: record.orderStatus,
    message: record.message || (end?.message ?? null),
    fromLook: end?.fromLook ?? lookCount,
  };
}

/**
 * The end is sure. An end with a rest is asked for again, as a brokerage can take it back. So is an order that the
 * brokerage still works on.
 */
function end(execution: Execution, facts: Fact[], timeMs: number): ExecutionStep {
  const filled = filledQuantityOf(execution);
  const rest = Math.max(0, execution.quantity - filled);
  const { by = null, orderStatus = ORDER_COMPLETED, message = null } = execution.end ?? {};
  facts.push({ type: "ended", filled, rest, orderStatus, by, message });
  return { execution: settleOrAsk(execution, timeMs), facts };
}

function askAfterEnd(execution: Execution, timeMs: number): Execution {
  const ended = enter(execution, "ended", timeMs);
  return { ...ended, askAtMs: timeMs + (AGAIN_MS[0] ?? 0) };
}

function settle(execution: Execution, timeMs: number): Execution {
  return enter(execution, "settled", timeMs);
}

/** A late fill without its price, of an order whose owner needs one: it is asked for as an unclear report is. */
function awaitPrice(execution: Execution, number: NumberedOrder, facts: Fact[], timeMs: number): ExecutionStep {
  const { unpriced: waiting = [] } = execution;
  const known = waiting.find(({ orderNo }) => orderNo === number.orderNo);
  if (known !== undefined && known.filledQuantity >= number.filledQuantity) return { execution, facts };
  const unpriced = [...waiting.filter((order) => order !== known), number];
  if (waiting.length > 0) return { execution: { ...execution, unpriced }, facts };
  facts.push({ type: "contradicted", code: "completedWithoutPrice" });
  const entered = enter(execution, "ended", timeMs);
  return { execution: { ...entered, unpriced, askAtMs: timeMs + unclearWaitMs(entered) }, facts };
}

/** No price came: the lots count without one, as they must not be forgotten. */
function countUnpriced(execution: Execution, timeMs: number): ExecutionStep {
  const facts: Fact[] = [];
  const counted = (execution.unpriced ?? []).reduce(withNumber, execution);
  noteFills(execution, counted, facts);
  return judgeLate(execution, counted, facts, timeMs);
}

/** A record of an order that was missing, or in doubt: it is known again. */
function findAgain(execution: Execution, facts: Fact[], timeMs: number): Execution {
  if (execution.phase !== "inDoubt") {
    if (execution.missingSinceMs === null) return execution;
    return { ...execution, missingSinceMs: null, askAtMs: execution.phase === "open" ? null : execution.askAtMs };
  }
  facts.push({ type: "found" });
  return { ...enter(execution, "open", timeMs), end: null };
}

/** A look-up's "no": twice and at least 30 s apart, or UNKNOWN once, is a doubt (behaviour 13.6). */
function miss(execution: Execution, answer: "notFound" | "unknown", timeMs: number): ExecutionStep {
  if (isQuiet(execution) || execution.phase === "inDoubt") return { execution, facts: [] };
  const { missingSinceMs } = execution;
  if (answer === "unknown") return doubt(execution, "unknown", timeMs);
  if (missingSinceMs === null) {
    const askAtMs = Math.min(execution.askAtMs ?? Number.POSITIVE_INFINITY, timeMs + MISSING_MS);
    return { execution: { ...execution, missingSinceMs: timeMs, askAtMs }, facts: [] };
  }
  if (timeMs - missingSinceMs < MISSING_MS) return { execution, facts: [] };
  return doubt(execution, "notFound", timeMs);
}

function doubt(execution: Execution, code: DoubtCode, timeMs: number): ExecutionStep {
  const doubtful: Execution = { ...enter(execution, "inDoubt", timeMs), doubt: code };
  return { execution: doubtful, facts: [{ type: "inDoubt", code }] };
}

function confirmByQuiet(execution: Execution, timeMs: number): ExecutionStep {
  if (execution.phase !== "ending") return { execution, facts: [] };
  // A clock that was set back restarts the wait.
  const sinceMs = Math.min(execution.sinceMs, timeMs);
  const quietAtMs = sinceMs + QUIET_MS;
  if (timeMs >= quietAtMs) return end(execution, [], timeMs);
  return { execution: { ...execution, sinceMs, askAtMs: quietAtMs }, facts: [] };
}

function askAgain(execution: Execution, timeMs: number): ExecutionStep {
  const { askAtMs, phase, sinceMs } = execution;
  if (askAtMs === null || timeMs < askAtMs) return { execution, facts: [] };
  if (phase === "unclear" && timeMs - sinceMs >= UNCLEAR_MS_MAX) {
    const isFilled = filledQuantityOf(execution) > 0;
    return doubt(execution, isFilled ? "completedWithoutPrice" : "completedWithoutQuantity", timeMs);
  }
  if (execution.unpriced !== undefined && timeMs - sinceMs >= UNCLEAR_MS_MAX) return countUnpriced(execution, timeMs);
  if (isLastAsked(execution) && timeMs - sinceMs >= AGAIN_MS_MAX)
    return { execution: settle(execution, timeMs), facts: [] };
  return lookUp(execution, [], timeMs);
}

/** Asks now, and again at the phase's next time if no answer changes the phase. */
function lookUp(execution: Execution, facts: Fact[], timeMs: number): ExecutionStep {
  const look = execution.lookCount + 1;
  const asked = { ...execution, lookCount: look, askCount: execution.askCount + 1 };
  facts.push({ type: "lookUp", look });
  return { execution: { ...asked, askAtMs: nextAskMs(asked, timeMs) }, facts };
}

function nextAskMs(execution: Execution, timeMs: number): number | null {
  switch (execution.phase) {
    case "unclear":
      return timeMs + unclearWaitMs(execution);
    case "ended":
      if (execution.unpriced !== undefined) return timeMs + unclearWaitMs(execution);
      return endedAskMs(execution, timeMs);
    default:
      return execution.phase === "open" && execution.missingSinceMs === null ? null : timeMs + UNANSWERED_MS;
  }
}

/** When an end is asked for next. An unanswered question is asked again with growing pauses. */
function endedAskMs({ askCount, sinceMs }: Execution, timeMs: number): number {
  const againMs = AGAIN_MS[askCount];
  if (againMs !== undefined) return sinceMs + againMs;
  const beyondMs = timeMs - sinceMs - (AGAIN_MS.at(-1) ?? 0);
  return timeMs + Math.min(UNANSWERED_MS_MAX, Math.max(UNANSWERED_MS, beyondMs));
}

function decide(execution: Execution, fill: Fill | null, timeMs: number): ExecutionStep {
  const facts: Fact[] = [];
  // Each number keeps what it is known to have filled, so that a repeated record of it counts nothing twice.
  const more = fill === null ? 0 : fill.quantity - filledQuantityOf(execution);
  const averagePrice = fill?.price ?? averagePriceOf(execution);
  const newest = execution.orders.length - 1;
  const orders = execution.orders.map((order, index) => {
    const filledQuantity = order.filledQuantity + (index === newest ? more : 0);
    return { ...order, filledQuantity, averagePrice, isEnded: true };
  });
  const { unpriced: _, ...rest } = execution;
  const decided: Execution = { ...rest, orders };
  noteFills(execution, decided, facts);
  if (isQuiet(execution)) return judgeLate(execution, decided, facts, timeMs);
  const reported: ReportedEnd = {
    by: null,
    orderStatus: ORDER_CANCELLED,
    message: "settled by an operator",
    fromLook: execution.lookCount,
  };
  return end({ ...decided, end: reported }, facts, timeMs);
}

function isNewestLook({ phase, end: reported, lookCount }: Execution, look: number | null): boolean {
  if (look === null) return false;
  return phase === "ending" && reported !== null ? look >= reported.fromLook : look === lookCount;
}

function enter(execution: Execution, phase: Phase, timeMs: number): Execution {
  const entered = { ...execution, phase, sinceMs: timeMs, askCount: 0, askAtMs: null, missingSinceMs: null };
  if (!("doubt" in entered)) return entered;
  const { doubt: _, ...known } = entered;
  return known;
}
