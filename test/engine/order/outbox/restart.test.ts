/**
 * A start is a recovery: an order that was never sent leaves immediately, an order that may have been sent is settled
 * first.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { outboxKey } from "../../../../engine/order/outbox/entry/entry.ts";
import type { BrokerReply, OrderAnswer } from "../../../../src/contract/trading/order.ts";
import { failed, order, Process, ScriptedBrokerage, settings, setUp, storedEntry } from "./harness.ts";

const SETTLE_MS = 20_000;

describe("restart", () => {
  const silent = (): Promise<BrokerReply<OrderAnswer>> => new Promise(() => {});

  test("an order that was never attempted goes at once, one that was is settled first", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = silent;
    const first = run().start();
    first.submit(order("c-1"), order("c-2"));
    await time.turns();
    assert.deepEqual(brokerage.sent, ["c-1"]);
    first.crash();
    brokerage.onPlace = () => brokerage.accept();
    const second = run().start();
    await time.turns();
    assert.deepEqual(brokerage.sent, ["c-1", "c-2"]);
    assert.equal(second.stateOf("c-1"), "settling");
    await time.advance(SETTLE_MS);
    assert.deepEqual(brokerage.lookedUp, ["c-1"]);
    assert.deepEqual(brokerage.sent, ["c-1", "c-2", "c-1"]);
    assert.equal(second.outcomeOf("c-1")?.type, "placed");
  });

  test("idempotent: all go again, in commit order, and unreachable is no refusal", async () => {
    const { brokerage, run, time } = setUp({ resend: "idempotent" });
    brokerage.onPlace = silent;
    const first = run().start();
    first.submit(order("c-1"), order("c-2"), order("c-3"));
    await time.turns();
    first.crash();
    brokerage.onPlace = () => failed("NOT_SENT");
    const second = run().start();
    await time.advance(600_000);
    assert.deepEqual(second.told, []);
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(20_000);
    assert.equal(second.told.length, 3);
  });

  test("idempotent: a short outage after it keeps the commit order", async () => {
    const { brokerage, run, time } = setUp({ resend: "idempotent" });
    brokerage.onPlace = silent;
    const first = run().start();
    first.submit(order("c-1"), order("c-2"), order("c-3"));
    await time.turns();
    first.crash();
    brokerage.onPlace = () => failed("NOT_SENT");
    const second = run().start();
    await time.advance(20_000);
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(10_000);
    assert.deepEqual(
      second.told.map(({ clientOrderId }) => clientOrderId),
      ["c-1", "c-2", "c-3"],
    );
  });

  test("expiry: waits for the moment that was stored, not for a new one", async () => {
    const { brokerage, run, time } = setUp({ resend: "expiry", expiryMs: 5_000 });
    brokerage.onPlace = silent;
    const first = run().start();
    first.submit(order("c-1"));
    await time.advance(2_000);
    first.crash();
    run().start();
    await time.advance(3_999);
    assert.deepEqual(brokerage.lookedUp, []);
    await time.advance(1);
    assert.deepEqual(brokerage.lookedUp, ["c-1"]);
  });

  test("twenty restarts in ten seconds send nothing twice", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = silent;
    let life = run().start();
    life.submit(order("c-1"));
    await time.turns();
    for (let index = 0; index < 20; index += 1) {
      await time.advance(500);
      life.crash();
      life = run().start();
    }
    assert.deepEqual(brokerage.sent, ["c-1"]);
    await time.advance(SETTLE_MS);
    assert.deepEqual(brokerage.sent, ["c-1", "c-1"]);
  });

  test("an attempt under one promise is settled by the weaker one after the brokerage's settings changed", async () => {
    for (const [stored, current, expected] of [
      ["idempotent", "query", "settling"],
      ["idempotent", "none", "quarantined"],
      ["query", "idempotent", "settling"],
      ["none", "idempotent", "quarantined"],
    ] as const) {
      const { brokerage, run, time, world } = setUp({ resend: stored });
      brokerage.onPlace = silent;
      const first = run().start();
      first.submit(order("c-1"));
      await time.turns();
      first.crash();
      const changed = new ScriptedBrokerage(time, settings({ resend: current }));
      const second = new Process(world, [changed]).start();
      await time.turns();
      assert.equal(second.stateOf("c-1"), expected, `${stored} to ${current}`);
      assert.deepEqual(changed.calls, []);
    }
  });

  test("what was never sent under a promise is marked before it is sent under another", async () => {
    const { brokerage, run, time, world } = setUp();
    brokerage.onPlace = silent;
    const first = run().start();
    first.submit(order("c-1"), order("c-2"));
    await time.turns();
    first.crash();
    const changed = new ScriptedBrokerage(time, settings({ resend: "idempotent" }));
    changed.onPlace = () => failed("UNKNOWN");
    new Process(world, [changed]).start();
    await time.turns();
    assert.deepEqual(changed.sent, ["c-2"]);
    assert.equal(storedEntry(world, 2).promise, "idempotent");
  });

  test("a row that cannot be read is quarantined alone", async () => {
    const { brokerage, run, time, world } = setUp();
    world.disk.rows.set(outboxKey(1), Buffer.from("{}"));
    world.disk.sequence = 1;
    const life = run().start();
    life.submit(order("c-2"));
    await time.turns();
    assert.deepEqual(brokerage.sent, ["c-2"]);
    assert.equal(life.outbox.stats().unreadableCount, 1);
    assert.deepEqual(life.errors, ["an outbox row cannot be read: it is not sent"]);
    assert(world.disk.rows.has(outboxKey(1)));
  });

  test("an order whose brokerage is no longer configured waits for its return", async () => {
    for (const resend of ["idempotent", "query"] as const) {
      const { brokerage, run, time, world } = setUp({ resend });
      brokerage.onPlace = silent;
      const first = run().start();
      first.submit(order("c-1"));
      await time.turns();
      first.crash();
      const without = new Process(world, []).start();
      await time.advance(600_000);
      assert.equal(without.outcomeOf("c-1"), undefined);
      without.crash();
      brokerage.onPlace = () => brokerage.accept();
      const third = run().start();
      await time.advance(60_000);
      assert.equal(third.outcomeOf("c-1")?.type, "placed");
    }
  });
});
