/** Bands of a day, as they cross a process (behaviour 17). */
import { z } from "zod";
import { body, price } from "../fields.ts";
import { symbolCode } from "../trading/oco.ts";

/** Every partition has its own copy: an edge sends the command to each of them. */
export const BAND_COMMANDS = { write: "symbols.bands.write" } as const;
export const BAND_QUERIES = { read: "symbols.band" } as const;

const BANDS_PER_WRITE_MAX = 5_000;

const date = z.iso.date({ error: "must be a date like 2026-03-02" });

const fields = {
  floorPrice: price.meta({ description: "The lowest price at which an order is taken that day" }),
  ceilingPrice: price.meta({ description: "The highest one" }),
  basePrice: price.exactOptional().meta({ description: "The price that the two are computed from" }),
  bandDate: date.exactOptional().meta({ description: "The day; default: today where the exchange is" }),
};

/** A band by hand. */
export const bandRequest = body(fields).meta({ id: "DayBandWrite" });
/** The stored form, as it is read back. */
export const bandSchema = z
  .object({
    symbol: z.string(),
    floorPrice: z.number(),
    ceilingPrice: z.number(),
    basePrice: z.number().nullable(),
    bandDate: z.string(),
    source: z.enum(["operator", "brokerage", "import"]).meta({
      description:
        "operator: by hand; brokerage: the brokerage reported it today; import: with the symbols. The first one counts",
    }),
  })
  .meta({ id: "DayBand" });
export type BandView = z.infer<typeof bandSchema>;

/** Body of `symbols.band`. */
export const readBandBody = z.object({ symbol: symbolCode, brokerageCode: z.string().optional() });

/** Body of `symbols.bands.write`: all of them or none. */
export const writeBandsBody = z.object({
  source: z.enum(["operator", "import"]),
  bands: z
    .array(body({ symbol: symbolCode, ...fields }))
    .min(1)
    .max(BANDS_PER_WRITE_MAX),
});

/** A band as a partition stores it, in hundredths. */
export const storedBandSchema = z.strictObject({
  version: z.literal(1),
  symbol: symbolCode,
  floor: z.number().int(),
  ceiling: z.number().int(),
  base: z.number().int().nullable(),
  date: z.string(),
  source: z.enum(["operator", "import"]),
});
export type StoredBand = z.infer<typeof storedBandSchema>;
