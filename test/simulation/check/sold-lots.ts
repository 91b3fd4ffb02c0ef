/**
 * The judgement after every step: the lots that the engine has counted as sold, and the lots that the brokerages sold.
 *
 * Invariants that are judged:
 * 1. At no moment does the engine count more lots of a stop-loss than its orders have sold.
 * 2. Once nothing is on its way, it counts all of them, without fills after the end of an order. An order that waits
 *    for a person is not known to exist.
 */
import type { PlainDisk } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import type { Report } from "../world/report.ts";

interface SoldLotsOptions {
  readonly disk: PlainDisk;
  readonly report: Report;
  readonly exchanges: Iterable<Exchange>;
  /** Every order has ended, and the engine knows each end. */
  readonly isSettled: boolean;
}

interface Sold {
  readonly filled: number;
  /** Lots that were filled after the end of an order. */
  readonly late: number;
}

const NOTHING: Sold = { filled: 0, late: 0 };
/** The row that an order sells, with the orders for lots that a take-profit left. */
const ROW = /(?:^|-)r(\d+)/;

/** What the brokerages sold of each row. */
function soldByRow(exchanges: Iterable<Exchange>): ReadonlyMap<number, Sold> {
  const sums = new Map<number, Sold>();
  for (const { orders } of exchanges) {
    for (const [name, ofName] of orders) {
      const row = Number(ROW.exec(name)?.[1]);
      if (Number.isNaN(row)) continue;
      for (const { record, lateQuantity } of ofName) {
        const before = sums.get(row) ?? NOTHING;
        sums.set(row, { filled: before.filled + record.filledQuantity, late: before.late + lateQuantity });
      }
    }
  }
  return sums;
}

export function checkSoldLots({ disk, report, exchanges, isSettled }: SoldLotsOptions): void {
  const sums = soldByRow(exchanges);
  if (sums.size === 0) return;
  const waiting = new Set(isSettled ? disk.outbox().map(({ name }) => Number(ROW.exec(name)?.[1])) : []);
  for (const { rows, soldQuantity } of [...disk.snapshots("a/"), ...disk.snapshots("z/")]) {
    const [stopLoss] = rows;
    const { filled, late } = sums.get(stopLoss?.id ?? 0) ?? NOTHING;
    if (soldQuantity > filled) {
      report.violate(`the ledger counts ${soldQuantity} sold lots of row ${stopLoss?.id}, and ${filled} were sold`);
    }
    if (isSettled && !waiting.has(stopLoss?.id ?? 0) && soldQuantity < filled - late) {
      report.violate(`the ledger counts ${soldQuantity} of ${filled} sold lots of row ${stopLoss?.id}`);
    }
  }
  if (isSettled) report.count("ledger: compared while nothing is on its way");
}
