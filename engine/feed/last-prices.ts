/**
 * The last accepted price of every symbol, kept over a restart.
 *
 * Owns: the form in which they are stored, and when. Does not own: which tick is the last (acceptance.ts), the file
 * (price-file.ts).
 *
 * A price is written through to the operating system within the turn after its tick, or `PAUSE_MS` after the write
 * before: a kill loses no more than that, also where somebody who asked has seen it. It is not synced: what was written
 * before the machine itself went down does not count any more.
 *
 * Invariants:
 * 1. What was read back is no more than a price for those who ask: it makes no tick stale, so ticks that are caught up
 *    reach what they reach.
 * 2. A price that may have been followed by one that is lost is forgotten: an older price is never taken for the last.
 * 3. A slot lies within one page, so that a write is all or nothing to whoever reads after a kill.
 */
import { type LivePrice, livePrice } from "../../src/domain/price/price.ts";
import type { Cancel, Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { LastPrice, Session } from "../ports/price.ts";

/** What a symbol's state must tell to be kept. */
export interface KeptState {
  readonly symbol: string;
  readonly price: LivePrice | undefined;
  readonly timeMs: number;
  readonly session: Session | undefined;
  /** True from a change until it was written. */
  isUnsaved: boolean;
}

/** Prices of the life before. */
export interface KeptPrices {
  last(symbol: string): LastPrice | undefined;
  /** How the session of that price began; undefined where that is not known. */
  session(symbol: string): Session | undefined;
  /** The state's price or time has changed. To be called where `isUnsaved` is false. */
  changed(state: KeptState): void;
}

/** Where the slots lie. Synchronous: a write takes microseconds, as nothing is synced. */
export interface PriceSlots {
  /** All that was written, by this process or one before it; empty where that cannot be relied on. */
  read(): Uint8Array;
  /** The first write starts over: nothing that was there before is left. */
  write(bytes: Uint8Array, position: number): void;
  /** From now on nothing is read from it. */
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
/** At most so often is written, however many ticks come. */
const PAUSE_MS = 5;

export class LastPrices implements KeptPrices {
  readonly #options: LastPricesOptions;
  readonly #restored = new Map<string, KeptPrice>();
  readonly #slots = new Map<string, number>();
  #bytes = Buffer.alloc(FIRST_SLOTS * SLOT_BYTES);
  /** Of the same bytes: every tick sets two numbers, which a buffer's own way of writing takes apart. */
  #numbers = numbersIn(this.#bytes);
  #file: PriceSlots | undefined;
  #unsaved: KeptState[] = [];
  #cancelWrite: Cancel = () => undefined;
  #isScheduled = false;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: LastPricesOptions) {
    this.#options = options;
  }

  /** Takes over what `files` hold, the newest price of each symbol, and keeps all in the first one from now on. */
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

  /** Ticks are lost, so none of the prices that were read back need be its symbol's last. */
  forget(): void {
    for (const symbol of this.#restored.keys()) {
      const slot = this.#slots.get(symbol);
      if (slot !== undefined) this.#fill(slot, NO_PRICE, 0);
    }
    this.#restored.clear();
    this.#writeAll();
  }

  /** As `forget`, for the prices of this life as well. */
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

  /** Writes what has changed, at once. */
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

/** What slots hold; those that hold no price are left out. */
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
