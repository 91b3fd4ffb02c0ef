/**
 * The judgement on exits: a stop-loss that is sold until it is sold, counted in lots (behaviour 14).
 *
 * Invariants that are judged:
 * 1. Its orders never overlap, and each exists once.
 * 2. In the end all lots are sold, and no more except by late fills; else the row states the reason, and it is true.
 * 3. After an end by the owner's hand no further order leaves.
 */
import { INSTALLATION } from "../oracle/plain-name.ts";
import { type PlainRow, TRIGGERED } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import { type ExchangeOrder, isForNothing } from "../world/fills.ts";
import type { Ending } from "./ending.ts";

const REJECTED = 4;

/** The names of the orders of a stop-loss by their numbers: its own first. */
export function exitNames(exchange: Exchange, stopLossId: number): readonly string[] {
  const own = `${INSTALLATION}-r${stopLossId}`;
  return [own, ...[...exchange.askedQuantities.keys()].filter((name) => name.startsWith(`${own}-n`))];
}

/**
 * `own`: every name that a sell of the stop-loss may have; `takenQuantity`: what its take-profits sold, with the guard.
 */
export function checkExit(
  { report, quarantined, events, hasSteppedClock }: Ending,
  exchange: Exchange,
  stopLoss: PlainRow,
  own: readonly string[],
  takenQuantity: number,
): void {
  const what = `the exit of row ${stopLoss.id}`;
  const orders = own.flatMap((name) => exchange.orders.get(name) ?? []);
  const numbered = exitNames(exchange, stopLoss.id).flatMap((name) => exchange.orders.get(name) ?? []);
  if (numbered.length > new Set(numbered.map(({ request }) => request.clientOrderId)).size) {
    report.violate(`${what}: an order exists twice`);
  }
  const byTime = [...numbered].sort((left, right) => left.takenMs - right.takenMs);
  for (const [index, order] of byTime.entries()) {
    const before = byTime[index - 1];
    if (before !== undefined && before.endedMs > order.takenMs) report.violate(`${what}: two orders at a time`);
    // Late fills may complete an order before the engine learns that its owner ended it: then nothing was ended.
    const isCut = before !== undefined && before.record.filledQuantity < before.request.quantity;
    if (isCut && isEndedByOwner(before)) report.violate(`${what} continues after its owner ended it`);
  }
  if (numbered.length > 1) report.count("exits: sold with further orders");
  // An order that waits for a person may never have left a process that died.
  const [first = ""] = own;
  const waits = [...quarantined].some((name) => name === first || name.startsWith(`${first}-`));
  if (stopLoss.status !== TRIGGERED || waits) return;
  const sold = sum(orders, ({ record }) => record.filledQuantity);
  const late = sum(orders, ({ lateQuantity }) => lateQuantity);
  const wanted = stopLoss.quantity - takenQuantity;
  if (sold > wanted + late) report.violate(`${what} sold ${sold} of ${wanted}`);
  if (sold >= wanted) {
    if (numbered.length > 1 && late === 0) expect(events, stopLoss.id, "oco.exitCompleted", report);
    return;
  }
  const refused = own.some((name) => exchange.refusals.of(name).length > 0);
  const ended = orders.some((order) => isEndedByOwner(order) || order.record.orderStatus === REJECTED);
  if (!refused && !ended)
    report.violate(`${what} sold ${sold} of ${wanted} and gave up: ${stopLoss.triggerErrorMessage}`);
  // Events report what its take-profits then fail to sell, and an extra order for their rest that is refused or
  // rejected (behaviour 4.5b).
  if (stopLoss.triggerErrorMessage?.startsWith("sent once more") === true) return;
  const extra = own.filter((name) => /-r\d+-\d+$/.test(name));
  const isRejected = (name: string): boolean =>
    (exchange.orders.get(name) ?? []).some(({ record }) => record.orderStatus === REJECTED);
  if (extra.some((name) => exchange.refusals.of(name).length > 0 || isRejected(name))) return;
  const [, told] = /^(\d+) of \d+ sold/.exec(stopLoss.triggerErrorMessage ?? "") ?? [];
  // A clock that is set ahead ends the hour of asking: only an alarm reports a later fill.
  if (Number(told) !== sold && !(hasSteppedClock && late > 0))
    report.violate(`${what} sold ${sold} and says ${stopLoss.triggerErrorMessage}`);
}

/** The orders of a name that did not come to nothing. */
export function liveOrders(exchange: Exchange, name: string): ExchangeOrder[] {
  return (exchange.orders.get(name) ?? []).filter(({ record }) => !isForNothing(record));
}

function isEndedByOwner({ record, isRecalled }: ExchangeOrder): boolean {
  return record.endedBy === "owner" && !isRecalled;
}

function sum(orders: readonly ExchangeOrder[], of: (order: ExchangeOrder) => number): number {
  return orders.reduce((total, order) => total + of(order), 0);
}

function expect(events: Ending["events"], rowId: number, type: string, report: Ending["report"]): void {
  if (events.get(rowId)?.has(type) !== true) report.violate(`row ${rowId}: ${type} was never published`);
}
