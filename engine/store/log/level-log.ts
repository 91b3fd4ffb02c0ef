/**
 * The log on one machine: a LevelDB of its own, its records under ascending keys. LevelDB does the checksums, and leaves
 * out a record that a loss of power tore.
 *
 * Invariants:
 * 1. A record is synced before it is acknowledged.
 * 2. One writer: LevelDB lets no second process open the folder, and an append that names another place than the end is
 *    refused.
 * 3. The last record is never trimmed: it says where the log stands.
 */
import { Level } from "level";
import type { CommitLog, LogRecord } from "../../ports/log.ts";
import { refusalOf } from "../level-store.ts";
import { StoreRefused } from "../refused.ts";

/**
 * What is written before LevelDB makes a table of it. Its file is freed while commits wait: a short one takes no time.
 */
const WRITE_BUFFER_BYTES = 16 * 1024 * 1024;
const CACHE_BYTES = 1024 * 1024;
const PAGE_RECORDS = 256;
const PAGE_BYTES = 512 * 1024;
const DIGITS = 16;

type Records = Level<string, Uint8Array>;

/** Opens the log in `folder`. Throws {@link StoreRefused} with a readable reason. */
export async function openLevelLog(folder: string, mayCreate: boolean): Promise<CommitLog> {
  const level: Records = new Level(folder, {
    keyEncoding: "utf8",
    valueEncoding: "view",
    createIfMissing: mayCreate,
    cacheSize: CACHE_BYTES,
    writeBufferSize: WRITE_BUFFER_BYTES,
    // Its records live for seconds.
    compression: false,
  });
  try {
    await level.open();
    const [first] = await level.keys({ limit: 1 }).all();
    const [last] = await level.keys({ limit: 1, reverse: true }).all();
    return new LevelLog(folder, level, first, last);
  } catch (cause) {
    if (level.status === "open") await level.close();
    throw refusalOf(folder, cause);
  }
}

class LevelLog implements CommitLog {
  readonly #folder: string;
  readonly #level: Records;
  #first: number | undefined;
  #last: number | undefined;
  #isAppending = false;

  constructor(folder: string, level: Records, firstKey: string | undefined, lastKey: string | undefined) {
    this.#folder = folder;
    this.#level = level;
    this.#first = firstKey === undefined ? undefined : Number(firstKey);
    this.#last = lastKey === undefined ? undefined : Number(lastKey);
  }

  get firstSequence(): number | undefined {
    return this.#first;
  }

  get lastSequence(): number | undefined {
    return this.#last;
  }

  async append(expectedSequence: number, records: readonly Uint8Array[]): Promise<void> {
    if (this.#isAppending) throw new Error("the append before is on its way, or failed");
    if (this.#last !== undefined && this.#last !== expectedSequence) {
      throw new Error(`the log ends at ${this.#last}, not at ${expectedSequence}`);
    }
    const [record, ...more] = records;
    if (record === undefined) return;
    const first = expectedSequence + 1;
    this.#isAppending = true;
    if (more.length === 0) await this.#level.put(keyOf(first), record, { sync: true });
    else {
      const batch = this.#level.batch();
      for (const [index, one] of records.entries()) batch.put(keyOf(first + index), one);
      await batch.write({ sync: true });
    }
    this.#first ??= first;
    this.#last = expectedSequence + records.length;
    this.#isAppending = false;
  }

  async *readFrom(sequence: number): AsyncIterable<readonly LogRecord[]> {
    const iterator = this.#level.iterator({ gte: keyOf(sequence), highWaterMarkBytes: PAGE_BYTES });
    try {
      for (;;) {
        const page = await iterator.nextv(PAGE_RECORDS);
        if (page.length === 0) return;
        yield page.map(([key, bytes]) => ({ sequence: Number(key), bytes }));
      }
    } catch (cause) {
      throw refusalOf(this.#folder, cause);
    } finally {
      await iterator.close();
    }
  }

  async trim(toSequence: number): Promise<void> {
    if (this.#first === undefined || this.#last === undefined) return;
    const firstKept = Math.min(toSequence + 1, this.#last);
    if (firstKept <= this.#first) return;
    await this.#level.clear({ gte: keyOf(this.#first), lt: keyOf(firstKept) });
    this.#first = firstKept;
  }

  close(): Promise<void> {
    return this.#level.close();
  }
}

function keyOf(sequence: number): string {
  return String(sequence).padStart(DIGITS, "0");
}
