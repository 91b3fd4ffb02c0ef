/** Events leave at least once, in order, and only once they are durable; then they are kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EventLog } from "../../../engine/event/event-log.ts";
import { PartitionInbox } from "../../../engine/partition/inbox.ts";
import { firstHead, type Head } from "../../../engine/store/journal/head.ts";
import { PayloadTooLargeError } from "../../../src/bus/port.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { checkedJournal } from "../../support/store/checked-journal.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";

const FIRST_HEAD = firstHead("abcdefghij", { partition: 3, partitions: 4 }, 0);
const WRITE_MS = 5;
const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

class World {
  readonly time = new FakeTime();
  readonly disk = new MemoryDisk();
  /** Messages on the bus, as `subject sequence`. */
  readonly published: string[] = [];
  /** The same, whole. */
  readonly messages: string[] = [];
  readonly errors: string[] = [];
  readonly errorFields: object[] = [];
  isBusAway = false;
  /** True: a flush does not come back. */
  isBusStuck = false;
  flushCount = 0;
  pauseMs = 0;

  async start(): Promise<EventLog> {
    const { time } = this;
    const stored = this.disk.entries.get("head");
    const head: Head = stored === undefined ? FIRST_HEAD : JSON.parse(Buffer.from(stored).toString());
    const store = this.disk.open({ timers: time, writeMs: () => WRITE_MS });
    const journal = checkedJournal(store, head, time);
    const log = new EventLog({
      journal,
      clock: time,
      timers: time,
      inbox: new PartitionInbox(time),
      log: {
        ...silent,
        error: (fields, message) => {
          this.errors.push(message);
          this.errorFields.push(fields);
        },
      },
      partition: head.partition,
      sequence: head.sequence,
      installation: head.installation,
      render: ({ context, data }) => ({ ...(context as object), ...data }),
      publish: (subject, data) => {
        if (subject.endsWith(".huge")) throw new PayloadTooLargeError(subject, 9, 8);
        const message = Buffer.from(data).toString();
        this.messages.push(message);
        const event: { readonly sequence: number } = JSON.parse(message);
        this.published.push(`${subject} ${event.sequence}`);
      },
      pauseMs: this.pauseMs,
      flush: () => {
        this.flushCount += 1;
        if (this.isBusStuck) return new Promise(() => undefined);
        return this.isBusAway ? Promise.reject(new Error("the bus is away")) : Promise.resolve();
      },
    });
    const progress = this.disk.entries.get("m/published");
    if (progress !== undefined) log.recoverProgress(progress);
    const recovered = log.recover(store);
    await time.turns();
    await recovered;
    log.start();
    return log;
  }

  /** Up to which sequence the store knows that events were published. */
  publishedThrough(): number {
    return Number(Buffer.from(this.disk.entries.get("m/published") ?? "0").toString());
  }

  keys(): string[] {
    return this.disk.entries.keysIn({ gte: "e/", lt: "e0" });
  }

  /** A life that emits and dies, while the bus never confirms what it was given. */
  async dieUntaken(emit: (log: EventLog) => void): Promise<void> {
    const log = await this.start();
    this.isBusStuck = true;
    emit(log);
    await this.time.advance(1_000);
    this.crash();
    this.isBusStuck = false;
  }

  /** A life that emits `a` for user 1 and `b` for user 2, each in a row of its own, while the bus is away. */
  async emitTwoInVain(): Promise<EventLog> {
    const log = await this.start();
    this.isBusAway = true;
    log.emit(1, "a", {});
    await this.time.advance(100);
    log.emit(2, "b", {});
    await this.time.advance(3_000);
    return log;
  }

  crash(): void {
    this.time.forgetAll();
    this.disk.crash(() => false);
  }
}

describe("event log", () => {
  test("an event leaves once it is durable, with its id, sequence, time and data", async () => {
    const world = new World();
    const log = await world.start();
    log.emit(7, "oco.triggered", { row: { id: 5 } });
    await world.time.advance(WRITE_MS - 1);
    assert.deepEqual(world.published, []);
    await world.time.advance(1);
    assert.deepEqual(world.published, ["events.7.oco.triggered 1"]);
    const [key = ""] = world.keys();
    const [users, line = ""] = Buffer.from(world.disk.entries.get(key) ?? "")
      .toString()
      .split("\n");
    assert.equal(users, "7");
    assert.deepEqual(JSON.parse(line), {
      id: "abcdefghij-3-1",
      sequence: 1,
      time: "2026-01-05T09:00:00.000Z",
      userId: 7,
      type: "oco.triggered",
      row: { id: 5 },
    });
    assert.deepEqual(world.messages, [line.replace("{", '{"previous":0,')]);
  });

  test("a row that was reached and not sold is an error with row and reason, and is counted", async () => {
    const world = new World();
    const log = await world.start();
    const row = { id: 5, groupId: 4, symbol: "THYAO", orderType: 2, quantity: 10, price: 90, notes: "my own words" };
    const failed = { ...row, triggeredPrice: 89, triggerErrorMessage: "no such account" };
    log.emit(7, "oco.triggered", { row });
    log.emit(7, "oco.triggerFailed", { row: failed });
    await world.time.advance(1_000);
    assert.equal(world.errors.length, 1);
    assert.match(world.errors.join(), /reached and not sold: stop-loss 5 of THYAO .* no such account/);
    const { rowId, groupId, symbol, reason } = world.errorFields[0] as Record<string, unknown>;
    assert.deepEqual([rowId, groupId, symbol, reason], [5, 4, "THYAO", "no such account"]);
    assert.ok(!JSON.stringify(world.errorFields).includes("my own words"));
    assert.equal(log.unsoldCounts["oco.triggerFailed"], 1);
  });

  test("each event names the one before it of the same user, also after a restart", async () => {
    const world = new World();
    const log = await world.start();
    for (const userId of [1, 2, 1]) log.emit(userId, "a", {});
    await world.time.advance(1_000);
    await world.dieUntaken((next) => {
      for (const userId of [2, 3]) next.emit(userId, "a", {});
    });
    world.messages.splice(3, 2);
    const last = await world.start();
    for (const userId of [1, 2, 3]) last.emit(userId, "a", {});
    await world.time.advance(1_000);
    const links = world.messages.map((message) => {
      const { userId, previous, sequence } = JSON.parse(message) as Record<string, number>;
      return `${userId}: ${previous} < ${sequence}`;
    });
    // A new process knows no earlier event of a user: `previous` is the last sequence published before its start.
    assert.deepEqual(links, [
      ...["1: 0 < 1", "2: 0 < 2", "1: 1 < 3"],
      ...["2: 3 < 4", "3: 3 < 5", "1: 3 < 6", "2: 4 < 7", "3: 5 < 8"],
    ]);
  });

  test("an event whose batch was lost in a crash never leaves", async () => {
    const world = new World();
    (await world.start()).emit(7, "oco.triggered", {});
    await world.time.advance(WRITE_MS - 1);
    world.crash();
    await world.start();
    await world.time.advance(10_000);
    assert.deepEqual(world.published, []);
  });

  test("events leave in the order of their sequence and are kept after the bus took them", async () => {
    const world = new World();
    const log = await world.start();
    for (const userId of [1, 2, 3]) log.emit(userId, "oco.cancelled", {});
    await world.time.advance(WRITE_MS);
    log.emit(4, "oco.cancelled", {});
    await world.time.advance(2_000);
    assert.deepEqual(
      world.published,
      [1, 2, 3, 4].map((user) => `events.${user}.oco.cancelled ${user}`),
    );
    assert.equal(world.keys().length, 2);
    assert.equal(world.publishedThrough(), 4);
    assert.equal(log.waitingCount, 0);
  });

  test("an event that is too large for a message is left out and logged, and later ones leave", async () => {
    const world = new World();
    const log = await world.start();
    for (const type of ["a", "huge", "b"]) log.emit(1, type, {});
    await world.time.advance(2_000);
    assert.deepEqual(world.published, ["events.1.a 1", "events.1.b 3"]);
    assert.equal(log.waitingCount, 0);
    assert.equal(Reflect.get(world.errorFields[0] ?? {}, "event"), "event.tooLarge");
  });

  test("a bus that is away gets them all again, in order, when it is back", async () => {
    const world = new World();
    const log = await world.emitTwoInVain();
    assert.equal(log.waitingCount, 2);
    assert.equal(world.keys().length, 2);
    world.isBusAway = false;
    world.published.length = 0;
    await world.time.advance(3_000);
    assert.deepEqual(world.published, ["events.1.a 1", "events.2.b 2"]);
    assert.equal(world.publishedThrough(), 2);
  });

  test("what was published and not surely taken leaves again after a restart, before what is new", async () => {
    const world = new World();
    await world.dieUntaken((log) => log.emit(1, "a", {}));
    assert.deepEqual(world.published, ["events.1.a 1"]);
    const next = await world.start();
    next.emit(2, "b", {});
    await world.time.advance(2_000);
    assert.deepEqual(world.published, ["events.1.a 1", "events.1.a 1", "events.2.b 2"]);
    assert.equal(world.publishedThrough(), 2);
  });

  test("with a pause between them events share a flush, and the first does not wait", async () => {
    const world = new World();
    world.pauseMs = 10 * WRITE_MS;
    const log = await world.start();
    log.emit(1, "a", {});
    await world.time.advance(WRITE_MS);
    assert.deepEqual(world.published, ["events.1.a 1"]);
    for (let user = 2; user < 20; user += 1) {
      log.emit(user, "b", {});
      await world.time.turns();
    }
    await world.time.advance(2 * world.pauseMs);
    assert.equal(world.published.length, 19);
    assert.equal(world.flushCount, 2);
  });

  test("events of one batch share a row, which counts as published when all of them are out", async () => {
    const world = new World();
    const log = await world.start();
    world.isBusAway = true;
    for (const userId of [1, 2, 3]) log.emit(userId, "a", {});
    await world.time.advance(100);
    assert.equal(world.keys().length, 1);
    assert.equal(log.waitingCount, 3);
    world.isBusAway = false;
    await world.time.advance(3_000);
    assert.equal(world.publishedThrough(), 3);
  });

  test("a row that was not surely taken leaves whole after a restart, every event under its own subject", async () => {
    const world = new World();
    await world.dieUntaken((log) => {
      for (const userId of [1, 2, 3]) log.emit(userId, "a", { note: "two\nlines" });
    });
    world.published.length = 0;
    await world.start();
    await world.time.advance(2_000);
    assert.deepEqual(world.published, ["events.1.a 1", "events.2.a 2", "events.3.a 3"]);
    assert.equal(world.publishedThrough(), 3);
  });

  test("an event that is stored as what it is rendered from is the same after a restart", async () => {
    const world = new World();
    const source = { kind: "group", context: '{"of":"group"}', data: { row: 1 } } as const;
    await world.dieUntaken((log) => {
      for (const userId of [1, 2]) log.emit(userId, "a", { of: "group", row: 1 }, source);
    });
    const sent = world.messages.splice(0);
    assert.equal(sent.length, 2);
    await world.start();
    await world.time.advance(2_000);
    assert.deepEqual(world.messages, sent);
    assert.equal(world.publishedThrough(), 2);
  });

  test("a row that cannot be read is reported and left as it is, and the others leave", async () => {
    const world = new World();
    await world.emitTwoInVain();
    const [key = "", ...others] = world.keys();
    assert.equal(others.length, 1);
    world.crash();
    world.disk.entries.set(key, Buffer.from("no event"));
    world.isBusAway = false;
    world.published.length = 0;
    const next = await world.start();
    await world.time.advance(2_000);
    assert.deepEqual(world.published, ["events.2.b 2"]);
    assert.deepEqual(world.keys(), [key, ...others]);
    assert.equal(world.errors.length, 1);
    assert.equal(next.unreadableCount, 1);
  });

  test("however many events one batch has, its rows are bounded and leave in order", async () => {
    const world = new World();
    const log = await world.start();
    const count = 3_000;
    for (let user = 1; user <= count; user += 1) log.emit(user, "a", {});
    await world.time.advance(WRITE_MS);
    assert.equal(world.disk.writeCount, 1);
    assert.equal(world.keys().length, Math.ceil(count / 64));
    await world.time.advance(5_000);
    assert.deepEqual(
      world.published,
      Array.from({ length: count }, (_, index) => `events.${index + 1}.a ${index + 1}`),
    );
    assert.equal(world.publishedThrough(), count);
  });

  test("many rows of one event share a flush", async () => {
    const world = new World();
    world.isBusAway = true;
    const log = await world.start();
    const count = 1_500;
    for (let user = 1; user <= count; user += 1) {
      log.emit(user, "a", {});
      await world.time.advance(WRITE_MS);
    }
    assert.ok(world.keys().length > count / 2, "most of them have a row of their own");
    world.crash();
    world.isBusAway = false;
    world.flushCount = 0;
    world.published.length = 0;
    await world.start();
    await world.time.advance(2_000);
    assert.deepEqual(
      world.published,
      Array.from({ length: count }, (_, index) => `events.${index + 1}.a ${index + 1}`),
    );
    assert.equal(world.flushCount, 2);
    assert.equal(world.publishedThrough(), count);
  });
});
