/** An outcome that is unknown is settled as the brokerage promised, never by sending blindly. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { failed, order, placed, recordOf, setUp, storedEntry } from "./harness.ts";

const SETTLE_MS = 20_000;

describe("an unknown outcome", () => {
  const unknown = failed("UNAVAILABLE", "no answer in time");

  test("lets the account's later orders go on", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = ({ clientOrderId }) => (clientOrderId === "c-1" ? unknown : brokerage.accept());
    const life = run().start();
    life.submit(order("c-1"), order("c-2"));
    await time.turns();
    assert.equal(life.outcomeOf("c-2")?.type, "placed");
    assert.equal(life.stateOf("c-1"), "settling");
  });

  test("query: is looked up after settleMs, and found it is placed", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => unknown;
    brokerage.onFind = (request) => ({
      ok: true,
      data: { ...recordOf({ clientOrderId: "c-1", ...request }, "N9"), orderStatus: 2 },
    });
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(SETTLE_MS - 1);
    assert.deepEqual(brokerage.lookedUp, []);
    await time.advance(1);
    assert.deepEqual(life.outcomeOf("c-1"), { type: "placed", orderNo: "N9", orderStatus: 2 });
    assert.deepEqual(brokerage.sent, ["c-1"]);
  });

  test("query: not found it is sent again, under the same name and a mark of its own", async () => {
    const { brokerage, run, time, world } = setUp({ settleMs: 3_000 });
    brokerage.onPlace = () => unknown;
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(2_999);
    assert.deepEqual(brokerage.sent, ["c-1"]);
    await time.advance(1);
    assert.deepEqual(brokerage.sent, ["c-1", "c-1"]);
    assert.equal(storedEntry(world, 1).attempt, 2);
    assert.equal(life.outbox.pending()[0]?.attempt, 2);
  });

  test("query: a look-up that fails is repeated until it answers", async () => {
    const { brokerage, run, time } = setUp({ settleMs: 3_000 });
    brokerage.onPlace = () => unknown;
    brokerage.onFind = () => failed("UNAVAILABLE");
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(600_000);
    assert.deepEqual(brokerage.sent, ["c-1"]);
    assert(brokerage.lookedUp.length > 50 && brokerage.lookedUp.length < 80, String(brokerage.lookedUp.length));
    brokerage.onFind = () => failed("NOT_FOUND");
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(10_000);
    assert.equal(life.outcomeOf("c-1")?.type, "placed");
  });

  test("query: after a new attempt unreachable counts again, from that attempt on", async () => {
    const { brokerage, run, time } = setUp({ settleMs: 60_000 });
    brokerage.onPlace = () => unknown;
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(59_999);
    brokerage.onPlace = () => failed("NOT_SENT");
    await time.advance(30_000);
    assert.equal(life.stateOf("c-1"), "retrying");
    await time.advance(1);
    assert.equal(life.outcomeOf("c-1")?.type, "refused");
  });

  test("an attempt that was recalled is not used again: the next has a number of its own, which is stored first", async () => {
    const { brokerage, run, time, world } = setUp();
    const attempts: [number | undefined, number][] = [];
    brokerage.onPlace = ({ fence }) => {
      attempts.push([fence?.attempt, storedEntry(world, 1).attempt]);
      if (attempts.length === 1) return { ok: false, code: "NOT_SENT", message: "not heard", isAttemptSpent: true };
      return attempts.length === 2 ? failed("NOT_SENT") : brokerage.accept();
    };
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(10_000);
    assert.equal(life.outcomeOf("c-1")?.type, "placed");
    // An attempt that is certainly not accepted and may still be passed on keeps its number.
    assert.deepEqual(attempts, [
      [1, 1],
      [2, 2],
      [2, 2],
    ]);
  });

  test("expiry: what was stored is what is sent, and it is looked up once that has passed", async () => {
    const { brokerage, run, time, startMs, world } = setUp({ resend: "expiry", expiryMs: 5_000 });
    brokerage.onPlace = () => unknown;
    run().start().submit(order("c-1"));
    await time.turns();
    assert.equal(storedEntry(world, 1).expiresAtMs, startMs + 5_000);
    assert.equal(brokerage.calls[0]?.expiresAt, new Date(startMs + 5_000).toISOString());
    await time.advance(5_999);
    assert.deepEqual(brokerage.lookedUp, []);
    await time.advance(1);
    assert.deepEqual(brokerage.lookedUp, ["c-1"]);
    assert.equal(storedEntry(world, 1).expiresAtMs, startMs + 11_000);
    assert.equal(brokerage.calls.at(-1)?.expiresAt, new Date(startMs + 11_000).toISOString());
  });

  test("expiry: an order that waited too long in the queue gets a new moment before it leaves", async () => {
    const { brokerage, run, time, startMs } = setUp({ resend: "expiry", expiryMs: 5_000 });
    brokerage.onPlace = () => failed("NOT_SENT");
    run().start().submit(order("c-1"));
    await time.advance(3_200);
    const expiries = brokerage.calls.map(({ atMs, expiresAt }) => [atMs - startMs, Date.parse(expiresAt ?? "")]);
    assert.deepEqual(expiries, [
      ...[0, 100, 300, 700, 1_500].map((sentMs) => [sentMs, startMs + 5_000]),
      [3_100, startMs + 8_100],
    ]);
  });

  test("idempotent: is sent again under its name for as long as it takes", async () => {
    const { brokerage, run, time } = setUp({ resend: "idempotent" });
    brokerage.onPlace = () => unknown;
    const life = run().start();
    life.submit(order("c-1"));
    await time.advance(600_000);
    assert(brokerage.sent.length > 50);
    assert.deepEqual(brokerage.lookedUp, []);
    assert.equal(life.outcomeOf("c-1"), undefined);
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(10_000);
    assert.equal(life.outcomeOf("c-1")?.type, "placed");
  });

  test("idempotent: unreachable afterwards is no refusal, a rejection is one once nothing is found", async () => {
    for (const code of ["NOT_SENT", "UNAUTHORIZED"] as const) {
      const { brokerage, run, time } = setUp({ resend: "idempotent" });
      brokerage.onPlace = () => unknown;
      const life = run().start();
      life.submit(order("c-1", { urgency: "client" }));
      await time.turns();
      brokerage.onPlace = () => failed(code);
      await time.advance(600_000);
      assert.equal(life.outcomeOf("c-1"), undefined, code);
      brokerage.onPlace = () => failed("REJECTED", "no position");
      await time.advance(11_000 + 30_000);
      assert(brokerage.lookedUp.length > 1);
      assert.deepEqual(life.outcomeOf("c-1"), { type: "refused", code: "REJECTED", message: "no position" });
    }
  });

  test("an answer with the number of another order is one", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => placed("N1");
    const life = run().start();
    life.submit(order("c-1"), order("c-2"));
    await time.turns();
    assert.equal(life.outcomeOf("c-1")?.type, "placed");
    assert.equal(life.stateOf("c-2"), "settling");
    assert.deepEqual(life.errors, ["the brokerage answered with the number of another order"]);
  });

  test("an order found under another name, number, symbol or side is not it", async () => {
    for (const wrong of [
      { clientOrderId: "x-9", orderNo: "N7" },
      { clientOrderId: null, orderNo: "N7" },
      { symbol: "GARAN", orderNo: "N7" },
      { buySell: 1 as const, orderNo: "N7" },
      { clientOrderId: "c-2", orderNo: "N1" },
    ]) {
      const { brokerage, run, time } = setUp({ settleMs: 1_000 });
      brokerage.onPlace = ({ clientOrderId }) => (clientOrderId === "c-2" ? unknown : placed("N1"));
      brokerage.onFind = () => ({
        ok: true,
        data: { ...recordOf({ clientOrderId: "c-2", accountNumber: "A1" }, "N1"), ...wrong },
      });
      const life = run().start();
      life.submit(order("c-1"), order("c-2"));
      await time.advance(60_000);
      assert.equal(life.stateOf("c-2"), "settling");
      assert(brokerage.lookedUp.length > 3);
      assert.equal(brokerage.sent.length, 2);
    }
  });

  test("a step of the wall clock does not shorten the wait, nor lengthen it", async () => {
    for (const steppedMs of [3_600_000, -3_600_000]) {
      const { brokerage, run, time, world } = setUp();
      brokerage.onPlace = () => unknown;
      run().start().submit(order("c-1"));
      await time.turns();
      world.stepClock(steppedMs);
      await time.advance(SETTLE_MS - 1);
      assert.deepEqual(brokerage.lookedUp, []);
      await time.advance(1);
      assert.deepEqual(brokerage.lookedUp, ["c-1"]);
    }
  });

  test("expiry: a wall clock that steps forth does not shorten the wait", async () => {
    const { brokerage, run, time, world } = setUp({ resend: "expiry", expiryMs: 5_000 });
    brokerage.onPlace = () => unknown;
    run().start().submit(order("c-1"));
    await time.turns();
    world.stepClock(3_600_000);
    await time.advance(5_999);
    assert.deepEqual(brokerage.sent, ["c-1"]);
    await time.advance(1);
    assert.deepEqual(brokerage.sent, ["c-1", "c-1"]);
  });

  test("expiry: a wall clock that steps back waits until that clock has passed too", async () => {
    const { brokerage, run, time, world } = setUp({ resend: "expiry", expiryMs: 5_000 });
    brokerage.onPlace = () => unknown;
    run().start().submit(order("c-1"));
    await time.turns();
    world.stepClock(-60_000);
    await time.advance(65_999);
    assert.deepEqual(brokerage.sent, ["c-1"]);
    await time.advance(1);
    assert.deepEqual(brokerage.sent, ["c-1", "c-1"]);
  });
});
