/** Which orders can be taken back, and the outcome. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { failed, order, type Process, setUp } from "./harness.ts";

const ofActor = (actorId: number, name: string) => order(name, { origin: { kind: "actor", actorId, name } });

function withdrawOf(life: Process, actorId: number): void {
  life.inbox.enqueue(() => life.outbox.withdrawOf(actorId, "withdrawn"));
}

describe("a withdrawal", () => {
  test("takes back what waits for its quota, of that actor alone, and tells it in the same turn", async () => {
    const { brokerage, run, time, world } = setUp({ ordersPerMinute: 1 });
    const life = run().start();
    life.submit(ofActor(1, "sent"), ofActor(1, "waits"), ofActor(2, "other"), ofActor(1, "waits-too"));
    await time.turns();
    withdrawOf(life, 1);
    await time.turns();
    const refused = { type: "refused", code: "UNAVAILABLE", message: "withdrawn" };
    assert.deepEqual(life.outcomeOf("waits"), refused);
    assert.deepEqual(life.outcomeOf("waits-too"), refused);
    assert.equal(world.disk.keys("o/0").length, 1);
    await time.advance(10 * 60_000);
    assert.deepEqual(brokerage.sent, ["sent", "other"]);
  });

  test("takes back what is tried again and certainly was not accepted, and lets what it held back go at once", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = ({ clientOrderId }) => (clientOrderId === "tried" ? failed("NOT_SENT") : brokerage.accept());
    const life = run().start();
    life.submit(ofActor(1, "tried"), ofActor(2, "held"));
    await time.advance(10_000);
    assert.equal(life.stateOf("tried"), "retrying");
    withdrawOf(life, 1);
    await time.turns();
    assert.equal(life.outcomeOf("tried")?.type, "refused");
    assert.equal(life.outcomeOf("held")?.type, "placed");
  });

  test("leaves alone what is on its way, what may exist, and what waits for a person", async () => {
    for (const resend of ["idempotent", "query", "expiry", "none"] as const) {
      const { brokerage, run, time } = setUp({ resend });
      brokerage.onPlace = ({ accountNumber }) =>
        accountNumber === "HANGS" ? new Promise(() => {}) : failed("UNKNOWN");
      const life = run().start();
      life.submit(order("on-its-way", { accountNumber: "HANGS" }), order("unknown"));
      await time.advance(100);
      withdrawOf(life, 1);
      await time.turns();
      assert.deepEqual(life.told, []);
      assert.equal(life.outbox.pending().length, 2);
    }
  });

  test("before the start takes back what was never sent, and leaves what may have been sent before a crash", async () => {
    for (const resend of ["query", "expiry", "none"] as const) {
      const { brokerage, run, time } = setUp({ resend, ordersPerMinute: 1 });
      brokerage.onPlace = () => new Promise(() => {});
      const first = run().start();
      first.submit(ofActor(1, "sent"), ofActor(1, "waits"));
      await time.turns();
      assert.deepEqual(brokerage.sent, ["sent"]);
      first.crash();
      const second = run();
      second.recover();
      withdrawOf(second, 1);
      await time.turns();
      assert.equal(second.outcomeOf("waits")?.type, "refused", resend);
      assert.equal(second.outcomeOf("sent"), undefined, resend);
      second.outbox.start();
      await time.advance(600_000);
      assert.ok(!brokerage.sent.includes("waits"), resend);
    }
  });

  test("of an order that is not durable yet lets it never leave, whatever a crash keeps", async () => {
    for (const isKept of [true, false]) {
      const { brokerage, run, time } = setUp({ resend: "query" }, 5);
      const life = run().start();
      life.submit(ofActor(1, "fresh"));
      withdrawOf(life, 1);
      await time.turns();
      life.crash(isKept);
      const second = run().start();
      await time.advance(60_000);
      assert.deepEqual(brokerage.sent, []);
      assert.deepEqual(second.told, []);
    }
  });

  test("of an order that is announced leaves nothing behind in its lane", async () => {
    const { brokerage, run, time } = setUp({}, 5);
    const life = run().start();
    life.submit(ofActor(1, "fresh"));
    withdrawOf(life, 1);
    await time.advance(100);
    assert.equal(life.outcomeOf("fresh")?.type, "refused");
    await time.advance(120_000);
    assert.deepEqual(brokerage.sent, []);
    assert.equal(life.outbox.stats().laneCount, 0);
    assert.equal(life.timerCount, 0);
  });

  test("of one order says whether it was there and unsent", async () => {
    const { run, time } = setUp({ ordersPerMinute: 1 });
    const life = run().start();
    life.submit(order("sent"), order("waits"));
    await time.turns();
    const answers: boolean[] = [];
    life.inbox.enqueue(() => {
      for (const clientOrderId of ["sent", "waits", "waits", "never"]) {
        answers.push(life.outbox.withdraw({ brokerageCode: "TEST", clientOrderId }, "not sent"));
      }
    });
    await time.turns();
    assert.deepEqual(answers, [false, true, false, false]);
  });
});
