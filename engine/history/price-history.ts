/**
 * The price history of an engine process: one-minute bars of every accepted price (behaviour 22).
 *
 * Owns: when minutes are written and removed, the reaction to a failing disk. Does not own: how a bar is made
 * (src/domain/market/bars.ts), where the store lies (engine/host).
 *
 * Invariants:
 * 1. Trading never waits for it, nor for a client that reads much of it. No fault of its disk ends anything: the fault
 *    is logged, and the write is tried again.
 * 2. A gap is better than a wrong bar. After an unclean end the minute of the first price, and all before it, take no
 *    price: their earlier prices are not known.
 * 3. A written minute is joined with its later prices, so prices that are read again change nothing.
 */
import { type Bar, joinMinutes, type MinuteBar, minuteOf } from "../../src/domain/market/bars.ts";
import type { Cancel, Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { BarHistory } from "../ports/history.ts";
import type { AcceptedTick } from "../ports/price.ts";
import type { Delete, Put, Store } from "../ports/storage.ts";
import { ALL_MINUTES, decodeMinute, encodeMinute, endOfSymbol, keyOfMinute, symbolOfKey } from "./minute-row.ts";
import { Minutes, type SymbolMinute } from "./minutes.ts";

interface PriceHistoryOptions {
  /** Opens the store; rejects if it cannot be used. */
  readonly open: () => Promise<Store>;
  /** How long minutes are kept; 0: minutes are not stored at all. */
  readonly days: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

const DAY_MS = 86_400_000;
const WRITE_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = 3_600_000;
const REPORT_EVERY_MS = 60_000;
/** How long a minute waits for late prices. */
const LATE_MS = 2_000;
/** How many are looked up and written together. */
const MINUTES_AT_ONCE = 100;
const REMOVED_AT_ONCE = 1_000;
/** How many are read before other work has its turn: about two milliseconds. */
const READ_AT_ONCE = 1_000;
const CANNOT_BE_USED = "cannot be read or written; trading continues without it";
/** A key that exists in a store after a clean end. */
const CLOSED_KEY = "closed";

export class PriceHistory implements BarHistory {
  readonly #options: PriceHistoryOptions;
  readonly #minutes = new Minutes();
  #store: Store | undefined;
  /** True until the first price, if the end before was unclean. */
  #skipsFirstMinute = false;
  #work: Promise<void> = Promise.resolve();
  #cancel: Cancel | undefined;
  #prunedMs: number | undefined;
  #reportedMs: number | undefined;
  #isStopped = false;

  constructor(options: PriceHistoryOptions) {
    this.#options = options;
  }

  /** Opens the store. Call before the first price; never rejects. */
  async start(): Promise<void> {
    if (this.#options.days === 0) return;
    this.#skipsFirstMinute = true;
    await this.#try(async () => {
      const store = await this.#openStore();
      const [first] = await firstKeys(store, "", "\uffff");
      this.#skipsFirstMinute = first !== undefined && store.read(CLOSED_KEY) === undefined;
      await store.write([{ type: "del", key: CLOSED_KEY }]);
    });
    if (!this.#isStopped) this.#plan();
  }

  /** Counts one accepted price. */
  onTick({ symbol, price, timeMs }: Pick<AcceptedTick, "symbol" | "timeMs"> & { price: { value: number } }): void {
    if (this.#options.days === 0) return;
    if (this.#skipsFirstMinute) {
      this.#skipsFirstMinute = false;
      this.#minutes.skipUntil(minuteOf(timeMs));
    }
    this.#minutes.add(symbol, price.value, timeMs);
  }

  async *read(symbol: string, fromMs: number, toMs: number): AsyncGenerator<readonly Bar[], void, undefined> {
    const { timers } = this.#options;
    const running = this.#minutes
      .of(symbol)
      .filter((bar) => bar.fromMs >= fromMs && bar.fromMs < toMs)
      .sort((left, right) => left.fromMs - right.fromMs);
    try {
      const range = { gte: keyOfMinute(symbol, fromMs), lt: keyOfMinute(symbol, toMs) };
      for await (const page of this.#store?.scan(range) ?? []) {
        for (let start = 0; start < page.length; start += READ_AT_ONCE) {
          yield joinedWith(running, page.slice(start, start + READ_AT_ONCE));
          await new Promise<void>((resolve) => timers.soon(resolve));
        }
      }
    } catch (err) {
      this.#report({ err }, CANNOT_BE_USED);
    }
    if (running.length > 0) yield running;
  }

  /** Ends cleanly: the minutes in progress are written, too. Never rejects. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#cancel?.();
    await this.#work;
    this.#minutes.endBefore(Number.POSITIVE_INFINITY);
    await this.#try(async () => {
      const store = this.#store;
      if (store === undefined) return;
      await this.#writeEnded(store);
      await store.write([{ type: "put", key: CLOSED_KEY, value: new Uint8Array() }]);
    });
    await this.#closeStore();
  }

  #plan(): void {
    this.#cancel = this.#options.timers.after(WRITE_EVERY_MS, () => {
      this.#work = this.#keep().then(() => {
        if (!this.#isStopped) this.#plan();
      });
    });
  }

  async #keep(): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    this.#minutes.endBefore(nowMs - LATE_MS);
    const leftOutCount = this.#minutes.takeLeftOutCount();
    if (leftOutCount > 0) this.#report({ leftOutCount }, "minutes were left out, there are too many");
    const isWhole = await this.#try(async () => {
      const store = await this.#openStore();
      await this.#writeEnded(store);
      const isDue = this.#prunedMs === undefined || Math.abs(nowMs - this.#prunedMs) >= PRUNE_EVERY_MS;
      if (!isDue) return;
      await removeBefore(store, nowMs - this.#options.days * DAY_MS, () => this.#isStopped);
      this.#prunedMs = nowMs;
    });
    // LevelDB takes nothing any more once a write of it failed.
    if (!isWhole) await this.#closeStore();
  }

  async #openStore(): Promise<Store> {
    this.#store ??= await this.#options.open();
    return this.#store;
  }

  async #closeStore(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    await this.#try(async () => store?.close());
  }

  async #writeEnded(store: Store): Promise<void> {
    for (;;) {
      const minutes = this.#minutes.ended(MINUTES_AT_ONCE);
      if (minutes.length === 0) return;
      await store.write(minutes.map((minute) => joinedRow(store, minute)));
      this.#minutes.written(minutes);
    }
  }

  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (err) {
      this.#report({ err }, CANNOT_BE_USED);
      return false;
    }
  }

  #report(fields: object, words: string): void {
    const nowMs = this.#options.clock.nowMs();
    if (this.#reportedMs !== undefined && Math.abs(nowMs - this.#reportedMs) < REPORT_EVERY_MS) return;
    this.#reportedMs = nowMs;
    this.#options.log.error({ event: "history.fault", ...fields }, `price history: ${words}`);
  }
}

/**
 * Joins written minutes with the minutes in progress; takes the returned ones out of `running`. Both are in order of
 * time.
 */
function joinedWith(running: MinuteBar[], rows: readonly (readonly [string, Uint8Array])[]): readonly Bar[] {
  const bars: Bar[] = [];
  for (const [key, value] of rows) {
    const bar = decodeMinute(key, value);
    if (bar === undefined) continue;
    let next = running[0];
    for (; next !== undefined && next.fromMs < bar.fromMs; next = running[0]) {
      bars.push(next);
      running.shift();
    }
    const isSame = next !== undefined && next.fromMs === bar.fromMs;
    bars.push(next !== undefined && isSame ? joinMinutes(bar, next) : bar);
    if (isSame) running.shift();
  }
  return bars;
}

function joinedRow(store: Store, { symbol, bar }: SymbolMinute): Put {
  const key = keyOfMinute(symbol, bar.fromMs);
  const bytes = store.read(key);
  const written = bytes === undefined ? undefined : decodeMinute(key, bytes);
  return { type: "put", key, value: encodeMinute(written === undefined ? bar : joinMinutes(written, bar)) };
}

/** Removes all minutes that began before `beforeMs`, a few at a time. */
async function removeBefore(store: Store, beforeMs: number, isStopped: () => boolean): Promise<void> {
  let from: string = ALL_MINUTES.gte;
  while (!isStopped()) {
    const [first] = await firstKeys(store, from, ALL_MINUTES.lt);
    if (first === undefined) return;
    const symbol = symbolOfKey(first);
    const range = { gte: keyOfMinute(symbol, 0), lt: keyOfMinute(symbol, beforeMs) };
    for (;;) {
      const old = await firstKeys(store, range.gte, range.lt, REMOVED_AT_ONCE);
      if (old.length > 0) await store.write(old.map((key): Delete => ({ type: "del", key })));
      if (old.length < REMOVED_AT_ONCE || isStopped()) break;
    }
    from = endOfSymbol(symbol);
  }
}

async function firstKeys(store: Store, gte: string, lt: string, limit = 1): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of store.scan({ gte, lt, limit, keysOnly: true })) keys.push(...page.map(([key]) => key));
  return keys;
}
