import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { UnheardTicks } from "../../../../engine/feed/stream/unheard-ticks.ts";

let unheard: UnheardTicks;
let nowMs = 0;

/** A probe: the stream's sequence, and what was received before it was asked and when it was answered. */
function probe(sequence: number, heardBefore: number, heardAfter = heardBefore + 1): unknown {
  nowMs += 1_000;
  return unheard.compare({ sequence, heardBefore, heardAfter, atMs: nowMs });
}

describe("ticks that were stored and not received", () => {
  beforeEach(() => {
    unheard = new UnheardTicks();
    nowMs = 0;
    unheard.restart({ sequence: 100, heardBefore: 0, heardAfter: 1, atMs: nowMs });
  });

  test("one tick that was stored and not received is noticed at the second probe", () => {
    assert.equal(probe(101, 1), undefined);
    assert.equal(probe(103, 2), undefined);
    assert.ok(unheard.isDoubted);
    assert.deepEqual(probe(104, 3), { after: 100, to: 104, countMin: 1 });
  });

  test("a tick that comes late was not missed", () => {
    probe(101, 1);
    probe(103, 2);
    assert.ok(unheard.isDoubted);
    assert.equal(probe(104, 4), undefined);
    assert.ok(!unheard.isDoubted);
    assert.equal(probe(105, 5), undefined);
  });

  test("ticks on their way during a probe leave its count open by as many", () => {
    probe(150, 40, 55);
    probe(200, 92, 107);
    assert.ok(!unheard.isDoubted);
    probe(260, 152, 155);
    assert.ok(unheard.isDoubted, "at most 107 is missing before, at least 105 now: 200 - 93 and 260 - 155");
  });

  test("in a steady flow the bounds of many probes meet: few missing ticks are noticed at last", () => {
    let heard = 1;
    let sequence = 100;
    for (let index = 0; index < 40; index += 1) {
      heard += 1_000;
      sequence += 1_000;
      assert.equal(probe(sequence, heard - 1 - (index % 20), heard + 20 - (index % 20)), undefined);
      assert.ok(!unheard.isDoubted);
    }
    const found: unknown[] = [];
    for (let index = 0; index < 40; index += 1) {
      heard += 1_000;
      sequence += 1_000 + (index === 0 ? 3 : 0);
      found.push(probe(sequence, heard - 1 - (index % 20), heard + 20 - (index % 20)));
    }
    assert.ok(found.some((range) => range !== undefined));
  });

  test("what was received and not stored hides nothing that is missing later", () => {
    probe(101, 5);
    assert.equal(probe(102, 6), undefined);
    probe(104, 7);
    assert.ok(unheard.isDoubted);
  });

  test("what is missing is looked for from the probe before the last one that was whole", () => {
    probe(110, 10);
    probe(120, 20);
    probe(131, 30);
    assert.deepEqual(probe(141, 40), { after: 110, to: 141, countMin: 1 });
  });

  test("nothing is compared with what came before a reading back", () => {
    probe(103, 2);
    unheard.restart({ sequence: 104, heardBefore: 3, heardAfter: 4, atMs: nowMs });
    assert.ok(!unheard.isDoubted);
    assert.equal(probe(105, 4), undefined);
    unheard.restart(undefined);
    assert.equal(probe(900, 5), undefined);
    assert.ok(!unheard.isDoubted);
  });
});
