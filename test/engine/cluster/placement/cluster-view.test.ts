/** The state of shared partitions, from the reports of engines to one another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { standingOf, viewOf } from "../../../../engine/cluster/placement/cluster-view.ts";
import type { Heartbeat } from "../../../../engine/cluster/placement/presence.ts";

function word(engine: string, told: Partial<Heartbeat>): Heartbeat {
  const nothing = { lags: {}, leads: {}, positions: {}, takeovers: {}, heldTo: {} };
  return { engine, partitions: 2, isEnding: false, ...nothing, ...told };
}

const A = word("a.x1", { leads: { "0": 40 }, positions: { "0": 700, "1": 88 }, lags: { "1": 3 } });
const B = word("b.x2", {
  leads: { "1": 55 },
  positions: { "0": 690, "1": 90 },
  lags: { "0": 12 },
  takeovers: { "1": 2 },
});
const TRUSTED = { servers: [], streams: [], faults: [] };

test("who leads, who copies, and how many records a copy lacks", () => {
  assert.deepEqual(viewOf([B, A], 2), {
    partitions: [
      { partition: 0, leader: "a", epoch: 40, copies: [{ engine: "b", lagRecords: 10 }] },
      { partition: 1, leader: "b", epoch: 55, copies: [{ engine: "a", lagRecords: 2 }] },
    ],
    engines: [
      { engine: "a", leads: 1, isEnding: false, takeovers: [] },
      { engine: "b", leads: 1, isEnding: false, takeovers: [{ partition: 1, count: 2 }] },
    ],
  });
});

test("of two that say that they lead the later one does; the other one's copy is not known", () => {
  const zombie = word("c.x3", { leads: { "0": 39 }, positions: { "0": 650 } });
  const [partition] = viewOf([zombie, A], 2).partitions;
  assert.deepEqual(partition, { partition: 0, leader: "a", epoch: 40, copies: [] });
});

test("a copy that does not hear the log, one that has nothing yet, and one that tells more than its leader had", () => {
  const cut = word("c.x3", { positions: { "0": 100 } });
  const empty = word("d.x4", { lags: { "0": 700 } });
  const early = word("e.x5", { lags: { "0": 0 }, positions: { "0": 702 } });
  const [partition] = viewOf([A, cut, empty, early], 1).partitions;
  assert.deepEqual(partition?.copies, [
    { engine: "c", lagRecords: null },
    { engine: "d", lagRecords: 700 },
    { engine: "e", lagRecords: 0 },
  ]);
});

test("what an engine that ends still holds is no copy to count on", () => {
  const ending = word("c.x3", { positions: { "0": 700 }, lags: { "0": 0 }, isEnding: true });
  const [partition] = viewOf([A, B, ending], 2).partitions;
  assert.deepEqual(partition?.copies, [{ engine: "b", lagRecords: 10 }]);
});

test("without a leader copies are compared with the one that is furthest", () => {
  const behind = word("b.x2", { lags: { "0": 0 }, positions: { "0": 5 } });
  const ahead = word("c.x3", { lags: { "0": 0 }, positions: { "0": 9 } });
  assert.deepEqual(viewOf([behind, ahead], 1).partitions, [
    {
      ...{ partition: 0, leader: null, epoch: null },
      copies: [
        { engine: "b", lagRecords: 4 },
        { engine: "c", lagRecords: 0 },
      ],
    },
  ]);
});

test("in brief: what is led and copied, and how far the best copies are behind", () => {
  const whole = { ...viewOf([A, B], 2), ...TRUSTED };
  const brief = { partitionCount: 2, ledCount: 2, copiedCount: 2, lagRecordsMax: 10, areServersTrusted: true };
  assert.deepEqual(standingOf(whole), brief);
  const near = word("c.x3", { lags: { "0": 0, "1": 0 }, positions: { "0": 700, "1": 89 } });
  assert.equal(standingOf({ ...viewOf([A, B, near], 2), ...TRUSTED }).lagRecordsMax, 1, "the best copy counts");
  const alone = { ...viewOf([A], 2), servers: [], streams: [], faults: ["n1 does not sync"] };
  assert.deepEqual(standingOf(alone), {
    ...{ partitionCount: 2, ledCount: 1, copiedCount: 1, lagRecordsMax: 0, areServersTrusted: false },
  });
});

test("an engine that has no copy of a partition, and is to have none, is not among its copies", () => {
  const keeps = word("b.x2", { keeps: [0] });
  const none = word("c.x3", { keeps: [1] });
  assert.deepEqual(viewOf([A, keeps, none], 1).partitions[0]?.copies, [{ engine: "b", lagRecords: null }]);
});
