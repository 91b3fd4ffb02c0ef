/** A process with an outbox, a scripted brokerage, and a disk that outlives the process. */
import assert from "node:assert/strict";
import { decodeRow, type OutboxEntry, outboxKey } from "../../../../engine/order/outbox/entry/entry.ts";
import { BrokerOutbox } from "../../../../engine/order/outbox/outbox.ts";
import type { Inbox } from "../../../../engine/ports/actor.ts";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import type { PendingOrderRecord } from "../../../../engine/ports/operator.ts";
import type { OrderOutcome, OutboxOrder } from "../../../../engine/ports/order.ts";
import { TABLES } from "../../../../engine/table/tables.ts";
import type { OrderDecision } from "../../../../src/contract/operator/operator.ts";
import {
  type BrokerageSettings,
  type BrokerReply,
  brokerageSettingsSchema,
  type ChainRequest,
  type FindOrderRequest,
  type OrderAnswer,
  type OrderRecord,
  type PlaceRequest,
} from "../../../../src/contract/trading/order.ts";
import type { Result } from "../../../../src/domain/refusal.ts";
import type { Clock, Log, Timers } from "../../../../src/runtime/ports.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";
import { FakeDisk, FakeJournal } from "../../../support/store/fake-journal.ts";

export const failed = (code: Extract<BrokerReply<never>, { ok: false }>["code"], message = ""): BrokerReply<never> => ({
  ok: false,
  code,
  message,
});

export const placed = (orderNo: string, orderStatus: OrderAnswer["orderStatus"] = 1): BrokerReply<OrderAnswer> => ({
  ok: true,
  data: { orderNo, orderStatus },
});

export function order(clientOrderId: string, change: Partial<OutboxOrder> = {}): OutboxOrder {
  return {
    userId: 7,
    brokerageCode: "TEST",
    accountNumber: "A1",
    clientOrderId,
    urgency: "triggered",
    symbol: "THYAO",
    quantity: 10,
    buySell: 2,
    orderType: 1,
    price: 0,
    origin: { kind: "actor", actorId: 1, name: clientOrderId },
    ...change,
  };
}

export function settings(change: Partial<BrokerageSettings> = {}): BrokerageSettings {
  return brokerageSettingsSchema.parse({ code: "TEST", name: "Test", adapter: "paper", ...change });
}

export function recordOf(request: { clientOrderId: string; accountNumber: string }, orderNo: string): OrderRecord {
  return {
    orderNo,
    clientOrderId: request.clientOrderId,
    accountNumber: request.accountNumber,
    symbol: "THYAO",
    buySell: 2,
    orderType: 1,
    quantity: 10,
    price: 0,
    orderStatus: 1,
    filledQuantity: 0,
    averagePrice: 0,
    createdDate: "2026-01-05T09:00:00.000Z",
    updatedDate: null,
  };
}

/** One call that reached the brokerage's adapter. */
export interface Call {
  readonly operation: "place" | "chain" | "findOrder";
  readonly atMs: number;
  readonly clientOrderId: string;
  readonly accountNumber: string;
  readonly expiresAt?: string;
}

type Answer<T> = BrokerReply<T> | Promise<BrokerReply<T>>;

/** A scripted brokerage; places everything by default and finds nothing. */
export class ScriptedBrokerage implements Brokerage {
  readonly settings: BrokerageSettings;
  readonly calls: Call[] = [];
  readonly #clock: Clock;
  #orderCount = 0;
  onPlace: (request: PlaceRequest) => Answer<OrderAnswer> = () => this.accept();
  onFind: (request: FindOrderRequest) => Answer<OrderRecord> = () => failed("NOT_FOUND");

  constructor(clock: Clock, brokerageSettings: BrokerageSettings) {
    this.#clock = clock;
    this.settings = brokerageSettings;
  }

  accept(): BrokerReply<OrderAnswer> {
    this.#orderCount += 1;
    return placed(`N${this.#orderCount}`);
  }

  /** The names sent, in order, re-sends included. */
  get sent(): string[] {
    return this.calls.filter(({ operation }) => operation !== "findOrder").map(({ clientOrderId }) => clientOrderId);
  }

  get lookedUp(): string[] {
    return this.calls.filter(({ operation }) => operation === "findOrder").map(({ clientOrderId }) => clientOrderId);
  }

  async place(request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> {
    this.#note("place", request);
    return this.onPlace(request);
  }

  async chain(request: ChainRequest): Promise<BrokerReply<OrderAnswer>> {
    this.#note("chain", request);
    return this.onPlace(request);
  }

  async findOrder(request: FindOrderRequest): Promise<BrokerReply<OrderRecord>> {
    const { clientOrderId, accountNumber } = request;
    assert(clientOrderId !== undefined);
    this.#note("findOrder", { clientOrderId, accountNumber });
    return this.onFind(request);
  }

  #note(operation: Call["operation"], request: Pick<PlaceRequest, "clientOrderId" | "accountNumber" | "expiresAt">) {
    const { clientOrderId, accountNumber, expiresAt } = request;
    const call = { operation, atMs: this.#clock.nowMs(), clientOrderId, accountNumber };
    this.calls.push(expiresAt === undefined ? call : { ...call, expiresAt });
  }

  login = () => Promise.reject(new Error("not called"));
  accounts = () => Promise.reject(new Error("not called"));
  positions = () => Promise.reject(new Error("not called"));
  dailyOrders = () => Promise.reject(new Error("not called"));
  cancel = () => Promise.reject(new Error("not called"));
  onUpdate = () => () => {};
  close = () => Promise.resolve();
}

class FakeInbox implements Inbox {
  readonly #timers: Timers;
  #work: (() => void)[] = [];
  isInTurn = false;
  isDead = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  enqueue(work: () => void): boolean {
    this.#work.push(work);
    if (this.#work.length === 1) this.#timers.soon(() => this.#run());
    return true;
  }

  #run(): void {
    const work = this.#work;
    this.#work = [];
    this.isInTurn = true;
    for (const item of work) if (!this.isDead) item();
    this.isInTurn = false;
  }
}

interface Told {
  readonly clientOrderId: string;
  readonly outcome: OrderOutcome;
  readonly atMs: number;
}

/** The parts that outlive the process. */
export class World {
  readonly time = new FakeTime();
  readonly disk = new FakeDisk();
  /** How far the wall clock was stepped. */
  steppedMs = 0;
  readonly steadyClock: Clock = { nowMs: () => this.time.nowMs() - this.steppedMs };

  stepClock(byMs: number): void {
    this.steppedMs += byMs;
    this.time.stepClock(byMs);
  }
}

/** One life of a process. */
export class Process {
  readonly world: World;
  readonly journal: FakeJournal;
  readonly inbox: FakeInbox;
  readonly outbox: BrokerOutbox;
  readonly told: Told[] = [];
  readonly quarantined: string[] = [];
  readonly postponed: string[] = [];
  /** Orders that began to wait for the market to open, and until when. */
  readonly waits: { readonly clientOrderId: string; readonly untilMs: number }[] = [];
  readonly errors: string[] = [];
  /** Timers that wait now, and the most that ever waited together. */
  timerCount = 0;
  timerCountMax = 0;

  constructor(
    world: World,
    brokerages: readonly Brokerage[],
    options: {
      readonly writeMs?: () => number;
      readonly random?: () => number;
      readonly opensAtMs?: (order: OutboxOrder, timeMs: number) => number | undefined;
    } = {},
  ) {
    this.world = world;
    const { time, disk, steadyClock } = world;
    this.journal = new FakeJournal(disk, time, options.writeMs);
    this.inbox = new FakeInbox(time);
    const log: Log = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (_fields, message) => void this.errors.push(message),
    };
    this.outbox = new BrokerOutbox({
      journal: this.journal,
      inbox: this.inbox,
      brokerages: {
        find: (code) => brokerages.find((brokerage) => brokerage.settings.code === code),
        all: () => brokerages,
      },
      clock: time,
      steadyClock,
      timers: this.#countedTimers(),
      log,
      sender: { partition: 0, epoch: 0 },
      random: options.random ?? (() => 0),
      onOutcome: (what, outcome) => {
        assert(this.inbox.isInTurn, "an outcome is told in a turn");
        this.told.push({ clientOrderId: what.clientOrderId, outcome, atMs: time.nowMs() });
        this.journal.put(`told/${what.clientOrderId}`, JSON.stringify(outcome));
      },
      onPostponed: (what) => {
        assert(this.inbox.isInTurn, "a postponed order is reported in a turn");
        this.postponed.push(what.clientOrderId);
      },
      opensInMs: (what) => {
        const nowMs = time.nowMs();
        const openMs = options.opensAtMs?.(what, nowMs);
        return openMs === undefined ? undefined : openMs - nowMs;
      },
      onWaitsForSession: ({ clientOrderId }, untilMs) => {
        assert(this.inbox.isInTurn, "a wait is reported in a turn");
        this.waits.push({ clientOrderId, untilMs });
      },
      onQuarantine: (what) => {
        assert(this.inbox.isInTurn, "a quarantine is told in a turn");
        this.quarantined.push(what.clientOrderId);
      },
    });
  }

  /** Reads the disk back. */
  recover(): void {
    for (const [key, value] of [...this.world.disk.rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (key >= TABLES.outbox.range.gte && key < TABLES.outbox.range.lt) this.outbox.recover(key, value);
    }
  }

  /** Reads the disk back and starts. */
  start(): this {
    this.recover();
    this.outbox.start();
    return this;
  }

  /** Submits orders in one turn. */
  submit(...orders: readonly OutboxOrder[]): void {
    this.inbox.enqueue(() => {
      for (const what of orders) this.outbox.submit(what);
    });
  }

  /** A person's decision, in a turn of its own; answers once it is durable. */
  release(sequence: number, decision: OrderDecision): Promise<Result<PendingOrderRecord>> {
    return new Promise((resolve) => {
      this.inbox.enqueue(() => {
        const answer = this.outbox.releaseInTurn(sequence, decision);
        if (answer.ok) this.journal.afterDurable(() => resolve(answer));
        else resolve(answer);
      });
    });
  }

  outcomeOf(clientOrderId: string): OrderOutcome | undefined {
    const found = this.told.filter((told) => told.clientOrderId === clientOrderId);
    assert(found.length <= 1, `${clientOrderId} ended ${found.length} times`);
    return found[0]?.outcome;
  }

  stateOf(clientOrderId: string): string | undefined {
    return this.outbox.pending().find((pending) => pending.clientOrderId === clientOrderId)?.state;
  }

  /** The process dies: its plans do not happen, its received reports are forgotten. */
  crash(isBatchKept = false): void {
    this.journal.crash(isBatchKept);
    this.inbox.isDead = true;
    this.outbox.stop();
    this.world.time.forgetAll();
  }

  #countedTimers(): Timers {
    const { time } = this.world;
    return {
      soon: (task) => time.soon(task),
      after: (delayMs, task) => {
        this.timerCount += 1;
        this.timerCountMax = Math.max(this.timerCountMax, this.timerCount);
        let isOver = false;
        const end = (): void => {
          if (!isOver) this.timerCount -= 1;
          isOver = true;
        };
        const cancel = time.after(delayMs, () => {
          end();
          task();
        });
        return () => {
          end();
          cancel();
        };
      },
    };
  }
}

/** A brokerage with a wide quota and a process for each life. `writeMs`: how long a batch takes. */
export function setUp(change: Partial<BrokerageSettings> = {}, writeMs = 0) {
  const world = new World();
  const brokerage = new ScriptedBrokerage(world.time, settings({ ordersPerMinute: 1_000, ...change }));
  const run = (): Process => new Process(world, [brokerage], { writeMs: () => writeMs });
  const startMs = world.time.nowMs();
  return { world, brokerage, run, time: world.time, startMs };
}

/** An answer that comes after so long. */
export function later<T>(world: World, delayMs: number, answer: () => BrokerReply<T>): Promise<BrokerReply<T>> {
  return new Promise((resolve) => void world.time.after(delayMs, () => resolve(answer())));
}

/** The entry that is on the disk. */
export function storedEntry({ disk }: World, sequence: number): OutboxEntry {
  const key = outboxKey(sequence);
  const bytes = disk.rows.get(key);
  assert(bytes !== undefined, `nothing is stored under ${key}`);
  const row = decodeRow(key, bytes);
  assert(row.kind === "order");
  return row.entry;
}
