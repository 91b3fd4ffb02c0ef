/**
 * The receipt of a row that has fired: its group contains the reason, its sells' receipts the times.
 */
import { type ReceiptView, receiptBody, type StoredReceipt } from "../../../src/contract/trading/receipt.ts";
import { isFlattening, type OcoGroup, type OcoRow, STOP_LOSS } from "../../../src/domain/oco/group.ts";
import { priceToNumber } from "../../../src/domain/price/price.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { findGroup } from "../../projection/find-group.ts";
import { dateOf, orderView, readSells } from "../../projection/sells.ts";
import { forUser } from "../context.ts";

export const readReceipt = forUser({
  schema: receiptBody,
  handle: async (context, userId, { id }) => {
    const found = findGroup(context, userId, id);
    const row = found?.group.rows.find((one) => one.id === id);
    if (found === undefined || row === undefined) {
      return { ok: false, code: "NOT_FOUND", message: `OCO order ${id} was not found` };
    }
    const { triggeredPrice: price, triggeredAtMs: timeMs } = row;
    if (timeMs === null) {
      return { ok: false, code: "INVALID", message: `OCO order ${id} has not fired: it has no receipt` };
    }
    return { ok: true, data: receiptView(found.group, row, { price, timeMs }, await readSells(context, id)) };
  },
});

function receiptView(
  group: OcoGroup,
  row: OcoRow,
  { price, timeMs }: { readonly price: number | null; readonly timeMs: number },
  sells: readonly StoredReceipt[],
): ReceiptView {
  const level = priceToNumber(row.price);
  const isStopLoss = group.rows[STOP_LOSS] === row;
  const priced = isStopLoss
    ? `stop-loss: the live price ${price} was at or under ${level}`
    : `take-profit: the live price ${price} was at or over ${level}`;
  const timed = isFlattening(group)
    ? `flatten at ${formatTime(timeMs)}`
    : `stop-loss: its time ${formatTime(timeMs)} came`;
  const rule = price === null ? timed : priced;
  // A stop-loss that was set Active again has fired more than once: the last time is the row's.
  const tick = sells.findLast((sell) => sell.tick !== null)?.tick ?? null;
  return {
    id: row.id,
    groupId: group.groupId,
    symbol: group.symbol,
    rule,
    level,
    tick:
      price === null
        ? null
        : {
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
