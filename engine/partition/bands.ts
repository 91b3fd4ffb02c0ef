/**
 * The bands of symbols for today (behaviour 17).
 *
 * Owns: the bands of operators and imports, stored; today's bands of brokerages, in memory; which of them counts.
 * Does not own: the definition of a valid band (`src/domain/market/band.ts`), the use of a band.
 *
 * Invariants:
 * 1. A band counts on its day only, by the clock of the symbol's exchange.
 * 2. No caller waits for a brokerage: a band that it has not reported in time is not known.
 */
import { type BandView, type StoredBand, storedBandSchema } from "../../src/contract/operator/band.ts";
import { type Band, type BandRequest, type DayBand, planBand } from "../../src/domain/market/band.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import { accept, type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import { dateIn } from "../../src/domain/time-zone.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { Brokerages } from "../ports/brokerage.ts";
import type { Symbols } from "../ports/price.ts";
import type { DayBands } from "../ports/reference.ts";
import type { Journal } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";

interface BandsOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  readonly symbols: Pick<Symbols, "isKnown" | "tickTableOf" | "zoneOf">;
  readonly brokerages: Pick<Brokerages, "find">;
}

type Source = StoredBand["source"];

/** The user for whom a brokerage is asked. */
interface Asker {
  readonly userId: number;
  readonly brokerageCode: string;
}

/** The band of a day does not change, but a day ends, and a brokerage that did not answer may do so later. */
const ASK_AGAIN_MS = 10 * 60_000;

const { bands: TABLE } = TABLES;

export class Bands implements DayBands {
  readonly #options: BandsOptions;
  /** By source and symbol. */
  readonly #stored: Readonly<Record<Source, Map<string, StoredBand>>> = { operator: new Map(), import: new Map() };
  /** The reported bands by brokerage and symbol, null: none; and when the brokerage is asked again at the earliest. */
  readonly #told = new Map<string, { readonly band: DayBand | null; readonly againMs: number }>();

  constructor(options: BandsOptions) {
    this.#options = options;
  }

  /** At start: takes in a stored row. Throws if it is not valid. */
  recover(value: Uint8Array): void {
    const row = storedBandSchema.parse(JSON.parse(Buffer.from(value).toString()));
    this.#stored[row.source].set(row.symbol, row);
  }

  writeInTurn(source: Source, requests: readonly (BandRequest & { readonly symbol: string })[]): Result<number> {
    const { symbols, journal } = this.#options;
    const rows: StoredBand[] = [];
    for (const [index, { symbol, ...request }] of requests.entries()) {
      const prefix = requests.length === 1 ? "" : `bands[${index}].`;
      if (!symbols.isKnown(symbol)) return refuseUnknown(symbol, source);
      const band = planBand(request, this.#termsOf(symbol), prefix);
      if (!band.ok) return band;
      rows.push({ version: 1, symbol, ...band.value, source });
    }
    for (const row of rows) {
      this.#stored[source].set(row.symbol, row);
      journal.put(TABLE.key(row.symbol, source), JSON.stringify(row));
    }
    return accept(rows.length);
  }

  /** In a turn: the bands of a former name are of the new one, unless that has its own of the day (behaviour 30.5). */
  renameInTurn({ from, to }: Renaming): void {
    const { journal } = this.#options;
    for (const [source, rows] of Object.entries(this.#stored)) {
      const row = rows.get(from);
      if (row === undefined) continue;
      rows.delete(from);
      journal.remove(TABLE.key(from, source));
      const own = rows.get(to);
      if (own !== undefined && own.date >= row.date) continue;
      rows.set(to, { ...row, symbol: to });
      journal.put(TABLE.key(to, source), JSON.stringify({ ...row, symbol: to }));
    }
  }

  /** Returns the operator's band, else the brokerage's, else the import's. Without a code no brokerage counts. */
  find(symbol: string, brokerageCode?: string): BandView | undefined {
    const current = this.#current(symbol, brokerageCode);
    return current === undefined ? undefined : viewOf(symbol, ...current);
  }

  /** Returns today's band of operators or imports, for the guard. */
  bandOf(symbol: string): Band | undefined {
    return this.#current(symbol)?.[0];
  }

  #current(symbol: string, brokerageCode?: string): readonly [DayBand, BandView["source"]] | undefined {
    const told = brokerageCode === undefined ? undefined : this.#told.get(keyOf(brokerageCode, symbol))?.band;
    const candidates = [
      [this.#stored.operator.get(symbol), "operator"],
      [told ?? undefined, "brokerage"],
      [this.#stored.import.get(symbol), "import"],
    ] as const;
    // Few symbols have a band, and every sell asks: finding the date costs as much as the rest of a trigger's step.
    if (candidates.every(([band]) => band === undefined)) return undefined;
    const { nowMs, zone } = this.#termsOf(symbol);
    const date = dateIn(zone, nowMs);
    for (const [band, source] of candidates) if (band?.date === date) return [band, source];
    return undefined;
  }

  /** Asks the brokerage from time to time, so that its answer is known when an exit needs it. */
  learn({ userId, brokerageCode }: Asker, symbol: string): void {
    const { brokerages, clock, log } = this.#options;
    const brokerage = brokerages.find(brokerageCode);
    if (brokerage?.instrument === undefined || brokerage.session?.().canTellInstrument === false) return;
    const [key, againMs] = [keyOf(brokerageCode, symbol), clock.nowMs() + ASK_AGAIN_MS];
    if ((this.#told.get(key)?.againMs ?? 0) > clock.nowMs()) return;
    this.#told.set(key, { band: this.#told.get(key)?.band ?? null, againMs });
    const keep = (request: BandRequest): void => {
      const band = planBand(request, this.#termsOf(symbol));
      if (band.ok) this.#told.set(key, { band: band.value, againMs });
      else
        log.warn(
          { event: "band.impossible", brokerageCode, symbol, reason: band.message },
          "a brokerage reported an impossible band",
        );
    };
    brokerage.instrument({ symbol, userId }).then(
      (reply) => {
        if (reply.ok && reply.data.floorPrice !== undefined && reply.data.ceilingPrice !== undefined) {
          const { floorPrice, ceilingPrice, basePrice } = reply.data;
          keep({ floorPrice, ceilingPrice, basePrice });
        }
      },
      (err: unknown) =>
        log.warn({ event: "band.cannotAsk", err, brokerageCode, symbol }, "a brokerage could not be asked for a band"),
    );
  }

  #termsOf(symbol: string) {
    const { symbols, clock } = this.#options;
    return { table: symbols.tickTableOf(symbol), zone: symbols.zoneOf(symbol), nowMs: clock.nowMs() };
  }
}

function viewOf(symbol: string, { floor, ceiling, base, date }: DayBand, source: BandView["source"]): BandView {
  return {
    symbol,
    floorPrice: priceToNumber(floor),
    ceilingPrice: priceToNumber(ceiling),
    basePrice: base === null ? null : priceToNumber(base),
    bandDate: date,
    source,
  };
}

/** A symbol that was imported with its band is known to every partition a moment later. */
function refuseUnknown(symbol: string, source: Source): Refusal {
  if (source === "operator") return refuse("NOT_FOUND", `symbol ${symbol} is not known`);
  return refuse("UNAVAILABLE", `symbol ${symbol} is not known yet: ask again in a moment`);
}

function keyOf(brokerageCode: string, symbol: string): string {
  return `${brokerageCode}/${symbol}`;
}
