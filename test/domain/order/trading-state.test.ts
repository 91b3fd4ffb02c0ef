import assert from "node:assert/strict";
import { test } from "node:test";
import { BUY, SELL } from "../../../src/domain/order/order.ts";
import {
  mayFire,
  refuseChange,
  refuseOrder,
  stricter,
  TRADING_STATES,
  type TradingState,
} from "../../../src/domain/order/trading-state.ts";

function state(name: TradingState["state"], includingStops = false): TradingState {
  return { state: name, reason: `it is ${name}`, includingStops };
}

test("the strictest of several states counts, in whatever order they come (behaviour 18.1)", () => {
  const all = [undefined, ...TRADING_STATES.map((name) => state(name)), state("halted", true)];
  for (const [low, left] of all.entries()) {
    for (const [high, right] of all.entries()) {
      const expected = all[Math.max(low, high)];
      assert.deepEqual(stricter(left, right), expected);
      assert.deepEqual(stricter(right, left), expected);
    }
  }
});

test("reducing takes no buys, halted takes neither side, and the reason is told (behaviour 18.2)", () => {
  for (const [current, side, code] of [
    [undefined, BUY, undefined],
    [state("active"), BUY, undefined],
    [state("reducing"), BUY, "TRADING_REDUCING"],
    [state("reducing"), SELL, undefined],
    [state("halted"), BUY, "TRADING_HALTED"],
    [state("halted"), SELL, "TRADING_HALTED"],
  ] as const) {
    const refusal = refuseOrder(current, side);
    assert.equal(refusal?.code, code);
    if (refusal !== undefined) assert.match(refusal.message, new RegExp(current?.reason ?? ""));
  }
});

test("halted is left with a confirmation only, and includingStops is for halted alone", () => {
  for (const [before, after, includingStops, confirm, message] of [
    ["halted", "active", false, undefined, /^confirm must be "RESUME" to leave halted$/],
    ["halted", "reducing", false, "resume", /^confirm must be/],
    ["halted", "active", false, "RESUME", undefined],
    ["halted", "halted", true, undefined, undefined],
    ["reducing", "active", false, undefined, undefined],
    [undefined, "halted", false, undefined, undefined],
    ["active", "reducing", true, undefined, /^includingStops is only for the state halted$/],
  ] as const) {
    const from = before === undefined ? undefined : state(before);
    const refusal = refuseChange(from, { state: after, includingStops }, confirm);
    if (message === undefined) assert.equal(refusal, undefined);
    else assert.match(refusal?.message ?? "", message);
  }
});

test("halted keeps take-profits from firing, and stop-losses only where that was said (behaviour 18.3)", () => {
  for (const [current, stopLoss, takeProfit] of [
    [undefined, true, true],
    [state("active"), true, true],
    [state("reducing"), true, true],
    [state("halted"), true, false],
    [state("halted", true), false, false],
  ] as const) {
    assert.deepEqual([mayFire(current, true), mayFire(current, false)], [stopLoss, takeProfit]);
  }
});
