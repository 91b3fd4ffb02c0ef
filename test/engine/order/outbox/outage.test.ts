/** How long orders wait for a brokerage that takes none (behaviour 4.5). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RETRY_LIMIT_MS } from "../../../../engine/order/outbox/settle.ts";
import { failed, order, setUp } from "./harness.ts";

const NAMES = Array.from({ length: 10 }, (_, index) => `c-${index}`);

describe("an outage", () => {
  test("of thirty seconds ends every order of the account that waited through it, on one attempt each", async () => {
    const { brokerage, run, time, startMs } = setUp();
    brokerage.onPlace = () => failed("NOT_SENT");
    const life = run().start();
    life.submit(...NAMES.map((name) => order(name)));
    await time.advance(RETRY_LIMIT_MS + 100);
    assert.deepEqual(
      life.told.map(({ clientOrderId, outcome }) => [clientOrderId, outcome.type === "refused" && outcome.message]),
      NAMES.map((name) => [name, "brokerage unreachable"]),
    );
    for (const { atMs } of life.told) assert(atMs - startMs >= RETRY_LIMIT_MS);
    for (const name of NAMES.slice(1)) assert.equal(brokerage.sent.filter((sent) => sent === name).length, 1);
  });

  test("that ends in time ends no order", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => failed("NOT_SENT");
    const life = run().start();
    life.submit(...NAMES.map((name) => order(name)));
    await time.advance(RETRY_LIMIT_MS - 6_000);
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(6_000);
    assert.equal(life.told.filter(({ outcome }) => outcome.type === "placed").length, NAMES.length);
  });

  test("counts for an order from when it came", async () => {
    const { brokerage, run, time, startMs } = setUp();
    brokerage.onPlace = () => failed("NOT_SENT");
    const life = run().start();
    life.submit(order("early"), order("second"));
    await time.advance(20_000);
    life.submit(order("late"));
    await time.advance(20_000);
    assert.deepEqual(
      life.told.map(({ clientOrderId }) => clientOrderId),
      ["early", "second"],
    );
    await time.advance(20_000);
    const late = life.told.find(({ clientOrderId }) => clientOrderId === "late");
    assert(late !== undefined && late.atMs - startMs >= 20_000 + RETRY_LIMIT_MS);
  });

  test("that is over counts no more: the next one has its own thirty seconds", async () => {
    const { brokerage, run, time } = setUp();
    const refuses = () => failed("NOT_SENT");
    brokerage.onPlace = refuses;
    const life = run().start();
    life.submit(order("first"), order("second"), order("third"));
    await time.advance(20_000);
    brokerage.onPlace = ({ clientOrderId }) => (clientOrderId === "first" ? brokerage.accept() : refuses());
    await time.advance(25_000);
    assert.equal(life.outcomeOf("first")?.type, "placed");
    assert.equal(life.outcomeOf("second"), undefined);
    await time.advance(15_000);
    assert.equal(life.outcomeOf("second")?.type, "refused");
    assert.equal(life.outcomeOf("third")?.type, "refused");
  });

  test("in which the process stood still begins again after that: nothing was tried meanwhile", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => failed("NOT_SENT");
    const life = run().start();
    life.submit(order("first"), order("second"));
    await time.advance(5_000);
    time.standStill(RETRY_LIMIT_MS);
    await time.advance(10_000);
    assert.equal(life.told.length, 0);
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(10_000);
    assert.deepEqual(
      life.told.map(({ outcome }) => outcome.type),
      ["placed", "placed"],
    );
  });

  test("that was the process' own, in the middle of sending, ends no order", async () => {
    const { brokerage, run, time } = setUp();
    let sent = 0;
    brokerage.onPlace = () => {
      sent += 1;
      if (sent > 1) return brokerage.accept();
      time.standStill(60_000);
      return failed("NOT_SENT");
    };
    const life = run().start();
    life.submit(order("only"));
    await time.advance(65_000);
    assert.equal(life.outcomeOf("only")?.type, "placed");
  });

  test("that goes on after the process stood still ends the orders that wait", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => failed("NOT_SENT");
    const life = run().start();
    life.submit(order("only"));
    await time.advance(5_000);
    time.standStill(10_000);
    await time.advance(RETRY_LIMIT_MS + 6_000);
    assert.equal(life.outcomeOf("only")?.type, "refused");
  });

  test("is none while this engine may not act: it ends clients' orders, for which nobody waits, and no other", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => ({ ...failed("NOT_SENT"), isHeldBack: true });
    const life = run().start();
    life.submit(order("stop", { urgency: "stopLoss" }), order("profit", { urgency: "triggered" }));
    life.submit(order("client", { urgency: "client", accountNumber: "other" }));
    await time.advance(10 * RETRY_LIMIT_MS);
    assert.equal(life.outcomeOf("client")?.type, "refused");
    assert.equal(life.told.length, 1);
    brokerage.onPlace = () => brokerage.accept();
    await time.advance(10_000);
    assert.deepEqual([life.outcomeOf("stop")?.type, life.outcomeOf("profit")?.type], ["placed", "placed"]);
  });

  test("that begins once this engine may act again has its own thirty seconds", async () => {
    const { brokerage, run, time } = setUp();
    brokerage.onPlace = () => ({ ...failed("NOT_SENT"), isHeldBack: true });
    const life = run().start();
    life.submit(order("only", { urgency: "stopLoss" }));
    await time.advance(60_000);
    brokerage.onPlace = () => failed("NOT_SENT");
    await time.advance(RETRY_LIMIT_MS - 10_000);
    assert.equal(life.outcomeOf("only"), undefined);
    await time.advance(20_000);
    assert.equal(life.outcomeOf("only")?.type, "refused");
  });

  test("does not end what only waits for its quota", async () => {
    const { brokerage, run, time } = setUp({ ordersPerMinute: 1 });
    const life = run().start();
    life.submit(...NAMES.map((name) => order(name)));
    await time.advance(10 * 60_000);
    assert.deepEqual(brokerage.sent, NAMES);
    assert.equal(life.told.filter(({ outcome }) => outcome.type === "placed").length, NAMES.length);
  });
});
