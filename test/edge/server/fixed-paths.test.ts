/** The quick way to a route finds what the slow one finds. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TrieRouter } from "hono/router/trie-router";
import { FixedPathRouter } from "../../../edge/server/fixed-paths.ts";
import fc from "../../support/property.ts";

const ROUTES: readonly (readonly [string, string])[] = [
  ["ALL", "/*"],
  ["GET", "/bots"],
  ["POST", "/bots"],
  ["GET", "/bots/history"],
  ["GET", "/bots/:id"],
  ["GET", "/bots/:id/pairs"],
  ["GET", "/"],
];
const PATHS = [
  "/",
  "/bots",
  "/bots/",
  "/bots/history",
  "/bots/7",
  "/bots/:id",
  "/bots/7/pairs",
  "/none",
  "/*",
  "//bots",
];

function fill<R extends { add(method: string, path: string, handler: string): void }>(router: R): R {
  for (const [method, path] of ROUTES) router.add(method, path, `${method} ${path}`);
  return router;
}

describe("a router with a short way for fixed paths", () => {
  test("finds the same at every time of asking, in whatever order", () => {
    const requests = fc.array(fc.tuple(fc.constantFrom("GET", "POST", "DELETE"), fc.constantFrom(...PATHS)));
    fc.assert(
      fc.property(requests, (asked) => {
        const router = fill(new FixedPathRouter<string>());
        const twin = fill(new TrieRouter<string>());
        for (const [method, path] of asked) assert.deepEqual(router.match(method, path), twin.match(method, path));
      }),
    );
  });

  test("names the methods with a route of their own at a path, and none for what all methods share", () => {
    const router = fill(new FixedPathRouter<string>());
    assert.deepEqual(router.methodsAt("/bots"), ["GET", "POST"]);
    assert.deepEqual(router.methodsAt("/bots/7"), ["GET"]);
    assert.deepEqual(router.methodsAt("/none"), []);
    router.add("DELETE", "/bots/:id", "remove");
    assert.deepEqual(router.methodsAt("/bots/7"), ["GET", "DELETE"]);
  });

  test("finds a route that was added after a path was asked for", () => {
    const router = fill(new FixedPathRouter<string>());
    assert.equal(router.match("GET", "/bots")[0].length, 2);
    router.add("GET", "/bots", "second");
    assert.deepEqual(
      router.match("GET", "/bots")[0].map(([handler]) => handler),
      ["ALL /*", "GET /bots", "second"],
    );
  });
});
