/** Stop-losses that follow a price, against a twin that looks at each of them (behaviour 19.2). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EntryPool } from "../../../engine/watch/entry-pool.ts";
import { RaiseClasses } from "../../../engine/watch/raise-classes.ts";
import type { StopDistance } from "../../../engine/watch/raise-number.ts";
import fc from "../../support/property.ts";

/** Each owner with its own high. */
class Twin {
  readonly owners = new Map<number, StopDistance & { high: number }>();

  levelOf(owner: number): number {
    const { high = 0, isPercent = false, distance = 0 } = this.owners.get(owner) ?? {};
    return isPercent ? Math.floor((high * (10_000 - distance)) / 10_000) : high - distance;
  }

  get level(): number {
    return Math.max(0, ...[...this.owners.keys()].map((owner) => this.levelOf(owner)));
  }

  takeReached(ceil: number): readonly number[] {
    const reached = [...this.owners.keys()].filter((owner) => ceil <= this.levelOf(owner));
    for (const owner of reached) this.owners.delete(owner);
    return reached;
  }
}

const inOrder = (owners: readonly number[]): number[] => [...owners].sort((left, right) => left - right);
const owner = fc.nat(40);
const stop = fc.oneof(
  fc.record({ isPercent: fc.constant(false), distance: fc.integer({ min: 1, max: 400 }), isConfirmed: fc.boolean() }),
  fc.record({ isPercent: fc.constant(true), distance: fc.integer({ min: 1, max: 4_000 }), isConfirmed: fc.boolean() }),
);
const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("join" as const), owner, stop }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("leave" as const), owner }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("tick" as const), by: fc.integer({ min: -60, max: 70 }) }) },
);

test("whoever joins and leaves in a random walk, those are reached that a twin finds that looks at each", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 400, size: "max" }), (moves) => {
      const pool = new EntryPool({ keys: "int32", watches: "uint16" });
      const classes = new RaiseClasses(pool);
      const twin = new Twin();
      let price = 1_000;
      for (const one of moves) {
        if (one.type === "join") {
          if (twin.owners.has(one.owner)) continue;
          classes.join(one.owner, one.stop, price);
          twin.owners.set(one.owner, { ...one.stop, high: price });
        } else if (one.type === "leave") {
          assert.equal(classes.leave(one.owner), twin.owners.delete(one.owner));
        } else {
          price = Math.max(1, price + one.by);
          assert.deepEqual(inOrder(classes.takeReached(price)), inOrder(twin.takeReached(price)));
          classes.raise(price);
          for (const each of twin.owners.values()) each.high = Math.max(each.high, price);
        }
        assert.equal(classes.level, twin.level);
      }
      for (const each of twin.owners.keys()) assert.ok(classes.leave(each));
      assert.equal(classes.level, 0);
      assert.equal(pool.bytes, new EntryPool({ keys: "int32", watches: "uint16" }).bytes, "nothing is kept of them");
    }),
  );
});

test("an owner that joins under a high of others does not get theirs", () => {
  const classes = new RaiseClasses(new EntryPool({ keys: "int32", watches: "uint16" }));
  const distance = { isPercent: false, distance: 500, isConfirmed: false };
  classes.join(1, distance, 12_000);
  classes.join(2, distance, 10_000);
  assert.deepEqual(classes.takeReached(11_500), [1]);
  assert.equal(classes.level, 9_500);
});
