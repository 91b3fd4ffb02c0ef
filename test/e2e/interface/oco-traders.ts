/**
 * A trader of OCO groups: a client of the whole application over HTTP, or a user of a partition whose clock the test
 * moves.
 */
import assert from "node:assert/strict";
import type { AppUser, FaultApp, OcoRow } from "../../faults/support/app.ts";
import type { TradingWorld } from "../../support/world/trading-world.ts";

export type Outcome =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string };

export interface Sell {
  readonly quantity: number;
  readonly buySell: number;
  readonly orderType: number;
}

/** A trader of THYAO, in either place. */
export interface Trader {
  readonly userId: number;
  /** Creates a group of THYAO; the price is at 100. */
  create(change?: object): Promise<Outcome>;
  cancel(id: number): Promise<Outcome>;
  /** All rows as listed. */
  rows(): Promise<OcoRow[]>;
  sells(): Promise<Sell[]>;
  tick(price: number): Promise<void>;
  nowMs(): number;
  wait(ms: number): Promise<void>;
  /** Ends the engine, waits, and starts it again over its stored data. */
  restart(downMs: number): Promise<void>;
}

const GROUP = {
  ...{ brokerageCode: "PAPER", symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [
    { price: 110, quantity: 4 },
    { price: 120, quantity: 6 },
  ],
};

export class HttpTrader implements Trader {
  readonly #app: FaultApp;
  readonly #user: AppUser;

  constructor(app: FaultApp, user: AppUser) {
    this.#app = app;
    this.#user = user;
  }

  get userId(): number {
    return this.#user.userId;
  }

  create(change: object = {}): Promise<Outcome> {
    return this.#ask("POST", "", { ...GROUP, accountNumber: this.#user.accountNumber, ...change });
  }

  cancel(id: number): Promise<Outcome> {
    return this.#ask("DELETE", `/${id}?brokerageCode=PAPER`);
  }

  async rows(): Promise<OcoRow[]> {
    const outcome = await this.#ask("GET", `?brokerageCode=PAPER&accountNumber=${this.#user.accountNumber}`);
    assert.ok(outcome.ok);
    return outcome.data as OcoRow[];
  }

  async sells(): Promise<Sell[]> {
    return (await this.#app.orders(this.#user)).map(({ quantity, buySell, orderType }) => ({
      quantity,
      buySell,
      orderType,
    }));
  }

  tick(price: number): Promise<void> {
    return this.#app.tick("THYAO", price);
  }

  nowMs(): number {
    return Date.now();
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  async restart(downMs: number): Promise<void> {
    await this.#app.end();
    await this.wait(downMs);
    await this.#app.begin();
  }

  async #ask(method: string, path: string, json?: object): Promise<Outcome> {
    const body = json === undefined ? {} : { json };
    const answer = await this.#app.send(method, `/api/v1/oco-orders${path}`, { token: this.#user.token, ...body });
    const { status } = answer;
    if (status === 200) return { ok: true, data: answer.body.data };
    return { ok: false, status, message: String(answer.body.message) };
  }
}

const STATUSES: Readonly<Record<string, number>> = { INVALID: 400, FORBIDDEN: 403, NOT_FOUND: 404 };

export class WorldTrader implements Trader {
  readonly userId: number;
  readonly #world: TradingWorld;

  constructor(world: TradingWorld, userId: number) {
    this.#world = world;
    this.userId = userId;
  }

  create(change: object = {}): Promise<Outcome> {
    return this.#ask("oco.create", { ...GROUP, accountNumber: `PAPER-${this.userId}`, ...change });
  }

  cancel(id: number): Promise<Outcome> {
    return this.#ask("oco.cancel", { id, brokerageCode: "PAPER" });
  }

  async rows(): Promise<OcoRow[]> {
    const body = { brokerageCode: "PAPER", accountNumber: `PAPER-${this.userId}` };
    // Accepted sells that come within 10 ms of each other are settled together.
    await this.#world.time.advance(10);
    return (await this.#world.query("oco.list", body, { userId: this.userId })) as OcoRow[];
  }

  async sells(): Promise<Sell[]> {
    const orders = await this.#world.orders(this.userId);
    return orders.map(({ quantity, buySell, orderType }) => ({ quantity, buySell, orderType }));
  }

  async tick(price: number): Promise<void> {
    await this.#world.tick("THYAO", price);
  }

  nowMs(): number {
    return this.#world.time.nowMs();
  }

  wait(ms: number): Promise<void> {
    return this.#world.time.advance(ms);
  }

  async restart(downMs: number): Promise<void> {
    this.#world.kill();
    await this.#world.time.advance(downMs);
    await this.#world.start();
    await this.#world.time.turns();
  }

  async #ask(type: string, body: object): Promise<Outcome> {
    const reply = await this.#world.command(type, body, { userId: this.userId });
    if (reply.ok) return { ok: true, data: reply.data };
    return { ok: false, status: STATUSES[reply.code] ?? 500, message: reply.message };
  }
}
