/**
 * One tick message -> decoded -> judged.
 *
 * Owns: which subject means which symbol. Does not own: the bytes (decode.ts), the judgement (acceptance.ts).
 *
 * Invariants:
 * 1. A message of the common shape for a known symbol costs one look-up, by its whole subject, and no parse.
 * 2. Only subjects of known symbols are remembered: strangers on the bus cannot make this grow.
 */
import { TICK_BATCH_SUBJECT, tickSubject } from "../../src/contract/subject.ts";
import type { SymbolState, TickAcceptance } from "./acceptance.ts";
import { decodeTicks, PlainTick, TICK_MESSAGE_BYTES_MAX } from "./decode.ts";

const SYMBOL_START = tickSubject("").length;

export class TickIntake {
  readonly #acceptance: TickAcceptance;
  readonly #states = new Map<string, SymbolState>();
  readonly #plain = new PlainTick();

  constructor(acceptance: TickAcceptance) {
    this.#acceptance = acceptance;
  }

  /** Takes one message of a tick subject; `atMs` and `isCaughtUp` as in `TickAcceptance.offer`. */
  take(subject: string, data: Uint8Array, atMs: number, isCaughtUp: boolean): void {
    const state = this.#states.get(subject);
    if (state !== undefined && data.length <= TICK_MESSAGE_BYTES_MAX && this.#plain.read(data)) {
      this.#acceptance.offer(state, this.#plain.price, this.#plain.timeMs, atMs, isCaughtUp);
    } else this.#takeAnyShape(subject, data, atMs, isCaughtUp);
  }

  #takeAnyShape(subject: string, data: Uint8Array, atMs: number, isCaughtUp: boolean): void {
    const acceptance = this.#acceptance;
    const symbol = subject === TICK_BATCH_SUBJECT ? undefined : subject.slice(SYMBOL_START);
    acceptance.counters.malformed += decodeTicks(data, symbol, (named, price, timeMs) => {
      const state = acceptance.find(named);
      if (state === undefined) {
        acceptance.counters.unknownSymbol += 1;
        return;
      }
      if (named === symbol) this.#states.set(subject, state);
      acceptance.offer(state, price, timeMs, atMs, isCaughtUp);
    });
  }
}
