/** The actor host over a real journal, watchbook and inbox: what an event changes, and what of it is kept. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { renderStored } from "../../../engine/partition/kinds.ts";
import { hashOfPair } from "../../../engine/store/journal/set-hash.ts";
import { parseGroup } from "../../../src/contract/stored/snapshot.ts";
import type { OcoGroup, OcoRow } from "../../../src/domain/oco/group.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import type { Execution } from "../../../src/domain/order/execution.ts";
import { newNumber } from "../../../src/domain/order/order-number.ts";
import type { WakeEvent } from "../../../src/machine/wake-event.ts";
import { OTHER_ID_MIN, World } from "./host-world.ts";

/** As `World.open` makes them. */
const sampleRows = openGroup(
  {
    stopLoss: { price: 9_000, quantity: 30 },
    takeProfits: [
      { price: 11_000, quantity: 10 },
      { price: 12_000, quantity: 20 },
    ],
    ...{ dueAtMs: null, notes: null },
  },
  { userId: 7, brokerageCode: "PAPER", accountNumber: "A1", symbol: "THYAO", hasOversellGuard: false },
  [1, 2, 3],
  0,
).rows as [OcoRow, OcoRow, OcoRow];

/** A sell that is reported as completed without its lots, about which the brokerage is asked at `askAtMs`. */
function unclearSell(askAtMs: number): Execution {
  return {
    ...{ clientOrderId: "abcdefghij-r3", symbol: "THYAO", buySell: 2, quantity: 20, limitPrice: null },
    ...{ needsPrice: false, createdDate: null, orders: [newNumber("B-3", null)], phase: "unclear" },
    ...{ sinceMs: askAtMs - 1_000, askCount: 0, lookCount: 0, askAtMs, missingSinceMs: null, end: null },
  };
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
    // Once more with what the sold one left (behaviour 4.5b).
    for (const name of ["r1", "r1-1"]) {
      world.host.deliver("group", 1, { type: "orderRefused", name, message: "no", timeMs: 5 });
    }
    assert.equal(world.watchbook.prices.size, 1);
    world.tick(120);
    assert.deepEqual(world.names(), ["abcdefghij-r2", "abcdefghij-r1", "abcdefghij-r1-1", "abcdefghij-r3"]);
  });

  test("every event is handed on with what its payload is rendered from again", () => {
    const world = new World();
    world.open(1);
    world.tick(110);
    world.host.deliver("group", 1, { type: "orderRefused", name: "r2", message: "no", timeMs: 4 });
    world.tick(90);
    world.host.deliver("group", 1, {
      type: "orderPlaced",
      name: "r1",
      orderNo: "B-1",
      orderStatus: 2,
      quantity: 10,
      timeMs: 5,
    });
    assert.deepEqual(
      world.events.map(({ type }) => type),
      ["oco.triggerFailed", "oco.triggered", "oco.cancelled"],
    );
    const render = renderStored((_id, name) => `abcdefghij-${name}`);
    for (const { type, payload, source } of world.events) {
      assert.ok(source !== undefined);
      assert.deepEqual(render({ ...source, context: JSON.parse(source.context) }, type), payload);
    }
  });

  test("an ended actor moves to the archive, and leaves watch, deadline and claim", async () => {
    const world = new World();
    world.open(1, { dueAtMs: world.time.nowMs() + 5_000 });
    assert.equal(world.watchbook.deadlines.size, 1);
    world.host.deliver("group", 1, { type: "cancel", timeMs: world.time.nowMs() });
    await world.settle();
    assert.equal(world.watchbook.prices.size + world.watchbook.deadlines.size, 0);
    assert.deepEqual(
      ["a/", "z/", "v/", "c/"].map((prefix) => world.keys(prefix).length),
      [0, 1, 1, 0],
    );
    assert.equal(world.host.find("group", 1)?.isEnded, true);
    assert.equal(world.host.deliver("group", 1, { type: "cancel", timeMs: 1 }), false);
  });

  test("two things that are due at one moment are both done, one after the other", async () => {
    const world = new World();
    const dueMs = world.time.nowMs() + 5_000;
    const [stopLoss, sold, sent] = sampleRows;
    world.open(1, {
      rows: [stopLoss, { ...sold, status: 2 }, { ...sent, status: 2 }],
      ladder: {
        ...{ rungs: [{ afterTakeProfits: 1, to: "entry", offset: 0 }], entryPrice: 100, tickTable: "BIST" },
        ...{ climbed: 0, dueAtMs: dueMs },
      },
      followed: [{ row: 2, execution: unclearSell(dueMs) }],
    });
    const { deadlines } = world.watchbook;
    const pass = (): void => {
      assert.equal(deadlines.popDue(dueMs), 1);
      world.host.wake(1, { type: "deadline", timeMs: dueMs });
    };
    const group = () => world.host.find("group", 1)?.context as OcoGroup;
    pass();
    assert.equal(group().rows[0]?.price, 10_000, "the stop-loss rises");
    assert.equal(group().followed[0]?.execution.askCount, 0);
    assert.equal(deadlines.nextTimeMs(), dueMs);
    pass();
    assert.equal(group().followed[0]?.execution.askCount, 1, "the brokerage is asked");
    assert.ok((deadlines.nextTimeMs() ?? 0) > dueMs);
  });

  test("an answer and a report of one moment give what they give one after the other, as one change", async () => {
    for (const filledQuantity of [30, 12, 0]) {
      const timeMs = 5;
      const placed = { type: "orderPlaced", name: "r1", clientOrderId: "abcdefghij-r1", timeMs } as const;
      const answer = { ...placed, orderNo: "B-1", orderStatus: 2, quantity: 30 };
      const sold = { symbol: "THYAO", buySell: 2, orderStatus: 2 } as const;
      const record = { ...sold, orderNo: "B-1", clientOrderId: "abcdefghij-r1" };
      const report: WakeEvent = {
        ...{ type: "orderUpdated", mayReclaim: false, timeMs },
        record: { ...record, quantity: 30, filledQuantity, averagePrice: 90 },
      };
      const [together, apart] = [new World(), new World()];
      for (const world of [together, apart]) {
        world.open(1);
        world.tick(90);
      }
      together.host.wake(1, answer, report);
      apart.host.wake(1, answer);
      apart.host.wake(1, report);
      await Promise.all([together.settle(), apart.settle()]);
      assert.deepEqual(together.disk.entries, apart.disk.entries);
      assert.deepEqual(together.events, apart.events);
      assert.deepEqual(together.host.find("group", 1), apart.host.find("group", 1));
      assert.equal(together.watchbook.deadlines.nextTimeMs(), apart.watchbook.deadlines.nextTimeMs());
    }
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

  test("a last price of 60 s is believed; an older one, or one of a clock that was set back, says nothing", () => {
    for (const [ageMs, count] of [
      [60_000, 1],
      [60_001, 0],
      [-5_000, 1],
      [-5_001, 0],
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
    world.host.deliver("group", 1, { type: "orderRefused", name: "r1", message: "no", timeMs: 5 });
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

describe("an event for another kind of actor", () => {
  test("is not swallowed: it is not delivered, and the log says so", () => {
    const world = new World();
    world.open(1);
    const record = { orderNo: "B-1", symbol: "THYAO", buySell: 1, orderStatus: 2, filledQuantity: 1, averagePrice: 1 };
    assert.equal(world.host.deliver("setup", 1, { type: "groupOpened", groupId: 2, timeMs: 1 }), false);
    assert.equal(world.host.deliver("family", 1, { type: "deadline", timeMs: 1 }), false);
    assert.equal(
      world.host.deliver("levelBot", 1, { type: "orderUpdated", record: { ...record, buySell: 1 }, timeMs: 1 }),
      false,
    );
    assert.deepEqual(world.logged, Array(3).fill("an event went to a wrong actor"));
    assert.deepEqual(world.keys("q/"), []);
  });
});

describe("an actor that fails", () => {
  test("is quarantined alone, changes nothing, and leaves the watch", async () => {
    const world = new World();
    world.open(1);
    world.open(OTHER_ID_MIN, { groupId: OTHER_ID_MIN, symbol: "GARAN" });
    await world.settle();
    const stored = world.disk.entries.get(world.keys("a/")[0] ?? "");
    world.isBroken = true;
    world.tick(110);
    world.isBroken = false;
    await world.settle();
    assert.deepEqual(world.quarantined, [1]);
    assert.deepEqual(world.names(), []);
    assert.equal(world.watchbook.prices.size, 3);
    assert.deepEqual(world.disk.entries.get(world.keys("a/")[0] ?? ""), stored);
    world.host.deliver("group", OTHER_ID_MIN, { type: "cancel", timeMs: 1 });
    assert.equal(world.host.find("group", OTHER_ID_MIN)?.isEnded, true);
  });

  test("gets what it failed on and what came since when it is released", async () => {
    const world = new World();
    world.open(1);
    world.isBroken = true;
    world.tick(110);
    world.isBroken = false;
    assert.equal(world.host.deliver("group", 1, { type: "cancel", timeMs: 9 }), true);
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

  test("gets all events of the moment in which it failed", () => {
    const world = new World();
    world.open(1);
    world.tick(90);
    const placed = {
      type: "orderPlaced",
      name: "r1",
      orderNo: "B-1",
      orderStatus: 2,
      quantity: 30,
      timeMs: 5,
    } as const;
    world.isBroken = true;
    world.host.wake(1, placed, { type: "cancel", timeMs: 5 } as unknown as WakeEvent);
    world.isBroken = false;
    assert.deepEqual(
      world.host.quarantine.find(1)?.held.map(({ type }) => type),
      ["orderPlaced", "cancel"],
    );
  });

  test("stays quarantined over a restart, with what was held", async () => {
    const world = new World();
    world.open(1);
    world.isBroken = true;
    world.tick(90);
    world.isBroken = false;
    await world.restart();
    assert.equal(world.watchbook.prices.size, 0);
    assert.equal(world.host.quarantine.has(1), true);
    assert.equal(world.host.release(1), true);
    assert.deepEqual(world.names(), ["abcdefghij-r1"]);
    await world.settle();
    assert.deepEqual(world.keys("q/"), []);
  });

  test("whose snapshot cannot be read is quarantined at the start, and the others are armed", async () => {
    const world = new World();
    world.open(1);
    world.open(OTHER_ID_MIN, { groupId: OTHER_ID_MIN, symbol: "GARAN" });
    await world.settle();
    const [key = ""] = world.keys("a/");
    const text = Buffer.from(world.disk.entries.get(key) ?? "").toString();
    world.disk.entries.set(key, Buffer.from(text.replace('"watching"', '"sleeping"').replace(",30,", ",-3,")));
    await world.restart();
    assert.deepEqual(world.host.quarantine.ids(), [1]);
    assert.equal(world.watchbook.prices.size, 3);
  });

  test("a second failure at its release quarantines it again with all of it", () => {
    const world = new World();
    world.open(1);
    world.isBroken = true;
    world.tick(110);
    assert.equal(world.host.release(1), true);
    assert.equal(world.host.quarantine.has(1), true);
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

  test("know by their snapshot what their view row holds; an older snapshot, unpacked, is read and it is looked up", async () => {
    const world = new World();
    world.open(10);
    await world.settle();
    const [viewKey = ""] = world.keys("v/");
    const [key = ""] = world.keys("a/");
    for (const isOld of [false, true]) {
      const stored = JSON.parse(Buffer.from(world.disk.entries.get(key) ?? "").toString());
      const hash = hashOfPair(viewKey, world.disk.entries.get(viewKey) ?? new Uint8Array());
      assert.equal(stored.viewHash, hash.toString(16));
      if (isOld) {
        const { viewHash: _unknown, ...older } = stored;
        older.context = parseGroup(stored.context);
        world.disk.entries.set(key, Buffer.from(JSON.stringify(older)));
      }
      await world.restart();
      const [name, price] = isOld ? ["r12", 120] : ["r11", 110];
      world.tick(price);
      world.host.deliver("group", 10, {
        type: "orderPlaced",
        name,
        orderNo: "B",
        orderStatus: 2,
        quantity: 10,
        timeMs: world.time.nowMs(),
      });
      await world.settle();
      const rows = JSON.parse(`[${Buffer.from(world.disk.entries.get(viewKey) ?? "").toString()}]`);
      assert.equal(rows[isOld ? 2 : 1].status, 2);
    }
  });

  test("an actor of another kind is not found under a kind", () => {
    const world = new World();
    world.open(1);
    assert.equal(world.host.find("setup", 1), undefined);
    assert.equal(world.host.find("group", 2), undefined);
  });
});
