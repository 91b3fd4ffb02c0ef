import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Evidence, Fact } from "../../../src/domain/order/evidence.ts";
import { apply, beginExecution, doubtText } from "../../../src/domain/order/execution.ts";
import type { OrderNotice } from "../../../src/domain/order/order.ts";
import { averagePriceOf, filledQuantityOf, nameOf, orderNoOf } from "../../../src/domain/order/order-number.ts";
import {
  type Answer,
  lookedUp,
  ofType,
  opened,
  play,
  record,
  reported,
  START_MS,
  waitOut,
  wish,
} from "./execution-samples.ts";
import { naiveResult } from "./naive-execution.ts";

/** An end with a rest that is confirmed, until nothing more is asked; each question gets this answer. */
const askUntilSettled = (answer: Answer) =>
  waitOut(play(opened(), reported(record(3, 0)), lookedUp(record(3, 0), 1)).execution, answer);

describe("identity (behaviour 13.1)", () => {
  test("a record under our number that names another order, symbol or side is another order", () => {
    for (const other of [{ clientOrderId: "life-r2" }, { symbol: "GARAN" }, { buySell: 1 as const }]) {
      const before = opened();
      const { execution, facts } = apply(before, reported(record(2, 100, other)));
      assert.equal(execution, before);
      assert.deepEqual(facts, [{ type: "ignored", orderNo: "N1" }]);
    }
  });

  test("a record of our number without a name is ours", () => {
    const { facts } = apply(opened(), reported(record(2, 100, { clientOrderId: null })));
    assert.equal(ofType(facts, "ended")[0]?.filled, 100);
  });

  test("a record under our name with another number is the order, replaced, and the old number stays followed", () => {
    const { execution, facts } = play(
      opened(),
      reported(record(3, 0)),
      lookedUp(record(1, 0, { orderNo: "N2" }), 1),
      reported(record(1, 30)),
      reported(record(2, 70, { orderNo: "N2" })),
    );
    assert.deepEqual(ofType(facts, "replaced"), [{ type: "replaced", orderNo: "N2" }]);
    assert.equal(ofType(facts, "ended")[0]?.filled, 100);
    assert.equal(execution.phase, "settled");
    assert.equal(orderNoOf(execution), "N2");
  });

  test("a replacement that names the number before is followed under its own name from then on", () => {
    const other = { orderNo: "N2", clientOrderId: "cl-9" };
    const { execution, facts } = play(
      opened(),
      reported(record(3, 40)),
      reported(record(1, 0, { ...other, replaces: "N1" })),
      reported(record(2, 60, other)),
    );
    assert.equal(ofType(facts, "ended")[0]?.filled, 100);
    assert.equal(nameOf(execution), "cl-9");
  });

  test("an order of another is known by its date of creation, and without dates by its quantity", () => {
    const foreign = { clientOrderId: null, createdDate: "2026-01-05T09:00:00Z", buySell: 1 as const };
    const told = { clientOrderId: "x", buySell: 1 as const };
    const sameDay = apply(opened(foreign), reported(record(2, 100, { ...told, createdDate: "2026-01-05T09:00:01Z" })));
    assert.equal(ofType(sameDay.facts, "ended").length, 1);
    const nextDay = apply(opened(foreign), reported(record(2, 100, { ...told, createdDate: "2026-01-06T09:00:00Z" })));
    assert.deepEqual(nextDay.facts, [{ type: "ignored", orderNo: "N1" }]);
    const named = opened({ ...foreign, clientOrderId: "by-hand" });
    const otherNumber = record(2, 100, { buySell: 1, orderNo: "N9", clientOrderId: "by-hand" });
    assert.deepEqual(apply(named, reported(otherNumber)).facts, [{ type: "ignored", orderNo: "N9" }], "a name alone");
    const otherDay = record(2, 100, { buySell: 1, clientOrderId: "by-hand", createdDate: "2026-01-06T09:00:00Z" });
    assert.deepEqual(apply(named, reported(otherDay)).facts, [{ type: "ignored", orderNo: "N1" }], "of another day");
    const undated = apply(opened({ ...foreign, createdDate: "" }), reported(record(2, 7, { ...told, quantity: 7 })));
    assert.deepEqual(undated.facts, [{ type: "ignored", orderNo: "N1" }]);
  });
});

describe("quantity (behaviour 13.2, 13.3)", () => {
  test("completed with less than was ordered is an end with a rest, and waits for its confirmation", () => {
    const { execution, facts } = apply(opened(), reported(record(2, 40)));
    assert.equal(execution.phase, "ending");
    assert.deepEqual(ofType(facts, "contradicted"), [{ type: "contradicted", code: "completedInPart" }]);
    assert.deepEqual(ofType(facts, "ended"), []);
    const confirmed = apply(execution, lookedUp(record(2, 40), 1));
    const ended = { type: "ended", filled: 40, rest: 60, orderStatus: 2, by: null, message: null };
    assert.deepEqual(ofType(confirmed.facts, "ended"), [ended]);
  });

  test("completed with nothing is no end: asked again after 1, 2, 5, 15, 60 s, and in doubt after ten minutes", () => {
    let { execution } = apply(opened(), reported(record(2, 0)));
    const waits: number[] = [];
    let nowMs = START_MS;
    let facts: readonly Fact[] = [];
    while (execution.askAtMs !== null) {
      waits.push(execution.askAtMs - nowMs);
      nowMs = execution.askAtMs;
      ({ execution, facts } = play(execution, { type: "waited", timeMs: nowMs }));
    }
    assert.deepEqual(waits.slice(0, 7), [1_000, 2_000, 5_000, 15_000, 60_000, 60_000, 60_000]);
    assert.equal(execution.phase, "inDoubt");
    assert.deepEqual(ofType(facts, "inDoubt"), [{ type: "inDoubt", code: "completedWithoutQuantity" }]);
    assert.ok(nowMs - START_MS >= 600_000 && nowMs - START_MS < 700_000);
  });

  test("an answer `completed` names no quantity: it is asked for", () => {
    const { execution } = beginExecution(wish, "N1", 2, START_MS);
    assert.equal(execution.phase, "unclear");
    assert.equal(execution.askAtMs, START_MS + 1_000);
    const { facts } = play(execution, lookedUp(record(2, 40), null));
    assert.deepEqual(ofType(facts, "filled"), [{ type: "filled", quantity: 40, price: 90 }]);
    assert.deepEqual(ofType(facts, "ended"), []);
  });

  test("a price is waited for only if its owner needs one", () => {
    const unpriced = reported(record(2, 100, { averagePrice: 0 }));
    assert.equal(play(opened(), unpriced).execution.phase, "settled");
    const needing = play(opened({ needsPrice: true }), unpriced);
    assert.equal(needing.execution.phase, "unclear");
    assert.equal(play(needing.execution, reported(record(2, 100))).execution.phase, "settled");
  });

  test("more than was ordered is kept as it is and reported", () => {
    const { execution, facts } = play(opened(), reported(record(2, 150)));
    assert.equal(filledQuantityOf(execution), 150);
    assert.deepEqual(ofType(facts, "overfilled"), [{ type: "overfilled", quantity: 50 }]);
    assert.equal(ofType(facts, "ended")[0]?.rest, 0);
  });

  test("of an order that is full more may come until its brokerage reports its end", () => {
    const full = apply(opened(), reported(record(1, 100)));
    assert.deepEqual(
      ofType(full.facts, "ended").map(({ filled, rest }) => [filled, rest]),
      [[100, 0]],
    );
    const over = apply(full.execution, reported(record(2, 150)));
    assert.deepEqual(over.facts, [
      { type: "filledAfterEnd", quantity: 50, price: 90 },
      { type: "overfilled", quantity: 50 },
    ]);
    const done = apply(full.execution, reported(record(2, 100)));
    assert.deepEqual([over.execution.phase, done.execution.phase, done.facts], ["settled", "settled", []]);
    const replaced = play(opened(), reported(record(3, 40)), reported(record(1, 60, { orderNo: "N2" })));
    const more = apply(replaced.execution, reported(record(1, 100, { orderNo: "N2" })));
    assert.deepEqual(ofType(more.facts, "overfilled"), [{ type: "overfilled", quantity: 40 }]);
  });

  test("a lower quantity is verified by a look-up, and a correction is reported once and changes nothing", () => {
    const settled = play(opened(), reported(record(2, 100)));
    const late = play(settled.execution, reported(record(2, 60)));
    assert.deepEqual(late.facts, [{ type: "lookUp", look: 1 }]);
    const corrected = play(late.execution, lookedUp(record(2, 60), 1), reported(record(2, 60)));
    assert.deepEqual(corrected.facts, [{ type: "corrected", from: 100, to: 60 }]);
    assert.equal(filledQuantityOf(corrected.execution), 100);
    const stale = play(late.execution, lookedUp(record(2, 100), 1));
    assert.deepEqual(stale.facts, []);
  });

  test("a lower quantity of an open order is an old record", () => {
    const { facts } = play(opened(), reported(record(1, 50)), reported(record(1, 20)));
    assert.deepEqual(facts, [{ type: "filled", quantity: 50, price: 90 }]);
  });
});

describe("price (behaviour 13.4)", () => {
  test("a limit buy above its limit and a limit sell under it have no price", () => {
    const buy = { limitPrice: 100, needsPrice: true, buySell: 1 as const };
    const told = { buySell: 1 as const, averagePrice: 10_000 };
    const { execution, facts } = apply(opened(buy), reported(record(2, 100, told)));
    assert.equal(execution.phase, "unclear");
    assert.ok(ofType(facts, "contradicted").some(({ code }) => code === "impossiblePrice"));
    const mended = apply(execution, lookedUp(record(2, 100, { ...told, averagePrice: 99.5 }), null));
    assert.equal(averagePriceOf(mended.execution), 99.5);
    const sell = apply(opened({ limitPrice: 100 }), reported(record(2, 100, { averagePrice: 90 })));
    assert.equal(averagePriceOf(sell.execution), null);
  });
});

describe("an end is confirmed (behaviour 13.5)", () => {
  test("by a look-up that was asked for after the report, and by no other", () => {
    const { execution, facts } = apply(opened(), reported(record(3, 0, { message: "TIF was set to DAY" })));
    assert.deepEqual(facts, [{ type: "lookUp", look: 1 }]);
    assert.equal(play(execution, lookedUp(record(3, 0), null), reported(record(3, 0))).execution.phase, "ending");
    const { facts: sure } = play(execution, lookedUp(record(3, 0), 1));
    const ended = { type: "ended", filled: 0, rest: 100, orderStatus: 3, by: null, message: "TIF was set to DAY" };
    assert.deepEqual(ofType(sure, "ended"), [ended]);
  });

  test("a look-up that finds it open again, or filled, takes the end back", () => {
    const { execution } = apply(opened(), reported(record(3, 0)));
    assert.equal(play(execution, lookedUp(record(1, 0), 1)).execution.phase, "open");
    assert.deepEqual(ofType(play(execution, lookedUp(record(2, 100), 1)).facts, "ended")[0]?.rest, 0);
  });

  test("it is asked for again 10 s, 1 min, 10 min and 1 h later, and any answer to the last question settles it", () => {
    const answers: ((look: number, timeMs: number) => Evidence)[] = [
      (look, timeMs) => lookedUp(record(3, 0), look, timeMs),
      (_, timeMs) => ({ type: "notFound", timeMs }),
      (_, timeMs) => ({ type: "unknown", timeMs }),
      (_, timeMs) => ({ type: "cannotLookUp", timeMs }),
    ];
    for (const answer of answers) {
      const { execution, asked } = askUntilSettled(answer);
      assert.deepEqual(asked, [10_000, 60_000, 600_000, 3_600_000]);
      assert.equal(execution.phase, "settled");
    }
  });

  test("the last question is repeated until it is answered, with growing pauses, for a day at most", () => {
    const { execution, asked } = askUntilSettled(() => undefined);
    assert.deepEqual(asked.slice(3, 8), [3_600_000, 3_610_000, 3_620_000, 3_640_000, 3_680_000]);
    const pauses = asked.slice(4).map((atMs, index) => atMs - (asked[index + 3] ?? 0));
    assert.ok(pauses.every((pauseMs) => pauseMs <= 3_600_000));
    assert.ok((asked.at(-1) ?? 0) > 22 * 3_600_000);
    assert.equal(execution.phase, "settled");
  });

  test("a fill that the brokerage shows only after it was away for hours still counts", () => {
    const { execution, facts } = askUntilSettled((look, timeMs) =>
      timeMs - START_MS > 5 * 3_600_000 ? lookedUp(record(2, 100), look, timeMs) : undefined,
    );
    assert.deepEqual(ofType(facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 100, price: 90 }]);
    assert.equal(execution.phase, "settled");
  });

  test("an answer to an earlier question, or about another order, settles nothing", () => {
    let { execution } = play(opened(), reported(record(3, 0)), lookedUp(record(3, 0), 1));
    for (const pauseMs of [10_000, 60_000, 600_000, 3_600_000]) {
      ({ execution } = play(execution, { type: "waited", timeMs: START_MS + pauseMs }));
    }
    const late = play(execution, lookedUp(record(3, 0), 4), lookedUp(record(3, 0, { clientOrderId: "life-r2" }), 5));
    assert.equal(late.execution.phase, "ended");
    assert.equal(play(late.execution, lookedUp(record(3, 0), 5)).execution.phase, "settled");
  });

  test("a question without an answer is asked again after 10 s", () => {
    const { execution } = apply(opened(), reported(record(3, 0)));
    assert.equal(execution.askAtMs, START_MS + 10_000);
    const again = play(execution, { type: "waited", timeMs: START_MS + 10_000 });
    assert.deepEqual(again.facts, [{ type: "lookUp", look: 2 }]);
    assert.equal(play(again.execution, lookedUp(record(3, 0), 1)).execution.phase, "ended", "the first counts, too");
  });

  test("by a clock that was set back it does not wait for the next question: the answer to a round asks it", () => {
    const { execution } = apply(opened(), reported(record(3, 0)));
    const round = play(execution, lookedUp(record(3, 0), null, START_MS - 3_600_000));
    assert.deepEqual([round.execution.phase, round.facts], ["ending", [{ type: "lookUp", look: 2 }]]);
    const answer = lookedUp(record(3, 0), 2, START_MS - 3_600_000);
    assert.equal(ofType(play(round.execution, answer).facts, "ended").length, 1);
    const blind = play(execution, { type: "cannotLookUp", timeMs: START_MS - 3_600_000 });
    assert.equal(blind.execution.askAtMs, START_MS - 3_600_000 + 5_000);
  });

  test("a brokerage that cannot look up: 5 s without news", () => {
    const { execution } = apply(opened(), reported(record(3, 0)));
    const early = play(execution, { type: "cannotLookUp", timeMs: START_MS + 4_999 });
    assert.equal(early.execution.askAtMs, START_MS + 5_000);
    const quiet = play(early.execution, { type: "cannotLookUp", timeMs: START_MS + 5_000 });
    assert.equal(ofType(quiet.facts, "ended").length, 1);
  });

  test("a fill after the end counts and is reported, each lot once", () => {
    const ended = play(opened(), reported(record(3, 0)), lookedUp(record(3, 0), 1));
    const { facts } = play(
      ended.execution,
      reported(record(3, 30)),
      reported(record(2, 100)),
      reported(record(2, 100)),
    );
    const late = (quantity: number): Fact => ({ type: "filledAfterEnd", quantity, price: 90 });
    assert.deepEqual(facts, [late(30), late(70)]);
  });

  test("an answer that is an end itself waits for its confirmation, too", () => {
    const { execution, facts } = beginExecution(wish, "N1", 4, START_MS);
    assert.equal(execution.phase, "ending");
    assert.deepEqual(facts, [{ type: "lookUp", look: 1 }]);
  });
});

describe("a look-up's no (behaviour 13.6)", () => {
  const notFound = (timeMs: number): Evidence => ({ type: "notFound", timeMs });

  test("NOT_FOUND twice and at least 30 s apart is a doubt, UNKNOWN at once", () => {
    const first = play(opened(), notFound(START_MS), notFound(START_MS + 29_999));
    assert.equal(first.execution.phase, "open");
    const second = play(first.execution, notFound(START_MS + 30_000));
    assert.deepEqual(ofType(second.facts, "inDoubt"), [{ type: "inDoubt", code: "notFound" }]);
    assert.equal(second.execution.doubt, "notFound");
    assert.deepEqual(play(second.execution, notFound(START_MS + 90_000)).facts, [], "it is told once");
    const unknown = play(opened(), { type: "unknown", timeMs: START_MS });
    assert.deepEqual(ofType(unknown.facts, "inDoubt"), [{ type: "inDoubt", code: "unknown" }]);
    assert.match(
      doubtText(unknown.execution) ?? "",
      /known as filled: the brokerage cannot report .*; an operator decides$/,
    );
  });

  test("a record in between begins the count again, and one after it ends the doubt", () => {
    const seen = play(opened(), notFound(START_MS), reported(record(1, 0)), notFound(START_MS + 30_000));
    assert.equal(seen.execution.phase, "open");
    const doubtful = play(opened(), { type: "unknown", timeMs: START_MS });
    const found = play(doubtful.execution, reported(record(2, 100)));
    assert.deepEqual(
      found.facts.map(({ type }) => type),
      ["found", "filled", "ended"],
    );
  });

  test("of a number that was replaced is a doubt once the newest is over, whose records do not end it", () => {
    const newest = { orderNo: "N2", replaces: "N1" };
    const working = play(opened(), reported(record(1, 0, newest)));
    const kept = play(
      working.execution,
      notFound(START_MS),
      reported(record(1, 0, newest)),
      notFound(START_MS + 30_000),
    );
    assert.equal(kept.execution.phase, "open", "the newest is there");
    const over = apply(kept.execution, reported(record(3, 40, newest)));
    const again = lookedUp(record(3, 40, newest), null);
    const facts = [60_000, 90_000, 120_000].flatMap((sinceMs) => [again, notFound(START_MS + sinceMs), again]);
    const lost = play(over.execution, ...facts);
    assert.deepEqual(lost.facts, [{ type: "inDoubt", code: "notFound" }]);
    const found = play(lost.execution, reported(record(3, 10)), lookedUp(record(3, 40, newest), 1));
    assert.deepEqual(
      found.facts.map(({ type }) => type),
      ["found", "filled", "lookUp", "ended"],
    );
  });

  test("a person decides: filled so much, or not filled; what comes later counts", () => {
    const { execution } = play(opened(), { type: "unknown", timeMs: START_MS });
    const fill = { quantity: 40, price: 89.5 };
    const decided = play(execution, { type: "decided", fill, timeMs: START_MS });
    assert.equal(ofType(decided.facts, "ended")[0]?.rest, 60);
    assert.equal(averagePriceOf(decided.execution), 89.5);
    assert.equal(ofType(play(decided.execution, reported(record(2, 100))).facts, "filledAfterEnd")[0]?.quantity, 60);
    const nothing = play(execution, { type: "decided", fill: null, timeMs: START_MS });
    assert.equal(ofType(nothing.facts, "ended")[0]?.rest, 100);
  });

  test("what a person decided of an order of two numbers counts once, however often each is told again (13.1)", () => {
    const replaced = play(opened(), reported(record(3, 40)), reported(record(1, 0, { orderNo: "N2" })));
    const { execution } = apply(replaced.execution, { type: "unknown", timeMs: START_MS });
    const decided = apply(execution, { type: "decided", fill: { quantity: 60, price: 90 }, timeMs: START_MS });
    assert.equal(ofType(decided.facts, "ended")[0]?.rest, 40);
    const again = [reported(record(3, 40)), lookedUp(record(3, 20, { orderNo: "N2" }), null)];
    assert.deepEqual(play(decided.execution, ...again).facts, []);
    const late = play(decided.execution, ...again, reported(record(3, 50, { orderNo: "N2" })));
    assert.deepEqual(ofType(late.facts, "filledAfterEnd"), [{ type: "filledAfterEnd", quantity: 30, price: 90 }]);
  });
});

/** Every record that a brokerage may give of an order of 100, and of another one of the same number. */
const RECORDS = [1, 2, 3, 4].flatMap((status) =>
  [0, 40, 100, 150].flatMap((filled) =>
    [{}, { orderNo: "N2" }, { clientOrderId: null }, { clientOrderId: "other" }].map((changed) =>
      record(status, filled, changed),
    ),
  ),
);

/** Plays evidence and holds the execution to its naive twin and to its invariants. */
function holdToTwin(evidence: readonly Evidence[]): void {
  const order = { name: "life-r1", orderNo: "N1", quantity: 100 };
  const history: { evidence: Evidence; looksAsked: number }[] = [];
  let execution = opened();
  const facts: Fact[] = [];
  for (const one of evidence) {
    history.push({ evidence: one, looksAsked: execution.lookCount });
    const before = execution;
    const step = apply(before, one);
    ({ execution } = step);
    facts.push(...step.facts);
    const naive = naiveResult(order, history);
    const message = JSON.stringify(evidence);
    assert.equal(filledQuantityOf(execution), naive.filled, message);
    assert.ok(filledQuantityOf(execution) >= filledQuantityOf(before), message);
    assert.equal(ofType(facts, "ended")[0]?.filled ?? null, naive.endedWith, message);
    assert.ok(ofType(facts, "ended").length <= 1, message);
    assert.equal(execution.phase === "inDoubt", naive.isInDoubt, message);
    const told = [...ofType(facts, "filled"), ...ofType(facts, "filledAfterEnd")];
    assert.equal(
      told.reduce((sum, { quantity }) => sum + quantity, 0),
      naive.filled,
      message,
    );
    const waits = execution.phase === "unclear" || execution.phase === "ending" || execution.phase === "ended";
    assert.ok(!waits || execution.askAtMs !== null, message);
  }
}

test("every pair of consecutive records, pushed or looked up, comes to what the naive twin says", () => {
  const ways = [(told: OrderNotice) => reported(told), (told: OrderNotice) => lookedUp(told, null)];
  for (const first of RECORDS) {
    for (const second of RECORDS) {
      for (const way of ways) {
        for (const other of ways) holdToTwin([way(first), other(second)]);
        holdToTwin([way(first), lookedUp(second, 1)]);
      }
    }
  }
});

test("any sequence of reports comes to what the naive twin says", () => {
  const told = fc.constantFrom(...RECORDS);
  const timeMs = fc.integer({ min: START_MS, max: START_MS + 100_000 });
  const evidence = fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant("reported" as const), record: told, timeMs }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant("lookedUp" as const),
        record: told,
        look: fc.option(fc.integer({ min: 1, max: 3 })),
        timeMs,
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("notFound" as const, "unknown" as const), timeMs }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("waited" as const), timeMs }) },
  );
  fc.assert(
    fc.property(fc.array(evidence, { maxLength: 12 }), (all) => {
      holdToTwin([...all].sort((left, right) => left.timeMs - right.timeMs));
    }),
    { numRuns: 3_000 },
  );
});
