/**
 * How long no order reaches the brokerage when something dies: two engines over one log, many waiting groups, and a
 * tick every 20 ms that sells one group.
 *
 * A round arms one group for each of its ticks, begins to publish them, and causes the fault a second later. Its gap
 * is the longest time between two orders from then on. At its end every group must have been sold once.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { eachInFlight } from "../../bench/harness/load/in-flight.ts";
import { EngineClient } from "../support/client/engine-client.ts";
import { ACCOUNTS, type FailoverWorld } from "../support/world/failover-world.ts";
import { pause, until } from "../support/world/stack.ts";
import type { Fault } from "./faults.ts";

const SYMBOLS: readonly string[] = JSON.parse(readFileSync("fixtures/symbols.json", "utf8")).map(
  ({ symbol }: { readonly symbol: string }) => symbol,
);
const ENGINES = ["a", "b"];
const TICK_EVERY_MS = 20;
const BEFORE_FAULT_MS = 1_000;
const AFTER_HEALING_MS = 2_500;
const IN_FLIGHT = 128;
const FIRST_IDLE_USER = 1_000;
const FIRST_SOLD_USER = 1_000_000;
const CALM_PRICE = 100;
const STOP_PRICE = 90;
const PRICE_STEP = 0.05;
const IDLE_STOP_PRICE = 50;

export interface Round {
  /** The longest time without an order, from the fault on. */
  readonly gapMs: number;
  /** The longest time from a tick's due moment to its order. An order whose answer is lost waits; others pass it. */
  readonly latestMs: number;
  readonly lost: number;
  readonly doubled: number;
}

export class FailoverRounds {
  readonly #world: FailoverWorld;
  #armedCount = 0;

  private constructor(world: FailoverWorld) {
    this.#world = world;
  }

  /** Starts two engines, one of which leads, and arms the waiting groups. */
  static async begin(world: FailoverWorld, groups: number): Promise<FailoverRounds> {
    const rounds = new FailoverRounds(world);
    for (const name of ENGINES) await world.startEngine(name);
    await world.untilLed();
    await rounds.#calm();
    await eachInFlight(groups, IN_FLIGHT, (index) => rounds.#arm(FIRST_IDLE_USER, index, IDLE_STOP_PRICE));
    return rounds;
  }

  /** Runs one round of the fault, with as many ticks as the fault can take. */
  async run(fault: Fault): Promise<Round> {
    const world = this.#world;
    const tickCount = Math.ceil((BEFORE_FAULT_MS + fault.tradedMs) / TICK_EVERY_MS);
    await this.#calm();
    await eachInFlight(tickCount, IN_FLIGHT, (index) => this.#arm(FIRST_SOLD_USER, index, priceOf(index)));
    const before = world.connector.orders.length;
    const startMs = performance.now();
    const dueMs = new Map<string, number>();
    for (let index = 0; index < tickCount; index += 1) {
      const owned = { userId: userOf(FIRST_SOLD_USER, index), symbol: symbolOf(index) };
      dueMs.set(nameOf(owned), startMs + index * TICK_EVERY_MS);
    }
    const trading = this.#trade(tickCount, startMs);
    await pause(BEFORE_FAULT_MS);
    const faultMs = performance.now();
    const heal = await fault.happen(world);
    await trading;
    await until(
      async () => world.connector.orders.length - before,
      (count) => count >= tickCount,
    );
    await heal();
    // An engine that resumed may still send an order, and a restarted one may be given the partition.
    await pause(AFTER_HEALING_MS);
    const orders = world.connector.orders.slice(before);
    const names = new Set(orders.map(({ clientOrderId }) => clientOrderId));
    return {
      latestMs: Math.max(0, ...orders.map((order) => order.placedAtMs - (dueMs.get(nameOf(order)) ?? 0))),
      gapMs: longestGap(
        orders.map(({ placedAtMs }) => placedAtMs),
        faultMs,
      ),
      lost: tickCount - names.size,
      doubled: orders.length - names.size,
    };
  }

  async #trade(tickCount: number, startMs: number): Promise<void> {
    for (let index = 0; index < tickCount; index += 1) {
      const dueMs = startMs + index * TICK_EVERY_MS;
      await pause(Math.max(0, dueMs - performance.now()));
      // The loop does not await this: a server that dies must not delay the next ticks.
      this.#publish(symbolOf(index), priceOf(index));
    }
  }

  /** Publishes a price over all levels for every symbol, and waits until the leader has seen it. */
  async #calm(): Promise<void> {
    for (const symbol of SYMBOLS) this.#publish(symbol, CALM_PRICE);
    await this.#world.nats.flush();
    const last = SYMBOLS.at(-1);
    const answer = await until(
      async () => JSON.stringify(await this.#world.client.query("prices.last", { symbols: [last] })),
      (text) => text.includes(`"price":${CALM_PRICE}`),
    );
    assert.match(answer, /"price":100/);
  }

  #publish(symbol: string, price: number): void {
    this.#world.nats.publish(`ticks.${symbol}`, JSON.stringify({ price, time: Date.now() }));
  }

  /** Arms a group; each user has one for each symbol. */
  async #arm(firstUser: number, index: number, stopLossPrice: number): Promise<void> {
    const body = {
      ...{ brokerageCode: "FAR", accountNumber: accountOf(index), symbol: symbolOf(index), stopLossPrice },
      ...{ stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 3 }] },
    };
    const userId = userOf(firstUser, index);
    this.#armedCount += 1;
    const made = await new EngineClient(this.#world.nats, userId).createGroup(body, `failover-${this.#armedCount}`);
    assert.ok("groupId" in made, JSON.stringify(made));
  }
}

function userOf(firstUser: number, index: number): number {
  return firstUser + Math.floor(index / SYMBOLS.length);
}

/** Returns the name of the group that a tick of the round sells. */
function nameOf({ userId, symbol }: { readonly userId: number; readonly symbol: string }): string {
  return `${userId} ${symbol}`;
}

/** Spreads orders over accounts: an order whose answer was lost holds up the other orders of its account only. */
function accountOf(index: number): string {
  return ACCOUNTS[index % ACCOUNTS.length] ?? "";
}

function symbolOf(index: number): string {
  return SYMBOLS[index % SYMBOLS.length] ?? "";
}

/** Each tick of a round reaches its own level: the levels of a symbol fall from tick to tick. */
function priceOf(index: number): number {
  return Math.round((STOP_PRICE - PRICE_STEP * Math.floor(index / SYMBOLS.length)) * 100) / 100;
}

function longestGap(placedAtMs: readonly number[], fromMs: number): number {
  let longestMs = 0;
  let lastMs = fromMs;
  for (const atMs of placedAtMs.toSorted((left, right) => left - right)) {
    if (atMs <= fromMs) continue;
    longestMs = Math.max(longestMs, atMs - lastMs);
    lastMs = atMs;
  }
  return longestMs;
}
