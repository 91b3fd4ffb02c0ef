/**
 * What orders are called: the random name of the life in which their row was made, and the name that the row gives them.
 *
 * A life is one start of an engine over a data folder. Owns: which ids were given out in which life. Does not own: the
 * part of a name that identifies the order within the row (`src/domain`).
 *
 * Invariants:
 * 1. A row's orders have the same names in every later life, so that a brokerage that knows one can report it.
 * 2. The orders of a row made since the start have names that were never made before, even after a fault of the disk: a
 *    folder that was set back together with its witness gives out its ids again, but no order's name.
 * 3. The name of a life is durable before, or with, the first row that was made in it.
 */

import { assert } from "../../src/assert.ts";
import { textOf } from "../../src/runtime/json.ts";
import type { Journal } from "../ports/storage.ts";
import { lifeKey } from "../table/keys.ts";
import type { Head } from "./journal/head.ts";

const LIFE = /^[a-z0-9]{10}$/;

/** The name of a life as it is stored. Throws if it is not one. */
export function decodeLife(value: Uint8Array): string {
  const name = textOf(value);
  assert(LIFE.test(name), "the name of a life is ten of a-z and 0-9");
  return name;
}

export class OrderNames {
  readonly #head: Head;
  /** Ascending. `afterIds`: how many ids had been given out when the life began. */
  readonly #lives: { readonly afterIds: number; readonly name: string }[] = [];

  constructor(head: Head) {
    this.#head = head;
  }

  /** At start, in key order. */
  recover(afterIds: number, value: Uint8Array): void {
    this.#lives.push({ afterIds, name: decodeLife(value) });
  }

  /** Begins a life, before anything is made in it: what is made from now on is called by its name. A life in which nothing was made leaves no trace. */
  begin(name: string, journal: Journal): void {
    const afterIds = this.#head.ids;
    if (this.#lives.at(-1)?.afterIds === afterIds) this.#lives.pop();
    this.#lives.push({ afterIds, name });
    journal.put(lifeKey(afterIds), name);
  }

  /** What the order `name` of the row or command `id` is called. */
  readonly of = (id: number, name: string): string => {
    const { partition, partitions, installation } = this.#head;
    const number = (id - partition) / partitions;
    const life = this.#lives.findLast(({ afterIds }) => afterIds < number);
    return `${life?.name ?? installation}-${name}`;
  };
}
