/** A partition over a disk in memory and a scripted brokerage, with a crash between any two of its steps. */
import assert from "node:assert/strict";
import { Partition, UNHURRIED_MS } from "../../../engine/partition/partition.ts";
import type { Brokerage } from "../../../engine/ports/brokerage.ts";
import { queryHandlers } from "../../../engine/query/queries.ts";
import { firstHead } from "../../../engine/store/journal/head.ts";
import { readHead } from "../../../engine/store/recovery.ts";
import type { Reply } from "../../../src/contract/command.ts";
import {
  type AccountRecord,
  type BrokerageSettings,
  type BrokerReply,
  brokerageSettingsSchema,
  type FindOrderRequest,
  type OrderAnswer,
  type OrderRecord,
  type PlaceRequest,
} from "../../../src/contract/trading/order.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";
import { testFeed } from "../../support/world/test-feed.ts";

export const USER = 7;
export const ACCOUNT: AccountRecord = {
  accountNumber: "A-7",
  number: "0007",
  name: "Account 7",
  isActive: true,
  isDefault: true,
};

export type Refused = Extract<BrokerReply<never>, { ok: false }>;

export function no(code: Refused["code"], message = ""): Refused {
  return { ok: false, code, message };
}

/** A brokerage's state, which outlives the engine. */
export class FakeBrokerage {
  readonly settings: BrokerageSettings;
  readonly orders = new Map<string, OrderRecord>();
  readonly calls: { readonly operation: string; readonly request: object }[] = [];
  /** Answers of operations, in place of the usual ones. */
  readonly answers = new Map<string, (request: never) => BrokerReply<unknown> | Promise<BrokerReply<unknown>>>();
  accounts: BrokerReply<readonly AccountRecord[]> = { ok: true, data: [ACCOUNT] };
  /** Pushes an update to the connected engine. */
  tell: (record: OrderRecord) => void = () => undefined;
  /** True: takes orders and never answers. */
  isMute = false;

  constructor(code = "PAPER", settings: Partial<BrokerageSettings> = {}) {
    this.settings = brokerageSettingsSchema.parse({
      code,
      name: `${code} Brokerage`,
      adapter: "paper",
      resend: "idempotent",
      ordersPerMinute: 500,
      ...settings,
    });
  }

  callsOf(operation: string): object[] {
    return this.calls.filter((call) => call.operation === operation).map((call) => call.request);
  }

  /** The brokerage as one life of the engine is connected to it; `isDead`: whether that life has ended. */
  connect(isDead: () => boolean): Brokerage {
    const answer = async (operation: string, request: object, usual: () => BrokerReply<unknown>): Promise<never> => {
      this.calls.push({ operation, request });
      const reply = await (this.answers.get(operation)?.(request as never) ?? usual());
      if (isDead() || (this.isMute && operation !== "accounts")) await new Promise(() => undefined);
      return reply as never;
    };
    return {
      settings: this.settings,
      login: (request) => answer("login", request, () => ({ ok: true, data: { otp: 1, sessionId: "session" } })),
      accounts: (request) => answer("accounts", request, () => this.accounts),
      positions: (request) => answer("positions", request, () => ({ ok: true, data: [] })),
      dailyOrders: (request) => answer("dailyOrders", request, () => ({ ok: true, data: [...this.orders.values()] })),
      place: (request) => answer("place", request, () => this.#place(request)),
      chain: (request) => answer("chain", request, () => this.#place(request)),
      cancel: (request) =>
        answer("cancel", request, () => ({ ok: true, data: { orderNo: request.orderNo, orderStatus: 3 } })),
      findOrder: (request) => answer("findOrder", request, () => this.#find(request)),
      // Not every brokerage has it.
      ...(this.answers.has("balance") && {
        balance: (request) => answer("balance", request, () => no("UNAVAILABLE")),
      }),
      onUpdate: (listener) => {
        this.tell = (record) => {
          if (isDead()) return;
          // A published record is also the answer to a look-up.
          if (record.clientOrderId !== null) this.orders.set(record.clientOrderId, record);
          listener(record);
        };
        return () => undefined;
      },
      close: () => Promise.resolve(),
    };
  }

  #find({ clientOrderId, orderNo }: FindOrderRequest): BrokerReply<OrderRecord> {
    const orders = [...this.orders.values()];
    const data = orders.find((order) => order.clientOrderId === clientOrderId || order.orderNo === orderNo);
    return data === undefined ? no("NOT_FOUND") : { ok: true, data };
  }

  #place(request: PlaceRequest): BrokerReply<OrderAnswer> {
    const { clientOrderId, accountNumber, symbol, buySell, orderType, quantity, price } = request;
    const known = this.orders.get(clientOrderId);
    const order: OrderRecord = known ?? {
      orderNo: `N${this.orders.size + 1}`,
      clientOrderId,
      accountNumber,
      symbol,
      buySell,
      orderType,
      quantity,
      price,
      orderStatus: 1,
      filledQuantity: 0,
      averagePrice: 0,
      createdDate: "2026-01-05T12:00:00+03:00",
      updatedDate: null,
    };
    this.orders.set(clientOrderId, order);
    return { ok: true, data: { orderNo: order.orderNo, orderStatus: order.orderStatus } };
  }
}

const KNOWN_SYMBOLS = new Set(["THYAO", "GARAN"]);

interface LogLine {
  readonly fields: object;
  readonly message: string;
}

/** An engine's partition that can be killed and started again. */
export class Life {
  /** Taken out of trading. */
  readonly inactiveSymbols = new Set<string>();
  /** Symbols of an exchange whose prices are on every cent. */
  readonly centSymbols = new Set<string>();
  readonly time = new FakeTime();
  readonly disk = new MemoryDisk();
  readonly brokerages: readonly FakeBrokerage[];
  readonly log: LogLine[] = [];
  /** Whether missed ticks are being read back. */
  isCatchingUp = false;
  /** The leader's epoch at the next start. */
  epoch = 0;
  #partition: Partition | undefined;
  #life = 0;

  constructor(brokerages: readonly FakeBrokerage[]) {
    this.brokerages = brokerages;
  }

  get partition(): Partition {
    assert.ok(this.#partition !== undefined);
    return this.#partition;
  }

  async start(): Promise<void> {
    const { time } = this;
    const life = this.#life;
    const store = this.disk.open({ timers: time, writeMs: () => 2 });
    const place = { partition: 0, partitions: 1 };
    const head = (await readHead(store, place, undefined)) ?? firstHead("abcdefghij", place, 0);
    const connected = this.brokerages.map((brokerage) => brokerage.connect(() => this.#life !== life));
    const record = (fields: object, message: string): void => void this.log.push({ fields, message });
    const log: Log = { debug: record, info: record, warn: record, error: record };
    this.#partition = await Partition.recover({
      store,
      head,
      epoch: this.epoch,
      life: head.installation,
      clock: time,
      steadyClock: time,
      timers: time,
      random: () => 0.5,
      randomBytes: (byteCount) => new Uint8Array(byteCount),
      areRowsChecked: true,
      unhurriedMs: UNHURRIED_MS,
      fatal: (reason, cause) => {
        throw new Error(reason, { cause });
      },
      log,
      publish: () => undefined,
      flush: () => Promise.resolve(),
      brokerages: {
        find: (code) => connected.find((brokerage) => brokerage.settings.code === code),
        all: () => connected,
      },
      symbols: {
        isKnown: (symbol) => KNOWN_SYMBOLS.has(symbol),
        isActive: (symbol) => !this.inactiveSymbols.has(symbol),
        calendarOf: () => undefined,
        presentName: (symbol) => symbol,
        renames: () => [],
        zoneOf: (symbol) => (this.centSymbols.has(symbol) ? "America/New_York" : "Europe/Istanbul"),
        tickTableOf: (symbol) => (this.centSymbols.has(symbol) ? "CENT" : "BIST"),
      },
      hasOversellGuard: false,
      exitPolicy: "untilSold",
      sellLedger: "warn",
      feed: testFeed({ isCatchingUp: () => this.isCatchingUp }),
    });
    this.#partition.start();
    await time.turns();
  }

  /** The process dies with its writes that are not on disk yet, and starts again. */
  async crashAndStart(): Promise<void> {
    this.#life += 1;
    this.disk.crash(() => false);
    this.time.forgetAll();
    await this.start();
  }

  /** Gives a command and lets `forMs` pass. Returns the reply if it came in that time. */
  async command(type: string, body: unknown, options: CommandOptions = {}): Promise<Reply | undefined> {
    const reply = this.begin(type, body, options);
    await this.time.advance(options.forMs ?? 100);
    return reply();
  }

  /** Gives a command; returns a function that returns its reply, once there is one. */
  begin(type: string, body: unknown, { key, fingerprint = "print", userId = USER }: CommandOptions = {}) {
    let reply: Reply | undefined;
    const idempotency = key === undefined ? undefined : { key, fingerprint };
    const envelope = {
      type,
      userId,
      requestId: "request",
      body,
      ...(idempotency === undefined ? {} : { idempotency }),
    };
    void this.partition.handleCommand(envelope).then((answer) => {
      reply = answer;
    });
    return (): Reply | undefined => reply;
  }

  /** Asks a query; a page comes back as its header and rows. */
  async query(type: string, body: unknown, options: QueryOptions = {}): Promise<Reply | Page> {
    const { userId = USER, pageBytesMax } = options;
    const handler = queryHandlers.get(type);
    assert.ok(handler !== undefined);
    let answer: Reply | Uint8Array | undefined;
    void handler(this.partition.context, userId, body, pageBytesMax).then((given) => {
      answer = given;
    });
    await this.time.advance(options.forMs ?? 100);
    assert.ok(answer !== undefined, "the query did not answer");
    return answer instanceof Uint8Array ? readPage(answer) : answer;
  }
}

interface CommandOptions {
  readonly key?: string;
  readonly fingerprint?: string;
  readonly userId?: number;
  readonly forMs?: number;
}

interface QueryOptions {
  readonly userId?: number | null;
  readonly pageBytesMax?: number;
  readonly forMs?: number;
}

export interface Page {
  readonly next: string | null;
  readonly rows: readonly Record<string, unknown>[];
}

function readPage(bytes: Uint8Array): Page {
  const text = Buffer.from(bytes).toString();
  const end = text.indexOf("\n");
  const header = JSON.parse(text.slice(0, end)) as { ok: true; next: string | null };
  return { next: header.next, rows: JSON.parse(`[${text.slice(end + 1)}]`) as Record<string, unknown>[] };
}

/** A running partition with these brokerages, one `PAPER` by default. */
export async function startLife(...brokerages: readonly FakeBrokerage[]): Promise<Life> {
  const life = new Life(brokerages.length === 0 ? [new FakeBrokerage()] : brokerages);
  await life.start();
  return life;
}

/** The one brokerage of a life. */
export function brokerageOf(life: Life): FakeBrokerage {
  const [brokerage] = life.brokerages;
  assert.ok(brokerage !== undefined);
  return brokerage;
}

/** A market buy of 10 THYAO, or what `fields` make of it. */
export function orderBody(fields: Readonly<Record<string, unknown>> = {}): object {
  return {
    brokerageCode: "PAPER",
    accountNumber: ACCOUNT.accountNumber,
    symbol: "THYAO",
    quantity: 10,
    buySell: 1,
    orderType: 1,
    price: 0,
    ...fields,
  };
}

/** Asserts a refusal and returns its message. */
export function refusalOf(reply: Reply | Page | undefined, code: string): string {
  assert.ok(reply !== undefined && "ok" in reply && !reply.ok, `expected ${code}, got ${JSON.stringify(reply)}`);
  assert.equal(reply.code, code);
  return reply.message;
}
