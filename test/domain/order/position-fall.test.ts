import assert from "node:assert/strict";
import { test } from "node:test";
import { BUY, SELL } from "../../../src/domain/order/order.ts";
import { afterFill, afterReading, UNKNOWN_POSITION } from "../../../src/domain/order/position-fall.ts";

/** A reading as a number, an own fill as its side and lots. */
type Step = number | { readonly side: typeof BUY | typeof SELL; readonly lots: number };
const sold = (lots: number): Step => ({ side: SELL, lots });
const bought = (lots: number): Step => ({ side: BUY, lots });

/** The falls that are believed, one for each reading. */
function fallsOf(steps: readonly Step[]): number[] {
  let position = UNKNOWN_POSITION;
  const falls: number[] = [];
  for (const step of steps) {
    if (typeof step === "number") {
      const read = afterReading(position, step);
      position = read.position;
      falls.push(read.fell);
    } else position = afterFill(position, step.side, step.lots);
  }
  return falls;
}

test("a fall is believed at the second equal reading, unless own orders explain it (behaviour 26.4)", () => {
  const rows: [string, readonly Step[], readonly number[]][] = [
    ["nothing changes", [100, 100, 100], [0, 0, 0]],
    ["a fall, read twice", [100, 100, 70, 70, 70], [0, 0, 0, 30, 0]],
    ["a fall, read once", [100, 100, 70, 100, 70], [0, 0, 0, 0, 0]],
    ["two different readings", [100, 100, 70, 60, 60], [0, 0, 0, 0, 40]],
    ["two falls", [100, 100, 70, 70, 0, 0], [0, 0, 0, 30, 0, 70]],
    ["a rise counts from then on", [100, 100, 150, 150, 120, 120], [0, 0, 0, 0, 0, 30]],
    ["the first readings are no fall", [100, 60, 60], [0, 0, 0]],
    ["an own sell", [100, 100, sold(40), 60, 60], [0, 0, 0, 0]],
    ["an own sell that is read before it is reported", [100, 100, 60, sold(40), 60, 60], [0, 0, 0, 0, 0]],
    ["an own sell that positions show late", [100, 100, sold(40), 100, 60, 60], [0, 0, 0, 0, 0]],
    ["an own sell and a fall", [100, 100, sold(40), 50, 50], [0, 0, 0, 10]],
    [
      "an own buy: the next readings are the first ones",
      [100, 100, bought(50), 150, 150, 120, 120],
      [0, 0, 0, 0, 0, 30],
    ],
    ["an own sell before anything is known", [100, sold(40), 60, 60], [0, 0, 0]],
  ];
  for (const [name, steps, falls] of rows) assert.deepEqual(fallsOf(steps), falls, name);
});
