// tier: full
/** Events reach a user's targets at least once and in order; a failing target harms no other. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { EventToSend, Sent } from "../../../engine/notification/sender.ts";
import { Targets } from "../../../engine/notification/targets.ts";
import { PartitionInbox } from "../../../engine/partition/inbox.ts";
import { firstHead, type Head } from "../../../engine/store/journal/head.ts";
import { type StoredTarget, storedTargetSchema, type TargetBody } from "../../../src/contract/trading/notification.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { checkedJournal } from "../../support/store/checked-journal.ts";
import { MemoryDisk } from "../../support/store/memory-store.ts";

const HOUR_MS = 60 * 60 * 1000;
const shared = { name: "mine", events: ["oco.*"], isActive: true };
const hook = (url: string): TargetBody => ({ kind: "webhook", name: url, events: ["oco.*"], isActive: true, url });

class World {
  readonly time = new FakeTime();
  readonly disk = new MemoryDisk();
  readonly events: { userId: number; sequence: number; id: string; type: string }[] = [];
  readonly sent: string[] = [];
  readonly logged: object[] = [];
  readonly #log: Log = {
    ...{ debug: () => {}, error: () => {} },
    info: (fields) => void this.logged.push(fields),
    warn: (fields) => void this.logged.push(fields),
  };
  /** Answers of a target of this URL, to all or to one event (`url e1`); default: it takes everything. */
  readonly answers = new Map<string, Sent>();
  targets!: Targets;

  async start(): Promise<this> {
    const { time, disk, events } = this;
    const stored = disk.entries.get("head");
    const head: Head =
      stored === undefined
        ? firstHead("abcdefghij", { partition: 0, partitions: 1 }, 0)
        : JSON.parse(Buffer.from(stored).toString());
    const store = disk.open({ timers: time, writeMs: () => 1 });
    const lastOf = (userId: number) => events.findLast((event) => event.userId === userId)?.sequence ?? 0;
    const opening = Targets.open({
      ...{ store, journal: checkedJournal(store, head, time), inbox: new PartitionInbox(time) },
      ...{ clock: time, timers: time, log: this.#log, randomBytes: (count: number) => new Uint8Array(count) },
      history: {
        get durableThrough() {
          return events.at(-1)?.sequence ?? 0;
        },
        lastOf,
        since: async (userId, after) => ({
          events: events.filter((event) => event.userId === userId && event.sequence > after),
          through: events.at(-1)?.sequence ?? 0,
          isLast: true,
          gapTo: null,
        }),
      },
      sender: { whyNot: () => undefined, send: async (target, event) => this.#send(target, event) },
    });
    await time.turns();
    this.targets = await opening;
    this.targets.start();
    return this;
  }

  #send({ body }: StoredTarget, { id }: EventToSend): Sent {
    const url = body.kind === "webhook" ? body.url : body.kind === "telegram" ? body.chatId : "";
    const answer = this.answers.get(`${url} ${id}`) ?? this.answers.get(url) ?? { ok: true };
    this.sent.push(`${url} ${id}${answer.ok ? "" : " failed"}`);
    return answer;
  }

  happen(userId: number, type = "oco.created"): void {
    const sequence = this.events.length + 1;
    this.events.push({ userId, sequence, id: `e${sequence}`, type });
  }

  async create(userId: number, url: string): Promise<number> {
    const made = this.targets.create(userId, hook(url));
    await this.time.advance(10);
    assert(made.ok);
    return made.value.id;
  }

  crash(): void {
    this.targets.stop();
    this.time.forgetAll();
    this.disk.crash(() => false);
  }
}

describe("notification targets", () => {
  test("get the wanted events of their owner from now on, in order", async () => {
    const world = await new World().start();
    world.happen(1);
    await world.create(1, "a");
    for (const [userId, type] of [
      [1, "oco.created"],
      [2, "oco.created"],
      [1, "order.placed"],
      [1, "oco.triggered"],
    ] as const) {
      world.happen(userId, type);
    }
    await world.time.advance(2_000);
    assert.deepEqual(world.sent, ["a e2", "a e5"]);
  });

  test("go on after a crash where they were, an event at least once", async () => {
    const world = await new World().start();
    await world.create(1, "a");
    world.happen(1);
    await world.time.advance(2_000);
    world.crash();
    world.happen(1);
    await world.start();
    await world.time.advance(2_000);
    assert.deepEqual([...new Set(world.sent)], ["a e1", "a e2"]);
  });

  test("that fail are tried again with growing pauses, and hold up nobody else", async () => {
    const world = await new World().start();
    const failing = await world.create(1, "bad");
    await world.create(1, "good");
    world.answers.set("bad", {
      ok: false,
      message: "answered 500",
      detail: null,
      concern: "target",
      retryAfterMs: null,
    });
    world.happen(1);
    await world.time.advance(60_000);
    const tries = world.sent.filter((line) => line === "bad e1 failed").length;
    assert.ok(tries >= 5 && tries <= 8, `${tries} tries in a minute`);
    assert.ok(world.sent.includes("good e1"));
    const view = world.targets.list(1).find(({ id }) => id === failing);
    assert.deepEqual([view?.state, view?.failureMessage], ["failing", "answered 500"]);
    world.answers.clear();
    await world.time.advance(120_000);
    assert.equal(world.sent.at(-1), "bad e1");
    assert.equal(world.targets.list(1).find(({ id }) => id === failing)?.state, "idle");
  });

  test("that fail for a day, or say that they are gone, are dead until their owner updates them", async () => {
    const world = await new World().start();
    const id = await world.create(1, "bad");
    const gone = await world.create(2, "gone");
    world.answers.set("bad", { ok: false, message: "refused", detail: null, concern: "target", retryAfterMs: null });
    world.answers.set("gone", {
      ok: false,
      message: "answered 410",
      detail: null,
      concern: "gone",
      retryAfterMs: null,
    });
    world.happen(1);
    world.happen(2);
    await world.time.advance(1_000);
    assert.equal(world.targets.list(2).find((target) => target.id === gone)?.state, "dead");
    await world.time.advance(26 * HOUR_MS);
    assert.equal(world.targets.list(1)[0]?.state, "dead");
    const count = world.sent.length;
    world.happen(1);
    await world.time.advance(HOUR_MS);
    assert.equal(world.sent.length, count);
    world.answers.clear();
    assert.equal(world.targets.update(1, id, hook("bad")).ok, true);
    world.happen(1);
    await world.time.advance(2_000);
    assert.deepEqual(world.sent.slice(count), ["bad e4"]);
  });

  test("refuse one event for good: it is left out after three tries and counted, and the later ones arrive", async () => {
    const world = await new World().start();
    const id = await world.create(1, "a");
    const refused = { message: "the server refused it (status 400)", detail: null };
    world.answers.set("a e1", { ok: false, ...refused, concern: "message", retryAfterMs: null });
    world.happen(1);
    world.happen(1, "oco.triggered");
    await world.time.advance(10_000);
    assert.deepEqual(world.sent, ["a e1 failed", "a e1 failed", "a e1 failed", "a e2"]);
    const view = world.targets.list(1)[0];
    assert.deepEqual([view?.state, view?.failureMessage, view?.skippedCount], ["idle", null, 1]);
    assert.deepEqual([view?.lastSkipped?.eventId, view?.lastSkipped?.message], ["e1", refused.message]);
    assert.deepEqual(world.logged.at(-1), {
      event: "target.refusedEvent",
      targetId: id,
      userId: 1,
      eventId: "e1",
      type: "oco.created",
      ...refused,
    });
    world.crash();
    await world.start();
    await world.time.advance(2_000);
    assert.equal(world.sent.length, 4, "what was left out stays so over a restart");
    assert.equal(world.targets.list(1)[0]?.skippedCount, 1);
  });

  test("that refuse every event for good are not given up: each is left out, and the next one is sent", async () => {
    const world = await new World().start();
    await world.create(1, "a");
    world.answers.set("a", { ok: false, message: "no", detail: null, concern: "message", retryAfterMs: null });
    for (let count = 0; count < 5; count += 1) world.happen(1);
    await world.time.advance(60_000);
    world.answers.clear();
    world.happen(1);
    await world.time.advance(2_000);
    assert.equal(world.sent.at(-1), "a e6");
    assert.deepEqual([world.targets.list(1)[0]?.state, world.targets.list(1)[0]?.skippedCount], ["idle", 5]);
  });

  test("that ask to be left alone for a while are", async () => {
    const world = await new World().start();
    await world.create(1, "a");
    world.answers.set("a", { ok: false, message: "busy", detail: null, concern: "target", retryAfterMs: 120_000 });
    world.happen(1);
    await world.time.advance(1_000);
    world.answers.clear();
    await world.time.advance(115_000);
    assert.deepEqual(world.sent, ["a e1 failed"]);
    await world.time.advance(10_000);
    assert.deepEqual(world.sent, ["a e1 failed", "a e1"]);
  });

  test("follow a Telegram group that became a supergroup, over a restart too", async () => {
    const world = await new World().start();
    const chat: TargetBody = { ...shared, kind: "telegram", botToken: `1:${"t".repeat(30)}`, chatId: "-42" };
    assert.ok(world.targets.create(1, chat).ok);
    await world.time.advance(10);
    world.answers.set("-42", { ok: true, movedToChatId: "-10042" });
    world.happen(1);
    await world.time.advance(2_000);
    assert.equal(world.targets.list(1)[0]?.address, "-10042");
    world.crash();
    await world.start();
    world.happen(1);
    await world.time.advance(2_000);
    assert.deepEqual(world.sent, ["-42 e1", "-10042 e2"]);
  });

  test("that fail tell the insides to the log, once for each fault, and to nobody else", async () => {
    const world = await new World().start();
    const id = await world.create(1, "bad");
    const refused = { message: "the server is not reachable", detail: "ECONNREFUSED 10.1.2.3:443" };
    world.answers.set("bad", { ok: false, ...refused, concern: "target", retryAfterMs: null });
    world.happen(1);
    await world.time.advance(60_000);
    assert.deepEqual(world.logged, [{ event: "target.failing", targetId: id, userId: 1, ...refused }]);
    const stored = world.disk.entries.keysIn({ gte: "nt/", lt: "nt0" }).map((key) => world.disk.entries.get(key));
    assert.equal(stored.length, 1);
    assert.ok(!stored.some((bytes) => Buffer.from(bytes ?? "").includes("10.1.2.3")));
    const gone = { message: "the server refused it (status 410)", detail: null };
    world.answers.set("bad", { ok: false, ...gone, concern: "gone", retryAfterMs: null });
    await world.time.advance(120_000);
    assert.deepEqual(world.logged.slice(1), [{ event: "target.givenUp", targetId: id, userId: 1, ...gone }]);
    assert.equal(world.targets.list(1)[0]?.failureMessage, gone.message);
  });

  test("are tested now, with the insides of a failure for the log of whoever asked", async () => {
    const world = await new World().start();
    const id = await world.create(1, "bad");
    assert.deepEqual(await world.targets.test(1, id), {
      ok: true,
      value: { delivered: true, message: "The test message was taken", detail: null },
    });
    const refused = { message: "the server is not reachable", detail: "ECONNREFUSED 10.1.2.3:443" };
    world.answers.set("bad", { ok: false, ...refused, concern: "target", retryAfterMs: null });
    assert.deepEqual(await world.targets.test(1, id), { ok: true, value: { delivered: false, ...refused } });
  });

  test("keep when the last message was handed over and what was wrong, over a restart and until the address changes", async () => {
    const world = await new World().start();
    const id = await world.create(1, "a");
    const last = () => world.targets.list(1)[0]?.lastDelivery;
    assert.equal(last(), null, "none yet");
    world.happen(1, "order.placed");
    await world.time.advance(2_000);
    assert.equal(last(), null, "an event that it does not want is no delivery");
    world.happen(1);
    await world.time.advance(2_000);
    const taken = last();
    assert.equal(taken?.message, null);
    assert.ok(Date.parse(taken?.time ?? "") > world.time.nowMs() - 2_000);
    world.answers.set("a", { ok: false, message: "no", detail: "inside", concern: "target", retryAfterMs: null });
    await world.targets.test(1, id);
    assert.deepEqual(last(), { time: new Date(world.time.nowMs()).toISOString(), message: "no" });
    await world.time.advance(100);
    const failed = last();
    world.crash();
    await world.start();
    assert.deepEqual(last(), failed, "over a restart");
    assert.ok(world.targets.update(1, id, { ...hook("a"), isActive: false }).ok);
    assert.deepEqual(last(), failed, "a switch is no other address");
    assert.ok(world.targets.update(1, id, hook("b")).ok);
    assert.equal(last(), null);
  });

  test("that were stored before deliveries were kept have none", () => {
    const { delivery, ...before } = storedTargetSchema.parse({
      ...{ version: 1, userId: 1, targetId: 2, body: hook("https://a.example"), secret: null, createdAtMs: 0 },
      ...{ sentThrough: 0, failure: null },
    });
    assert.deepEqual([delivery, before.skipped], [null, null]);
  });

  test("are their owner's alone, bounded, and silent once inactive or removed", async () => {
    const world = await new World().start();
    const id = await world.create(1, "a");
    assert.deepEqual(world.targets.list(2), []);
    for (const refused of [world.targets.update(2, id, hook("b")), world.targets.remove(2, id)]) {
      assert.equal(refused.ok ? "" : refused.code, "NOT_FOUND");
    }
    assert.equal((await world.targets.test(2, id)).ok, false);
    const other = world.targets.update(1, id, {
      kind: "email",
      name: "x",
      events: ["*"],
      isActive: true,
      address: "a@b.c",
    });
    assert.match(other.ok ? "" : other.message, /kind of a target cannot be changed/);
    world.targets.update(1, id, { ...hook("a"), isActive: false });
    world.happen(1);
    await world.time.advance(2_000);
    assert.deepEqual(world.sent, []);
    assert.equal(world.targets.remove(1, id).ok, true);
    await world.time.advance(10);
    assert.deepEqual(world.disk.entries.keysIn({ gte: "nt/", lt: "nt0" }), []);
    for (let count = 0; count < 20; count += 1) await world.create(3, `u${count}`);
    const more = world.targets.create(3, hook("more"));
    assert.match(more.ok ? "" : more.message, /at most 20 targets/);
  });
});
