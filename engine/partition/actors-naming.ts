/** Finds the live actors that name a symbol, in the stored rows. */
import type { Store } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";

const { actors: ACTORS } = TABLES;

/** Returns the ids of all live actors that name the symbol, and whose row `isMeant` accepts. */
export async function actorsNaming(
  store: Pick<Store, "scan">,
  symbol: string,
  isMeant: (row: Uint8Array) => boolean,
): Promise<readonly number[]> {
  const named = Buffer.from(JSON.stringify(symbol));
  const ids: number[] = [];
  for await (const page of store.scan(ACTORS.range)) {
    for (const [key, value] of page) {
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      if (bytes.includes(named) && isMeant(value)) ids.push(ACTORS.numberOf(key));
    }
  }
  return ids;
}
