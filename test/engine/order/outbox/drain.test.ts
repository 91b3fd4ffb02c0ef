/** A polite end: nothing is begun any more, and the next start knows as much as can be known. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { failed, later, order, setUp, storedEntry } from "./harness.ts";

describe("a polite end of the outbox", () => {
  test("waits for the answers to what is on its way, and tells them", async () => {
    const { brokerage, run, time, world } = setUp({ resend: "none" });
    brokerage.onPlace = () => later(world, 500, () => brokerage.accept());
    const life = run().start();
    life.submit(order("c-1"), order("c-2"));
    await time.turns();
    const drained = life.outbox.drain();
    await time.advance(500);
    await drained;
    await time.turns();
    assert.equal(life.outcomeOf("c-1")?.type, "placed");
    assert.deepEqual(brokerage.sent, ["c-1"]);
  });

  test("does not wait for ever: what is unknown then is settled at the next start", async () => {
    const { brokerage, run, time, world } = setUp({ resend: "none" });
    brokerage.onPlace = () => new Promise(() => {});
    const life = run().start();
    life.submit(order("c-1"));
    await time.turns();
    const drained = life.outbox.drain();
    await time.advance(2_000);
    await drained;
    await time.turns();
    assert.equal(storedEntry(world, 1).attempt, 1);
    life.crash();
    const next = run().start();
    await time.turns();
    assert.deepEqual(next.quarantined, ["c-1"]);
  });

  test("an order that was marked and never left is sent at the next start as if for the first time", async () => {
    const { brokerage, run, time } = setUp({ resend: "none" }, 40);
    const life = run().start();
    life.submit(order("c-1"));
    // Marked in the batch that is on its way to the disk.
    await time.advance(20);
    const drained = life.outbox.drain();
    await time.advance(200);
    await drained;
    assert.deepEqual(brokerage.sent, []);
    life.crash(true);
    const next = run().start();
    await time.advance(200);
    assert.deepEqual(brokerage.sent, ["c-1"]);
    assert.deepEqual(next.quarantined, []);
    assert.equal(next.outcomeOf("c-1")?.type, "placed");
  });

  test("an order that was certainly not accepted is sent again at the next start", async () => {
    const { brokerage, run, time } = setUp({ resend: "none" });
    brokerage.onPlace = () => failed("NOT_SENT");
    const life = run().start();
    life.submit(order("c-1"));
    await time.turns();
    assert.equal(life.stateOf("c-1"), "retrying");
    void life.outbox.drain();
    await time.turns();
    life.crash(true);
    brokerage.onPlace = () => brokerage.accept();
    const next = run().start();
    await time.turns();
    assert.equal(next.outcomeOf("c-1")?.type, "placed");
    assert.deepEqual(next.quarantined, []);
  });

  test("what may exist keeps its mark", async () => {
    const { brokerage, run, time, world } = setUp({ resend: "query" });
    brokerage.onPlace = () => failed("UNKNOWN");
    const life = run().start();
    life.submit(order("c-1"));
    await time.turns();
    assert.equal(life.stateOf("c-1"), "settling");
    void life.outbox.drain();
    await time.turns();
    assert.equal(storedEntry(world, 1).attempt, 1);
  });
});
