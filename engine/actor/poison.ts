/**
 * Actors that a fault of ours stopped: set aside alone, so that one bad record never stops the others.
 *
 * Owns: who is set aside, why, and the events that came since. Does not own: taking them out of the watch (the host).
 *
 * Invariants:
 * 1. Durable: a restart does not bring a poisoned actor back by itself.
 * 2. Nothing that was meant for a poisoned actor is lost: events are held and given to it at its release.
 */
import type { ActorEvent } from "../../src/machine/actor-event.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { poisonKey } from "../table/keys.ts";
import { TABLES } from "../table/tables.ts";
import { decodePoison, type Poison } from "./codec.ts";

export class PoisonWard {
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

  /** At start, before any actor is read back: who was set aside before. */
  async readBack(store: Pick<Store, "scan">): Promise<void> {
    const { quarantine } = TABLES;
    for await (const page of store.scan(quarantine.range)) {
      for (const [key] of page) this.recover(quarantine.numberOf(key));
    }
  }

  /** One that was set aside before. */
  recover(id: number): void {
    this.#ids.add(id);
  }

  /** Sets an actor aside; `event` is what it failed on, held for a second try. */
  admit(id: number, reason: string, event: ActorEvent | undefined): void {
    this.#ids.add(id);
    this.#write(id, { reason, sinceMs: this.#clock.nowMs(), held: event === undefined ? [] : [event] });
  }

  /** Keeps an event for later. */
  hold(id: number, event: ActorEvent): void {
    const poison = this.find(id);
    if (poison !== undefined) this.#write(id, { ...poison, held: [...poison.held, event] });
  }

  find(id: number): Poison | undefined {
    const bytes = this.#journal.read(poisonKey(id));
    return bytes === undefined ? undefined : decodePoison(bytes);
  }

  /** Lets an actor go and gives back the events that were held. Undefined when it was not set aside. */
  discharge(id: number): Poison | undefined {
    const poison = this.find(id);
    if (poison === undefined) return undefined;
    this.#ids.delete(id);
    this.#journal.remove(poisonKey(id));
    return poison;
  }

  #write(id: number, poison: Poison): void {
    // It stands beside the actor's snapshot, and is read with that.
    this.#journal.keepOrder();
    this.#journal.put(poisonKey(id), JSON.stringify(poison));
  }
}
