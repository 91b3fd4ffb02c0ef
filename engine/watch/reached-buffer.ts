/**
 * Owns: the list of (owner, watch) that one tick reached, in the order in which they are to be handled.
 * Does not own: what the watch meant. Made once and used for every tick, so that a firing tick allocates nothing.
 */
import { assert } from "../../src/assert.ts";

const CAPACITY_START = 64;

/** A growing list of (owner, watch) that is emptied rather than thrown away. */
export class ReachedBuffer {
  #owners = new Float64Array(CAPACITY_START);
  #watches = new Uint32Array(CAPACITY_START);
  #length = 0;

  /** Number of pairs held. */
  get length(): number {
    return this.#length;
  }

  /** Adds a pair at the end. */
  append(owner: number, watch: number): void {
    if (this.#length === this.#owners.length) this.#grow();
    this.#owners[this.#length] = owner;
    this.#watches[this.#length] = watch;
    this.#length += 1;
  }

  /** The owner of pair `index`, counted from 0. */
  ownerAt(index: number): number {
    assert(index < this.#length, "the index lies inside the buffer");
    return this.#owners[index] ?? 0;
  }

  /** The watch number of pair `index`, counted from 0. */
  watchAt(index: number): number {
    assert(index < this.#length, "the index lies inside the buffer");
    return this.#watches[index] ?? 0;
  }

  /** The reached watches of each owner, owners in the order in which they were reached. */
  byOwner(): Map<number, number[]> {
    const owners = new Map<number, number[]>();
    for (let index = 0; index < this.#length; index += 1) {
      const owner = this.ownerAt(index);
      const watches = owners.get(owner);
      if (watches === undefined) owners.set(owner, [this.watchAt(index)]);
      else watches.push(this.watchAt(index));
    }
    return owners;
  }

  /** Empties the buffer; its memory stays for the next tick. */
  clear(): void {
    this.#length = 0;
  }

  #grow(): void {
    const owners = new Float64Array(this.#length * 2);
    const watches = new Uint32Array(this.#length * 2);
    owners.set(this.#owners);
    watches.set(this.#watches);
    this.#owners = owners;
    this.#watches = watches;
  }
}
