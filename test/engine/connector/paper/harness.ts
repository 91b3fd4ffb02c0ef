/**
 * The harness of the paper brokerage's tests: hand-driven time and prices, stores that crash, a brokerage to restart.
 */
import assert from "node:assert/strict";
import type { Sms } from "../../../../engine/connector/paper/account/login.ts";
import { openPaperBrokerage, type PaperBrokerage, type PaperPorts } from "../../../../engine/connector/paper/paper.ts";
import { changedSymbols } from "../../../../engine/connector/paper/symbol-changes.ts";
import { openPaperStore } from "../../../../engine/host/paper-store.ts";
import type { LastPrice } from "../../../../engine/ports/price.ts";
import type { Delete, Put, ScanRange, Store } from "../../../../engine/ports/storage.ts";
import {
  type BrokerageSettings,
  type BrokerReply,
  brokerageSettingsSchema,
  type OrderRecord,
  type PaperSettings,
  type PlaceRequest,
} from "../../../../src/contract/trading/order.ts";
import type { Band } from "../../../../src/domain/market/band.ts";
import type { Calendar } from "../../../../src/domain/market/calendar.ts";
import type { CorporateAction } from "../../../../src/domain/market/corporate-action.ts";
import type { Effects } from "../../../../src/domain/market/measure.ts";
import { presentName, type Renaming } from "../../../../src/domain/market/rename.ts";
import { type LivePrice, livePrice } from "../../../../src/domain/price/price.ts";
import type { Fatal, Log, Timers } from "../../../../src/runtime/ports.ts";

export const USER = 7;
export const ACCOUNT = "PAPER-7";
export const START_MS = Date.UTC(2026, 2, 2, 9, 0, 0);

export const realTimers: Timers = {
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon: (task) => void setImmediate(task),
};

const quietLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export function priceOf(value: number): LivePrice {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  return price;
}

export function settingsOf(paper: Partial<PaperSettings>, code = "PAPER"): BrokerageSettings {
  return brokerageSettingsSchema.parse({
    code,
    name: "Paper Brokerage",
    adapter: "paper",
    resend: "idempotent",
    paper,
  });
}

/** The cause of a write that a test makes fail. */
export class ExpectedFailure extends Error {}

/** Rows in memory. Once `isDead`, nothing that is still written arrives or is answered. */
export class MemoryStore implements Store {
  readonly rows: Map<string, Uint8Array>;
  writes = 0;
  isDead = false;
  /** Dies before (`lost`) or after (`unacknowledged`) this write arrived, and never answers it. */
  diesAt: { readonly write: number; readonly how: "lost" | "unacknowledged" } | undefined;
  failure: ExpectedFailure | undefined;

  constructor(rows: Map<string, Uint8Array> = new Map()) {
    this.rows = rows;
  }

  read(key: string): Uint8Array | undefined {
    return this.rows.get(key);
  }

  async write(operations: readonly (Put | Delete)[]): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    this.writes += 1;
    const dies = this.diesAt?.write === this.writes;
    // As a disk does: rows that are on their way cannot be read yet.
    await new Promise((resolve) => setImmediate(resolve));
    if (dies) this.isDead = true;
    if (!this.isDead || (dies && this.diesAt?.how === "unacknowledged")) {
      for (const operation of operations) {
        if (operation.type === "put") this.rows.set(operation.key, operation.value);
        else this.rows.delete(operation.key);
      }
    }
    if (this.isDead) await new Promise(() => {});
  }

  async *scan(range: ScanRange): AsyncIterable<readonly (readonly [string, Uint8Array])[]> {
    const keys = [...this.rows.keys()].filter((key) => key >= range.gte && key < range.lt).sort();
    for (const key of keys) yield [[key, this.rows.get(key) ?? new Uint8Array()]];
  }

  async close(): Promise<void> {}
}

interface PaperWorldOptions {
  readonly paper?: Partial<PaperSettings>;
  readonly code?: string;
  /** A folder for a real store; rows in memory without one. */
  readonly folder?: string;
}

/** A paper brokerage and the world around it, which outlives it. */
export class PaperWorld {
  readonly #options: PaperWorldOptions;
  readonly #ports: Omit<PaperPorts, "settings">;
  readonly #lastPrices = new Map<string, LastPrice>();
  readonly updates: OrderRecord[] = [];
  readonly messages: Sms[] = [];
  readonly fatalReasons: string[] = [];
  store = new MemoryStore();
  nowMs = START_MS;
  renames: readonly Renaming[] = [];
  areRenamesKnown = true;
  actions: readonly CorporateAction[] = [];
  calendar: Calendar | undefined;
  readonly bands = new Map<string, Band>();
  effects: Effects = {};
  isHeld = false;
  #randomSeed = 1;
  #paper: PaperBrokerage | undefined;

  private constructor(options: PaperWorldOptions) {
    this.#options = options;
    const fatal: Fatal = (reason, cause) => {
      this.fatalReasons.push(reason);
      if (!(cause instanceof ExpectedFailure)) throw cause;
      // A real `fatal` never returns; here the test continues, to see that nothing leaves after it.
      return undefined as never;
    };
    this.#ports = {
      clock: { nowMs: () => this.nowMs },
      timers: realTimers,
      random: (byteCount) => this.#random(byteCount),
      prices: { last: (symbol) => this.#lastPrices.get(symbol) },
      startPriceOf: (symbol) => (symbol === "THYAO" ? 100 : undefined),
      tickTableOf: (symbol) => (symbol === "AAPL" ? "CENT" : "BIST"),
      symbols: changedSymbols(
        { presentName: (symbol) => presentName(this.renames, symbol), renames: () => this.renames },
        { actions: () => this.actions, areKnown: () => this.areRenamesKnown },
      ),
      exchange: {
        calendarOf: () => this.calendar,
        bandOf: (symbol) => this.bands.get(symbol),
        effectsOf: () => this.effects,
        isHeld: () => this.isHeld,
      },
      onSms: (sms) => this.messages.push(sms),
      log: quietLog,
      fatal,
    };
  }

  static async open(options: PaperWorldOptions = {}): Promise<PaperWorld> {
    const world = new PaperWorld(options);
    await world.openAgain();
    return world;
  }

  get paper(): PaperBrokerage {
    assert.ok(this.#paper !== undefined);
    return this.#paper;
  }

  /** Opens a brokerage over what the last one left. */
  async openAgain(): Promise<void> {
    const { paper = {}, code = "PAPER", folder } = this.#options;
    const ports = { ...this.#ports, settings: settingsOf(paper, code) };
    const store = folder === undefined ? this.store : await openPaperStore(folder);
    this.#paper = await openPaperBrokerage({ ...ports, store });
    this.#paper.onUpdate((record) => this.updates.push(record));
  }

  async restart(): Promise<void> {
    await this.paper.close();
    this.#lastPrices.clear();
    await this.openAgain();
  }

  /** Leaves the brokerage as a killed process would: with only the rows that reached the store. */
  async openAfterCrash(): Promise<void> {
    this.store.isDead = true;
    this.store = new MemoryStore(new Map(this.store.rows));
    this.#lastPrices.clear();
    await this.openAgain();
  }

  /** Sets the last live price and lets the brokerage see the tick. */
  tick(symbol: string, value: number): void {
    this.setPrice(symbol, value);
    this.paper.onTick(symbol, priceOf(value), this.nowMs);
  }

  setPrice(symbol: string, value: number): void {
    this.#lastPrices.set(symbol, { price: priceOf(value), timeMs: this.nowMs });
  }

  /** Waits until everything that the brokerage did is durable and reported. */
  async settled(): Promise<void> {
    await this.paper.accounts({ userId: 1 });
    await new Promise((resolve) => setImmediate(resolve));
  }

  async order(orderNo: string): Promise<OrderRecord> {
    return dataOf(await this.paper.findOrder({ userId: USER, accountNumber: ACCOUNT, orderNo }));
  }

  #random(byteCount: number): Uint8Array {
    return Uint8Array.from({ length: byteCount }, () => {
      this.#randomSeed = (this.#randomSeed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (this.#randomSeed >>> 16) & 0xff;
    });
  }
}

export function dataOf<Data>(reply: BrokerReply<Data>): Data {
  assert.ok(reply.ok, reply.ok ? "" : `${reply.code}: ${reply.message}`);
  return reply.data;
}

/** Asserts that a reply is a no with this code, and returns its message. */
export function refusalOf(reply: BrokerReply<unknown>, code: string): string {
  assert.ok(!reply.ok, "the reply should be a no");
  assert.equal(reply.code, code);
  return reply.message;
}

let lastClientOrderId = 0;

/** A market buy of 10 THYAO, or what `fields` make of it, under a name of its own. */
export function orderOf(fields: Partial<PlaceRequest> = {}): PlaceRequest {
  lastClientOrderId += 1;
  return {
    userId: USER,
    accountNumber: ACCOUNT,
    clientOrderId: `order-${lastClientOrderId}`,
    symbol: "THYAO",
    quantity: 10,
    buySell: 1,
    orderType: fields.price === undefined || fields.price === 0 ? 1 : 2,
    price: 0,
    ...fields,
  };
}
