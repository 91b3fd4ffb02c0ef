/**
 * The limits of accounts, and what own fills of each have lost today (behaviour 27).
 *
 * Owns: the limits, stored; the orders of the last minute, in memory. Does not own: the rules
 * (`src/domain/order/limits.ts`), which orders are judged (commands and bots), the state of reducing (`trading-states.ts`).
 *
 * Invariants:
 * 1. Sells of groups are not judged here: a stop-loss is never held back.
 * 2. A fill counts in the batch of the state that learnt it, once, however many actors follow its order.
 */
import { type LimitsView, storedLimitsSchema } from "../../src/contract/trading/limits.ts";
import { marketDayOf } from "../../src/domain/market/calendar.ts";
import type { CorporateAction } from "../../src/domain/market/corporate-action.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import type { Execution } from "../../src/domain/order/execution.ts";
import {
  type CostedLots,
  costsAfter,
  countFill,
  type DayResult,
  isLossReached,
  type Limits,
  NO_LIMITS,
  onDay,
  refuseByLimits,
  renameLots,
} from "../../src/domain/order/limits.ts";
import { averagePriceOf, filledQuantityOf, orderNoOf } from "../../src/domain/order/order-number.ts";
import type { Refusal } from "../../src/domain/refusal.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { AccountPlace } from "../ports/brokerage.ts";
import type { Events } from "../ports/event.ts";
import type { LimitedOrder, LimitTable } from "../ports/order.ts";
import type { Prices, Symbols } from "../ports/price.ts";
import type { Journal } from "../ports/storage.ts";
import { placeKey } from "../table/keys.ts";
import { TABLES } from "../table/tables.ts";

interface LimitsOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly prices: Prices;
  readonly symbols: Pick<Symbols, "zoneOf">;
  readonly events: Pick<Events, "emit">;
  /** Called in the turn: the loss of an account has reached its limit; `reason` is shown to its owner. */
  readonly onLossReached: (place: AccountPlace, reason: string) => void;
}

interface Row extends AccountPlace, Limits, DayResult {
  /** The zone of the exchange that `day` is counted in. */
  readonly zone: string;
}

/** The counted part of an order's fills. */
interface Counted {
  readonly quantity: number;
  readonly amount: number | null;
}

const { limits: TABLE } = TABLES;
const MINUTE_MS = 60_000;
/** The most orders whose counted fills are remembered; of an older one a later fill counts at its average price. */
const ORDERS_MAX = 20_000;

export class AccountLimits implements LimitTable {
  readonly #options: LimitsOptions;
  readonly #rows = new Map<string, Row>();
  /** When the orders of the last minute were taken, by account. */
  readonly #taken = new Map<string, readonly number[]>();
  readonly #counted = new LruCache<string, Counted>(ORDERS_MAX);

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /** At start: takes in a stored row. Throws if it is not valid. */
  recover(value: Uint8Array): void {
    const { version: _, ...row } = storedLimitsSchema.parse(JSON.parse(Buffer.from(value).toString()));
    this.#rows.set(placeKey(row), row);
  }

  find(place: AccountPlace): LimitsView {
    const row = this.#rows.get(placeKey(place));
    if (row === undefined) return { ...NO_LIMITS, realisedToday: null, ordersLastMinute: null };
    const { maxDailyLoss, maxOrdersPerMinute, maxOrderValue } = row;
    const realisedToday = maxDailyLoss === null ? null : onDay(row, this.#todayIn(row.zone)).realised;
    const ordersLastMinute = maxOrdersPerMinute === null ? null : this.#lastMinuteOf(place).length;
    return { maxDailyLoss, maxOrdersPerMinute, maxOrderValue, realisedToday, ordersLastMinute };
  }

  setInTurn(place: AccountPlace, limits: Limits, held: readonly CostedLots[]): void {
    const { userId, brokerageCode, accountNumber } = place;
    const before = this.#rows.get(placeKey(place));
    const counts = limits.maxDailyLoss !== null;
    const known = counts && before !== undefined && before.maxDailyLoss !== null;
    const begun = { day: 0, zone: "UTC", realised: 0, positions: counts ? held : [] };
    const { day, zone, realised, positions } = known ? before : begun;
    this.#put({ userId, brokerageCode, accountNumber, ...limits, day, zone, realised, positions });
    this.#options.events.emit(userId, "limits.changed", { brokerageCode, accountNumber, ...limits });
    this.#judge(place);
  }

  refuseInTurn(place: AccountPlace, { symbol, quantity, price }: LimitedOrder): Refusal | undefined {
    const row = this.#rows.size === 0 ? undefined : this.#rows.get(placeKey(place));
    if (row === undefined) return undefined;
    const taken = this.#lastMinuteOf(place);
    const known = price > 0 ? price : this.#options.prices.last(symbol)?.price.value;
    const refusal = refuseByLimits(row, { quantity, price: known }, taken.length);
    this.#taken.set(placeKey(place), refusal === undefined ? [...taken, this.#options.steadyClock.nowMs()] : taken);
    return refusal;
  }

  /** In a turn: lots of a former name are of the new one (behaviour 30.5). */
  renameInTurn({ from, to }: Renaming): void {
    for (const row of this.#rows.values()) {
      if (!row.positions.some(({ symbol }) => symbol === from)) continue;
      this.#put({ ...row, positions: renameLots(row.positions, from, to) });
    }
  }

  /** In a turn: counts lots that an own order filled. */
  noteFill(place: AccountPlace, execution: Execution, quantity: number): void {
    const row = this.#rows.size === 0 ? undefined : this.#rows.get(placeKey(place));
    if (row === undefined || row.maxDailyLoss === null) return;
    const { symbol, buySell } = execution;
    const fill = this.#newPartOf(place, execution, quantity);
    if (fill.quantity <= 0) return;
    const zone = this.#options.symbols.zoneOf(symbol);
    this.#put({ ...row, ...countFill(row, { symbol, buySell, ...fill }, this.#todayIn(zone)), zone });
    this.#judge(place);
  }

  /** In the turn that notes an action as applied: the cost of its symbol's lots is on the new base. */
  followInTurn(action: CorporateAction, isLate: boolean): void {
    for (const row of this.#rows.values()) {
      if (!row.positions.some(({ symbol }) => symbol === action.symbol)) continue;
      this.#put({ ...row, positions: costsAfter(row.positions, action, isLate) });
    }
  }

  /** The part of an order's fills that no other follower of the order has counted. */
  #newPartOf(place: AccountPlace, execution: Execution, quantity: number): Counted {
    const key = `${placeKey(place)}/${orderNoOf(execution)}`;
    const filled = filledQuantityOf(execution);
    const price = averagePriceOf(execution) ?? this.#options.prices.last(execution.symbol)?.price.value ?? null;
    const before = this.#counted.get(key) ?? amountOf(filled - quantity, price);
    const now = amountOf(filled, price);
    if (filled > before.quantity) this.#counted.set(key, now);
    const amount = now.amount === null || before.amount === null ? null : now.amount - before.amount;
    return { quantity: filled - before.quantity, amount };
  }

  #judge(place: AccountPlace): void {
    const row = this.#rows.get(placeKey(place));
    if (row === undefined || !isLossReached(row, onDay(row, this.#todayIn(row.zone)))) return;
    const { maxDailyLoss, realised } = row;
    this.#options.onLossReached(
      place,
      `own fills of today have lost ${-realised}, and maxDailyLoss is ${maxDailyLoss}`,
    );
  }

  /** When the orders of the last minute were taken. */
  #lastMinuteOf(place: AccountPlace): readonly number[] {
    const nowMs = this.#options.steadyClock.nowMs();
    return (this.#taken.get(placeKey(place)) ?? []).filter((atMs) => nowMs - atMs < MINUTE_MS);
  }

  #todayIn(zone: string): number {
    return marketDayOf({ zone, calendar: undefined, order: "market" }, this.#options.clock.nowMs());
  }

  #put(row: Row): void {
    this.#rows.set(placeKey(row), row);
    this.#options.journal.put(TABLE.key(placeKey(row)), JSON.stringify({ version: 1, ...row }));
  }
}

function amountOf(quantity: number, price: number | null): Counted {
  return { quantity, amount: price === null ? null : quantity * price };
}
