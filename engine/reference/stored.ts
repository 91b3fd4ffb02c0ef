/**
 * What the reference data keeps in the store: its keys, and the JSON under them, checked on reading as on writing.
 *
 * | key | holds |
 * |---|---|
 * | `y/<symbol>` | a symbol; on other partitions than the shared one: a copy for their next start |
 * | `l/<list>` | a symbol list |
 * | `r/<restriction>` | a restriction, active or past |
 */
import { z } from "zod";
import { effectsSchema, RESTRICTION_TYPES } from "../../src/contract/operator/reference.ts";
import type { Store } from "../ports/storage.ts";
import { TABLES, type Table } from "../table/tables.ts";

export const SYMBOLS = TABLES.symbols;
export const LISTS = TABLES.symbolLists;
export const RESTRICTIONS = TABLES.restrictions;

export const symbolKey = (symbol: string): string => SYMBOLS.key(symbol);
export const listKey = (id: number): string => LISTS.key(id);
export const restrictionKey = (id: number): string => RESTRICTIONS.key(id);

const version = z.literal(1);
const id = z.number().int().positive();
const timeMs = z.number().int().nonnegative();
const symbol = z.string().regex(/^[A-Z0-9_]{1,16}$/);

export const storedSymbol = z.strictObject({
  version,
  id,
  symbol,
  name: z.string(),
  exchange: z.string(),
  isActive: z.boolean(),
  logoUrl: z.string(),
  /** Its new name (behaviour 30); absent: it was not renamed. */
  renamedTo: symbol.exactOptional(),
});
export type StoredSymbol = z.infer<typeof storedSymbol>;

export const storedSymbolCopy = z.strictObject({
  version,
  symbol,
  isActive: z.boolean(),
  exchange: z.string(),
  renamedTo: symbol.exactOptional(),
});

export const storedList = z.strictObject({
  version,
  id,
  /** Null: the system's. */
  userId: id.nullable(),
  name: z.string(),
  description: z.string(),
  symbols: z.array(symbol),
  listType: z.enum(["INDEX", "CUSTOM"]),
  isPublic: z.boolean(),
});
export type StoredList = z.infer<typeof storedList>;

export const storedRestriction = z.strictObject({
  version,
  id,
  code: symbol,
  restrictionType: z.number().refine((code) => RESTRICTION_TYPES.has(code)),
  validFromMs: timeMs,
  validToMs: timeMs.nullable(),
  sourceRef: z.string(),
  /** Absent: the effects of its type. */
  effects: effectsSchema.exactOptional(),
});
export type StoredRestriction = z.infer<typeof storedRestriction>;

/** Writes what {@link readAll} reads back with the same schema. Throws on anything else. */
export function encode<T>(schema: z.ZodType<T>, value: T): string {
  return JSON.stringify(schema.parse(value));
}

/** Reads every durable record of a table, in key order. Throws if one does not match `schema`: damage. */
export async function readAll<T>(store: Pick<Store, "scan">, table: Table, schema: z.ZodType<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const page of store.scan(table.range)) {
    for (const [, bytes] of page) records.push(schema.parse(JSON.parse(Buffer.from(bytes).toString())));
  }
  return records;
}
