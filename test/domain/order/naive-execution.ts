/**
 * Computes the end of an execution again from the whole history of reports: slowly, and without phases. It is for
 * market orders of the engine whose price does not matter.
 */
import type { Evidence } from "../../../src/domain/order/evidence.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";

interface NaiveResult {
  readonly filled: number;
  /** Lots filled at the moment when the end became sure; null before. */
  readonly endedWith: number | null;
  readonly isInDoubt: boolean;
}

interface Dated {
  readonly evidence: Evidence;
  /** Look-ups that had been asked for when the evidence came. */
  readonly looksAsked: number;
}

const isOver = ({ orderStatus }: OrderNotice): boolean => orderStatus >= 2;

/** `order` has the name, the quantity and the first number; `history` has every report about it. */
export function naiveResult(
  order: { readonly name: string; readonly orderNo: string; readonly quantity: number },
  history: readonly Dated[],
): NaiveResult {
  const filled = new Map<string, number>([[order.orderNo, 0]]);
  const over = new Map<string, boolean>([[order.orderNo, false]]);
  let endedWith: number | null = null;
  let isInDoubt = false;
  /** Look-ups asked for when an end with a rest was first reported; null while no such report holds. */
  let reportedAtLook: number | null = null;
  let missingSince: number | null = null;
  const total = (): number => [...filled.values()].reduce((sum, one) => sum + one, 0);
  for (const { evidence, looksAsked } of history) {
    if (evidence.type === "notFound" && endedWith === null && !isInDoubt) {
      if (missingSince === null) missingSince = evidence.timeMs;
      else if (evidence.timeMs - missingSince >= 30_000) isInDoubt = true;
    }
    if (evidence.type === "unknown" && endedWith === null) isInDoubt = true;
    if (evidence.type !== "reported" && evidence.type !== "lookedUp") continue;
    const { record } = evidence;
    const isOurs = record.clientOrderId === order.name || (!record.clientOrderId && filled.has(record.orderNo));
    if (!isOurs || record.symbol !== "THYAO" || record.buySell !== 2) continue;
    const isRepeated = over.get(record.orderNo) === true && filled.get(record.orderNo) === record.filledQuantity;
    if (isRepeated && isOver(record) && [...over.values()].includes(false)) continue;
    if (isInDoubt) reportedAtLook = null;
    isInDoubt = false;
    missingSince = null;
    const look = evidence.type === "lookedUp" ? evidence.look : null;
    const isLaterThanReport = look !== null && reportedAtLook !== null && look > reportedAtLook;
    const isLatest = look !== null && (reportedAtLook === null ? look === looksAsked : isLaterThanReport);
    filled.set(record.orderNo, Math.max(filled.get(record.orderNo) ?? 0, record.filledQuantity));
    over.set(record.orderNo, isLatest ? isOver(record) : (over.get(record.orderNo) ?? false) || isOver(record));
    if (endedWith !== null) continue;
    const isAllOver = [...over.values()].every(Boolean);
    const isEmptyCompletion = record.orderStatus === 2 && total() === 0;
    if (total() >= order.quantity) endedWith = total();
    else if (!isAllOver || isEmptyCompletion) reportedAtLook = null;
    else if (isLaterThanReport) endedWith = total();
    else reportedAtLook ??= looksAsked;
  }
  return { filled: total(), endedWith, isInDoubt };
}
