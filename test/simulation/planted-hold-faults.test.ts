// tier: full
/** The simulation finds faults of held symbols (behaviour 16). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Holds } from "../../engine/partition/holds.ts";
import { findOut, replacing } from "./planting.ts";
import { HOLDS_EVERY } from "./world/settings.ts";

const SEEDS_MAX = 1_200;
/** Of a row that a tick fired which its symbol was held from. */
const FIRED = /was sold and no tick reached it|fired at [\d.]+, and only/;
const find = (first?: number): Promise<string> => findOut(SEEDS_MAX, {}, HOLDS_EVERY, first);

describe("of held symbols the simulation finds out", () => {
  test("levels that fire all the same", async () => {
    const admitting = (original: Holds["admits"]): Holds["admits"] =>
      function admits(this: Holds, tick) {
        original.call(this, tick);
        return true;
      };
    assert.match(await replacing(Holds.prototype, "admits", admitting, () => find()), FIRED);
  });

  test("levels that fire by the last price when they are armed", async () => {
    const never = (): Holds["isHeld"] => () => false;
    assert.match(await replacing(Holds.prototype, "isHeld", never, () => find(336)), FIRED);
  });

  test("a hold that a restart forgets", async () => {
    const forgetting = (): Holds["recover"] => () => undefined;
    // A sell of a held row is on its way, which no cancel expects.
    const shown = /is held after a restart|fired at|was acknowledged and row \d+ is Active/;
    assert.match(await replacing(Holds.prototype, "recover", forgetting, () => find()), shown);
  });

  test("a release that is answered and not done", async () => {
    const keeping = (): Holds["releaseInTurn"] => () => true;
    assert.match(
      await replacing(Holds.prototype, "releaseInTurn", keeping, () => find()),
      /was released and is held after a restart|was reached at [\d.]+ and/,
    );
  });

  test("ticks from before a release that fire when they are read back", async () => {
    const admitting = (original: Holds["admits"]): Holds["admits"] =>
      function admits(this: Holds, tick) {
        return original.call(this, tick) || this.find(tick.symbol) === undefined;
      };
    assert.match(await replacing(Holds.prototype, "admits", admitting, () => find(248)), FIRED);
  });
});
