/**
 * Exactly once, against brokerages that lose requests and replies, accept late and refuse, while the process dies at
 * any instant. Seeded: a failure names its seed.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import type { OrderOutcome, OutboxOrder } from "../../../../engine/ports/order.ts";
import type {
  BrokerReply,
  FindOrderRequest,
  OrderAnswer,
  OrderRecord,
  PlaceRequest,
  ResendPromise,
} from "../../../../src/contract/trading/order.ts";
import { mulberry32 } from "../../../support/random.ts";
import { failed, order, Process, placed, recordOf, ScriptedBrokerage, settings, World } from "./harness.ts";

const SEED_COUNT = 250;
const ORDER_COUNT = 14;
const TIMEOUT_MS = 2_000;
const SETTLE_MS = 6_000;
const EXPIRY_MS = 3_000;
/** The most by which the brokerage's clock is behind; less than the outbox allows for. */
const SKEW_MS = 900;
const TROUBLE_MS = 90_000;

/** The exchange behind the brokerage, which keeps exactly its promise. */
class Exchange {
  readonly #world: World;
  readonly #promise: ResendPromise;
  readonly #random: () => number;
  /** Order numbers by name: more than one is a doubled order. */
  readonly accepted = new Map<string, string[]>();
  readonly #rejected = new Set<string>();
  readonly #answers = new WeakMap<PlaceRequest, BrokerReply<OrderAnswer>>();
  /** Requests that are still on their way, and when they arrive. */
  #onTheWay: { readonly atMs: number; readonly request: PlaceRequest }[] = [];
  #orderCount = 0;

  constructor(world: World, promise: ResendPromise, random: () => number) {
    this.#world = world;
    this.#promise = promise;
    this.#random = random;
  }

  /** Answers a request that has arrived. */
  answerTo(request: PlaceRequest): BrokerReply<OrderAnswer> {
    this.catchUp();
    const answer = this.#answers.get(request);
    assert(answer !== undefined, "the request has arrived");
    return answer;
  }

  #receive(request: PlaceRequest, atMs: number): BrokerReply<OrderAnswer> {
    const { clientOrderId, expiresAt } = request;
    const known = this.accepted.get(clientOrderId);
    if (this.#promise === "idempotent") {
      const first = known?.[0];
      if (first !== undefined) return placed(first);
      if (this.#rejected.has(clientOrderId)) return failed("REJECTED", "known and rejected");
    }
    if (this.#promise === "expiry") {
      assert(expiresAt !== undefined);
      if (atMs - SKEW_MS > Date.parse(expiresAt)) return failed("REJECTED", "expired");
    }
    if (this.#random() < 0.15) {
      this.#rejected.add(clientOrderId);
      return failed("REJECTED", "no position");
    }
    this.#orderCount += 1;
    const orderNo = `N${this.#orderCount}`;
    this.accepted.set(clientOrderId, [...(known ?? []), orderNo]);
    return placed(orderNo);
  }

  /** A request hangs somewhere and arrives later. */
  receiveLater(request: PlaceRequest, delayMs: number): void {
    this.#onTheWay.push({ atMs: this.#world.time.nowMs() + delayMs, request });
  }

  /** Takes in the requests that have arrived by now. Called before any question. */
  catchUp(): void {
    const nowMs = this.#world.time.nowMs();
    const arrived = this.#onTheWay.filter(({ atMs }) => atMs <= nowMs).sort((a, b) => a.atMs - b.atMs);
    this.#onTheWay = this.#onTheWay.filter(({ atMs }) => atMs > nowMs);
    for (const { request, atMs } of arrived) this.#answers.set(request, this.#receive(request, atMs));
  }

  find({ clientOrderId = "", accountNumber }: FindOrderRequest): BrokerReply<OrderRecord> {
    const orderNo = this.accepted.get(clientOrderId)?.[0];
    return orderNo === undefined
      ? failed("NOT_FOUND")
      : { ok: true, data: recordOf({ clientOrderId, accountNumber }, orderNo) };
  }
}

interface Trial {
  readonly world: World;
  readonly exchange: Exchange;
  readonly orders: readonly OutboxOrder[];
  readonly told: ReadonlyMap<string, OrderOutcome>;
  readonly last: Process;
}

/** How late a request may arrive under each promise: `query` promises a bound, `expiry` refuses by its own clock. */
function latestMs(promise: ResendPromise): number {
  return promise === "query" ? SETTLE_MS - 1 : 40_000;
}

async function runTrial(promise: ResendPromise, seed: number): Promise<Trial> {
  const random = mulberry32(seed);
  const world = new World();
  const { time } = world;
  const exchange = new Exchange(world, promise, random);
  const rules = settings({
    resend: promise,
    ordersPerMinute: 40,
    timeoutMs: TIMEOUT_MS,
    settleMs: SETTLE_MS,
    expiryMs: EXPIRY_MS,
  });
  const quietMs = time.nowMs() + TROUBLE_MS;
  const hasTrouble = (share: number): boolean => time.nowMs() < quietMs && random() < share;
  // Longer than the engine waits for an unreachable brokerage.
  const outageMs = time.nowMs() + Math.floor(random() * 40_000);
  const isDown = (): boolean => seed % 2 === 0 && time.nowMs() >= outageMs && time.nowMs() < outageMs + 45_000;
  const wait = (delayMs: number): Promise<void> => new Promise((resolve) => void time.after(delayMs, () => resolve()));

  /** The line to the brokerage of one life of the process. */
  const connect = (isAlive: () => boolean): Brokerage => {
    const line = new ScriptedBrokerage(time, rules);
    line.onPlace = async (request) => {
      if (!isAlive()) return new Promise(() => {});
      exchange.catchUp();
      if (isDown() || hasTrouble(0.15)) return failed("NOT_SENT");
      if (hasTrouble(0.25)) {
        if (random() < 0.7) exchange.receiveLater(request, Math.floor(random() * latestMs(promise)));
        await wait(TIMEOUT_MS);
        return failed("UNAVAILABLE", "no answer in time");
      }
      const delayMs = Math.floor(random() * 300);
      // It arrives whether or not the process lives to see the answer.
      exchange.receiveLater(request, delayMs);
      const reply = new Promise<BrokerReply<OrderAnswer>>((resolve) => {
        void wait(delayMs).then(() => {
          resolve(exchange.answerTo(request));
        });
      });
      if (!hasTrouble(0.2)) return reply;
      await wait(TIMEOUT_MS);
      return failed("UNAVAILABLE", "the reply was lost");
    };
    line.onFind = async (request) => {
      if (!isAlive()) return new Promise(() => {});
      exchange.catchUp();
      if (isDown() || hasTrouble(0.3)) return failed(random() < 0.5 ? "NOT_SENT" : "UNAVAILABLE");
      return exchange.find(request);
    };
    return line;
  };

  const told = new Map<string, OrderOutcome>();
  const live = (): Process => {
    let isAlive = true;
    const life = new Process(world, [connect(() => isAlive)], { writeMs: () => Math.floor(random() * 40), random });
    const crash = life.crash.bind(life);
    life.crash = (isKept) => {
      isAlive = false;
      crash(isKept);
    };
    return life.start();
  };

  const orders: OutboxOrder[] = [];
  let life = live();
  for (let index = 0; index < ORDER_COUNT; index += 1) {
    const urgency = (["stopLoss", "triggered", "client"] as const)[Math.floor(random() * 3)] ?? "client";
    const what = order(`c-${index}`, { urgency, accountNumber: random() < 0.7 ? "A1" : "A2" });
    orders.push(what);
    life.submit(what);
    if (random() < 0.5) await time.advance(Math.floor(random() * 3_000));
    // An order that never became durable was never promised: it is submitted again, as an actor would after its
    // restart.
    if (random() < 0.3) {
      life.crash(random() < 0.5);
      if (random() < 0.5) await time.advance(Math.floor(random() * 2_000));
      life = live();
      const known = new Set(life.outbox.pending().map(({ clientOrderId }) => clientOrderId));
      for (const each of orders) {
        const isKnown = known.has(each.clientOrderId) || world.disk.rows.has(`told/${each.clientOrderId}`);
        if (!isKnown) life.submit(each);
      }
    }
  }
  for (let index = 0; index < 6; index += 1) {
    await time.advance(Math.floor(random() * 20_000));
    life.crash(random() < 0.5);
    life = live();
    const known = new Set(life.outbox.pending().map(({ clientOrderId }) => clientOrderId));
    for (const each of orders) {
      const isKnown = known.has(each.clientOrderId) || world.disk.rows.has(`told/${each.clientOrderId}`);
      if (!isKnown) life.submit(each);
    }
  }
  await time.advance(TROUBLE_MS + 120_000);
  exchange.catchUp();
  for (const key of world.disk.keys("told/")) {
    told.set(key.slice("told/".length), JSON.parse(Buffer.from(world.disk.rows.get(key) ?? "").toString()));
  }
  return { world, exchange, orders, told, last: life };
}

function checkExactlyOnce({ exchange, orders, told, last, world }: Trial): void {
  assert.deepEqual(last.outbox.pending(), [], "nothing is left over");
  assert.deepEqual(world.disk.keys("o/0"), []);
  for (const { clientOrderId } of orders) {
    const numbers = exchange.accepted.get(clientOrderId) ?? [];
    const outcome = told.get(clientOrderId);
    assert(outcome !== undefined, `${clientOrderId} was lost`);
    if (outcome.type === "refused") assert.deepEqual(numbers, [], `${clientOrderId} was refused and exists`);
    else assert.deepEqual(numbers, [outcome.orderNo], `${clientOrderId} exists once, as it was told`);
  }
}

function checkAtMostOnce({ exchange, orders, told, last }: Trial): void {
  for (const { clientOrderId } of orders) {
    const numbers = exchange.accepted.get(clientOrderId) ?? [];
    const outcome = told.get(clientOrderId);
    assert(numbers.length <= 1, `${clientOrderId} exists ${numbers.length} times`);
    if (outcome === undefined) assert.equal(last.stateOf(clientOrderId), "quarantined");
    else assert.equal(numbers.length, outcome.type === "placed" ? 1 : 0, `${clientOrderId}: ${outcome.type}`);
  }
}

describe("whatever the line loses and whenever the process dies", () => {
  for (const [promise, rule, check] of [
    ["idempotent", "every order ends, exists exactly once or was refused", checkExactlyOnce],
    ["expiry", "every order ends, exists exactly once or was refused", checkExactlyOnce],
    ["query", "the same, where nothing is accepted later than settleMs", checkExactlyOnce],
    ["none", "no order exists twice, and what is not known waits in quarantine", checkAtMostOnce],
  ] as const) {
    test(`${promise}: ${rule}`, async () => {
      let endings = { placed: 0, refused: 0, open: 0 };
      for (let seed = 1; seed <= SEED_COUNT; seed += 1) {
        const trial = await runTrial(promise, seed);
        try {
          check(trial);
        } catch (cause) {
          throw new Error(`seed ${seed}`, { cause });
        }
        for (const { clientOrderId } of trial.orders) {
          const type = trial.told.get(clientOrderId)?.type ?? "open";
          endings = { ...endings, [type]: endings[type] + 1 };
        }
      }
      // Each way to end was met, else the trials prove little.
      assert(endings.placed > SEED_COUNT && endings.refused > SEED_COUNT / 4, JSON.stringify(endings));
      assert.equal(endings.open > 0, promise === "none");
    });
  }
});
