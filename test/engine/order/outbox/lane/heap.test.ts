import assert from "node:assert/strict";
import { test } from "node:test";
import { Heap } from "../../../../../engine/order/outbox/lane/heap.ts";
import fc from "../../../../support/property.ts";

test("a heap gives what a sorted list gives", () => {
  const steps = fc.array(fc.option(fc.integer({ min: 0, max: 50 }), { freq: 2 }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (plan) => {
      const heap = new Heap<number>((a, b) => a < b);
      let twin: number[] = [];
      for (const item of plan) {
        if (item === null) {
          assert.equal(heap.pop(), twin[0]);
          twin = twin.slice(1);
        } else {
          heap.push(item);
          twin = [...twin, item].sort((a, b) => a - b);
        }
        assert.equal(heap.size, twin.length);
        assert.equal(heap.peek(), twin[0]);
      }
    }),
  );
});
