/** Orders whose fate cannot be looked up, and a person's decisions about them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { outboxKey } from "../../../../engine/order/outbox/entry/entry.ts";
import type { BrokerageSettings, BrokerReply, OrderRecord } from "../../../../src/contract/trading/order.ts";
import { failed, order, Process, recordOf, ScriptedBrokerage, settings, World } from "./harness.ts";

/** An order without any answer of the brokerage. */
async function setUp(change: Partial<BrokerageSettings> = { resend: "none" }) {
  const world = new World();
  const { time } = world;
  const brokerage = new ScriptedBrokerage(time, settings(change));
  brokerage.onPlace = () => failed("UNKNOWN", "no answer in time");
  const life = new Process(world, [brokerage]).start();
  life.submit(order("c-1"));
  await time.turns();
  return { world, time, brokerage, life };
}

describe("a brokerage that promises nothing", () => {
  test("its unknown order goes to quarantine: stored, reported once, never sent again", async () => {
    const { world, time, brokerage, life } = await setUp();
    assert.deepEqual(life.quarantined, ["c-1"]);
    assert.equal(life.errors.length, 1);
    assert.equal(life.outbox.stats().quarantineCount, 1);
    await time.advance(600_000);
    life.crash();
    const second = new Process(world, [brokerage]).start();
    await time.advance(600_000);
    assert.deepEqual(brokerage.sent, ["c-1"]);
    assert.deepEqual(second.quarantined, []);
    const [waiting] = second.outbox.quarantined();
    assert.deepEqual(waiting, { ...life.outbox.quarantined()[0], attempt: 1 });
    assert.equal(waiting?.reason, "no answer in time");
    assert.equal(second.outbox.stats().laneCount, 0);
  });

  test("an order that it may have got before a crash goes there too, one that it cannot have got is sent", async () => {
    const world = new World();
    const brokerage = new ScriptedBrokerage(world.time, settings({ resend: "none" }));
    brokerage.onPlace = () => new Promise(() => {});
    const first = new Process(world, [brokerage]).start();
    first.submit(order("c-1"), order("c-2"));
    await world.time.turns();
    first.crash();
    const second = new Process(world, [brokerage]).start();
    await world.time.turns();
    assert.deepEqual(second.quarantined, ["c-1"]);
    assert.deepEqual(brokerage.sent, ["c-1", "c-2"]);
  });
});

describe("a release", () => {
  test("that comes before the turn that stores the quarantine stands", async () => {
    const world = new World();
    const { time } = world;
    const brokerage = new ScriptedBrokerage(time, settings({ resend: "none" }));
    let life: Process | undefined;
    brokerage.onPlace = async () => {
      // Queued first, so that its turn comes before the turn that the answer below asks for.
      life?.inbox.enqueue(() => life?.outbox.releaseInTurn(1, { action: "refused", message: "never arrived" }));
      return failed("UNKNOWN");
    };
    life = new Process(world, [brokerage]).start();
    life.submit(order("c-1"));
    await time.turns();
    assert.equal(life.outcomeOf("c-1")?.type, "refused");
    assert.deepEqual(life.quarantined, []);
    assert.deepEqual(world.disk.keys("o/0"), []);
  });

  test("to send again is durable before it is sent, and makes a mark of its own", async () => {
    const { world, time, brokerage, life } = await setUp();
    brokerage.onPlace = () => brokerage.accept();
    const answer = life.release(1, { action: "resend" });
    await time.turns();
    assert.equal((await answer).ok, true);
    assert.deepEqual(brokerage.sent, ["c-1", "c-1"]);
    assert.equal(life.outcomeOf("c-1")?.type, "placed");
    assert(!world.disk.rows.has(outboxKey(1)));
  });

  test("to send again that had another unknown outcome goes back to quarantine", async () => {
    const { time, life } = await setUp();
    void life.release(1, { action: "resend" });
    await time.turns();
    assert.equal(life.stateOf("c-1"), "quarantined");
    assert.deepEqual(life.quarantined, ["c-1", "c-1"]);
  });

  test("as placed or refused ends the order with that outcome", async () => {
    for (const [decision, outcome] of [
      [
        { action: "placed", orderNo: "N5" },
        { type: "placed", orderNo: "N5", orderStatus: 0 },
      ],
      [
        { action: "refused", message: "asked the desk" },
        { type: "refused", code: "REJECTED", message: "asked the desk" },
      ],
    ] as const) {
      const { world, time, life } = await setUp();
      const answer = life.release(1, decision);
      await time.turns();
      assert.equal((await answer).ok, true);
      assert.deepEqual(life.outcomeOf("c-1"), outcome);
      assert(!world.disk.rows.has(outboxKey(1)));
    }
  });

  test("is answered once it is durable, and a crash before leaves the order in quarantine", async () => {
    const world = new World();
    const brokerage = new ScriptedBrokerage(world.time, settings({ resend: "none" }));
    brokerage.onPlace = () => failed("UNKNOWN");
    const life = new Process(world, [brokerage], { writeMs: () => 50 }).start();
    life.submit(order("c-1"));
    await world.time.advance(1_000);
    let isAnswered = false;
    void life.release(1, { action: "resend" }).then(() => {
      isAnswered = true;
    });
    await world.time.advance(49);
    assert.equal(isAnswered, false);
    life.crash();
    const second = new Process(world, [brokerage]).start();
    await world.time.advance(600_000);
    assert.equal(second.stateOf("c-1"), "quarantined");
    assert.deepEqual(brokerage.sent, ["c-1"]);
  });

  test("of what is not there or not waiting is refused", async () => {
    const { time, brokerage, life } = await setUp();
    brokerage.onPlace = () => new Promise(() => {});
    const answers = [
      life.release(99, { action: "resend" }),
      life.release(1, { action: "resend" }),
      life.release(1, { action: "refused", message: "second thoughts" }),
    ];
    await time.turns();
    const codes = (await Promise.all(answers)).map((answer) => (answer.ok ? "ok" : answer.code));
    assert.deepEqual(codes, ["NOT_FOUND", "ok", "CONFLICT"]);
    assert.deepEqual(brokerage.sent, ["c-1", "c-1"]);
  });

  test("of an order that is being settled makes a look-up's late answer void", async () => {
    const { time, brokerage, life, world } = await setUp({ resend: "query", settleMs: 1_000 });
    let answerLookUp: (reply: BrokerReply<OrderRecord>) => void = () => {};
    brokerage.onFind = () =>
      new Promise((resolve) => {
        answerLookUp = resolve;
      });
    await time.advance(1_000);
    assert.deepEqual(brokerage.lookedUp, ["c-1"]);
    void life.release(1, { action: "placed", orderNo: "N5" });
    await time.turns();
    answerLookUp({ ok: true, data: recordOf({ clientOrderId: "c-1", accountNumber: "A1" }, "N6") });
    await time.advance(120_000);
    assert.deepEqual(life.outcomeOf("c-1"), { type: "placed", orderNo: "N5", orderStatus: 0 });
    assert.deepEqual(world.disk.keys("o/"), []);
    assert.equal(life.outbox.stats().laneCount, 0);
  });

  test("of an order that waits for its look-up makes that void", async () => {
    const { time, brokerage, life } = await setUp({ resend: "query", settleMs: 1_000 });
    brokerage.onPlace = () => brokerage.accept();
    void life.release(1, { action: "resend" });
    await time.advance(60_000);
    assert.deepEqual(brokerage.sent, ["c-1", "c-1"]);
    assert.deepEqual(brokerage.lookedUp, []);
    assert.equal(life.outcomeOf("c-1")?.type, "placed");
  });

  test("of an idempotent order never leads to a refusal as unreachable", async () => {
    const { time, brokerage, life } = await setUp({ resend: "idempotent" });
    brokerage.onPlace = () => failed("NOT_SENT");
    void life.release(1, { action: "resend" });
    await time.advance(600_000);
    assert.equal(life.outcomeOf("c-1"), undefined);
  });
});

test("operators page through what waits, in commit order", async () => {
  const { time, life } = await setUp();
  life.submit(order("c-2"), order("c-3"), order("c-4"));
  await time.turns();
  const sequences = (page: object) => life.outbox.pending(page).map(({ sequence }) => sequence);
  assert.deepEqual(sequences({ limit: 2 }), [1, 2]);
  assert.deepEqual(sequences({ limit: 2, afterSequence: 2 }), [3, 4]);
  assert.deepEqual(sequences({ limit: 2, afterSequence: 4 }), []);
  assert.deepEqual(life.outbox.quarantined({ limit: 1 })[0], {
    sequence: 1,
    clientOrderId: "c-1",
    userId: 7,
    brokerageCode: "TEST",
    accountNumber: "A1",
    symbol: "THYAO",
    state: "quarantined",
    attempt: 1,
    since: "2026-01-05T09:00:00.000Z",
    reason: "no answer in time",
  });
});
