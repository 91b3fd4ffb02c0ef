/**
 * A whole installation under load while its processes are killed: engine, edge, brokerage and nats-server, prices from
 * a publisher that is not ours, and clients that repeat unanswered requests under the same Idempotency-Key.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type OcoRow, randomOf } from "../client/engine-client.ts";
import { type Program, startProgram } from "../machine/process.ts";
import { TickPublisher } from "../store/tick-log.ts";
import { type HttpAnswer, pause, Stack, type StackUser } from "../world/stack.ts";

const CHAOS_SYMBOLS = ["THYAO", "GARAN", "AKBNK", "ASELS", "EREGL", "KCHOL", "SISE", "TUPRS", "BIMAS", "PGSUS"];
const PRICE_HIGHEST = 139;
const PRICE_LOWEST = 61;
export const START_POSITION = 10_000_000;
/** The distance of levels from the price at which a group is made. */
const LEVELS_WITHIN = 2;
const START_PRICE = 100;
const PACE_MS = 20;
const REQUEST_ATTEMPTS_MAX = 600;
const RETRY_MS = 100;

const brokerages = [
  {
    ...{ code: "PAPER", name: "Paper", adapter: "gateway", resend: "idempotent", ordersPerMinute: 1_000_000 },
    timeoutMs: 2_000,
    paper: {
      startingCash: 1_000_000_000,
      startingPositions: Object.fromEntries(CHAOS_SYMBOLS.map((symbol) => [symbol, START_POSITION])),
    },
  },
];

/** A row of an OCO group as REST shows it. */
export interface ChaosRow extends OcoRow {
  readonly triggeredPrice: number | null;
  readonly triggeredDate: string | null;
  readonly createdDate: string;
  readonly updatedDate: string | null;
}

/** Results that clients certainly received. */
interface Accepted {
  readonly groups: { readonly user: StackUser; readonly groupId: number; readonly answeredMs: number }[];
  readonly cancelled: { readonly groupId: number; readonly answeredMs: number }[];
  readonly orders: {
    readonly user: StackUser;
    readonly key: string;
    readonly body: object;
    readonly orderNo: string;
  }[];
}

export interface BrokerOrder {
  readonly orderNo: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: number;
  readonly orderStatus: number;
}

export class ChaosWorld {
  readonly stack: Stack;
  readonly ticks: TickPublisher;
  readonly users: readonly StackUser[];
  readonly accepted: Accepted = { groups: [], cancelled: [], orders: [] };
  /** Answers that no client should ever get. */
  readonly oddAnswers: string[] = [];
  readonly #random: () => number;
  readonly #prices = new Map(CHAOS_SYMBOLS.map((symbol) => [symbol, START_PRICE]));
  #brokerage: Program | undefined;
  #isLoaded = false;
  #load: readonly Promise<void>[] = [];
  #stopTicks: () => Promise<void> = async () => undefined;
  #lastKey = 0;

  private constructor(stack: Stack, ticks: TickPublisher, users: readonly StackUser[], seed: number) {
    this.stack = stack;
    this.ticks = ticks;
    this.users = users;
    this.#random = randomOf(seed);
  }

  static async open(userCount: number, seed: number): Promise<ChaosWorld> {
    const stack = await Stack.start({
      brokerages,
      environment: { CATCH_UP_SECONDS: "7200", LOG_LEVEL: "info" },
    });
    const users: StackUser[] = [];
    for (let count = 0; count < userCount; count += 1) users.push(await stack.userOn(0));
    const world = new ChaosWorld(stack, await TickPublisher.connect(stack.server.url), users, seed);
    await world.startBrokerage();
    return world;
  }

  async close(): Promise<void> {
    this.#isLoaded = false;
    await this.#stopTicks();
    await this.ticks.close();
    await this.#brokerage?.end("SIGKILL");
    await this.stack.stop();
  }

  random(): number {
    return this.#random();
  }

  async startBrokerage(): Promise<void> {
    const environment = {
      NATS_URL: this.stack.server.url,
      BROKERAGES_FILE: this.stack.brokeragesFile,
      DATA_DIR: join(this.stack.folder, "paper"),
    };
    this.#brokerage = await startProgram("engine/entry/paper.ts", environment, /paper brokerage is ready/);
  }

  /** Kills one of the four and starts it again a little later. */
  async killAndStart(victim: "engine" | "edge" | "brokerage" | "server"): Promise<void> {
    const { stack } = this;
    const absence = (): Promise<void> => pause(this.#random() * 200);
    switch (victim) {
      case "engine":
        await stack.engine(0).end("SIGKILL");
        await absence();
        return stack.startEngine(0);
      case "edge":
        await stack.edge?.end("SIGKILL");
        await absence();
        return stack.startEdge();
      case "brokerage":
        await this.#brokerage?.end("SIGKILL");
        await absence();
        return this.startBrokerage();
      case "server":
        await stack.server.kill("SIGKILL");
        await absence();
        return stack.server.restart();
    }
  }

  /** Asks one of three to end and starts it again; gives its exit code. */
  async endAndStart(victim: "engine" | "edge" | "brokerage"): Promise<number | null | undefined> {
    const { stack } = this;
    switch (victim) {
      case "engine": {
        const code = await stack.engine(0).end("SIGTERM");
        await stack.startEngine(0);
        return code;
      }
      case "edge": {
        const code = await stack.edge?.end("SIGTERM");
        await stack.startEdge();
        return code;
      }
      case "brokerage": {
        const code = await this.#brokerage?.end("SIGTERM");
        await this.startBrokerage();
        return code;
      }
    }
  }

  /** Prices begin to move, and clients to create groups, cancel some, and buy. */
  startLoad(): void {
    this.#isLoaded = true;
    this.startTicks();
    this.#load = [
      ...this.users.map((user) => this.#whileLoaded(150, () => this.#createGroup(user))),
      this.#whileLoaded(700, () => this.#cancelGroup()),
      this.#whileLoaded(300, () => this.#placeOrder()),
    ];
  }

  /** Starts no new request; resolves once every started request has its answer. Prices continue. */
  async stopLoad(): Promise<void> {
    this.#isLoaded = false;
    await Promise.all(this.#load);
  }

  startTicks(): void {
    let isMoving = true;
    const moving = (async () => {
      while (isMoving) {
        await Promise.all(CHAOS_SYMBOLS.map((symbol) => this.ticks.publish(symbol, this.#nextPrice(symbol))));
        await pause(PACE_MS);
      }
    })();
    this.#stopTicks = async () => {
      isMoving = false;
      await moving;
    };
  }

  /** The market's last swing reaches every level that is still armed. */
  async swing(): Promise<void> {
    await this.#stopTicks();
    for (const price of [PRICE_HIGHEST + LEVELS_WITHIN, PRICE_LOWEST - LEVELS_WITHIN]) {
      for (const symbol of CHAOS_SYMBOLS) await this.ticks.publishSurely(symbol, price);
      await pause(500);
    }
  }

  async rows(user: StackUser): Promise<ChaosRow[]> {
    const path = `/api/v1/oco-orders?brokerageCode=PAPER&accountNumber=PAPER-${user.userId}`;
    const answer = await this.#untilAnswered("GET", path, user, undefined, undefined);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data as ChaosRow[];
  }

  /** Returns the orders that exist at the brokerage, asked without the engine. */
  async brokerOrders({ userId }: StackUser): Promise<BrokerOrder[]> {
    return this.#askBroker("dailyOrders", { userId, accountNumber: `PAPER-${userId}` });
  }

  async positions({ userId }: StackUser): Promise<{ readonly symbol: string; readonly quantity: number }[]> {
    return this.#askBroker("positions", { userId, accountNumber: `PAPER-${userId}`, includeOrders: false });
  }

  /** Repeats an order's request; the answer must be the first one. */
  async repeatOrder({ user, key, body }: Accepted["orders"][number]): Promise<HttpAnswer> {
    return this.#untilAnswered("POST", "/api/v1/orders", user, body, key);
  }

  async #askBroker<T>(operation: string, request: object): Promise<T> {
    const reply = await this.ticks.nats.request(`broker.PAPER.${operation}`, JSON.stringify(request), {
      timeout: 30_000,
    });
    const answer = reply.json<{ ok: boolean; data: T }>();
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.data;
  }

  #nextPrice(symbol: string): number {
    const step = Math.round((this.#random() - 0.5) * 8) / 10;
    const moved = (this.#prices.get(symbol) ?? START_PRICE) + step;
    const price = Math.round(Math.min(PRICE_HIGHEST, Math.max(PRICE_LOWEST, moved)) * 10) / 10;
    this.#prices.set(symbol, price);
    return price;
  }

  async #whileLoaded(paceMs: number, act: () => Promise<void>): Promise<void> {
    while (this.#isLoaded) {
      await act();
      await pause(paceMs);
    }
  }

  async #createGroup(user: StackUser): Promise<void> {
    const symbol = this.#anySymbol();
    const price = Math.round(this.#prices.get(symbol) ?? START_PRICE);
    const body = {
      ...{ brokerageCode: "PAPER", accountNumber: `PAPER-${user.userId}`, symbol },
      ...{ stopLossPrice: price - LEVELS_WITHIN, stopLossQuantity: 10 },
      takeProfitItems: [
        { price: price + 1, quantity: 3 },
        { price: price + LEVELS_WITHIN, quantity: 4 },
      ],
    };
    const answer = await this.#untilAnswered("POST", "/api/v1/oco-orders", user, body, this.#newKey("group"));
    if (answer.status === 200) {
      const { groupId } = answer.body.data as ChaosRow;
      this.accepted.groups.push({ user, groupId, answeredMs: Date.now() });
    } else if (answer.status !== 400 || !/already exists/.test(String(answer.body.message))) this.#odd(answer);
  }

  async #cancelGroup(): Promise<void> {
    const { groups, cancelled } = this.accepted;
    const chosen = groups[Math.floor(this.#random() * groups.length)];
    if (chosen === undefined) return;
    const path = `/api/v1/oco-orders/${chosen.groupId}?brokerageCode=PAPER`;
    const answer = await this.#untilAnswered("DELETE", path, chosen.user, undefined, undefined);
    if (answer.status === 200) cancelled.push({ groupId: chosen.groupId, answeredMs: Date.now() });
    // A repeated cancel whose first answer was lost finds nothing Active, like one of a group that is over.
    else if (answer.status !== 400) this.#odd(answer);
  }

  async #placeOrder(): Promise<void> {
    const user = this.users[Math.floor(this.#random() * this.users.length)];
    if (user === undefined) return;
    const body = {
      ...{ brokerageCode: "PAPER", accountNumber: `PAPER-${user.userId}`, symbol: this.#anySymbol() },
      ...{ quantity: 1, buySell: 1, orderType: 1, price: 0 },
    };
    const key = this.#newKey("order");
    const answer = await this.#untilAnswered("POST", "/api/v1/orders", user, body, key);
    if (answer.status === 200) {
      this.accepted.orders.push({ user, key, body, orderNo: (answer.body.data as { orderNo: string }).orderNo });
    } else if (answer.status !== 400 || !isWithoutPrice(answer.body.message)) this.#odd(answer);
  }

  /** Asks until an answer arrives: the process that should answer may have been killed just now. */
  async #untilAnswered(
    method: string,
    path: string,
    user: StackUser,
    json: object | undefined,
    key: string | undefined,
  ): Promise<HttpAnswer> {
    let last = "nobody there";
    for (let attempt = 0; attempt < REQUEST_ATTEMPTS_MAX; attempt += 1) {
      const headers = key === undefined ? {} : { "Idempotency-Key": key };
      const answer = await this.stack.http(method, path, { token: user.token, json, headers }).catch(() => undefined);
      // 409: the first request under this key is still running. 503: not now.
      if (answer !== undefined && answer.status !== 503 && answer.status !== 409) return answer;
      if (answer !== undefined) last = JSON.stringify(answer.body);
      await pause(RETRY_MS);
    }
    throw new Error(`${method} ${path} was never answered: ${last}`);
  }

  #odd({ status, body }: HttpAnswer): void {
    this.oddAnswers.push(`${status} ${JSON.stringify(body)}`);
  }

  #anySymbol(): string {
    return CHAOS_SYMBOLS[Math.floor(this.#random() * CHAOS_SYMBOLS.length)] ?? "THYAO";
  }

  #newKey(kind: string): string {
    this.#lastKey += 1;
    return `${kind}-${this.#lastKey}`;
  }
}

/** A brokerage that was just started knows no price yet and refuses market orders. */
export function isWithoutPrice(message: unknown): boolean {
  return /no (live )?price/.test(String(message));
}
