/**
 * The sell ledger of an account: what it holds, what is being sold, and what groups, bots and pending OCOs may still sell.
 *
 * Invariant: a brokerage that cannot be asked leaves its part unknown, and takes nothing from the rest.
 */
import { z } from "zod";
import { type LedgerRowView, sellLedgerBody } from "../../../src/contract/trading/ledger.ts";
import { ocoRowSchema } from "../../../src/contract/trading/oco.ts";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { setupViewSchema } from "../../../src/contract/trading/setup.ts";
import { ACTIVE } from "../../../src/domain/oco/group.ts";
import { ORDER_OPEN, ORDER_WAITING, SELL } from "../../../src/domain/order/order.ts";
import { type Commitment, sellLedger } from "../../../src/domain/order/sell-ledger.ts";
import { formatTime } from "../../../src/domain/time.ts";
import type { AccountPlace } from "../../ports/brokerage.ts";
import { botListPrefix } from "../../projection/bots.ts";
import { ocoListPrefix } from "../../projection/oco.ts";
import { pairListPrefix } from "../../projection/pairs.ts";
import { rowsUnder } from "../../projection/rows-under.ts";
import { setupListPrefix } from "../../projection/setup.ts";
import { forUser, type QueryContext } from "../context.ts";
import { accountOfRows } from "./account-of-rows.ts";

/** Waiting and open: what can still be filled. */
const OPEN_STATES: ReadonlySet<number> = new Set([ORDER_WAITING, ORDER_OPEN]);
/** `orderType` of a stop-loss row. */
const STOP_LOSS_ORDER = 2;
/** Of a leg of a pair. */
const [NONE_YET, COMPLETED] = [0, 2];

const botRowSchema = z.object({ id: z.number() });
const pairRowSchema = z.object({
  symbol: z.string(),
  sellQuantity: z.number(),
  buyStatus: z.number(),
  sellStatus: z.number(),
});

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
      commitments: await commitmentsOf(context, place),
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

/** The row of an entry that an older edition stored has no `groupId`. */
const committedEntry = z.object({ filledQuantity: z.int(), groupId: z.int().nullish() });
const committedSetup = setupViewSchema
  .pick({ symbol: true, stopLossQuantity: true })
  .extend({ entry: committedEntry.nullish() });

/** Lots that no group has yet: that of an entry takes what is filled of it. */
function uncommittedOf({ stopLossQuantity, entry }: z.infer<typeof committedSetup>): number {
  return entry?.groupId ? Math.max(0, stopLossQuantity - entry.filledQuantity) : stopLossQuantity;
}

/** What this service may still sell of the account, as it is stored. */
async function commitmentsOf(context: QueryContext, place: AccountPlace): Promise<readonly Commitment[]> {
  const { userId, brokerageCode, accountNumber } = place;
  const of = [userId, brokerageCode, accountNumber] as const;
  const groups = await rowsUnder(context.store, ocoListPrefix(...of), ocoRowSchema);
  const setups = await rowsUnder(context.store, setupListPrefix(...of), committedSetup);
  const commitments: Commitment[] = [
    ...groups
      .filter(({ orderType, status }) => orderType === STOP_LOSS_ORDER && status === ACTIVE)
      .map(({ symbol, quantity }): Commitment => ({ symbol, by: "groups", quantity })),
    ...setups.map((setup): Commitment => ({ symbol: setup.symbol, by: "entries", quantity: uncommittedOf(setup) })),
  ];
  for (const kind of ["level", "webhook"] as const) {
    for (const { id } of await rowsUnder(context.store, botListPrefix(kind, ...of), botRowSchema)) {
      for (const pair of await rowsUnder(context.store, pairListPrefix(userId, id), pairRowSchema)) {
        if (pair.buyStatus !== COMPLETED || pair.sellStatus !== NONE_YET) continue;
        commitments.push({ symbol: pair.symbol, by: "bots", quantity: pair.sellQuantity });
      }
    }
  }
  return commitments;
}
