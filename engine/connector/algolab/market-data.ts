/** AlgoLab's answers about instruments and money, as records of the gateway contract. */
import type {
  Balance,
  Bar,
  BarsRequest,
  BrokerReply,
  Instrument,
  OrderRecord,
  PositionRecord,
} from "../../../src/contract/trading/order.ts";
import { ORDER_OPEN, SELL } from "../../../src/domain/order/order.ts";
import type { Clock } from "../../../src/runtime/ports.ts";
import { failed } from "../host/connector.ts";
import { notAnswered } from "./answers.ts";
import type { AlgolabApi, ApiAnswer, PositionRow } from "./api.ts";
import { istanbulDay, istanbulDayMs, istanbulTimeMs } from "./protocol.ts";
import type { Urgency } from "./request-queue.ts";

type Ask = <T>(asked: Promise<ApiAnswer<T>>) => Promise<ApiAnswer<T>>;

/**
 * The opening collection of Borsa Istanbul begins at 09:40: before it AlgoLab can still return the previous day's band.
 */
const OPENING_MS = (9 * 60 + 40) * 60_000;
/** How long a band from before the opening is kept. */
const EARLY_KEPT_MS = 300_000;

interface KnownBand {
  /** When it was asked for. */
  readonly askedMs: number;
  readonly instrument: Instrument;
}

/** The bands of the exchange's day, and the base prices from trades of that day. */
export class InstrumentBook {
  readonly #bands = new Map<string, KnownBand>();
  readonly #basePrices = new Map<string, { readonly day: number; readonly basePrice: number }>();

  /** Notes the base price of its day from a trade of `venueSymbol` at `timeMs`. */
  noteBasePrice(venueSymbol: string, basePrice: number, timeMs: number): void {
    const day = istanbulDay(timeMs);
    const known = this.#basePrices.get(venueSymbol);
    if (known === undefined || known.day <= day) this.#basePrices.set(venueSymbol, { day, basePrice });
  }

  /**
   * Returns floor, ceiling and base price. `venueSymbol`: AlgoLab's name. A value that AlgoLab returns as 0 is not
   * known. A band is asked for once from the opening on, and never belongs to another day. `urgency`: of the request,
   * if one is needed.
   */
  async read(
    api: Pick<AlgolabApi, "equity">,
    ask: Ask,
    venueSymbol: string,
    clock: Clock,
    urgency: Urgency,
  ): Promise<BrokerReply<Instrument>> {
    const askedMs = clock.nowMs();
    const known = this.#bands.get(venueSymbol);
    if (known !== undefined && isKept(known.askedMs, askedMs) && !this.#isOfOtherDay(venueSymbol, known, askedMs))
      return this.#withBasePrice(venueSymbol, known.instrument, askedMs);
    const answer = await ask(api.equity(venueSymbol, urgency));
    if (answer.kind !== "ok") return notAnswered(answer);
    const { flr = 0, clg = 0 } = answer.value;
    const instrument: Instrument = {
      ...{ basePrice: undefined, floorPrice: flr > 0 ? flr : undefined, ceilingPrice: clg > 0 ? clg : undefined },
      ...{ lotSize: 1, maxQuantity: undefined, isHalted: undefined },
    };
    // A band without a side is asked for again: the floor may be needed today.
    if (flr > 0 && clg > 0) this.#bands.set(venueSymbol, { askedMs, instrument });
    return this.#withBasePrice(venueSymbol, instrument, clock.nowMs());
  }

  /** Whether the day's base price lies outside of a band that was asked for a while ago. */
  #isOfOtherDay(venueSymbol: string, { askedMs, instrument }: KnownBand, nowMs: number): boolean {
    const basePrice = this.#basePriceOf(venueSymbol, nowMs);
    return basePrice !== undefined && !isWithin(basePrice, instrument) && nowMs - askedMs >= EARLY_KEPT_MS;
  }

  #basePriceOf(venueSymbol: string, nowMs: number): number | undefined {
    const known = this.#basePrices.get(venueSymbol);
    return known?.day === istanbulDay(nowMs) ? known.basePrice : undefined;
  }

  /** A base price outside the band is of another day than the band: it is left out. */
  #withBasePrice(venueSymbol: string, instrument: Instrument, nowMs: number): BrokerReply<Instrument> {
    const basePrice = this.#basePriceOf(venueSymbol, nowMs);
    const isTold = basePrice !== undefined && isWithin(basePrice, instrument);
    return { ok: true, data: isTold ? { ...instrument, basePrice } : instrument };
  }
}

function isWithin(price: number, { floorPrice = 0, ceilingPrice = Number.POSITIVE_INFINITY }: Instrument): boolean {
  return price >= floorPrice && price <= ceilingPrice;
}

/** Whether a band that was asked for at `askedMs` still counts. */
function isKept(askedMs: number, nowMs: number): boolean {
  if (istanbulDay(askedMs) !== istanbulDay(nowMs)) return false;
  if (istanbulDayMs(askedMs) >= OPENING_MS) return true;
  return istanbulDayMs(nowMs) < OPENING_MS && nowMs - askedMs < EARLY_KEPT_MS;
}

/**
 * Cash is the money settled today; buying power includes money that settles in two days; equity adds shares at their
 * last prices.
 */
export async function readBalance(api: AlgolabApi, ask: Ask, subAccount: string): Promise<BrokerReply<Balance>> {
  const cash = await ask(api.cash(subAccount));
  if (cash.kind !== "ok") return notAnswered(cash);
  const held = await ask(api.positions(subAccount));
  if (held.kind !== "ok") return notAnswered(held);
  const value = held.value.reduce((sum, { totalstock, unitprice }) => sum + totalstock * unitprice, 0);
  const { t0, t2 } = cash.value;
  if (t0 === undefined || t2 === undefined) return failed("UNAVAILABLE", "AlgoLab did not report the cash");
  return { ok: true, data: { cash: t0, buyingPower: t2, equity: t2 + value, currency: "TRY" } };
}

/**
 * The latest bars, the oldest first. `date` is a time of Istanbul; a bar whose date or prices cannot be read is left
 * out. The last bar of AlgoLab's answer is open.
 */
export async function readBars(
  api: AlgolabApi,
  ask: Ask,
  { symbol, periodMinutes, count }: BarsRequest,
): Promise<BrokerReply<readonly Bar[]>> {
  const answer = await ask(api.candles(symbol, periodMinutes));
  if (answer.kind !== "ok") return notAnswered(answer);
  const lastIndex = answer.value.length - 1;
  const bars = answer.value.flatMap(({ date, ...prices }, index): Bar[] => {
    const timeMs = candleTimeMs(date);
    const { open, high, low, close, volume } = prices;
    if (timeMs === undefined || Math.min(open, high, low, close) <= 0 || volume < 0) return [];
    return [{ time: new Date(timeMs).toISOString(), ...prices, isOpen: index === lastIndex }];
  });
  return { ok: true, data: bars.slice(-count) };
}

/** `dd.MM.yyyy HH:mm:ss` or `yyyy-MM-ddTHH:mm:ss`, in Istanbul. */
function candleTimeMs(date: string): number | undefined {
  const [, year, month, day, time] = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}:\d{2}:\d{2})$/.exec(date) ?? [];
  return istanbulTimeMs(year === undefined ? date : `${day}.${month}.${year} ${time}`);
}

/** A share that is held. AlgoLab returns no free quantity: it is the held quantity less the open sells of today. */
export function positionOf(
  row: PositionRow,
  symbol: string,
  orders: readonly OrderRecord[],
  includeOrders: boolean,
): PositionRecord {
  const own = orders.filter((order) => order.symbol === symbol);
  const reserved = own.reduce((sum, order) => sum + openSellQuantity(order), 0);
  return {
    ...{ symbol, quantity: row.totalstock, availableQuantity: Math.max(0, row.totalstock - reserved) },
    ...{ averagePrice: row.cost, lastPrice: row.unitprice, profit: row.profit ?? null },
    ...(includeOrders ? { orders: own } : {}),
  };
}

function openSellQuantity({ buySell, orderStatus, quantity, filledQuantity }: OrderRecord): number {
  return buySell === SELL && orderStatus <= ORDER_OPEN ? quantity - filledQuantity : 0;
}
