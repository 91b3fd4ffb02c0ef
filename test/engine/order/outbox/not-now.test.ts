/** An order that the market does not take now: NOT_NOW (behaviour 6.8). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RETRY_LIMIT_MS } from "../../../../engine/order/outbox/settle.ts";
import { failed, order, Process, setUp, storedEntry } from "./harness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const UP = { state: "up", since: null, resend: "idempotent", refusal: null, canTellInstrument: false };
const closed = () => failed("NOT_NOW", "the market is closed");

describe("a triggered sell that is answered NOT_NOW", () => {
  test("is tried after 1, 5 and 30 s and then every minute under its name, for hours, until the market takes it", async () => {
    const { brokerage, run, time, startMs } = setUp();
    const triedMs: number[] = [];
    brokerage.onPlace = () => {
      triedMs.push(time.nowMs() - startMs);
      return closed();
    };
    const life = run().start();
    life.submit(order("stop", { urgency: "stopLoss" }));
    await time.advance(3 * MINUTE_MS);
    assert.deepEqual(triedMs, [0, 1_000, 6_000, 36_000, 96_000, 156_000]);
    await time.advance(8 * HOUR_MS);
    assert.equal(life.told.length, 0);
    assert.deepEqual(new Set(brokerage.sent), new Set(["stop"]));
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(MINUTE_MS);
    assert.deepEqual(
      life.told.map(({ outcome }) => outcome.type),
      ["placed"],
    );
  });

  test("is reported once to its owner", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = closed;
    const life = run().start();
    life.submit(order("stop"), order("other"));
    await time.advance(HOUR_MS);
    assert.deepEqual(life.postponed.sort(), ["other", "stop"]);
  });

  test("holds back no other order of its account", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = ({ symbol }) => (symbol === "HALTED" ? closed() : brokerage.accept());
    const life = run().start();
    life.submit(order("halted", { urgency: "stopLoss", symbol: "HALTED" }), order("well", { urgency: "client" }));
    await time.advance(500);
    assert.deepEqual(
      life.told.map(({ clientOrderId }) => clientOrderId),
      ["well"],
    );
  });

  test("is sent again after a kill without a look-up, and is not quarantined where the brokerage promises nothing", async () => {
    for (const resend of ["none", "query", "expiry"] as const) {
      const { brokerage, run, time, world } = setUp({ resend });
      brokerage.onPlace = closed;
      const first = run().start();
      first.submit(order("stop"));
      await time.advance(40_000);
      const sequence = first.outbox.pending()[0]?.sequence ?? -1;
      assert.equal(storedEntry(world, sequence).attemptRecordedMs, null, resend);
      first.crash();
      brokerage.onPlace = () => brokerage.accept();
      const second = run().start();
      await time.advance(1_000);
      assert.deepEqual(
        second.told.map(({ outcome }) => outcome.type),
        ["placed"],
        resend,
      );
      assert.deepEqual(second.quarantined, []);
      assert.equal(second.outbox.stats().lookUpCount, 0, resend);
    }
  });

  test("has its whole time limit again where the brokerage is not reached after hours of NOT_NOW", async () => {
    const { brokerage, run, time, startMs } = setUp();
    brokerage.onPlace = () => (time.nowMs() - startMs < HOUR_MS ? closed() : failed("NOT_SENT"));
    const life = run().start();
    life.submit(order("stop"));
    await time.advance(HOUR_MS + RETRY_LIMIT_MS);
    assert.equal(life.told.length, 0);
    await time.advance(2 * MINUTE_MS);
    assert.deepEqual(
      life.told.map(({ outcome }) => outcome),
      [{ type: "refused", code: "UNAVAILABLE", message: "brokerage unreachable" }],
    );
  });

  test("can be withdrawn while it waits, and is not sent after that", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = closed;
    const life = run().start();
    life.submit(order("stop"));
    await time.advance(2 * MINUTE_MS);
    const sentCount = brokerage.sent.length;
    life.inbox.enqueue(() => life.outbox.withdraw({ brokerageCode: "TEST", clientOrderId: "stop" }, "switched off"));
    await time.advance(HOUR_MS);
    assert.equal(brokerage.sent.length, sentCount);
    assert.equal(life.told.length, 1);
  });
});

test("a triggered buy that is answered NOT_NOW is refused after 30 s with the brokerage's message", async () => {
  const { brokerage, run, time, startMs } = setUp();
  brokerage.onPlace = closed;
  const life = run().start();
  life.submit(order("buy", { buySell: 1 }));
  await time.advance(HOUR_MS);
  assert.deepEqual(
    life.told.map(({ outcome, atMs }) => [outcome, atMs - startMs]),
    [[{ type: "refused", code: "NOT_NOW", message: "the market is closed" }, RETRY_LIMIT_MS]],
  );
});

test("a client's order that is answered NOT_NOW is refused immediately with this code", async () => {
  const { brokerage, run, time } = setUp();
  brokerage.onPlace = closed;
  const life = run().start();
  life.submit(order("client", { urgency: "client" }));
  await time.advance(100);
  assert.deepEqual(
    life.told.map(({ outcome }) => outcome),
    [{ type: "refused", code: "NOT_NOW", message: "the market is closed" }],
  );
  assert.equal(brokerage.sent.length, 1);
});

test("a repeat that is answered NOT_NOW proves nothing about an attempt in doubt: it is sent again by name", async () => {
  const { brokerage, run, time } = setUp({ resend: "idempotent" });
  let count = 0;
  brokerage.onPlace = () => {
    count += 1;
    return count === 1 ? failed("UNAVAILABLE") : count < 5 ? closed() : brokerage.accept();
  };
  const life = run().start();
  life.submit(order("client", { urgency: "client" }));
  await time.advance(3 * MINUTE_MS);
  assert.deepEqual(
    life.told.map(({ outcome }) => outcome.type),
    ["placed"],
  );
});

describe("a triggered sell in doubt whose repeat is answered NOT_NOW", () => {
  const doubted = (canLookUp: boolean) => {
    const made = setUp({ resend: "idempotent" });
    const sentMs: number[] = [];
    made.brokerage.onPlace = () => {
      sentMs.push(made.time.nowMs() - made.startMs);
      return sentMs.length === 1 ? failed("UNAVAILABLE") : closed();
    };
    Object.assign(made.brokerage, { session: () => ({ ...UP, canLookUp }) });
    made
      .run()
      .start()
      .submit(order("stop", { urgency: "stopLoss" }));
    return { ...made, sentMs };
  };

  test("is looked up until no order can exist, and then waits like every other one", async () => {
    const { time, sentMs, brokerage } = doubted(true);
    await time.advance(2 * MINUTE_MS);
    assert.ok(brokerage.lookedUp.length > 0);
    const [count, lookedUp] = [sentMs.length, brokerage.lookedUp.length];
    await time.advance(10 * MINUTE_MS);
    assert.deepEqual([sentMs.length - count, brokerage.lookedUp.length], [10, lookedUp]);
  });

  test("is sent again with growing pauses, up to a minute, where nothing can be looked up", async () => {
    const { time, sentMs, brokerage } = doubted(false);
    await time.advance(2 * MINUTE_MS);
    const count = sentMs.length;
    await time.advance(10 * MINUTE_MS);
    assert.deepEqual([sentMs.length - count, brokerage.lookedUp], [10, []]);
  });
});

describe("a triggered sell that a closed market does not take (behaviour 21.3)", () => {
  /** Open for the first minute, and again after the hours; the brokerage sees that so much later. */
  function setUpClosed(hours = 8, lateMs = 0) {
    const made = setUp();
    const { world, brokerage, time, startMs } = made;
    const openMs = startMs + hours * HOUR_MS;
    const isOpen = (timeMs: number): boolean => timeMs < startMs + MINUTE_MS || timeMs >= openMs;
    const opensAtMs = (_order: unknown, timeMs: number) => (isOpen(timeMs) ? undefined : openMs);
    const triedMs: number[] = [];
    brokerage.onPlace = () => {
      triedMs.push(time.nowMs() - startMs);
      return time.nowMs() >= openMs + lateMs ? brokerage.accept() : closed();
    };
    const run = (): Process => new Process(world, [brokerage], { writeMs: () => 0, opensAtMs });
    return { ...made, run, openMs, triedMs };
  }

  test("is tried first, then each quarter of an hour and at the opening in place of every minute, and says so once", async () => {
    const { run, time, startMs, openMs, triedMs } = setUpClosed();
    await time.advance(2 * MINUTE_MS);
    const life = run().start();
    life.submit(order("stop", { urgency: "stopLoss" }));
    await time.advance(7 * HOUR_MS);
    assert.deepEqual(triedMs, quartersFrom(2 * MINUTE_MS, 7 * HOUR_MS + 2 * MINUTE_MS));
    assert.equal(life.outbox.sessionOf(1), openMs);
    assert.equal(life.outbox.sessionOf(2), null);
    await time.advance(2 * HOUR_MS);
    assert.equal(triedMs.at(-1), openMs - startMs);
    assert.deepEqual(life.waits, [{ clientOrderId: "stop", untilMs: openMs }]);
    assert.deepEqual([life.told.length, life.outbox.sessionOf(1)], [1, null]);
  });

  test("is tried again within seconds where the brokerage opens a moment after the calendar", async () => {
    const { run, time, startMs, openMs, triedMs } = setUpClosed(8, 300);
    await time.advance(2 * MINUTE_MS);
    const life = run().start();
    life.submit(order("stop", { urgency: "stopLoss" }));
    await time.advance(8 * HOUR_MS);
    const after = triedMs.map((triedAtMs) => triedAtMs - (openMs - startMs)).filter((sinceMs) => sinceMs >= 0);
    assert.deepEqual(after, [0, 5_000]);
    assert.equal(life.postponed.length, 1, "and it is told once");
  });

  test("is tried at the opening where the next try would be later", async () => {
    const { run, time, startMs, openMs, triedMs } = setUpClosed(2);
    const life = run().start();
    life.submit(order("stop", { urgency: "stopLoss" }));
    await time.advance(2 * HOUR_MS + MINUTE_MS);
    // The last try while the market was open, one after the close, and the opening.
    assert.deepEqual(triedMs.slice(0, 4), [0, 1_000, 6_000, 36_000]);
    assert.deepEqual([triedMs[4], triedMs.at(-1)], [96_000, openMs - startMs]);
  });

  test("is sent anew after a restart in the wait, and waits again where the market still does not take it", async () => {
    const { run, time, startMs, openMs, triedMs } = setUpClosed();
    await time.advance(2 * MINUTE_MS);
    const first = run().start();
    first.submit(order("stop", { urgency: "stopLoss" }));
    await time.advance(HOUR_MS);
    first.crash();
    const second = run().start();
    await time.advance(8 * HOUR_MS);
    assert.ok(triedMs.includes(HOUR_MS + 2 * MINUTE_MS), "at the start");
    assert.equal(triedMs.at(-1), openMs - startMs);
    assert.equal(second.told.length, 1);
  });

  /** The calendar may be wrong. */
  function quartersFrom(firstMs: number, untilMs: number): number[] {
    const count = Math.floor((untilMs - firstMs) / (15 * MINUTE_MS)) + 1;
    return Array.from({ length: count }, (_, index) => firstMs + index * 15 * MINUTE_MS);
  }

  test("a buy and a client's order do not wait for it", async () => {
    const { run, time } = setUpClosed();
    await time.advance(2 * MINUTE_MS);
    const life = run().start();
    life.submit(order("buy", { buySell: 1 }), order("client", { urgency: "client" }));
    await time.advance(HOUR_MS);
    assert.deepEqual(life.waits, []);
    assert.equal(life.told.length, 2);
  });
});
