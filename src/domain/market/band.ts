/**
 * The band of a symbol's day: the prices at which its exchange takes orders (behaviour 17).
 *
 * Owns: valid bands. Does not own: the source of bands (the engine), their use (exits, the guard against prices on
 * another base).
 */
import type { Hundredths } from "../price/price.ts";
import { parseGridPrice, type TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import { dateIn } from "../time-zone.ts";

export interface Band {
  /** The lowest and the highest price that an order can have. */
  readonly floor: Hundredths;
  readonly ceiling: Hundredths;
  /** The price from which the two are computed; null if it is not known. */
  readonly base: Hundredths | null;
}

/** The request of an operator or an import, prices in currency units. */
export interface BandRequest {
  readonly floorPrice: number;
  readonly ceilingPrice: number;
  readonly basePrice?: number | undefined;
  /** The day, as `2026-03-02`; absent: today at the exchange. */
  readonly bandDate?: string | undefined;
}

/** A valid band of a day, as `2026-03-02`. */
export interface DayBand extends Band {
  readonly date: string;
}

/** Checks a band (behaviour 17.1). `prefix` is put before the names of fields in a refusal. */
export function planBand(
  request: BandRequest,
  { table, zone, nowMs }: { readonly table: TickTable; readonly zone: string; readonly nowMs: number },
  prefix = "",
): Result<DayBand> {
  const floor = parseGridPrice(request.floorPrice, `${prefix}floorPrice`, table);
  if (!floor.ok) return floor;
  const ceiling = parseGridPrice(request.ceilingPrice, `${prefix}ceilingPrice`, table);
  if (!ceiling.ok) return ceiling;
  const { basePrice, bandDate = dateIn(zone, nowMs) } = request;
  const base = basePrice === undefined ? accept(null) : parseGridPrice(basePrice, `${prefix}basePrice`, table);
  if (!base.ok) return base;
  const band = { floor: floor.value, ceiling: ceiling.value, base: base.value, date: bandDate };
  if (band.floor >= band.ceiling) {
    return refuse("INVALID", `${prefix}floorPrice must be lower than ${prefix}ceilingPrice`);
  }
  if (band.base !== null && (band.base < band.floor || band.base > band.ceiling)) {
    return refuse("INVALID", `${prefix}basePrice must lie from ${prefix}floorPrice to ${prefix}ceilingPrice`);
  }
  return accept(band);
}
