/**
 * The judgement over orders of clients at the end of a world: what is stored of each is what its brokerage filled.
 */
import type { ExchangeOrder } from "../world/fills.ts";
import type { Ending } from "./ending.ts";

/** Judges the order of a client that exists under a plain name and waits for no person. */
export function checkFollowed({ disk, report }: Ending, name: string, { record, ...order }: ExchangeOrder): void {
  const stored = disk.clientOrder(name)?.execution;
  if (stored === undefined) {
    report.violate(`order ${name} exists and is not followed`);
    return;
  }
  const filled = stored.orders.reduce((sum, { filledQuantity }) => sum + filledQuantity, 0);
  const lots = `${record.filledQuantity} lots of order ${name} are filled`;
  if (filled !== record.filledQuantity) report.violate(`${lots}, and ${filled} are known`);
  if (stored.phase !== "settled") report.violate(`${lots}, and it is ${stored.phase} at the end`);
  if (filled > 0 && stored.orders[0]?.averagePrice !== record.averagePrice) {
    report.violate(`${lots} at ${record.averagePrice}, and ${stored.orders[0]?.averagePrice} is known`);
  }
  report.count("clients: order settled");
  if (order.lateQuantity > 0 || order.isFilledLate === true) report.count("clients: filled after its end");
  if (filled > order.request.quantity) report.count("clients: filled beyond the quantity");
}
