import assert from "node:assert/strict";
import { test } from "node:test";
import { Ladder, type Resting } from "../../../../../engine/connector/paper/market/ladder.ts";
import fc from "../../../../support/property.ts";
import { priceOf } from "../harness.ts";

const resting = fc.record({
  buySell: fc.constantFrom<1 | 2>(1, 2),
  orderType: fc.constantFrom<1 | 2>(1, 2, 2, 2),
  limit: fc.integer({ min: 1_000, max: 1_006 }),
});

/** Market orders first, then by limit, then by age; buys before sells. */
function naivelyReached(orders: readonly Resting[], thousandths: number): Resting[] {
  const limitOf = (order: Resting): number => order.limit * 10;
  const isReached = (order: Resting): boolean =>
    order.orderType === 1 || (order.buySell === 1 ? thousandths <= limitOf(order) : thousandths >= limitOf(order));
  const compare = (one: Resting, other: Resting): number => {
    if (one.buySell !== other.buySell) return one.buySell - other.buySell;
    if (one.orderType !== other.orderType) return one.orderType - other.orderType;
    const byLimit = one.orderType === 1 ? 0 : one.limit - other.limit;
    return (one.buySell === 1 ? -byLimit : byLimit) || one.sequence - other.sequence;
  };
  return orders.filter(isReached).sort(compare);
}

test("a price reaches the orders that a walk over all of them finds, in the order of limit and age", () => {
  const orders = fc.array(resting, { maxLength: 40, size: "max" });
  const removed = fc.array(fc.nat(39), { maxLength: 20 });
  fc.assert(
    fc.property(orders, removed, fc.integer({ min: 9_990, max: 10_070 }), (drafts, gone, thousandths) => {
      const ladder = new Ladder<Resting>();
      const all = drafts.map((draft, sequence) => ({ ...draft, sequence }));
      // Added newest first, so that age is not the order of adding.
      for (const order of [...all].reverse()) ladder.add(order);
      for (const order of all) if (gone.includes(order.sequence)) ladder.remove(order);
      const left = all.filter((order) => !gone.includes(order.sequence));
      const reached = naivelyReached(left, thousandths);
      assert.deepEqual(ladder.reachedBy(priceOf(thousandths / 1_000)), reached);
      assert.equal(ladder.reaches(priceOf(thousandths / 1_000)), reached.length > 0);
      assert.equal(ladder.isEmpty, left.length === 0);
    }),
  );
});
