/**
 * The receipt of a row that has fired: its group says why, its sells' receipts say when.
 */
import {
  type ReceiptView,
  receiptBody,
  type StoredReceipt,
  storedReceiptSchema,
} from "../../../src/contract/trading/receipt.ts";
import { type OcoGroup, type OcoRow, STOP_LOSS } from "../../../src/domain/oco/group.ts";
import { priceToNumber } from "../../../src/domain/price/price.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { findGroup } from "../../projection/find-group.ts";
import { receiptPrefix } from "../../table/keys.ts";
import { under } from "../../table/tables.ts";
import { forUser, type QueryContext } from "../context.ts";

export const readReceipt = forUser({
  schema: receiptBody,
  handle: async (context, userId, { id }) => {
    const found = findGroup(context, userId, id);
    const row = found?.group.rows.find((one) => one.id === id);
    if (found === undefined || row === undefined) {
      return { ok: false, code: "NOT_FOUND", message: `OCO order ${id} was not found` };
    }
    const { triggeredPrice: price, triggeredAtMs: timeMs } = row;
    if (price === null || timeMs === null) {
      return { ok: false, code: "INVALID", message: `OCO order ${id} has not fired: it has no receipt` };
    }
    return { ok: true, data: receiptView(found.group, row, { price, timeMs }, await readSells(context, id)) };
  },
});

/** The sells of a row that the brokerage answered, the oldest first. */
export async function readSells({ store }: QueryContext, rowId: number): Promise<StoredReceipt[]> {
  const sells: StoredReceipt[] = [];
  for await (const page of store.scan(under(receiptPrefix(rowId)))) {
    for (const [, bytes] of page) sells.push(storedReceiptSchema.parse(JSON.parse(Buffer.from(bytes).toString())));
  }
  return sells.sort((left, right) => left.answeredAtMs - right.answeredAtMs);
}

function receiptView(
  group: OcoGroup,
  row: OcoRow,
  { price, timeMs }: { readonly price: number; readonly timeMs: number },
  sells: readonly StoredReceipt[],
): ReceiptView {
  const level = priceToNumber(row.price);
  const isStopLoss = group.rows[STOP_LOSS] === row;
  const rule = isStopLoss
    ? `stop-loss: the live price ${price} was at or under ${level}`
    : `take-profit: the live price ${price} was at or over ${level}`;
  const tick = sells.find((sell) => sell.tick !== null)?.tick ?? null;
  return {
    id: row.id,
    groupId: group.groupId,
    symbol: group.symbol,
    rule,
    level,
    tick: {
      price,
      time: formatTime(timeMs),
      ownTime: dateOf(tick?.ownTimeMs),
      arrivedDate: dateOf(tick?.arrivedAtMs),
      isCaughtUp: tick?.isCaughtUp ?? null,
    },
    status: row.status,
    orders: sells.map(orderView),
  };
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

function dateOf(timeMs: number | null | undefined): string | null {
  return timeMs === null || timeMs === undefined ? null : formatTime(timeMs);
}
