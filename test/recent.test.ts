import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Recent } from "../src/recent.ts";

const CAPACITY = 6;

describe("what was used lately", () => {
  test("never holds more than it may, nor anything else than was put there, and keeps what was used lately", () => {
    const key = fc.integer({ min: 0, max: 20 }).map(String);
    const action = fc.tuple(fc.constantFrom("get", "set", "delete"), key);
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const cache = new Recent<string, number>(CAPACITY);
        const set = new Map<string, number>();
        /** Keys that are there for sure or were, the one used last at the end. */
        let used: string[] = [];
        for (const [index, [what, name]] of actions.entries()) {
          if (what === "delete") {
            cache.delete(name);
            set.delete(name);
            used = used.filter((one) => one !== name);
            assert.equal(cache.get(name), undefined);
            continue;
          }
          if (what === "set") {
            cache.set(name, index);
            set.set(name, index);
          }
          const found = cache.get(name);
          if (used.slice(-CAPACITY / 2).includes(name) || what === "set") assert.equal(found, set.get(name));
          if (found !== undefined) {
            assert.equal(found, set.get(name));
            used = [...used.filter((one) => one !== name), name];
          }
          assert.ok(cache.size <= CAPACITY);
        }
      }),
    );
  });
});
