/**
 * Which engine should lead which partition, and have copies: fair, the same everywhere, steady when engines come and
 * go, on many machines.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { givenName, type PlacedEngine, rankEngines } from "../../../../engine/cluster/placement/rank.ts";

const engines = fc.uniqueArray(
  fc.record({ engine: fc.string({ minLength: 1, maxLength: 12 }), machine: fc.constantFrom("m", "n", "o") }),
  { minLength: 1, maxLength: 8, selector: ({ engine }) => engine },
);
const partitions = fc.integer({ min: 1, max: 64 });

const apart = (...names: readonly string[]): readonly PlacedEngine[] =>
  names.map((engine) => ({ engine, machine: engine }));
const firsts = (placed: readonly PlacedEngine[], count: number): string[] =>
  rankEngines(placed, count).map(([first = ""]) => first);

test("every partition ranks every engine once, and none is first for more than its share, rounded up", () => {
  fc.assert(
    fc.property(engines, partitions, (placed, count) => {
      const names = placed.map(({ engine }) => engine);
      const ranks = rankEngines(placed, count);
      assert.equal(ranks.length, count);
      for (const rank of ranks) assert.deepEqual([...rank].sort(), [...names].sort());
      for (const name of names) {
        const own = ranks.filter(([first]) => first === name).length;
        assert.ok(own <= Math.ceil(count / names.length), `${name} is first for ${own} of ${count}`);
      }
    }),
  );
});

test("the first ranks are on as many machines as there are", () => {
  fc.assert(
    fc.property(engines, partitions, (placed, count) => {
      const machineOf = new Map(placed.map(({ engine, machine }) => [engine, machine]));
      const machines = new Set(machineOf.values()).size;
      for (const rank of rankEngines(placed, count)) {
        assert.equal(new Set(rank.slice(0, machines).map((engine) => machineOf.get(engine))).size, machines);
      }
    }),
  );
});

test("the order in which engines are heard of changes nothing", () => {
  fc.assert(
    fc.property(engines, partitions, (placed, count) => {
      assert.deepEqual(rankEngines([...placed, ...placed].reverse(), count), rankEngines(placed, count));
    }),
  );
});

test("where an engine ends, most of what others led stays with them", () => {
  const before = firsts(apart("a", "b", "c", "d"), 64);
  const after = firsts(apart("a", "b", "c"), 64);
  const stayed = before.filter((first, partition) => first !== "d" && first === after[partition]).length;
  assert.ok(stayed >= 32, `${stayed} of 48 stayed`);
});

test("engines that start again have the ranks that they had", () => {
  const lives = (life: string): PlacedEngine[] =>
    ["a", "b", "c", "d", "e"].map((name) => ({ engine: `${name}.${life}`, machine: name }));
  const names = (ranks: ReturnType<typeof rankEngines>) => ranks.map((rank) => rank.map(givenName));
  assert.deepEqual(names(rankEngines(lives("qqqqqqqqqq"), 32)), names(rankEngines(lives("aaaaaaaaaa").reverse(), 32)));
});

test("one engine is first everywhere, and none is ranked where there is none", () => {
  assert.deepEqual(firsts(apart("a"), 3), ["a", "a", "a"]);
  assert.deepEqual(rankEngines([], 2), [[], []]);
});

test("names are those that operators gave", () => {
  assert.equal(givenName("engine-1.abcdefghij"), "engine-1");
  assert.equal(givenName("host.example.com.abcdefghij"), "host.example.com");
});
