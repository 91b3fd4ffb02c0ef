/** The way of an order from the batch to its outcome. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { outboxKey } from "../../../../engine/order/outbox/entry/entry.ts";
import { failed, later, order, setUp, storedEntry } from "./harness.ts";

const KEY = outboxKey(1);

describe("sending", () => {
  test("nothing is sent before its entry is durable", async () => {
    const { brokerage, run, time, world } = setUp({}, 40);
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(39);
    assert.deepEqual(brokerage.sent, []);
    await time.advance(1);
    assert.deepEqual(brokerage.sent, ["c-1"]);
    assert.equal(storedEntry(world, 1).attempt, 1);
  });

  test("nothing is sent before the start", async () => {
    const { brokerage, run, time } = setUp();
    const life = run();
    life.submit(order("c-1"));
    await time.advance(60_000);
    assert.deepEqual(brokerage.sent, []);
    life.outbox.start();
    await time.turns();
    assert.deepEqual(brokerage.sent, ["c-1"]);
    await time.advance(600_000);
    assert.deepEqual(brokerage.sent, ["c-1"]);
  });

  test("an order's outcome is told in the batch that removes its entry", async () => {
    const { brokerage, run, time, world } = setUp({}, 40);
    const life = run().start();
    life.submit(order("c-1", { referenceOrderNo: "R1" }));
    await time.advance(40);
    assert.deepEqual(life.outcomeOf("c-1"), { type: "placed", orderNo: "N1", orderStatus: 1 });
    assert.equal(brokerage.calls[0]?.operation, "chain");
    assert(world.disk.rows.has(KEY) && !world.disk.rows.has("told/c-1"));
    await time.advance(40);
    assert(!world.disk.rows.has(KEY) && world.disk.rows.has("told/c-1"));
    assert.deepEqual(life.outbox.pending(), []);
  });

  test("accepted sells of groups are settled with others of their 10 ms; other orders, and refusals, immediately", async () => {
    const { brokerage, run, time } = setUp();
    const life = run().start();
    const names = ["P-r1", "P-r2", "P-r3", "c-1", "P-r4"];
    brokerage.onPlace = ({ clientOrderId }) => (clientOrderId === "P-r4" ? failed("REJECTED") : brokerage.accept());
    for (const [index, name] of names.entries()) life.submit(order(name, { accountNumber: `A${index}` }));
    await time.advance(1);
    const told = (): string[] => life.told.map(({ clientOrderId }) => clientOrderId).toSorted();
    assert.deepEqual(told(), ["P-r1", "P-r4", "c-1"]);
    await time.advance(10);
    assert.deepEqual(told(), names.toSorted());
  });

  test("a stop settles at once what waits to be settled", async () => {
    const { run, time } = setUp();
    const life = run().start();
    for (const index of [1, 2, 3]) life.submit(order(`P-r${index}`, { accountNumber: `A${index}` }));
    await time.advance(1);
    assert.equal(life.told.length, 1);
    life.outbox.stop();
    await time.turns();
    assert.equal(life.told.length, 3);
  });

  test("an order that can leave at once costs one write before it leaves, one that waits is marked when it leaves", async () => {
    const { brokerage, run, time, world } = setUp();
    brokerage.onPlace = () => later(world, 500, () => brokerage.accept());
    const attemptsWhenSent: unknown[] = [];
    const life = run().start();
    life.submit(order("c-1"), order("c-2"));
    await time.turns();
    attemptsWhenSent.push(storedEntry(world, 1).attempt);
    assert.equal(life.journal.batchCount, 1);
    assert.equal(storedEntry(world, 2).attempt, 0);
    await time.advance(500);
    assert.deepEqual(brokerage.sent, ["c-1", "c-2"]);
    assert.equal(storedEntry(world, 2).attempt, 1);
  });

  test("under the promise of idempotence no order is marked", async () => {
    const { brokerage, run, time, world } = setUp({ resend: "idempotent" });
    brokerage.onPlace = () => new Promise(() => {});
    run()
      .start()
      .submit(order("c-1"), order("c-2", { accountNumber: "A2" }));
    await time.turns();
    assert.equal(brokerage.sent.length, 2);
    assert.equal(storedEntry(world, 1).attempt, 0);
  });

  test("an order that is in the outbox already is a bug, and so is one that is no order", () => {
    const { run } = setUp();
    const { outbox } = run();
    outbox.submit(order("c-1"));
    assert.throws(() => outbox.submit(order("c-1")), /in the outbox already/);
    assert.throws(() => outbox.submit(order("c-2", { quantity: -1 })));
  });

  test("what an adapter throws is an unknown outcome", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => {
      throw new Error("broken");
    };
    const life = run().start();
    life.submit(order("c-1"));
    await time.turns();
    assert.equal(life.stateOf("c-1"), "settling");
    assert.deepEqual(life.errors, ["a brokerage's adapter threw"]);
  });

  test("after the stop nothing is sent, and answers are still told", async () => {
    const { brokerage, run, time, world } = setUp();
    brokerage.onPlace = () => later(world, 500, () => brokerage.accept());
    const life = run().start();
    life.submit(order("c-1"), order("c-2"));
    await time.turns();
    life.outbox.stop();
    await time.advance(60_000);
    assert.deepEqual(brokerage.sent, ["c-1"]);
    assert.equal(life.outcomeOf("c-1")?.type, "placed");
    assert(world.disk.rows.has(outboxKey(2)));
  });
});

describe("a brokerage that certainly did not accept", () => {
  test("is tried again for 30 s, then the order is refused", async () => {
    const { brokerage, run, time, startMs } = setUp();
    brokerage.onPlace = () => failed("NOT_SENT", "no responder");
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(29_999);
    assert.equal(life.outcomeOf("c-1"), undefined);
    assert.equal(life.stateOf("c-1"), "retrying");
    assert.deepEqual(life.outbox.pending()[0]?.reason, "no responder");
    await time.advance(1);
    assert.deepEqual(life.outcomeOf("c-1"), {
      type: "refused",
      code: "UNAVAILABLE",
      message: "brokerage unreachable",
    });
    const delays = brokerage.calls.map(({ atMs }) => atMs - startMs);
    assert.deepEqual(delays.slice(0, 8), [0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300]);
    assert.equal(delays.at(-1), 30_000);
    await time.advance(600_000);
    assert.equal(brokerage.sent.length, delays.length);
  });

  test("holds the account's later orders back, and nobody else's", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = ({ accountNumber }) => (accountNumber === "A1" ? failed("NOT_SENT") : brokerage.accept());
    const life = run().start();
    life.submit(order("c-1"), order("c-2"), order("d-1", { accountNumber: "A2" }));
    await time.advance(1_000);
    assert.equal(life.outcomeOf("d-1")?.type, "placed");
    assert(!brokerage.sent.includes("c-2"));
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(5_000);
    assert.deepEqual(
      life.told.map(({ clientOrderId }) => clientOrderId),
      ["d-1", "c-1", "c-2"],
    );
  });

  test("lets a stop-loss go ahead of orders that were not accepted", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = ({ clientOrderId }) => (clientOrderId === "c-1" ? failed("NOT_SENT") : brokerage.accept());
    const life = run().start();
    life.submit(order("c-1"), order("c-2"));
    await time.advance(50);
    life.submit(order("stop", { urgency: "stopLoss" }));
    await time.turns();
    assert.equal(life.outcomeOf("stop")?.type, "placed");
    assert.deepEqual(brokerage.sent, ["c-1", "stop"]);
  });

  test("without a session a client is told at once, and a triggered order waits for it", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => failed("UNAUTHORIZED");
    const life = run().start();
    life.submit(order("c-1", { urgency: "client", origin: { kind: "command", commandId: "k" } }));
    life.submit(order("c-2", { accountNumber: "A2" }));
    await time.advance(3_000);
    const message = "log in to the brokerage first";
    assert.deepEqual(life.outcomeOf("c-1"), { type: "refused", code: "UNAUTHORIZED", message });
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(5_000);
    assert.equal(life.outcomeOf("c-2")?.type, "placed");
  });

  test("an order of a brokerage that is not configured is refused as unreachable", async () => {
    const { run, time } = setUp();
    const life = run().start();
    life.submit(order("c-1", { brokerageCode: "GONE" }));
    await time.advance(30_000);
    assert.equal(life.outcomeOf("c-1")?.type, "refused");
  });
});
