/**
 * Whether the records that a connector sent of an order agree with the order, with each other and with the contract.
 * Plain functions.
 *
 * Owns: contradictions within the seen records. Does not own: asking (asker.ts), the verdict (report.ts).
 *
 * Invariant: updates can be late, repeated and out of order. So only look-ups, which are asked one after the other, are
 * compared over time.
 */
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { BUY, ORDER_COMPLETED, ORDER_OPEN, ORDER_WAITING } from "../../../src/domain/order/order.ts";

export interface SeenRecord {
  readonly from: "update" | "lookUp";
  readonly record: OrderRecord;
  /** The value of `endedBy` before it was parsed. */
  readonly endedByAsTold: unknown;
}

/** A placed order, with its requested terms. */
export interface PlacedOrder {
  readonly symbol: string;
  readonly quantity: number;
  /** 0: a market order. */
  readonly price: number;
  readonly buySell: 1 | 2;
}

const ENDED_BY: ReadonlySet<unknown> = new Set(["owner", "exchange", "brokerage", null, undefined]);

/**
 * Finds what is wrong with the records of these orders, each sentence once. Records of other orders are left out.
 * `corrected`: the names of orders of which the brokerage took a fill back, so that less can be filled later.
 */
export function contradictionsOf(
  seen: readonly SeenRecord[],
  placed: ReadonlyMap<string, PlacedOrder>,
  corrected: ReadonlySet<string>,
): readonly string[] {
  const found = new Set<string>();
  for (const [name, order] of placed) {
    const own = seen.filter(({ record }) => record.clientOrderId === name);
    for (const one of own) for (const text of contradictionsOfOne(one, order)) found.add(text);
    for (const text of contradictionsOfNumbers(own, order)) found.add(text);
    if (!corrected.has(name)) for (const text of contradictionsOverTime(own)) found.add(text);
  }
  return [...found];
}

function contradictionsOfOne({ record, endedByAsTold }: SeenRecord, order: PlacedOrder): string[] {
  const { symbol, buySell, orderStatus, quantity, filledQuantity, averagePrice } = record;
  const isOpen = orderStatus === ORDER_WAITING || orderStatus === ORDER_OPEN;
  const isWorse = buySell === BUY ? averagePrice > order.price : averagePrice < order.price;
  const rules: readonly (readonly [boolean, string])[] = [
    [symbol !== order.symbol || buySell !== order.buySell, "names another symbol or side than was ordered"],
    [filledQuantity > quantity, "has a filledQuantity above its quantity"],
    [orderStatus === ORDER_COMPLETED && filledQuantity === 0, "is completed (2) with a filledQuantity of 0"],
    [orderStatus === ORDER_WAITING && filledQuantity > 0, "waits (0) with a filledQuantity above 0"],
    [order.price > 0 && averagePrice > 0 && isWorse, "has an averagePrice that its limit does not allow"],
    [filledQuantity === 0 && averagePrice > 0, "has an averagePrice with a filledQuantity of 0"],
    [isOpen && endedByAsTold !== undefined && endedByAsTold !== null, "is open and contains endedBy"],
    [!ENDED_BY.has(endedByAsTold), `contains endedBy ${JSON.stringify(endedByAsTold)}, which the contract lacks`],
    [record.replaces === record.orderNo, "replaces its own number"],
  ];
  return rules.flatMap(([isBroken, text]) => (isBroken ? [`a record ${text}`] : []));
}

/** A second number under one name is a replacement, and each number counts its own fills. */
function contradictionsOfNumbers(own: readonly SeenRecord[], order: PlacedOrder): string[] {
  const filled = new Map<string, number>();
  const linked = new Set<string>();
  for (const { record } of own) {
    filled.set(record.orderNo, Math.max(filled.get(record.orderNo) ?? 0, record.filledQuantity));
    if (record.replaces) linked.add(record.orderNo);
  }
  const sum = [...filled.values()].reduce((total, quantity) => total + quantity, 0);
  const unlinked = [...filled.keys()].filter((orderNo) => !linked.has(orderNo));
  return [
    ...(unlinked.length > 1
      ? ["two numbers were reported under one clientOrderId, and neither replaces the other"]
      : []),
    ...(filled.size > 1 && sum > order.quantity
      ? ["the numbers of a replaced order count more fills than were ordered: each counts its own alone"]
      : []),
  ];
}

function contradictionsOverTime(own: readonly SeenRecord[]): string[] {
  const found: string[] = [];
  const last = new Map<string, OrderRecord>();
  for (const { from, record } of own) {
    if (from !== "lookUp") continue;
    const before = last.get(record.orderNo);
    last.set(record.orderNo, record);
    if (before === undefined) continue;
    if (record.filledQuantity < before.filledQuantity) found.push("the filledQuantity of a look-up fell");
    const isLater = record.filledQuantity > before.filledQuantity || record.orderStatus < before.orderStatus;
    if (before.orderStatus >= ORDER_COMPLETED && isLater) {
      found.push("an order that was over (2, 3, 4) was open again or filled more at the next look-up");
    }
  }
  return found;
}
