/**
 * An engine's partition, a paper brokerage and prices that outlive it, and a kill between any two of its steps.
 */

import assert from "node:assert/strict";
import { openPaperBrokerage, type PaperBrokerage } from "../../../engine/connector/paper/paper.ts";
import { changedSymbols } from "../../../engine/connector/paper/symbol-changes.ts";
import { marketFactsOf } from "../../../engine/host/market-facts.ts";
import { Partition } from "../../../engine/partition/partition.ts";
import type { Brokerage } from "../../../engine/ports/brokerage.ts";
import type { LastPrice, SymbolIntake, Symbols } from "../../../engine/ports/price.ts";
import type { StreamPlace } from "../../../engine/ports/stream.ts";
import { queryHandlers } from "../../../engine/query/queries.ts";
import { firstHead } from "../../../engine/store/journal/head.ts";
import { readHead } from "../../../engine/store/recovery.ts";
import type { Envelope, Reply } from "../../../src/contract/command.ts";
import {
  type BrokerageSettings,
  brokerageSettingsSchema,
  type Instrument,
  type OrderRecord,
} from "../../../src/contract/trading/order.ts";
import type { Calendar } from "../../../src/domain/market/calendar.ts";
import { presentName, type Renaming } from "../../../src/domain/market/rename.ts";
import type { SellLedgerRule } from "../../../src/domain/order/sell-ledger.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import type { TickTable } from "../../../src/domain/price/tick-table.ts";
import type { Fatal, Log, Timers } from "../../../src/runtime/ports.ts";
import { assertKnownEvent } from "../client/known-event.ts";
import { FakeTime } from "../machine/fake-time.ts";
import { MemoryDisk } from "../store/memory-store.ts";
import { testFeed } from "./test-feed.ts";

export const USER = 7;
export const ACCOUNT = "PAPER-7";

const fatal: Fatal = (reason, cause) => {
  throw new Error(reason, { cause });
};

interface LogLine {
  readonly level: keyof Log;
  readonly fields: object;
  readonly message: string;
}

export interface WorldOptions {
  readonly paper?: BrokerageSettings["paper"];
  readonly settings?: Partial<BrokerageSettings>;
  readonly symbols?: readonly string[];
  /** True: the brokerage reports renamed symbols under their former names. */
  readonly keepsFormerNames?: boolean;
  readonly sellLedger?: SellLedgerRule;
  readonly partition?: number;
  readonly partitions?: number;
  /** Names each start of the engine; default: the installation's name. */
  readonly lifeName?: (life: number) => string;
}

const NO_RENAMES: readonly Renaming[] = [];

export class TradingWorld {
  readonly time = new FakeTime();
  readonly disk = new MemoryDisk();
  readonly prices = new Map<string, LastPrice>();
  readonly log: LogLine[] = [];
  /** Events that left, in order. */
  readonly events: { readonly subject: string; readonly data: Record<string, unknown> }[] = [];
  /** The names of the orders that reached the brokerage, repetitions included. */
  readonly sent: string[] = [];
  #onUpdate: (record: OrderRecord) => void = () => undefined;
  /** True: the brokerage gets orders and reports nothing any more. */
  isMute = false;
  /** Missed ticks are being read back. */
  isCatchingUp = false;
  /** The lead of the prices' clock, in ms, if the engine's is wrong. */
  clockOffMs = 0;
  /** The intake of each symbol's prices, for alarms. */
  readonly intakes = new Map<string, SymbolIntake>();
  /** The number of the last tick that was given to the engine, as a stream would count it. */
  position = 0;
  /** False: the feed does not know the number, and a restart reads no ticks back. */
  isPositionKnown = true;
  /** The engine's present place in the tick stream; null: not known. */
  streamPlace: StreamPlace | null = null;
  /** The brokerage's instruments, by symbol. */
  readonly instruments = new Map<string, Instrument>();
  readonly #options: WorldOptions;
  readonly #settings: BrokerageSettings;
  readonly #symbols: ReadonlySet<string>;
  /** Symbols of an exchange whose prices are on every cent. */
  readonly centSymbols = new Set<string>();
  /** Former names of symbols, as the shared partition reports them. */
  renames: readonly Renaming[] = [];
  /** How long a write to the disk takes. */
  writeMs = 0;
  /** True: the exchange takes no order now. */
  isClosed = false;
  /** The trading calendar of every symbol. */
  calendar: Calendar | undefined;
  readonly #directory: Symbols = {
    isKnown: (symbol) => this.#symbols.has(symbol),
    isActive: () => true,
    tickTableOf: (symbol) => this.tickTableOf(symbol),
    zoneOf: () => "UTC",
    calendarOf: () => this.calendar,
    presentName: (symbol) => presentName(this.renames, symbol),
    renames: () => this.renames,
  };
  #paper: PaperBrokerage | undefined;
  #partition: Partition | undefined;
  #life = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#symbols = new Set(options.symbols ?? ["THYAO", "GARAN"]);
    this.#settings = brokerageSettingsSchema.parse({
      code: "PAPER",
      name: "Paper",
      adapter: "paper",
      resend: "idempotent",
      ordersPerMinute: 1_000_000,
      ...options.settings,
      paper: { startingPositions: {}, ...options.paper },
    });
  }

  get partition(): Partition {
    assert.ok(this.#partition !== undefined);
    return this.#partition;
  }

  get paper(): PaperBrokerage {
    assert.ok(this.#paper !== undefined);
    return this.#paper;
  }

  /** Recovers the engine and starts it; `catchUp` gives it the ticks that it missed before it acts. */
  async start(catchUp?: (partition: Partition) => void): Promise<void> {
    this.#paper ??= await this.#openPaper();
    const life = this.#life;
    const isAlive = (): boolean => this.#life === life;
    const timers = timersOf(this.time, isAlive);
    const store = this.disk.open({ timers, writeMs: () => this.writeMs });
    const { partition = 0, partitions = 1 } = this.#options;
    const place = { partition, partitions };
    const head = (await readHead(store, place, undefined)) ?? firstHead("abcdefghij", place, 0);
    this.position = head.tickPosition ?? 0;
    const brokerage = this.#connect(isAlive);
    this.#partition = await Partition.recover({
      store,
      head,
      life: this.#options.lifeName?.(life) ?? head.installation,
      clock: this.time,
      steadyClock: this.time,
      timers,
      random: () => 0.5,
      randomBytes: counted(),
      fatal,
      log: this.#logOf(),
      publish: (subject, bytes) => {
        const text = Buffer.from(bytes).toString();
        const data = JSON.parse(text) as Record<string, unknown>;
        assertKnownEvent(data);
        this.events.push({ subject, data });
      },
      flush: () => Promise.resolve(),
      brokerages: { find: (code) => (code === "PAPER" ? brokerage : undefined), all: () => [brokerage] },
      feed: testFeed({
        prices: { last: (symbol) => this.prices.get(symbol) },
        isCatchingUp: () => this.isCatchingUp,
        position: () => (this.isPositionKnown ? this.position : null),
        place: () => this.streamPlace,
        watch: {
          clockOffMs: () => this.clockOffMs,
          areTicksComing: () => true,
          intakeOf: (symbol) => this.intakes.get(symbol) ?? { acceptedMs: null, refused: null },
        },
      }),
      symbols: this.#directory,
      hasOversellGuard: false,
      exitPolicy: "untilSold",
      sellLedger: this.#options.sellLedger ?? "warn",
      areRowsChecked: true,
      claimCounters: 1_024,
    });
    catchUp?.(this.#partition);
    this.#partition.start();
  }

  /** The engine dies immediately; the brokerage lives on. `isKept`: whether a batch on its way to the disk arrived. */
  kill(isKept = false): void {
    this.#life += 1;
    this.disk.crash(() => isKept);
    // A new process knows no price before its first tick.
    this.prices.clear();
  }

  /** Dies and starts again. */
  async restart(isKept = false, catchUp?: (partition: Partition) => void): Promise<void> {
    this.kill(isKept);
    await this.start(catchUp);
    await this.time.turns();
  }

  /** The engine dies and starts again, and reads back one tick that it has missed. */
  async restartMissing(symbol: string, value: number, timeMs: number): Promise<void> {
    const price = livePrice(value);
    assert.ok(price !== undefined);
    this.kill();
    await this.start((partition) => {
      this.isCatchingUp = true;
      this.position += 1;
      partition.onTick({ symbol, price, timeMs, isCaughtUp: true });
      this.isCatchingUp = false;
      partition.onCaughtUp();
    });
  }

  /** Gives one live tick to the engine and the brokerage, as one process does. */
  give(symbol: string, value: number, isCaughtUp = false, lastClose?: number): void {
    const price = livePrice(value);
    const close = lastClose === undefined ? undefined : livePrice(lastClose);
    assert.ok(price !== undefined);
    const timeMs = this.time.nowMs();
    this.prices.set(symbol, { price, timeMs });
    this.position += 1;
    this.partition.onTick({ symbol, price, timeMs, isCaughtUp, close });
    this.paper.onTick(symbol, price, timeMs);
  }

  /** Gives a live tick and runs all its immediate consequences. `lastClose`: it is the first one of a session. */
  async tick(symbol: string, value: number, lastClose?: number): Promise<void> {
    await this.time.advance(1);
    this.give(symbol, value, false, lastClose);
    await this.time.turns();
  }

  /** Gives a command and runs its immediate consequences; the reply must be there then. */
  async command(type: string, body: unknown, options: AskOptions = {}): Promise<Reply> {
    const { key, userId = USER } = options;
    const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint: "print" } };
    return this.#answered({ type, userId, requestId: "request", body, ...idempotency });
  }

  /** Does the same as {@link command}, for commands without a logged-in user. */
  async commandOfNobody(type: string, body: unknown): Promise<Reply> {
    return this.#answered({ type, userId: null, requestId: "request", body });
  }

  /** Gives a command and waits for nothing. */
  giveOfNobody(type: string, body: unknown): void {
    void this.partition.handleCommand({ type, userId: null, requestId: "request", body });
  }

  async #answered(envelope: Envelope): Promise<Reply> {
    let reply: Reply | undefined;
    void this.partition.handleCommand(envelope).then((answer) => {
      reply = answer;
    });
    await this.time.turns();
    assert.ok(reply !== undefined, `${envelope.type} was not answered`);
    return reply;
  }

  /** `data` of a command that must succeed. */
  async done(type: string, body: unknown, options: AskOptions = {}): Promise<unknown> {
    const reply = await this.command(type, body, options);
    assert.ok(reply.ok, `${type}: ${reply.ok ? "" : reply.message}`);
    return reply.data;
  }

  /** Asks a query: its data, or all its rows. */
  async query(type: string, body: object, options: AskOptions = {}): Promise<unknown> {
    const { userId = USER, pageBytesMax } = options;
    const handler = queryHandlers.get(type);
    assert.ok(handler !== undefined);
    const rows: unknown[] = [];
    for (let from: string | null = null; ; ) {
      const asked: object = from === null ? body : { ...body, from };
      const answer = await this.#settled(handler(this.partition.context, userId, asked, pageBytesMax));
      if (!(answer instanceof Uint8Array)) return answer.ok ? answer.data : answer;
      const text = Buffer.from(answer).toString();
      const end = text.indexOf("\n");
      rows.push(...(JSON.parse(`[${text.slice(end + 1)}]`) as unknown[]));
      from = (JSON.parse(text.slice(0, end)) as { next: string | null }).next;
      if (from === null) return rows;
    }
  }

  /** A user's order at the brokerage, given there by hand. */
  async order(change: Partial<Parameters<Brokerage["place"]>[0]>, userId = USER): Promise<OrderRecord> {
    const request = {
      userId,
      accountNumber: `PAPER-${userId}`,
      clientOrderId: `hand-${this.time.nowMs()}-${Math.trunc(change.price ?? 0)}`,
      symbol: "THYAO",
      quantity: 10,
      buySell: 1 as const,
      orderType: 2 as const,
      price: 0,
      ...change,
    };
    await this.#settled(this.paper.accounts({ userId }));
    await this.#settled(this.paper.place(request));
    const { accountNumber, clientOrderId } = request;
    const found = await this.#settled(this.paper.findOrder({ userId, accountNumber, clientOrderId }));
    assert.ok(found.ok);
    return found.data;
  }

  /** The brokerage reports an order, independently of its book. */
  async tell(record: OrderRecord): Promise<void> {
    this.#onUpdate(record);
    await this.time.turns();
  }

  /** Cancels an order at the brokerage by hand. */
  async cancel({ orderNo, accountNumber, symbol }: OrderRecord, userId = USER): Promise<void> {
    const reply = await this.#settled(this.paper.cancel({ userId, accountNumber, symbol, orderNo }));
    assert.ok(reply.ok);
    await this.time.turns();
  }

  /** The day's orders of a user, oldest first. */
  async orders(userId = USER): Promise<readonly OrderRecord[]> {
    const found = await this.#settled(this.paper.dailyOrders({ userId, accountNumber: `PAPER-${userId}` }));
    assert.ok(found.ok);
    return found.data;
  }

  /** Returns the events of one type, without what every event has. */
  eventsOf(type: string): Record<string, unknown>[] {
    return this.events.filter(({ data }) => data.type === type).map(({ data }) => data);
  }

  async #settled<T>(answer: Promise<T>): Promise<T> {
    await this.time.turns();
    return answer;
  }

  tickTableOf(symbol: string): TickTable {
    return this.centSymbols.has(symbol) ? "CENT" : "BIST";
  }

  #openPaper(): Promise<PaperBrokerage> {
    const market = marketFactsOf(() => this.#partition);
    const formerNames = { presentName: (symbol: string) => symbol, renames: () => NO_RENAMES };
    return openPaperBrokerage({
      settings: this.#settings,
      store: new MemoryDisk().open({ timers: this.time }),
      clock: this.time,
      timers: this.time,
      random: counted(),
      prices: { last: (symbol) => this.prices.get(symbol) },
      startPriceOf: () => 100,
      tickTableOf: (symbol) => this.tickTableOf(symbol),
      symbols: changedSymbols(this.#options.keepsFormerNames === true ? formerNames : this.#directory, market),
      exchange: { ...market, calendarOf: () => this.calendar },
      onSms: () => undefined,
      log: this.#logOf(),
      fatal,
    });
  }

  /** The brokerage as one life of the engine is connected to it. */
  #connect(isAlive: () => boolean): Brokerage {
    const { paper } = this;
    const answered = async <T>(answer: Promise<T>, isHeld: boolean): Promise<T> => {
      const given = await answer;
      if (!isAlive() || isHeld) await new Promise(() => undefined);
      return given;
    };
    return {
      settings: paper.settings,
      login: (request) => answered(paper.login(request), this.isMute),
      accounts: (request) => answered(paper.accounts(request), false),
      positions: (request) => answered(paper.positions(request), this.isMute),
      reset: (request) => answered(paper.reset(request), this.isMute),
      dailyOrders: (request) => answered(paper.dailyOrders(request), this.isMute),
      place: (request) => {
        this.sent.push(request.clientOrderId);
        if (this.isClosed) return answered(Promise.resolve({ ok: false, code: "NOT_NOW", message: "closed" }), false);
        return answered(paper.place(request), this.isMute);
      },
      instrument: async ({ symbol }) => {
        const data = this.instruments.get(symbol);
        return data === undefined ? { ok: false, code: "UNAVAILABLE", message: "not known" } : { ok: true, data };
      },
      chain: (request) => answered(paper.chain(request), this.isMute),
      cancel: (request) => answered(paper.cancel(request), this.isMute),
      findOrder: (request) => answered(paper.findOrder(request), this.isMute),
      onUpdate: (listener) => {
        this.#onUpdate = (record) => (isAlive() ? listener(record) : undefined);
        return paper.onUpdate(this.#onUpdate);
      },
      close: () => Promise.resolve(),
    };
  }

  #logOf(): Log {
    const record = (level: keyof Log) => (fields: object, message: string) =>
      void this.log.push({ level, fields, message });
    return { debug: record("debug"), info: record("info"), warn: record("warn"), error: record("error") };
  }
}

export interface AskOptions {
  readonly key?: string;
  readonly userId?: number;
  readonly pageBytesMax?: number;
}

/** A world whose engine runs. */
export async function startWorld(options: WorldOptions = {}): Promise<TradingWorld> {
  const world = new TradingWorld(options);
  await world.start();
  await world.time.turns();
  return world;
}

/** Timers whose tasks do not run once their process is dead. */
function timersOf(time: FakeTime, isAlive: () => boolean): Timers {
  const whileAlive = (task: () => void) => (): void => {
    if (isAlive()) task();
  };
  return {
    after: (delayMs, task) => time.after(delayMs, whileAlive(task)),
    soon: (task) => time.soon(whileAlive(task)),
  };
}

/** Bytes that are different each time and the same in every run. */
function counted(): (byteCount: number) => Uint8Array {
  let count = 0;
  return (byteCount) => {
    count += 1;
    return Uint8Array.from({ length: byteCount }, (_, index) => (count * 31 + index * 7) % 256);
  };
}
