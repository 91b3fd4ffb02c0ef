/**
 * Maps a subject's bytes, as received, to its symbol.
 *
 * Owns: the table of known subjects. Does not own: which subjects are known.
 *
 * Invariants:
 * 1. A subject is found only if every byte of it that can differ agrees: two subjects with one hash cost a comparison
 *    with both.
 * 2. The bytes are copied on adding: a message's bytes are a view into the socket's buffer.
 */

import { assert } from "../../src/assert.ts";

interface Entry<Value> {
  readonly subject: Uint8Array;
  readonly value: Value;
}

const SLOTS_START = 256;

/** A map whose keys are bytes, equal up to `start` and distinguished by the rest. Entries cannot be removed. */
export class SubjectTable<Value> {
  readonly #start: number;
  #slots: (Entry<Value> | undefined)[] = new Array(SLOTS_START).fill(undefined);
  #size = 0;

  constructor(start: number) {
    this.#start = start;
  }

  /** Returns the value of the subject between `from` and `to`; undefined for any other. Allocates nothing. */
  get(bytes: Uint8Array, from: number, to: number): Value | undefined {
    return this.#slots[this.#slotOf(bytes, from, to)]?.value;
  }

  /** Adds a subject. Adding an existing one is a bug of the caller: look it up first. */
  add(subject: Uint8Array, value: Value): void {
    // Half of the slots remain free: a search is short, and ends.
    if ((this.#size + 1) * 2 > this.#slots.length) this.#grow();
    const slot = this.#slotOf(subject, 0, subject.length);
    assert(this.#slots[slot] === undefined, "a subject is added once");
    this.#slots[slot] = { subject: Uint8Array.from(subject), value };
    this.#size += 1;
  }

  /** The slot that holds the subject, or the free one where it belongs. */
  #slotOf(bytes: Uint8Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    const start = this.#start;
    for (let slot = hashOf(bytes, from + start, to) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot];
      if (entry === undefined || isSame(entry.subject, start, bytes, from, to)) return slot;
    }
  }

  #grow(): void {
    const entries = this.#slots;
    this.#slots = new Array(entries.length * 2).fill(undefined);
    for (const entry of entries) {
      if (entry !== undefined) this.#slots[this.#slotOf(entry.subject, 0, entry.subject.length)] = entry;
    }
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  // The low bits choose the slot, and the high bits do not affect them without this.
  return hash ^ (hash >>> 15);
}

/** Whether `subject` and the bytes between `from` and `to` agree after their first `start` bytes. */
function isSame(subject: Uint8Array, start: number, bytes: Uint8Array, from: number, to: number): boolean {
  if (subject.length !== to - from) return false;
  for (let at = start; at < subject.length; at += 1) if (subject[at] !== bytes[from + at]) return false;
  return true;
}
