/** Rows as they are stored for their readers. */
import { z } from "zod";
import { textOf } from "../../src/runtime/json.ts";
import type { Store } from "../ports/storage.ts";
import { viewKey } from "../table/keys.ts";
import { under } from "../table/tables.ts";

/** The stored rows under a prefix; an entry may hold several, joined with commas. */
export async function rowsUnder<T>(
  store: Pick<Store, "scan">,
  prefix: string,
  schema: z.ZodType<T>,
): Promise<readonly T[]> {
  const listSchema = z.array(schema);
  const rows: T[] = [];
  for await (const page of store.scan(under(viewKey(prefix)))) {
    for (const [, value] of page) rows.push(...listSchema.parse(JSON.parse(`[${textOf(value)}]`)));
  }
  return rows;
}
