/** Who goes first, how many go, and who waits for whom. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { WINDOW_MS } from "../../../../../engine/order/outbox/lane/pacing.ts";
import type { OutboxOrder } from "../../../../../engine/ports/order.ts";
import type { BrokerageSettings } from "../../../../../src/contract/trading/order.ts";
import { failed, order, Process, recordOf, ScriptedBrokerage, settings, World } from "../harness.ts";

function setUp(change: Partial<BrokerageSettings> = {}) {
  const world = new World();
  const brokerage = new ScriptedBrokerage(world.time, settings(change));
  const run = (): Process => new Process(world, [brokerage]);
  return { world, brokerage, run, time: world.time };
}

/** The most calls that any 60 s hold. */
function mostWithinWindow(timesMs: readonly number[]): number {
  let start = 0;
  let most = 0;
  timesMs.forEach((timeMs, index) => {
    while ((timesMs[start] ?? timeMs) <= timeMs - WINDOW_MS) start += 1;
    most = Math.max(most, index - start + 1);
  });
  return most;
}

describe("urgency", () => {
  test("orders that become durable together leave stop-losses first, then triggered, then clients', each in commit order", async () => {
    const { brokerage, run, time } = setUp();
    const life = run().start();
    const client = { urgency: "client", origin: { kind: "command", commandId: "k" } } as const;
    life.submit(
      order("client-1", client),
      order("triggered-1"),
      order("stop-1", { urgency: "stopLoss" }),
      order("client-2", client),
      order("triggered-2"),
      order("stop-2", { urgency: "stopLoss" }),
    );
    await time.turns();
    assert.deepEqual(brokerage.sent, ["stop-1", "stop-2", "triggered-1", "triggered-2", "client-1", "client-2"]);
  });

  test("it counts across the accounts that share a quota", async () => {
    const { brokerage, run, time } = setUp({ ordersPerMinute: 1 });
    const life = run().start();
    life.submit(order("first"));
    await time.turns();
    life.submit(
      order("client", { urgency: "client", accountNumber: "A2" }),
      order("triggered", { accountNumber: "A3" }),
      order("stop", { urgency: "stopLoss", accountNumber: "A4" }),
    );
    await time.advance(3 * WINDOW_MS);
    assert.deepEqual(brokerage.sent, ["first", "stop", "triggered", "client"]);
  });
});

describe("independence", () => {
  test("one order of an account is on its way at a time, and accounts go in parallel", async () => {
    const { brokerage, run, time } = setUp();
    const onTheWay = new Map<string, number>();
    let parallelMax = 0;
    brokerage.onPlace = ({ accountNumber }) => {
      assert.equal(onTheWay.get(accountNumber) ?? 0, 0);
      onTheWay.set(accountNumber, 1);
      parallelMax = Math.max(parallelMax, [...onTheWay.values()].filter((count) => count === 1).length);
      return new Promise((resolve) => {
        time.after(100, () => {
          onTheWay.set(accountNumber, 0);
          resolve(brokerage.accept());
        });
      });
    };
    const life = run().start();
    for (const accountNumber of ["A1", "A2", "A3"]) {
      for (const index of [1, 2, 3]) life.submit(order(`${accountNumber}-${index}`, { accountNumber }));
    }
    await time.advance(300);
    assert.equal(life.told.length, 9);
    assert.equal(parallelMax, 3);
  });

  test("a brokerage or an account that hangs delays nobody else", async () => {
    const world = new World();
    const { time } = world;
    const hanging = new ScriptedBrokerage(time, settings({ code: "HANGS" }));
    hanging.onPlace = () => new Promise(() => {});
    hanging.onFind = () => new Promise(() => {});
    const healthy = new ScriptedBrokerage(time, settings());
    const life = new Process(world, [hanging, healthy]).start();
    healthy.onPlace = ({ accountNumber }) => (accountNumber === "STUCK" ? new Promise(() => {}) : healthy.accept());
    for (let index = 0; index < 10; index += 1) {
      life.submit(
        order(`h-${index}`, { brokerageCode: "HANGS" }),
        order(`s-${index}`, { accountNumber: "STUCK" }),
        order(`c-${index}`),
        order(`u-${index}`, { userId: 8 }),
      );
    }
    await time.turns();
    assert.equal(life.told.filter(({ clientOrderId }) => /^[cu]-/.test(clientOrderId)).length, 20);
    assert.equal(hanging.sent.length, 1);
  });

  test("look-ups of one account that hang do not hold up those of another, nor become a burst", async () => {
    const { brokerage, run, time } = setUp({ ordersPerMinute: 1_000, settleMs: 1_000 });
    let hangingCount = 0;
    brokerage.onPlace = () => failed("UNKNOWN");
    brokerage.onFind = ({ accountNumber, clientOrderId }) => {
      if (accountNumber === "A2") {
        return { ok: true, data: recordOf({ clientOrderId: clientOrderId ?? "", accountNumber }, "N1") };
      }
      hangingCount += 1;
      return new Promise(() => {});
    };
    const life = run().start();
    for (let index = 0; index < 50; index += 1) life.submit(order(`c-${index}`));
    life.submit(order("d", { accountNumber: "A2" }));
    await time.advance(2_000);
    assert.equal(life.outcomeOf("d")?.type, "placed");
    assert.equal(hangingCount, 4);
  });
});

describe("quota", () => {
  test("ten thousand orders at once all leave, within the quota, stop-losses first, with one timer", async () => {
    const { brokerage, run, time } = setUp({ ordersPerMinute: 500 });
    const life = run().start();
    const orders: OutboxOrder[] = [];
    for (let index = 0; index < 10_000; index += 1) {
      const urgency = index % 10 === 9 ? "stopLoss" : "triggered";
      orders.push(order(`${urgency}-${index}`, { urgency, accountNumber: `A${index % 7}` }));
    }
    life.submit(...orders);
    await time.advance(19 * WINDOW_MS);
    assert.equal(life.told.length, 10_000);
    assert.equal(new Set(brokerage.sent).size, 10_000);
    assert.equal(brokerage.sent.length, 10_000);
    assert.equal(mostWithinWindow(brokerage.calls.map(({ atMs }) => atMs)), 500);
    assert(brokerage.sent.slice(0, 1_000).every((name) => name.startsWith("stopLoss")));
    assert(life.timerCountMax <= 1, `${life.timerCountMax} timers`);
  });

  test("re-sends count, look-ups do not", async () => {
    const { brokerage, run, time } = setUp({ ordersPerMinute: 3, settleMs: 1_000 });
    brokerage.onPlace = () => failed("UNKNOWN");
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(10 * WINDOW_MS);
    const sends = brokerage.calls.filter(({ operation }) => operation === "place").map(({ atMs }) => atMs);
    assert.equal(mostWithinWindow(sends), 3);
    // An eleventh window's orders are just due at its end.
    assert.equal(sends.length, 31);
    assert.equal(brokerage.lookedUp.length, 30);
  });

  test("a step of the wall clock opens no quota", async () => {
    const { brokerage, run, time, world } = setUp({ ordersPerMinute: 2 });
    const life = run().start();
    life.submit(order("c-1"), order("c-2"), order("c-3"));
    await time.turns();
    world.stepClock(3_600_000);
    await time.advance(WINDOW_MS - 1);
    assert.equal(brokerage.sent.length, 2);
    await time.advance(1);
    assert.equal(brokerage.sent.length, 3);
  });

  test("a restart in the middle opens no full quota and loses none", async () => {
    const { brokerage, run, time } = setUp({ ordersPerMinute: 50 });
    let life = run().start();
    life.submit(...Array.from({ length: 200 }, (_, index) => order(`c-${index}`)));
    for (let index = 0; index < 9; index += 1) {
      await time.advance(25_000);
      life.crash();
      await time.advance(300);
      life = run().start();
    }
    await time.advance(60_000);
    assert.deepEqual(
      brokerage.sent,
      Array.from({ length: 200 }, (_, index) => `c-${index}`),
    );
    // Ages are stored in whole seconds, rounded so that none counts for too short.
    assert(mostWithinWindow(brokerage.calls.map(({ atMs }) => atMs)) <= 50);
  });

  test("attempts that had no outcome before a restart count too", async () => {
    const { brokerage, run, time } = setUp({ ordersPerMinute: 2 });
    brokerage.onPlace = () => new Promise(() => {});
    const first = run().start();
    first.submit(order("a"), order("b", { accountNumber: "A2" }));
    await time.turns();
    assert.equal(brokerage.sent.length, 2);
    first.crash();
    const second = run().start();
    second.submit(order("c", { accountNumber: "A3", urgency: "stopLoss" }));
    await time.advance(WINDOW_MS - 1);
    assert.equal(brokerage.sent.length, 2);
    await time.advance(1_001);
    assert(brokerage.sent.includes("c"));
  });
});

test("a quota whose row cannot be read is written over, not beside", async () => {
  const { run, time, world } = setUp();
  const key = "o/pace/0000000000000007/TEST";
  world.disk.rows.set(key, Buffer.from("torn"));
  const life = run().start();
  life.submit(order("c-1"));
  await time.turns();
  assert.equal(life.outcomeOf("c-1")?.type, "placed");
  assert.deepEqual(Object.keys(world.disk.json(key) ?? {})[0], "version");
});

test("a lane without work is forgotten once its quota is whole, with its row", async () => {
  const { run, time, world } = setUp();
  const life = run().start();
  life.submit(order("c-1"));
  await time.turns();
  assert.deepEqual(world.disk.keys("o/"), ["o/pace/0000000000000007/TEST"]);
  assert.equal(life.outbox.stats().laneCount, 1);
  await time.advance(WINDOW_MS);
  assert.equal(life.outbox.stats().laneCount, 0);
  assert.deepEqual(world.disk.keys("o/"), []);
  assert.equal(life.timerCount, 0);
  life.submit(order("c-2"));
  await time.turns();
  assert.equal(life.outcomeOf("c-2")?.type, "placed");
});

test("orders one after the other share a timer, and the lane is forgotten once the last of them has left the quota", async () => {
  const { run, time } = setUp();
  const life = run().start();
  for (const name of ["c-1", "c-2", "c-3"]) {
    life.submit(order(name));
    await time.advance(WINDOW_MS / 4);
    assert.equal(life.outcomeOf(name)?.type, "placed");
    assert.equal(life.timerCount, 1);
  }
  await time.advance(WINDOW_MS / 2);
  assert.deepEqual([life.outbox.stats().laneCount, life.timerCount], [1, 1]);
  await time.advance(WINDOW_MS / 4);
  assert.deepEqual([life.outbox.stats().laneCount, life.timerCount], [0, 0]);
});
