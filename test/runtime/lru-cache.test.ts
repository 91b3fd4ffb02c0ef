import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import fc from "../support/property.ts";

const CAPACITY = 6;
const key = fc.integer({ min: 0, max: 20 }).map(String);
const scriptOf = (...names: ("get" | "set" | "delete")[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names), key), { maxLength: 200, size: "max" });

describe("what was used lately", () => {
  test("is never more than it may be, nor anything else than was put there", () => {
    fc.assert(
      fc.property(scriptOf("get", "set", "delete"), (script) => {
        const recent = new LruCache<string, number>(CAPACITY);
        const twin = new Map<string, number>();
        for (const [index, [what, name]] of script.entries()) {
          if (what === "set") {
            recent.set(name, index);
            twin.set(name, index);
            assert.equal(recent.get(name), index);
          } else if (what === "delete") {
            recent.delete(name);
            twin.delete(name);
            assert.equal(recent.get(name), undefined);
          }
          const found = recent.get(name);
          if (found !== undefined) assert.equal(found, twin.get(name));
          assert.ok(recent.size <= CAPACITY);
        }
      }),
    );
  });

  test("holds half as many as it may, those used last, where none is deleted", () => {
    fc.assert(
      fc.property(scriptOf("get", "set"), (script) => {
        const recent = new LruCache<string, number>(CAPACITY);
        const twin = new Map<string, number>();
        /** The one used last at the end. */
        let used: string[] = [];
        for (const [index, [what, name]] of script.entries()) {
          if (what === "set") {
            recent.set(name, index);
            twin.set(name, index);
          }
          const found = recent.get(name);
          if (what === "set" || used.slice(-CAPACITY / 2).includes(name)) assert.equal(found, twin.get(name));
          if (found !== undefined) used = [...used.filter((one) => one !== name), name];
        }
      }),
    );
  });
});
