/** The places of a chart's points: nothing at an edge is cut, and few bars do not look lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { barTimeOf, fitOf, rangeOf } from "../../../edge/web/dashboard/part/bar-fit.ts";

test("few bars are wide and in the middle, many are narrow, and labels at both sides have room", () => {
  for (const [count, widthPx, spacingPx, restPx] of [
    [0, 660, 32, 300],
    [2, 660, 32, 268],
    [6, 660, 32, 204],
    [40, 660, 10.8, 56],
    [500, 660, 6, 56],
    [3, 300, 32, 72],
    [30, 300, 6, 56],
  ] as const) {
    const { barSpacing, rightOffset } = fitOf(count, widthPx);
    assert.equal(barSpacing, spacingPx, `${count} bars of ${widthPx} px`);
    assert.ok(Math.abs(rightOffset * barSpacing - restPx) < 1e-9, `${count} bars: ${rightOffset * barSpacing} px`);
  }
});

test("the first and the last point are as far from the edges as their labels are wide", () => {
  for (const [count, widthPx] of [
    [2, 660],
    [100, 660],
    [5, 300],
  ] as const) {
    const { from, to } = rangeOf(count, widthPx);
    const stepPx = (widthPx - 60) / (to - from);
    assert.ok(Math.abs((0 - from) * stepPx - 56) < 1e-9, `${count} points: the first`);
    assert.ok(Math.abs((to - (count - 1)) * stepPx - 56) < 1e-9, `${count} points: the last`);
  }
  assert.deepEqual(Object.keys(rangeOf(1, 0)), ["from", "to"], "a chart without a width yet has a range");
});

test("a moment is in the last bar that begins by then", () => {
  const times = [60, 120, 240];
  assert.deepEqual(
    [59, 60, 119, 120, 200, 240, 999].map((moment) => barTimeOf(moment, times)),
    [undefined, 60, 60, 120, 120, 240, 240],
  );
});
