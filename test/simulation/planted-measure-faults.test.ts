// tier: full
/** The simulation finds faults of measures (behaviour 23). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Measures } from "../../engine/partition/measures.ts";
import type { Effects } from "../../src/domain/market/measure.ts";
import { findOut, replacing } from "./planting.ts";
import { MEASURES_EVERY } from "./world/settings.ts";

const SEEDS_MAX = 900;

/** Returns the violation of a simulation whose partitions know the effects of a symbol as `change` leaves them. */
function knownAs(change: (effects: Effects) => Effects, first?: number): Promise<string> {
  const changed = (original: Measures["effectsOf"]): Measures["effectsOf"] =>
    function effectsOf(this: Measures, symbol) {
      return change(original.call(this, symbol));
    };
  return replacing(Measures.prototype, "effectsOf", changed, () => findOut(SEEDS_MAX, {}, MEASURES_EVERY, first));
}

describe("of measures the simulation finds out", () => {
  test("sells that leave while the order book is closed", async () => {
    const message = await knownAs(({ halted: _, noChannel: __, ...effects }) => effects);
    assert.match(message, /left under a measure that keeps it back/);
  });

  test("market orders where none are taken", async () => {
    assert.match(await knownAs(({ noMarket: _, ...effects }) => effects), /left as a market order/);
  });

  test("orders over a cap", async () => {
    assert.match(await knownAs(({ valueCap: _, ...effects }) => effects, 75), /lots under a cap of/);
  });

  test("measures that a restart forgets", async () => {
    const forgetting = (): Measures["recover"] => () => undefined;
    const message = await replacing(Measures.prototype, "recover", forgetting, () =>
      findOut(SEEDS_MAX, {}, MEASURES_EVERY),
    );
    assert.match(message, /left under a measure that keeps it back/);
  });
});
