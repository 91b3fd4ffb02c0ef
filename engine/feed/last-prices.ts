/**
 * The last accepted price of every symbol, kept over a restart.
 *
 * Owns: the stored form of prices, and the time of storing. Does not own: which tick is the last (acceptance.ts), the
 * file (price-file.ts).
 *
 * A price is written through to the operating system within the turn after its tick, or `PAUSE_MS` after the write
 * before. A kill loses no more than that, even if a client has seen the price. It is not synced: prices written before
 * the machine itself went down no longer count.
 *
 * Invariants:
 * 1. A price that was read back only answers queries. It makes no tick stale, so caught-up ticks reach all their
 *    levels.
 * 2. A price that can have been followed by a lost one is forgotten: an older price never counts as the last.
 * 3. A slot is within one page, so that a reader after a kill sees all of a write or nothing.
 */
import { type LivePrice, livePrice } from "../../src/domain/price/price.ts";
import type { Cancel, Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { LastPrice, Session } from "../ports/price.ts";

/** The part of a symbol's state that is kept. */
export interface KeptState {
  readonly symbol: string;
  readonly price: LivePrice | undefined;
  readonly timeMs: number;
  readonly session: Session | undefined;
  /** True from a change until it is written. */
  isUnsaved: boolean;
}

/** Prices of the previous life. */
export interface KeptPrices {
  last(symbol: string): LastPrice | undefined;
  /** How the session of that price began; undefined if not known. */
  session(symbol: string): Session | undefined;
  /** Notes that the state's price or time has changed. To be called if `isUnsaved` is false. */
  changed(state: KeptState): void;
}

/** The storage of the slots. Synchronous: a write takes microseconds, as nothing is synced. */
export interface PriceSlots {
  /** Returns everything written by this process or one before it; empty if it cannot be relied on. */
  read(): Uint8Array;
  /** Writes bytes. The first write starts over and removes all earlier content. */
  write(bytes: Uint8Array, position: number): void;
  /** Removes the file: nothing is read from it any more. */
  remove(): void;
}

interface LastPricesOptions {
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

const SLOT_BYTES = 64;
const SYMBOL_BYTES = 16;
const PRICE_AT = 16;
const TIME_AT = 24;
const CLOSE_AT = 32;
const OPENED_AT = 40;
const FIRST_SLOTS = 1_024;
const NO_PRICE = 0;
const SYMBOL = /^[A-Z0-9_]{1,16}$/;
/** The least ms between writes, however many ticks arrive. */
const PAUSE_MS = 5;

export class LastPrices implements KeptPrices {
  readonly #options: LastPricesOptions;
  readonly #restored = new Map<string, KeptPrice>();
  readonly #slots = new Map<string, number>();
  #bytes = Buffer.alloc(FIRST_SLOTS * SLOT_BYTES);
  /**
   * A number view on the same bytes: every tick sets two numbers, which the buffer's own write methods split into
   * bytes.
   */
  #numbers = numbersIn(this.#bytes);
  #file: PriceSlots | undefined;
  #unsaved: KeptState[] = [];
  #cancelWrite: Cancel = () => undefined;
  #isScheduled = false;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: LastPricesOptions) {
    this.#options = options;
  }

  /**
   * Takes over the contents of `files`, the newest price of each symbol, and from then on keeps all in the first one.
   */
  open(files: readonly PriceSlots[]): void {
    for (const file of files) {
      for (const [symbol, last] of readSlots(file.read())) {
        const known = this.#restored.get(symbol);
        if (known === undefined || known.timeMs < last.timeMs) this.#restored.set(symbol, last);
      }
    }
    this.#file = files[0];
    this.#clear();
    for (const [symbol, { price, timeMs, session }] of this.#restored) {
      this.#fill(this.#slotOf(symbol), price.value, timeMs, session);
    }
    this.#writeAll();
    for (const file of files.slice(1)) file.remove();
  }

  last(symbol: string): LastPrice | undefined {
    return this.#restored.get(symbol);
  }

  session(symbol: string): Session | undefined {
    return this.#restored.get(symbol)?.session;
  }

  /** Forgets the prices that were read back: ticks are lost, so none of them needs to be its symbol's last. */
  forget(): void {
    for (const symbol of this.#restored.keys()) {
      const slot = this.#slots.get(symbol);
      if (slot !== undefined) this.#fill(slot, NO_PRICE, 0);
    }
    this.#restored.clear();
    this.#writeAll();
  }

  /** As `forget`, and also for the prices of this life. */
  forgetAll(): void {
    this.#restored.clear();
    for (const slot of this.#slots.values()) this.#fill(slot, NO_PRICE, 0);
    this.#writeAll();
  }

  changed(state: KeptState): void {
    state.isUnsaved = true;
    this.#unsaved.push(state);
    if (!this.#isScheduled) this.#schedule();
  }

  /** Writes all changes immediately. */
  flush(): void {
    this.#cancelWrite();
    this.#isScheduled = false;
    this.#writtenAtMs = this.#options.steadyClock.nowMs();
    let first = Number.POSITIVE_INFINITY;
    let last = -1;
    for (const state of this.#unsaved) {
      const { symbol, price, timeMs, session } = state;
      state.isUnsaved = false;
      if (price === undefined) continue;
      if (this.#restored.size > 0) this.#restored.delete(symbol);
      const slot = this.#slotOf(symbol);
      this.#fill(slot, price.value, timeMs, session);
      if (slot < first) first = slot;
      if (slot > last) last = slot;
    }
    this.#unsaved.length = 0;
    if (last >= 0) this.#write(first * SLOT_BYTES, (last + 1) * SLOT_BYTES);
  }

  #schedule(): void {
    this.#isScheduled = true;
    const { timers, steadyClock } = this.#options;
    const waitMs = this.#writtenAtMs + PAUSE_MS - steadyClock.nowMs();
    if (waitMs > 0) this.#cancelWrite = timers.after(waitMs, () => this.flush());
    else {
      let isCancelled = false;
      this.#cancelWrite = () => {
        isCancelled = true;
      };
      timers.soon(() => {
        if (!isCancelled) this.flush();
      });
    }
  }

  #slotOf(symbol: string): number {
    const known = this.#slots.get(symbol);
    if (known !== undefined) return known;
    const slot = this.#slots.size;
    if ((slot + 1) * SLOT_BYTES > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
      this.#numbers = numbersIn(this.#bytes);
    }
    this.#slots.set(symbol, slot);
    this.#bytes.fill(0, slot * SLOT_BYTES, (slot + 1) * SLOT_BYTES);
    this.#bytes.write(symbol, slot * SLOT_BYTES, SYMBOL_BYTES, "latin1");
    return slot;
  }

  #fill(slot: number, price: number, timeMs: number, session?: Session): void {
    this.#numbers.setFloat64(slot * SLOT_BYTES + PRICE_AT, price, true);
    this.#numbers.setFloat64(slot * SLOT_BYTES + TIME_AT, timeMs, true);
    this.#numbers.setFloat64(slot * SLOT_BYTES + CLOSE_AT, session?.close.value ?? NO_PRICE, true);
    this.#numbers.setFloat64(slot * SLOT_BYTES + OPENED_AT, session?.openedMs ?? 0, true);
  }

  #clear(): void {
    this.#slots.clear();
    this.#bytes.fill(0);
  }

  #writeAll(): void {
    this.#write(0, this.#bytes.length);
  }

  #write(from: number, to: number): void {
    if (this.#file === undefined) return;
    try {
      this.#file.write(this.#bytes.subarray(from, to), from);
    } catch (error) {
      // Slots that cannot be written hold older prices, and must not be read back as the last.
      this.#file = undefined;
      this.#options.log.error(
        { event: "prices.notStored", error: String(error) },
        "last prices cannot be stored: none is known after a restart",
      );
    }
  }
}

function numbersIn({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

interface KeptPrice extends LastPrice {
  readonly session: Session | undefined;
}

/** Yields the contents of slots, without slots that hold no price. */
function* readSlots(bytes: Uint8Array): Generator<[string, KeptPrice]> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + SLOT_BYTES <= view.length; at += SLOT_BYTES) {
    const symbol = view.toString("latin1", at, at + SYMBOL_BYTES).replace(/\0+$/, "");
    const price = livePrice(view.readDoubleLE(at + PRICE_AT));
    const timeMs = view.readDoubleLE(at + TIME_AT);
    const close = livePrice(view.readDoubleLE(at + CLOSE_AT));
    const openedMs = view.readDoubleLE(at + OPENED_AT);
    const session = close === undefined || !Number.isFinite(openedMs) ? undefined : { close, openedMs };
    if (SYMBOL.test(symbol) && price !== undefined && Number.isFinite(timeMs))
      yield [symbol, { price, timeMs, session }];
  }
}
