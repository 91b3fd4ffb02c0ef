/**
 * Decodes and judges one tick message.
 *
 * Owns: the mapping of subjects to symbols. Does not own: the bytes (decode.ts), the judgement (acceptance.ts).
 *
 * Invariants:
 * 1. A message of the common shape for a known symbol costs one look-up, by its whole subject, and no parse; if the bus
 *    shows its place in the buffer, nothing is allocated.
 * 2. Only subjects of known symbols are remembered: unknown subjects on the bus cannot make this grow.
 */
import type { BusMessage, MessageFrame } from "../../src/bus/port.ts";
import { TICK_BATCH_SUBJECT, tickSubject } from "../../src/contract/subject.ts";
import type { StoredAt } from "../ports/stream.ts";
import type { SymbolState, TickAcceptance } from "./acceptance.ts";
import { decodeTicks, PlainTick } from "./decode.ts";
import { SubjectTable } from "./subject-table.ts";

const SYMBOL_START = tickSubject("").length;

export class TickIntake {
  readonly #acceptance: TickAcceptance;
  readonly #states = new Map<string, SymbolState>();
  readonly #statesByBytes = new SubjectTable<SymbolState>(SYMBOL_START);
  readonly #plain = new PlainTick();

  constructor(acceptance: TickAcceptance) {
    this.#acceptance = acceptance;
  }

  /** Takes one message of a tick subject; `atMs` and `stored` as in `TickAcceptance.offer`. */
  take(message: BusMessage, atMs: number, stored?: StoredAt): void {
    const { frame } = message;
    const state = frame === undefined ? this.#states.get(message.subject) : this.#findByBytes(frame);
    if (state !== undefined && this.#readPlain(message)) {
      this.#acceptance.offer(state, this.#plain.price, this.#plain.timeMs, atMs, stored);
    } else this.#takeAnyShape(message, state === undefined, atMs, stored);
  }

  #findByBytes({ bytes, subjectStart, subjectEnd }: MessageFrame): SymbolState | undefined {
    return this.#statesByBytes.get(bytes, subjectStart, subjectEnd);
  }

  #readPlain(message: BusMessage): boolean {
    const { frame } = message;
    if (frame !== undefined) return this.#plain.read(frame.bytes, frame.dataStart, frame.dataEnd);
    const { data } = message;
    return this.#plain.read(data, 0, data.length);
  }

  #remember({ subject, frame }: BusMessage, state: SymbolState): void {
    if (frame === undefined) this.#states.set(subject, state);
    else this.#statesByBytes.add(frame.bytes.subarray(frame.subjectStart, frame.subjectEnd), state);
  }

  #takeAnyShape(message: BusMessage, isNew: boolean, atMs: number, stored: StoredAt | undefined): void {
    const acceptance = this.#acceptance;
    const symbol = message.subject === TICK_BATCH_SUBJECT ? undefined : message.subject.slice(SYMBOL_START);
    const malformed = decodeTicks(message.data, symbol, (named, price, timeMs) => {
      const state = acceptance.find(named);
      if (state === undefined) acceptance.refuseUnknown(named, timeMs, atMs);
      else acceptance.offer(state, price, timeMs, atMs, stored);
    });
    for (let count = 0; count < malformed; count += 1) acceptance.refuseMalformed(symbol, atMs);
    const state = isNew && symbol !== undefined ? acceptance.find(symbol) : undefined;
    if (state !== undefined) this.#remember(message, state);
  }
}
