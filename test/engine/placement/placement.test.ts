/** Who should lead what: fair, the same everywhere, and steady where engines come and go. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rankEngines } from "../../../engine/placement/placement.ts";

const engines = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });
const partitions = fc.integer({ min: 1, max: 64 });

const firsts = (names: readonly string[], count: number): string[] =>
  rankEngines(names, count).map(([first = ""]) => first);

test("every partition ranks every engine once, and none is first for more than its share, rounded up", () => {
  fc.assert(
    fc.property(engines, partitions, (names, count) => {
      const ranks = rankEngines(names, count);
      assert.equal(ranks.length, count);
      for (const rank of ranks) assert.deepEqual([...rank].sort(), [...names].sort());
      for (const name of names) {
        const own = ranks.filter(([first]) => first === name).length;
        assert.ok(own <= Math.ceil(count / names.length), `${name} is first for ${own} of ${count}`);
      }
    }),
  );
});

test("the order in which engines are heard of changes nothing", () => {
  fc.assert(
    fc.property(engines, partitions, (names, count) => {
      assert.deepEqual(rankEngines([...names, ...names].reverse(), count), rankEngines(names, count));
    }),
  );
});

test("where an engine ends, most of what others led stays with them", () => {
  const names = ["a", "b", "c", "d"];
  const before = firsts(names, 64);
  const after = firsts(["a", "b", "c"], 64);
  const stayed = before.filter((first, partition) => first !== "d" && first === after[partition]).length;
  assert.ok(stayed >= 32, `${stayed} of 48 stayed`);
});

test("one engine is first everywhere, and none is ranked where there is none", () => {
  assert.deepEqual(firsts(["a"], 3), ["a", "a", "a"]);
  assert.deepEqual(rankEngines([], 2), [[], []]);
});
