/** Groups of one symbol whose stop-losses trail, each compared with the naive twin (behaviour 19). */
import assert from "node:assert/strict";
import type { Partition } from "../../../engine/partition/partition.ts";
import { COMMANDS } from "../../../src/contract/command.ts";
import type { OcoRowView } from "../../../src/contract/trading/oco.ts";
import { type OcoGroup, stopLossOf } from "../../../src/domain/oco/group.ts";
import { planTrailing } from "../../../src/domain/oco/trailing.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import fc from "../property.ts";
import { endOf } from "../trailing-twin.ts";
import { startWorld, type TradingWorld } from "./trading-world.ts";

const SYMBOL = "THYAO";
const STOP = 60;
export const FIRST = 100;

type TrailingTermsGiven = Parameters<typeof planTrailing>[0];

/** A group for each of `requests`, of a user each, and every price since they were made. */
export class TrailingWorld {
  readonly world: TradingWorld;
  readonly ids: readonly number[];
  readonly #requests: readonly TrailingTermsGiven[];
  /** What the stream stores: the first one came before the groups. */
  readonly #ticks: { readonly value: number; readonly timeMs: number }[];

  private constructor(world: TradingWorld, ids: readonly number[], requests: readonly TrailingTermsGiven[]) {
    this.world = world;
    this.ids = ids;
    this.#requests = requests;
    this.#ticks = [{ value: FIRST, timeMs: world.time.nowMs() }];
  }

  static async start(requests: readonly TrailingTermsGiven[]): Promise<TrailingWorld> {
    const world = await startWorld();
    await world.tick(SYMBOL, FIRST);
    const ids: number[] = [];
    for (const [index, stopLossTrailing] of requests.entries()) {
      const body = {
        ...{ brokerageCode: "PAPER", accountNumber: `PAPER-${index + 1}`, symbol: SYMBOL, stopLossTrailing },
        ...{ stopLossPrice: STOP, stopLossQuantity: 10, takeProfitItems: [{ price: 900, quantity: 10 }] },
      };
      const { id } = (await world.done(COMMANDS.createGroup, body, { userId: index + 1 })) as OcoRowView;
      ids.push(id);
    }
    return new TrailingWorld(world, ids, requests);
  }

  get last(): number {
    return this.#ticks.at(-1)?.value ?? FIRST;
  }

  give(value: number): void {
    this.#ticks.push({ value, timeMs: this.world.time.nowMs() });
    this.world.give(SYMBOL, value);
  }

  /** A price that only the stream gets: the engine does not run, or is not connected. */
  miss(value: number): void {
    this.#ticks.push({ value, timeMs: this.world.time.nowMs() });
  }

  /** Starts after a kill and reads the stream back from the stored position, or from `earlier` ticks before it. */
  async start(earlier: number): Promise<void> {
    const { world } = this;
    await world.start((partition) => this.#readBack(partition, world.position - earlier));
    await world.time.turns();
  }

  /** Reads the stream back after a reconnect, from `earlier` ticks before the last tick that came. */
  reconnect(earlier: number): void {
    this.#readBack(this.world.partition, this.world.position - earlier);
  }

  #readBack(partition: Partition, after: number): void {
    const { world } = this;
    world.isCatchingUp = true;
    for (const [index, { value, timeMs }] of this.#ticks.entries()) {
      const sequence = index + 1;
      const price = livePrice(value);
      assert.ok(price !== undefined);
      if (sequence <= Math.max(1, after)) continue;
      world.prices.set(SYMBOL, { price, timeMs });
      const stored = { stream: "s", sequence, timeMs };
      partition.onTick({ symbol: SYMBOL, price, timeMs, isCaughtUp: true, stored });
    }
    world.position = this.#ticks.length;
    world.isCatchingUp = false;
    partition.onCaughtUp();
  }

  /** Returns a group. Reading it gives it every tick. */
  groupOf(id: number): OcoGroup {
    const found = this.world.partition.host.find("group", id);
    assert.ok(found !== undefined);
    return found.context as OcoGroup;
  }

  /** Asserts that the group `index` is as its twin. */
  compare(index: number): void {
    const [id, request] = [this.ids[index], this.#requests[index]];
    if (id === undefined || request === undefined) return;
    const { price, triggeredPrice } = stopLossOf(this.groupOf(id));
    const terms = planTrailing(request, "BIST");
    assert.ok(terms.ok);
    const values = this.#ticks.map(({ value }) => value);
    assert.deepEqual({ stop: price / 100, firedAt: triggeredPrice }, endOf(STOP, terms.value, values));
  }

  compareAll(): void {
    for (const index of this.ids.keys()) this.compare(index);
  }
}

const confirmTicks = fc.constantFrom(1 as const, 2 as const);
const distances = fc.oneof(
  fc.record({ distance: fc.integer({ min: 2, max: 400 }).map((steps) => steps / 20), confirmTicks }),
  fc.record({ distancePercent: fc.integer({ min: 5, max: 2_000 }).map((points) => points / 100), confirmTicks }),
);
const others = fc.record(
  {
    distance: fc.constantFrom(1, 2.5, 7),
    activationPrice: fc.constantFrom(101, 104, 110),
    step: fc.constantFrom(0.5, 2),
    confirmTicks,
  },
  { requiredKeys: ["distance", "confirmTicks"] },
);

/** Terms of one to eight groups. */
export const termsOfGroups: fc.Arbitrary<TrailingTermsGiven[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: distances }, { weight: 1, arbitrary: others }),
  { minLength: 1, maxLength: 8, size: "max" },
);

/** A move of the price by small steps of 0.05, at times by large ones. */
export const priceMove: fc.Arbitrary<number> = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: -14, max: 16 }) },
  { weight: 1, arbitrary: fc.integer({ min: -160, max: 160 }) },
);

/** Returns a price after a move. */
export function movedBy(price: number, steps: number): number {
  return Math.max(1, Math.round(price * 20 + steps) / 20);
}
