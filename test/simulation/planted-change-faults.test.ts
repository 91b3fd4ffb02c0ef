// tier: full
/** The simulation finds faults of changes of running groups (behaviour 15). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PartitionWatchbook } from "../../engine/watch/watchbook.ts";
import { delivering, replacing } from "./planting.ts";

describe("of changes of groups the simulation finds out", () => {
  test("one that is answered and not done", async () => {
    const message = await delivering((give) => (host, id, event) => event.type === "change" || give(host, id, event));
    assert.match(message, /the change of n\d+ was acknowledged and is not on the disk/);
  });

  test("one that lost a level on its way", async () => {
    const message = await delivering((give) => (host, id, event) => {
      if (event.type !== "change" || event.change.changed.length < 2) return give(host, id, event);
      const changed = event.change.changed.slice(1);
      return give(host, id, { ...event, change: { ...event.change, changed } });
    });
    assert.match(message, /the change of n\d+ was acknowledged and is not on the disk/);
  });

  test("one that keeps the row that it left out", async () => {
    const message = await delivering((give) => (host, id, event) => {
      if (event.type !== "change" || event.change.removed.length === 0) return give(host, id, event);
      return give(host, id, { ...event, change: { ...event.change, removed: [] } });
    });
    assert.match(message, /the change of n\d+ was acknowledged and its row is Active on the disk/);
  });

  test("levels that it moved and that nobody watches", async () => {
    let isChanging = false;
    const deaf = (original: PartitionWatchbook["arm"]): PartitionWatchbook["arm"] =>
      function arm(this: PartitionWatchbook, owner, watch) {
        if (!isChanging) original.call(this, owner, watch);
      };
    const message = await replacing(PartitionWatchbook.prototype, "arm", deaf, () =>
      delivering((give) => (host, id, event) => {
        isChanging = event.type === "change";
        const isDelivered = give(host, id, event);
        isChanging = false;
        return isDelivered;
      }),
    );
    assert.match(message, /was reached at [\d.]+ and|had been reached|the engine watches/);
  });
});
