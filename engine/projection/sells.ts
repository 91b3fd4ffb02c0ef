/** Sells of rows as they are stored with their receipts, and as clients see them. */
import { type ReceiptView, type StoredReceipt, storedReceiptSchema } from "../../src/contract/trading/receipt.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Store } from "../ports/storage.ts";
import { receiptPrefix } from "../table/keys.ts";
import { under } from "../table/tables.ts";

/** The sells of a row that the brokerage answered, the oldest first. */
export async function readSells({ store }: { readonly store: Store }, rowId: number): Promise<StoredReceipt[]> {
  const sells: StoredReceipt[] = [];
  for await (const page of store.scan(under(receiptPrefix(rowId)))) {
    for (const [, bytes] of page) sells.push(storedReceiptSchema.parse(JSON.parse(Buffer.from(bytes).toString())));
  }
  return sells.sort((left, right) => left.answeredAtMs - right.answeredAtMs);
}

/** A sell as clients see it. */
export function orderView(sell: StoredReceipt): ReceiptView["orders"][number] {
  const { clientOrderId, quantity, orderNo, orderStatus, refusal, attempts, filledQuantity, averagePrice } = sell;
  return {
    ...{ clientOrderId, quantity, orderNo, orderStatus, refusal, attempts },
    decidedDate: dateOf(sell.decidedAtMs),
    durableDate: dateOf(sell.durableAtMs),
    sentDate: dateOf(sell.sentAtMs),
    acknowledgedDate: dateOf(sell.answeredAtMs),
    filledDate: dateOf(sell.endedAtMs),
    ...{ filledQuantity, averagePrice },
  };
}

/** ISO 8601; null where the time is not known. */
export function dateOf(timeMs: number | null | undefined): string | null {
  return timeMs === null || timeMs === undefined ? null : formatTime(timeMs);
}
