/**
 * Actors that a fault of ours quarantined, each alone, so that one bad record never stops the others.
 *
 * Owns: the quarantined actors, the reasons, and the events since. Does not own: taking them out of the watch.
 *
 * Invariants:
 * 1. Durable: a restart does not bring a quarantined actor back by itself.
 * 2. No event for a quarantined actor is lost: events are held and delivered at its release.
 */
import type { ActorEvent } from "../../src/machine/actor-event.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { Journal } from "../ports/storage.ts";
import { quarantineKey } from "../table/keys.ts";
import { decodeQuarantineRow, type QuarantineRow } from "./codec.ts";

export class Quarantine {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #ids = new Set<number>();

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  ids(): number[] {
    return [...this.#ids];
  }

  /** At start, before any actor is read back: takes in an actor that was already in quarantine. */
  recover(id: number): void {
    this.#ids.add(id);
  }

  /** Quarantines an actor; `events`: those at which it failed, held for a second try. */
  admit(id: number, reason: string, ...events: ActorEvent[]): void {
    this.#ids.add(id);
    this.#write(id, { reason, sinceMs: this.#clock.nowMs(), held: events });
  }

  /** Keeps an event for later. */
  hold(id: number, event: ActorEvent): void {
    const row = this.find(id);
    if (row !== undefined) this.#write(id, { ...row, held: [...row.held, event] });
  }

  find(id: number): QuarantineRow | undefined {
    const bytes = this.#journal.read(quarantineKey(id));
    return bytes === undefined ? undefined : decodeQuarantineRow(bytes);
  }

  /** Releases an actor and returns the events that were held. Undefined if it was not in quarantine. */
  release(id: number): QuarantineRow | undefined {
    const row = this.find(id);
    if (row === undefined) return undefined;
    this.#ids.delete(id);
    this.#journal.remove(quarantineKey(id));
    return row;
  }

  #write(id: number, row: QuarantineRow): void {
    // It is stored next to the actor's snapshot, and is read with that.
    this.#journal.keepOrder();
    this.#journal.put(quarantineKey(id), JSON.stringify(row));
  }
}
