import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Contender, goesBefore } from "../../../../engine/cluster/ownership/contest.ts";
import { ownershipStages } from "../../../../src/contract/ownership.ts";

const contender: fc.Arbitrary<Contender> = fc.record({
  stage: fc.constantFrom(...ownershipStages),
  sinceMs: fc.integer({ min: 0, max: 3 }),
  engine: fc.constantFrom("a", "b", "c"),
  installation: fc.constantFrom(null, "inst"),
});

test("of two engines that meet exactly one goes on, whichever of them is asked", () => {
  fc.assert(
    fc.property(contender, contender, (left, right) => {
      fc.pre(left.engine !== right.engine);
      assert.notEqual(goesBefore(left, right), goesBefore(right, left));
    }),
  );
});

test("of any number of engines one goes on before all others", () => {
  fc.assert(
    fc.property(contender, contender, contender, (one, two, three) => {
      fc.pre(new Set([one.engine, two.engine, three.engine]).size === 3);
      if (goesBefore(one, two) && goesBefore(two, three)) assert.ok(goesBefore(one, three));
    }),
  );
});

test("an engine that acts is not driven out by one that only asks, however early its clock says that it began", () => {
  const acting: Contender = { stage: "holding", sinceMs: 9, engine: "z", installation: "x" };
  assert.ok(goesBefore(acting, { stage: "asking", sinceMs: 1, engine: "a", installation: "y" }));
});

test("of two that act the one that began first goes on", () => {
  const first: Contender = { stage: "holding", sinceMs: 1, engine: "z", installation: "x" };
  assert.ok(goesBefore(first, { ...first, sinceMs: 2, engine: "a" }));
});

test("an engine that has locked its folder is not driven out by one that has not, however early that one began", () => {
  const locked: Contender = { stage: "asking", sinceMs: 9, engine: "z", installation: "x" };
  assert.ok(goesBefore(locked, { ...locked, sinceMs: 1, engine: "a", installation: null }));
});
