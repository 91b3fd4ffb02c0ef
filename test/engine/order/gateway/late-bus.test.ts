// tier: full
/**
 * Outbox, gateway and a connector's host together, over a bus that loses messages and delivers them late and in any
 * order, while the connector starts again: each order is placed once, and its reports are true. Seeded: a failure names
 * its seed.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Connector } from "../../../../engine/connector/host/connector.ts";
import { serveConnector } from "../../../../engine/connector/host/serve.ts";
import { connectGateway } from "../../../../engine/order/gateway/gateway.ts";
import { type Bus, RequestTimeoutError } from "../../../../src/bus/port.ts";
import type { BrokerReply, OrderAnswer, PlaceRequest, ResendPromise } from "../../../../src/contract/trading/order.ts";
import { mulberry32 } from "../../../support/random.ts";
import { failed, later, order, Process, placed, recordOf, settings, World } from "../outbox/harness.ts";
import { WarningLog } from "./harness.ts";

const SEED_COUNT = 60;
/** A seed with a connector whose status does not arrive, while it answers an order. */
const SEED_OF_SILENCE = 429;
const SEEDS = [...Array.from({ length: SEED_COUNT }, (_, index) => index + 1), SEED_OF_SILENCE];
const ORDER_COUNT = 12;
const TIMEOUT_MS = 1_000;
const TROUBLE_MS = 60_000;
const CALM_MS = 240_000;
type Random = () => number;

type Respond = Parameters<Bus["respond"]>[1];

/** The bus between engine and connector. `delayMs`: of one message; Infinity if it is lost. */
class LateBus {
  readonly #world: World;
  readonly #handlers = new Map<string, Respond>();
  delayMs: () => number = () => 1;

  constructor(world: World) {
    this.#world = world;
  }

  subscribe = () => () => undefined;
  publish = () => undefined;

  respond = (subject: string, handler: Respond) => {
    this.#handlers.set(subject, handler);
    return async () => undefined;
  };

  request = (subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      this.#world.time.after(timeoutMs, () => reject(new RequestTimeoutError(subject, timeoutMs)));
      this.#carry(async () => {
        const answer = await this.#handlers.get(subject)?.({ subject, data });
        if (answer !== undefined) this.#carry(() => resolve(answer));
      });
    });

  #carry(arrive: () => unknown): void {
    const delayMs = this.delayMs();
    if (delayMs !== Number.POSITIVE_INFINITY) this.#world.time.after(delayMs, () => void arrive());
  }
}

/** A brokerage that takes every order that reaches it, a known name too, and a connector to it. */
class Exchange {
  readonly orders: string[] = [];
  /** The answer to a request, and its delay. */
  answer: () => { readonly delayMs: number; readonly code?: "NOT_SENT" | "UNAUTHORIZED" | "UNAVAILABLE" | "REJECTED" };
  readonly #world: World;
  readonly #resend: ResendPromise;

  constructor(world: World, resend: ResendPromise) {
    this.#world = world;
    this.#resend = resend;
    this.answer = () => ({ delayMs: 1 });
  }

  connector(): Connector {
    const since = new Date(this.#world.time.nowMs()).toISOString();
    const supports = { orderStatus: true, positions: false };
    return {
      status: () => ({ session: "up", since, resend: this.#resend, supports }),
      accounts: async () => ({ ok: true, data: [] }),
      place: (request) => this.#place(request),
      cancel: async () => failed("REJECTED", "no"),
      findOrder: async (request) => {
        const { clientOrderId = "", accountNumber } = request;
        const index = this.orders.indexOf(clientOrderId);
        if (index < 0) return failed("NOT_FOUND", "no such order");
        return { ok: true, data: recordOf({ clientOrderId, accountNumber }, `N${index + 1}`) };
      },
      onUpdate: () => () => undefined,
    };
  }

  #place({ clientOrderId, expiresAt }: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    const isLate = expiresAt !== undefined && Date.parse(expiresAt) <= this.#world.time.nowMs();
    const { delayMs, code } = this.answer();
    if (isLate) return later(this.#world, delayMs, () => failed("REJECTED", "expired"));
    if (code !== undefined && (code !== "UNAVAILABLE" || delayMs % 2 === 0)) {
      return later(this.#world, delayMs, () => failed(code, "no"));
    }
    this.orders.push(clientOrderId);
    const reply = code === undefined ? placed(`N${this.orders.length}`) : failed(code, "no");
    return later(this.#world, delayMs, () => reply);
  }
}

interface Trouble {
  readonly bus: (random: Random) => number;
  readonly answer: (random: Random) => ReturnType<Exchange["answer"]>;
  /** Chance that the connector starts again, a second. */
  readonly restart: number;
}

const whole = (random: Random, most: number): number => Math.floor(random() * most);

/** Messages are lost, or come after everything is over; the brokerage gives any answer. */
const ANY: Trouble = {
  bus: (random) => {
    const kind = random();
    if (kind < 0.1) return Number.POSITIVE_INFINITY;
    if (kind < 0.2) return whole(random, 20_000);
    return whole(random, kind < 0.5 ? 400 : 20);
  },
  answer: (random) => {
    const codes = [undefined, undefined, undefined, "NOT_SENT", "UNAUTHORIZED", "UNAVAILABLE"] as const;
    const code = codes[whole(random, codes.length)];
    const delayMs = whole(random, random() < 0.5 ? 2_000 : 20);
    return code === undefined ? { delayMs } : { delayMs, code };
  },
  restart: 0.1,
};

/** Answers are slow, so that they cross with questions; all come in time, and none is in doubt. */
const SLOW: Trouble = {
  bus: (random) => whole(random, 100),
  answer: (random) => {
    const codes = [undefined, "NOT_SENT", "UNAUTHORIZED"] as const;
    const code = codes[whole(random, codes.length)];
    const delayMs = whole(random, 600);
    return code === undefined ? { delayMs } : { delayMs, code };
  },
  restart: 0,
};

async function live(seed: number, resend: ResendPromise, trouble: Trouble) {
  const random = mulberry32(seed);
  const world = new World();
  const { time } = world;
  const bus = new LateBus(world);
  const exchange = new Exchange(world, resend);
  const epochs = { epochs: new Map<number, number>(), keep: () => undefined };
  const shared = { bus: bus as unknown as Bus, log: new WarningLog(), steadyClock: time };
  const serve = () => serveConnector(exchange.connector(), { ...shared, code: "TEST", epochs });
  serve();
  const one = settings({ adapter: "gateway", resend, timeoutMs: TIMEOUT_MS, ordersPerMinute: 1_000 });
  const brokerage = connectGateway({ ...shared, settings: one, timers: time, clock: time });
  const life: Process = new Process(world, [brokerage], { writeMs: () => 2, random }).start();
  await time.advance(100);
  bus.delayMs = () => trouble.bus(random);
  exchange.answer = () => trouble.answer(random);
  const names = Array.from({ length: ORDER_COUNT }, (_, index) => `c-${index}`);
  for (const [index, name] of names.entries()) {
    time.after(whole(random, TROUBLE_MS), () => life.submit(order(name, { accountNumber: `A${index % 4}` })));
  }
  for (let passedMs = 0; passedMs < TROUBLE_MS; passedMs += 1_000) {
    if (random() < trouble.restart) serve();
    await time.advance(1_000);
  }
  bus.delayMs = () => 1;
  exchange.answer = () => ({ delayMs: 1 });
  await time.advance(CALM_MS);
  await brokerage.close();
  return { life, exchange, names };
}

/** Each order is placed once at most, and reported as such; else it waits for a person. */
function judge(seed: number, { life, exchange, names }: Awaited<ReturnType<typeof live>>): void {
  for (const name of names) {
    const count = exchange.orders.filter((each) => each === name).length;
    const what = `seed ${seed}, ${name}`;
    assert.ok(count <= 1, `${what} was placed ${count} times`);
    const outcome = life.outcomeOf(name);
    if (outcome === undefined) assert.ok(life.quarantined.includes(name), `${what} is open`);
    else assert.equal(outcome.type, count === 1 ? "placed" : "refused", what);
  }
}

const PROMISES: readonly ResendPromise[] = ["query", "expiry", "none"];

describe("orders over a bus that loses and delivers late", () => {
  for (const resend of PROMISES) {
    test(`are placed once at most, and what is told of them is true: ${resend}`, async () => {
      for (const seed of SEEDS) judge(seed, await live(seed, resend, ANY));
    });
  }

  test("need nobody's decision where all answers come and none is in doubt", async () => {
    for (const seed of SEEDS) {
      const lived = await live(seed, "none", SLOW);
      judge(seed, lived);
      assert.deepEqual(lived.life.quarantined, [], `seed ${seed}`);
    }
  });
});
