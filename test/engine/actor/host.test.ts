/** The actor host over a real journal, watchbook and inbox: what an event changes, and what of it is kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActorHost } from "../../../engine/actor/host.ts";
import { type ActorKind, kindOf } from "../../../engine/actor/kind.ts";
import type { Head } from "../../../engine/commit/head.ts";
import { PartitionJournal } from "../../../engine/commit/journal.ts";
import { PartitionInbox } from "../../../engine/inbox.ts";
import { actorKinds } from "../../../engine/kinds.ts";
import type { Fatal, LastPrice, Log, OutboxOrder } from "../../../engine/ports.ts";
import { ReachedBuffer } from "../../../engine/watch/reached-buffer.ts";
import { PartitionWatchbook } from "../../../engine/watch/watchbook.ts";
import { type OcoGroup, openGroup } from "../../../src/domain/oco.ts";
import { livePrice } from "../../../src/domain/price.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { FakeTime } from "../../support/fake-time.ts";
import { MemoryDisk } from "../../support/memory-store.ts";

const FIRST_HEAD: Head = {
  format: 1,
  installation: "abcdefghij",
  partition: 0,
  partitions: 1,
  batch: 0,
  sequence: 0,
  ids: 0,
  liveHash: "0000000000000000",
  archiveHash: "0000000000000000",
  tickPosition: null,
  writtenAtMs: 0,
};
const OWNER = { userId: 7, brokerageCode: "PAPER", accountNumber: "A1", symbol: "THYAO", hasOversellGuard: false };
const OTHER_ID_MIN = 1_000;

const fatal: Fatal = (reason, cause) => {
  throw new Error(reason, { cause });
};

/** A kind of group whose rules fail on command. */
function brittle(isBroken: () => boolean): ActorKind {
  const [kind] = actorKinds.filter(({ name }) => name === "group");
  assert(kind !== undefined);
  return kindOf({
    ...kind,
    facts: (context: object) => {
      if (isBroken()) throw new Error("a rule of ours failed");
      return kind.facts(context);
    },
  });
}

/** What one process holds. */
interface Life {
  readonly host: ActorHost;
  readonly watchbook: PartitionWatchbook;
}

class World {
  readonly time = new FakeTime();
  readonly disk = new MemoryDisk();
  readonly last = new Map<string, LastPrice>();
  isBroken = false;
  readonly submitted: OutboxOrder[] = [];
  readonly events: { readonly type: string; readonly data: object }[] = [];
  readonly poisoned: number[] = [];
  readonly logged: string[] = [];
  readonly #hotActorsMax: number;
  #life: Life;

  constructor(hotActorsMax = 10) {
    this.#hotActorsMax = hotActorsMax;
    this.#life = this.#start();
  }

  get host(): ActorHost {
    return this.#life.host;
  }

  get watchbook(): PartitionWatchbook {
    return this.#life.watchbook;
  }

  #start(): Life {
    const { time } = this;
    const store = this.disk.open({ timers: time });
    const stored = this.disk.entries.get("head");
    const head: Head = stored === undefined ? FIRST_HEAD : JSON.parse(Buffer.from(stored).toString());
    const journal = new PartitionJournal({ store, head, clock: time, timers: time, fatal, tickPosition: () => null });
    const inbox = new PartitionInbox(time);
    const watchbook = new PartitionWatchbook();
    const note = (_fields: object, message: string): void => void this.logged.push(message);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    const host = new ActorHost({
      kinds: [brittle(() => this.isBroken)],
      installation: head.installation,
      journal,
      watchbook,
      inbox,
      outbox: {
        submit: (order) => void this.submitted.push(order),
        withdraw: () => false,
        withdrawOf: () => undefined,
      },
      events: { emit: (_userId, type, data) => void this.events.push({ type, data }) },
      prices: { last: (symbol) => this.last.get(symbol) },
      clock: time,
      log,
      hotActorsMax: this.#hotActorsMax,
      openGroup: () => refuse("INVALID", "no groups of setups here"),
      onPoisoned: (id) => void this.poisoned.push(id),
    });
    return { host, watchbook };
  }

  /** The process starts again from what is durable. */
  async restart(): Promise<void> {
    await this.settle();
    this.time.forgetAll();
    this.#life = this.#start();
    for (const key of this.keys("q/")) this.host.ward.recover(Number(key.slice(2)));
    for (const [key, bytes] of this.disk.entries) {
      if (key.startsWith("a/")) this.host.recover(Number(key.slice(2)), bytes);
    }
  }

  async settle(): Promise<void> {
    await this.time.advance(10);
  }

  /** A group with a stop-loss at 90 and take-profits at 110 and 120. */
  open(id: number, change: Partial<OcoGroup> = {}): void {
    const plan = {
      stopLoss: { price: 9_000, quantity: 30 },
      takeProfits: [
        { price: 11_000, quantity: 10 },
        { price: 12_000, quantity: 20 },
      ],
      dueAtMs: null,
      notes: null,
    };
    const group = openGroup(plan, OWNER, [id, id + 1, id + 2], this.time.nowMs());
    this.host.create("group", id, { ...group, ...change });
  }

  see(price: number, ageMs = 0): void {
    const live = livePrice(price);
    assert(live !== undefined);
    this.last.set("THYAO", { price: live, timeMs: this.time.nowMs() - ageMs });
  }

  /** A tick, as the partition hands it on. */
  tick(price: number, timeMs = this.time.nowMs(), isCaughtUp = false): void {
    const live = livePrice(price);
    assert(live !== undefined);
    const reached = new ReachedBuffer();
    this.watchbook.collect("THYAO", live.floor, live.ceil, reached);
    for (let index = 0; index < reached.length; index += 1) {
      this.host.deliverReached(reached.ownerAt(index), [reached.watchAt(index)], { price, timeMs, isCaughtUp });
    }
  }

  group(id: number): OcoGroup {
    const found = this.host.find("group", id);
    assert(found !== undefined);
    return found.context as OcoGroup;
  }

  names(): string[] {
    return this.submitted.map(({ clientOrderId }) => clientOrderId);
  }

  keys(prefix: string): string[] {
    return [...this.disk.entries.keys()].filter((key) => key.startsWith(prefix));
  }
}

describe("what an event changes", () => {
  test("a new actor is stored, shown, claimed and under watch, all in one batch", async () => {
    const world = new World();
    world.open(1);
    assert.equal(world.watchbook.prices.size, 3);
    assert.equal(world.disk.writeCount, 0);
    await world.settle();
    assert.equal(world.disk.writeCount, 1);
    assert.deepEqual(
      ["a/", "v/", "c/"].map((prefix) => world.keys(prefix).length),
      [1, 1, 1],
    );
    assert.equal(world.host.holderOf("group/7/PAPER/A1/THYAO"), 1);
  });

  test("only the difference of the facts is applied to the watch", () => {
    const world = new World();
    world.open(1);
    world.tick(110);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
    assert.equal(world.watchbook.prices.size, 2);
    world.tick(110);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
    world.tick(90);
    assert.deepEqual(world.names(), ["abcdefghij-r2", "abcdefghij-r1"]);
    assert.equal(world.watchbook.prices.size, 0);
  });

  test("a refused stop-loss puts the open take-profits back under watch, and not the sold one", () => {
    const world = new World();
    world.open(1);
    world.tick(110);
    world.tick(90);
    world.host.deliver(1, { type: "orderRefused", name: "r1", message: "no", timeMs: 5 } as { type: string });
    assert.equal(world.watchbook.prices.size, 1);
    world.tick(120);
    assert.deepEqual(world.names(), ["abcdefghij-r2", "abcdefghij-r1", "abcdefghij-r3"]);
  });

  test("an ended actor moves to the archive, and leaves watch, deadline and claim", async () => {
    const world = new World();
    world.open(1, { dueAtMs: world.time.nowMs() + 5_000 });
    assert.equal(world.watchbook.deadlines.size, 1);
    world.host.deliver(1, { type: "cancel", timeMs: world.time.nowMs() } as { type: string });
    await world.settle();
    assert.equal(world.watchbook.prices.size + world.watchbook.deadlines.size, 0);
    assert.deepEqual(
      ["a/", "z/", "v/", "c/"].map((prefix) => world.keys(prefix).length),
      [0, 1, 1, 0],
    );
    assert.equal(world.host.find("group", 1)?.isEnded, true);
    assert.equal(world.host.deliver(1, { type: "cancel" }), false);
  });

  test("a claim that is held refuses a second actor, and nothing of it is kept", async () => {
    const world = new World();
    world.open(1);
    assert.throws(() => world.open(OTHER_ID_MIN), /claim .* is free/);
    await world.settle();
    assert.equal(world.keys("a/").length, 1);
    assert.equal(world.watchbook.prices.size, 3);
  });

  test("who holds a claim is known before and after it is durable, and after a restart", async () => {
    const world = new World();
    world.open(1);
    assert.equal(world.host.holderOf("group/7/PAPER/A1/THYAO"), 1);
    await world.restart();
    assert.equal(world.host.holderOf("group/7/PAPER/A1/THYAO"), 1);
    assert.equal(world.host.holderOf("group/7/PAPER/A2/THYAO"), undefined);
  });
});

describe("newly armed levels and the last price", () => {
  test("a level that the last price reaches fires in the batch that arms it", async () => {
    const world = new World();
    world.see(111);
    world.open(1);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
    assert.equal(world.group(1).rows[1]?.triggeredPrice, 111);
    await world.settle();
    assert.equal(world.disk.writeCount, 1);
  });

  test("a last price of 60 s is believed, an older one says nothing", () => {
    for (const [ageMs, count] of [
      [60_000, 1],
      [60_001, 0],
    ] as const) {
      const world = new World();
      world.see(89.999, ageMs);
      world.open(1);
      assert.equal(world.names().length, count, `${ageMs} ms`);
    }
  });

  test("a price a hair off the level does not reach it", () => {
    const world = new World();
    world.see(109.999);
    world.open(1);
    world.see(90.001);
    world.open(OTHER_ID_MIN, { groupId: OTHER_ID_MIN, symbol: "GARAN" });
    assert.deepEqual(world.names(), []);
  });

  test("take-profits that come back under watch are checked too", () => {
    const world = new World();
    world.open(1);
    world.tick(90);
    world.see(120);
    world.host.deliver(1, { type: "orderRefused", name: "r1", message: "no", timeMs: 5 } as { type: string });
    assert.deepEqual(world.names(), ["abcdefghij-r1", "abcdefghij-r2", "abcdefghij-r3"]);
  });

  test("recovery arms and fires nothing by itself", async () => {
    const world = new World();
    world.open(1);
    world.see(120);
    await world.restart();
    assert.deepEqual(world.names(), []);
    assert.equal(world.watchbook.prices.size, 3);
  });
});

describe("ticks that are caught up", () => {
  test("one from before the row was armed fires nothing and leaves it under watch", () => {
    const world = new World();
    world.open(1);
    world.tick(110, world.time.nowMs() - 1, true);
    assert.deepEqual(world.names(), []);
    assert.equal(world.watchbook.prices.size, 3);
    world.tick(110);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
  });

  test("one of the arming's own millisecond fires nothing, one from later fires with its own time", () => {
    const world = new World();
    world.open(1);
    const timeMs = world.time.nowMs() + 1;
    world.tick(110, timeMs - 1, true);
    assert.deepEqual(world.names(), []);
    world.tick(110, timeMs, true);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
    assert.equal(world.group(1).rows[1]?.triggeredAtMs, timeMs);
  });

  test("one that is given again after its effect was durable fires nothing more", async () => {
    const world = new World();
    world.open(1);
    const timeMs = world.time.nowMs();
    world.tick(110, timeMs);
    await world.restart();
    world.tick(110, timeMs, true);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
  });
});

describe("an actor that fails", () => {
  test("is set aside alone, changes nothing, and leaves the watch", async () => {
    const world = new World();
    world.open(1);
    world.open(OTHER_ID_MIN, { groupId: OTHER_ID_MIN, symbol: "GARAN" });
    await world.settle();
    const stored = world.disk.entries.get(world.keys("a/")[0] ?? "");
    world.isBroken = true;
    world.tick(110);
    world.isBroken = false;
    await world.settle();
    assert.deepEqual(world.poisoned, [1]);
    assert.deepEqual(world.names(), []);
    assert.equal(world.watchbook.prices.size, 3);
    assert.deepEqual(world.disk.entries.get(world.keys("a/")[0] ?? ""), stored);
    world.host.deliver(OTHER_ID_MIN, { type: "cancel", timeMs: 1 } as { type: string });
    assert.equal(world.host.find("group", OTHER_ID_MIN)?.isEnded, true);
  });

  test("gets what it failed on and what came since when it is released", async () => {
    const world = new World();
    world.open(1);
    world.isBroken = true;
    world.tick(110);
    world.isBroken = false;
    assert.equal(world.host.deliver(1, { type: "cancel", timeMs: 9 } as { type: string }), true);
    await world.settle();
    assert.equal(world.host.release(1), true);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
    assert.deepEqual(
      world.group(1).rows.map(({ status }) => status),
      [4, 1, 4],
    );
    assert.equal(world.watchbook.prices.size, 0);
    assert.equal(world.host.release(1), false);
  });

  test("stays set aside over a restart, with what was held", async () => {
    const world = new World();
    world.open(1);
    world.isBroken = true;
    world.tick(90);
    world.isBroken = false;
    await world.restart();
    assert.equal(world.watchbook.prices.size, 0);
    assert.equal(world.host.ward.has(1), true);
    assert.equal(world.host.release(1), true);
    assert.deepEqual(world.names(), ["abcdefghij-r1"]);
    await world.settle();
    assert.deepEqual(world.keys("q/"), []);
  });

  test("whose snapshot cannot be read is set aside at the start, and the others are armed", async () => {
    const world = new World();
    world.open(1);
    world.open(OTHER_ID_MIN, { groupId: OTHER_ID_MIN, symbol: "GARAN" });
    await world.settle();
    const [key = ""] = world.keys("a/");
    const text = Buffer.from(world.disk.entries.get(key) ?? "").toString();
    world.disk.entries.set(
      key,
      Buffer.from(text.replace('"watching"', '"sleeping"').replace('"quantity":30', '"quantity":-3')),
    );
    await world.restart();
    assert.deepEqual(world.host.ward.ids(), [1]);
    assert.equal(world.watchbook.prices.size, 3);
  });

  test("a second failure at its release sets it aside again with all of it", () => {
    const world = new World();
    world.open(1);
    world.isBroken = true;
    world.tick(110);
    assert.equal(world.host.release(1), true);
    assert.equal(world.host.ward.has(1), true);
    world.isBroken = false;
    assert.equal(world.host.release(1), true);
    assert.deepEqual(world.names(), ["abcdefghij-r2"]);
  });
});

describe("hydrated actors", () => {
  test("are let go beyond the limit, the coldest first, and come back on an event, durable or not", async () => {
    const world = new World(2);
    for (let index = 0; index < 6; index += 1) {
      const id = OTHER_ID_MIN * (index + 1);
      world.open(id, { accountNumber: `A${index}` });
    }
    world.tick(110);
    assert.equal(world.names().length, 6);
    await world.settle();
    world.tick(120);
    assert.equal(world.names().length, 12);
    for (let index = 0; index < 6; index += 1) {
      assert.equal(world.group(OTHER_ID_MIN * (index + 1)).rows.filter(({ isInFlight }) => isInFlight).length, 2);
    }
  });

  test("an actor of another kind is not found under a kind", () => {
    const world = new World();
    world.open(1);
    assert.equal(world.host.find("setup", 1), undefined);
    assert.equal(world.host.find("group", 2), undefined);
  });
});
