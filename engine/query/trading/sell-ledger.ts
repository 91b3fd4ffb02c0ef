/**
 * The sell ledger of an account: what it holds, what is being sold, and what groups, bots and pending OCOs may still sell.
 *
 * Invariant: a brokerage that cannot be asked leaves its part unknown, and takes nothing from the rest.
 */
import { type LedgerRowView, sellLedgerBody } from "../../../src/contract/trading/ledger.ts";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { ORDER_OPEN, ORDER_WAITING, SELL } from "../../../src/domain/order/order.ts";
import { sellLedger } from "../../../src/domain/order/sell-ledger.ts";
import { formatTime } from "../../../src/domain/time.ts";
import { commitmentsOf } from "../../projection/commitments.ts";
import { forUser } from "../context.ts";
import { accountOfRows } from "./account-of-rows.ts";

/** Waiting and open: what can still be filled. */
const OPEN_STATES: ReadonlySet<number> = new Set([ORDER_WAITING, ORDER_OPEN]);
/** By symbol. The brokerage is asked twice, one question after the other. */
export const readSellLedger = forUser({
  schema: sellLedgerBody,
  handle: async (context, userId, { brokerageCode, accountNumber: name }) => {
    const account = await accountOfRows(context, userId, brokerageCode, name);
    if (!account.ok) return account;
    const brokerage = context.brokerages.find(brokerageCode);
    if (brokerage === undefined) return { ok: false, code: "INVALID", message: "brokerageCode is not known" };
    const place = { userId, brokerageCode, accountNumber: account.value.accountNumber };
    const positions = await brokerage.positions({ ...place, includeOrders: false });
    const heldAtMs = context.clock.nowMs();
    if (positions.ok) context.holdings.learn(place, positions.data);
    const orders = await brokerage.dailyOrders(place);
    const ledger = sellLedger({
      held: positions.ok ? sumOf(positions.data, ({ quantity }) => quantity) : undefined,
      openSells: orders.ok ? sumOf(orders.data.filter(isOpenSell), restOf) : undefined,
      commitments: await commitmentsOf(context.store, place),
    });
    const heldAsOf = positions.ok ? formatTime(heldAtMs) : null;
    const data = ledger.map(({ symbol, held, openSells, committed, worstCase }): LedgerRowView => {
      const overcommitted = worstCase === null ? null : worstCase < 0;
      return { symbol, held, heldAsOf, openSells, committed, worstCase, overcommitted };
    });
    return { ok: true, data };
  },
});

function isOpenSell({ buySell, orderStatus }: OrderRecord): boolean {
  return buySell === SELL && OPEN_STATES.has(orderStatus);
}

function restOf({ quantity, filledQuantity }: OrderRecord): number {
  return Math.max(0, quantity - filledQuantity);
}

function sumOf<T extends { readonly symbol: string }>(rows: readonly T[], lotsOf: (row: T) => number) {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(row.symbol, (sums.get(row.symbol) ?? 0) + lotsOf(row));
  return sums;
}
