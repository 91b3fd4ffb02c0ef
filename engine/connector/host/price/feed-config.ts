/** The part of a price feed's configuration file that every venue shares. */
import { z } from "zod";
import { listedTwice } from "../config-file.ts";
import type { FeedSettings } from "./trade-feed.ts";

const symbol = z.string().regex(/^[A-Z0-9_]{1,16}$/, "must be a symbol of A-Z, 0-9 and _");
const venueSymbol = z.string().regex(/^[\x20-\x7e]{1,60}$/, "must have 1 to 60 printable characters");

export const feedShape = {
  name: z.string().regex(/^[A-Za-z0-9_]{1,32}$/, "must be a name of letters, digits and _"),
  /** A list, or a record of the venue's names by our names. */
  symbols: z.union([z.array(symbol).min(1), z.record(symbol, venueSymbol)]),
  ignoredConditions: z.array(z.string().min(1).max(10)).default([]),
  lagMsMax: z.number().int().min(100).max(600_000).default(5_000),
  silentSeconds: z.number().min(1).max(86_400).default(60),
};

/** Builds the shared part from a file of valid shape; contradictions are added to `mistakes`. */
export function buildFeed(file: z.infer<z.ZodObject<typeof feedShape>>, mistakes: string[]): FeedSettings {
  const { name, ignoredConditions, lagMsMax, silentSeconds } = file;
  const symbols = Array.isArray(file.symbols)
    ? Object.fromEntries(file.symbols.map((one) => [one, one]))
    : file.symbols;
  if (Object.keys(symbols).length === 0) mistakes.push("symbols: at least one is needed");
  mistakes.push(...listedTwice("symbols", Object.values(symbols)));
  return { name, symbols, ignoredConditions, lagMsMax, silentMs: silentSeconds * 1_000 };
}
