/**
 * Rounds in which every partition of an installation sells one group, while engines come and go: each order is sent
 * once, by any leader.
 */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { ReplicatedWorld } from "./replicated-world.ts";

/** Bounds a wait that never ends; not a measurement. */
const WITHIN_MS = 240_000;
const LOOK_EVERY_MS = 50;

export class SellingRounds {
  readonly #world: ReplicatedWorld;
  readonly #partitions: readonly number[];
  #count = 0;
  /** From a tick until the last of its orders was seen, in ms. */
  #latestMs = 0;

  constructor(world: ReplicatedWorld, partitions: readonly number[]) {
    this.#world = world;
    this.#partitions = partitions;
  }

  /** Sells for as long as it takes until it is so, and once at least. */
  async sellUntil(what: string, isSo: () => Promise<boolean>, context: TestContext): Promise<void> {
    const startedMs = performance.now();
    const before = this.#count;
    this.#latestMs = 0;
    let soMs: number | undefined;
    const selling = (async () => {
      do await this.#sellEverywhere();
      while (soMs === undefined);
    })();
    const watching = (async () => {
      while (!(await isSo())) {
        assert.ok(performance.now() - startedMs < WITHIN_MS, `not in time: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    })().finally(() => {
      soMs = performance.now() - startedMs;
    });
    await Promise.all([selling, watching]);
    const sold = `${this.#count - before} rounds sold meanwhile, the latest order after ${inSeconds(this.#latestMs)}`;
    context.diagnostic(`${what}: after ${inSeconds(soMs ?? 0)}, ${sold}`);
  }

  /** Sells one round whose tick comes right after something happened to the engines, which hold its groups already. */
  async sellThrough(what: string, happen: () => Promise<void>, context: TestContext): Promise<void> {
    await this.#arm();
    await happen();
    this.#latestMs = 0;
    await this.#fire();
    context.diagnostic(`${what}: the latest order after ${inSeconds(this.#latestMs)}`);
  }

  /** Every order of every round was sent once, and no other. */
  async check(): Promise<void> {
    for (const partition of this.#partitions) {
      const names = await this.#world.orders(partition);
      assert.equal(names.length, this.#count, `orders of partition ${partition}`);
      assert.equal(new Set(names).size, this.#count, `each order of partition ${partition} has a name of its own`);
    }
  }

  async #sellEverywhere(): Promise<void> {
    await this.#arm();
    await this.#fire();
  }

  /** A group in every partition. */
  async #arm(): Promise<void> {
    const world = this.#world;
    this.#count += 1;
    await world.calm();
    await Promise.all(this.#partitions.map((partition) => world.createGroup(partition, `round-${this.#count}`)));
  }

  /** A tick that fires all of them, until each was sold. */
  async #fire(): Promise<void> {
    const world = this.#world;
    const firedMs = performance.now();
    world.publishTick(89);
    for (const partition of this.#partitions) {
      await world.until(
        `${this.#count} orders of partition ${partition}`,
        async () => (await world.orders(partition)).length >= this.#count,
      );
    }
    this.#latestMs = Math.max(this.#latestMs, performance.now() - firedMs);
  }
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
