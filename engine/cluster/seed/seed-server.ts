/**
 * Sends the leader's rows to copies that the log alone can no longer fill, page by page on request.
 *
 * Owns: what is sent, for how long and how fast. Does not own: how a copy uses it (seeded-store.ts).
 *
 * Invariants:
 * 1. One copy receives the rows of one moment: one iterator reads all of them. The head record is last, so that rows
 *    without it never count as a whole store.
 * 2. A page is sent again until the next page is requested: a lost answer costs nothing.
 * 3. A copy that requests no page for a while is forgotten, with its iterator.
 * 4. It begins when few rows wait for the disk: sorting the rest of a burst would block the event loop.
 * 5. All that a process sends, of any partition, stays within its pace: decisions of the partition take priority.
 */
import type { Bus, Unsubscribe } from "../../../src/bus/port.ts";
import { seedPageSubject, seedSubject } from "../../../src/contract/subject.ts";
import type { Cancel, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Put, Store } from "../../ports/storage.ts";
import { encodeRecord } from "../../store/log/log-record.ts";
import { SORTED_AT_ONCE_BYTES } from "../../store/log/waiting-rows.ts";
import { parseHead } from "../../store/recovery.ts";
import { ALL_KEYS, HEAD_KEY } from "../../table/keys.ts";
import type { BytePace } from "./byte-pace.ts";
import { encodeOffer, encodePart } from "./seed-message.ts";

const FORGOTTEN_AFTER_MS = 30_000;
/** A copy is seeded once in its life; more than this number together wait for their turn. */
const SEEDS_MAX = 4;
const PART_BYTES = 512 * 1024;
/** Less than the copy waits for the answer. */
const FEW_WITHIN_MS = 8_000;

interface SeedServerOptions {
  readonly partition: number;
  /** The life of the led log: rows of another life cannot be used. */
  readonly life: number;
  readonly store: Store;
  readonly bus: Pick<Bus, "respond">;
  readonly timers: Timers;
  readonly log: Log;
  readonly pace: BytePace;
  /** Returns a name that was never used before. */
  readonly newName: () => string;
}

export class SeedServer {
  readonly #options: SeedServerOptions;
  readonly #seeds = new Set<Seed>();
  readonly #unsubscribe: Unsubscribe;
  #hasStopped = false;

  constructor(options: SeedServerOptions) {
    this.#options = options;
    this.#unsubscribe = options.bus.respond(seedSubject(options.partition, options.life), () =>
      this.#openWhenFewWait(),
    );
  }

  /** The number of seeds in progress. */
  get count(): number {
    return this.#seeds.size;
  }

  stop(): void {
    this.#hasStopped = true;
    this.#unsubscribe();
    for (const seed of this.#seeds) seed.end();
  }

  async #openWhenFewWait(): Promise<Uint8Array> {
    const areFew = await this.#options.store.whenFewWait?.(SORTED_AT_ONCE_BYTES, FEW_WITHIN_MS);
    if (areFew === false) return encodeOffer({ refusal: "its disk does not keep up with what is written" });
    if (this.#hasStopped) return encodeOffer({ refusal: "it leads no more" });
    return this.#open();
  }

  /** Opens the rows in one turn of the event loop: the head belongs to exactly these rows. */
  #open(): Uint8Array {
    const { store, partition, life, log, newName } = this.#options;
    if (this.#seeds.size >= SEEDS_MAX) return encodeOffer({ refusal: `${SEEDS_MAX} copies are being seeded already` });
    const bytes = store.read(HEAD_KEY);
    if (bytes === undefined) return encodeOffer({ refusal: "there is nothing to give yet" });
    const { batch } = parseHead(bytes);
    const name = newName();
    const seed = new Seed(this.#options, seedPageSubject(partition, life, name), () => this.#seeds.delete(seed));
    this.#seeds.add(seed);
    log.info({ event: "replica.seedOffered", partition, batch }, "seeding a copy of the partition at another engine");
    return encodeOffer({ name, batch });
  }
}

/** The seed of one copy. */
class Seed {
  readonly #options: SeedServerOptions;
  readonly #parts: AsyncGenerator<Uint8Array>;
  readonly #unsubscribe: Unsubscribe;
  readonly #onEnd: () => void;
  #cancelEnd: Cancel = () => undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** The number of the page that was sent last. */
  #number = -1;
  #page: Uint8Array = new Uint8Array();
  #hasEnded = false;

  constructor(options: SeedServerOptions, subject: string, onEnd: () => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    // The iterator is opened here, in the turn in which the head was read.
    this.#parts = partsOf(options.store.scan(ALL_KEYS));
    this.#unsubscribe = options.bus.respond(subject, ({ data }) => this.#inTurn(Number(Buffer.from(data).toString())));
    this.#planEnd();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancelEnd();
    this.#unsubscribe();
    // A part that is being read is read to its end first.
    void this.#turn.then(() => this.#close());
    this.#onEnd();
  }

  /** Parts that were never requested have no end: the store's iterator would remain open, and keep every old row. */
  async #close(): Promise<void> {
    if (this.#number < 0) await this.#parts.next().catch(() => undefined);
    await this.#parts.return(undefined);
  }

  #inTurn(number: number): Promise<Uint8Array> {
    const page = this.#turn.then(() => this.#pageOf(number));
    this.#turn = page.catch(() => undefined);
    return page;
  }

  async #pageOf(number: number): Promise<Uint8Array> {
    this.#planEnd();
    if (number === this.#number) return this.#page;
    if (number !== this.#number + 1) throw new Error(`page ${number} was asked for, after page ${this.#number}`);
    const { value } = await this.#parts.next();
    if (value === undefined) throw new Error("there was no other page");
    await this.#options.pace.take(value.byteLength);
    this.#number = number;
    this.#page = value;
    return value;
  }

  #planEnd(): void {
    this.#cancelEnd();
    if (this.#hasEnded) return;
    this.#cancelEnd = this.#options.timers.after(FORGOTTEN_AFTER_MS, () => this.end());
  }
}

/** Yields the rows in pages that fit a message, the head record by itself at the end. */
async function* partsOf(pages: ReturnType<Store["scan"]>): AsyncGenerator<Uint8Array> {
  let head: Put | undefined;
  for await (const page of pages) {
    const rows = page.map(([key, value]): Put => ({ type: "put", key, value }));
    head ??= rows.find(({ key }) => key === HEAD_KEY);
    yield* cut(rows.filter(({ key }) => key !== HEAD_KEY));
  }
  if (head !== undefined) yield* cut([head]);
}

function* cut(rows: readonly Put[]): Iterable<Uint8Array> {
  if (rows.length === 0) return;
  const record = encodeRecord({ isFirst: false, operations: rows });
  for (let start = 0; start < record.byteLength; start += PART_BYTES) {
    const isLast = start + PART_BYTES >= record.byteLength;
    yield encodePart({ isLast, bytes: record.subarray(start, start + PART_BYTES) });
  }
}
