/** Lists that take filters and come in parts (behaviour 11.8). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { pageOf } from "../support/fake-engine.ts";
import { runEdge } from "../support/running-edge.ts";

const account = { brokerageCode: "PAPER", accountNumber: "1001" };
const refused = z.object({ message: z.string(), error: z.object({ field: z.string().nullable() }) });

function addressOf(path: string, given: Readonly<Record<string, string>>): string {
  return `/api/v1/${path}?${new URLSearchParams({ ...account, ...given })}`;
}

test("without a parameter of its own a list is asked for as it is stored", async (t) => {
  const edge = await runEdge(t);
  for (const [type, path] of [
    ["oco.list", "oco-orders"],
    ["setup.list", "oco-orders/pending"],
    ["orders.list", "orders"],
  ] as const) {
    edge.engine.on(type, () => pageOf(null, { id: 1 }));
    const response = await edge.send("GET", addressOf(path, {}));
    assert.equal(response.headers.get("x-next-cursor"), null);
    assert.deepEqual(edge.engine.asked.at(-1)?.body, account);
  }
});

test("filters go to the engine, and a filtered list without a limit is whole", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.list", ({ body }) =>
    (body as { from?: string }).from === "20.21" ? pageOf(null, { id: 3 }) : pageOf("20.21", { id: 1 }, { id: 2 }),
  );
  const since = "2026-03-01T10:00:00+03:00";
  const response = await edge.send("GET", addressOf("oco-orders", { status: "2,3,2", symbol: "THYAO", since }));
  assert.deepEqual(((await response.json()) as { data: unknown }).data, [{ id: 1 }, { id: 2 }, { id: 3 }]);
  assert.equal(response.headers.get("x-next-cursor"), null);
  const part = { statuses: [2, 3], symbol: "THYAO", sinceMs: Date.parse(since) };
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { ...account, part, from: "20.21" });
});

test("a limit gives one part, and its cursor the next one; a part without rows is not shown", async (t) => {
  const edge = await runEdge(t);
  const pages = new Map([
    ["", pageOf("2.0")],
    ["2.0", pageOf("3.4", { id: 2 })],
    ["3.4", pageOf(null, { id: 4 })],
  ]);
  edge.engine.on("orders.list", ({ body }) => pages.get((body as { from?: string }).from ?? "") ?? pageOf(null));
  const first = await edge.send("GET", addressOf("orders", { limit: "1", state: "open" }));
  assert.deepEqual(((await first.json()) as { data: unknown }).data, [{ id: 2 }]);
  const cursor = first.headers.get("x-next-cursor") ?? "";
  assert.match(cursor, /^[\w-]+$/);
  for (const given of [{ limit: "1", cursor }, { cursor }]) {
    const second = await edge.send("GET", addressOf("orders", given));
    assert.deepEqual(((await second.json()) as { data: unknown }).data, [{ id: 4 }]);
    assert.equal(second.headers.get("x-next-cursor"), null);
  }
});

test("a parameter that is wrong is a 400 that names it and the rule", async (t) => {
  const edge = await runEdge(t);
  const notOurs = { ok: false, code: "INVALID", message: "cursor is not a value that this list returned" } as const;
  edge.engine.on("oco.list", () => notOurs);
  for (const [name, value, rule] of [
    ["status", "5", /^status must be 1 \(Active\), 2 .+, separated by commas$/],
    ["status", "", /^status must be/],
    ["symbol", "thyao", /^symbol must be 1 to 16 of A-Z, 0-9 and _$/],
    ["since", "yesterday", /^since must be an ISO 8601 time such as/],
    ["since", "2026-02-30", /^since must be an ISO 8601 time such as/],
    ["limit", "0", /^limit must be a whole number from 1 to 1000$/],
    ["limit", "1001", /^limit must be/],
    ["cursor", "a b", /^cursor is not a value that this list returned$/],
    ["cursor", "YWJj", /^cursor is not a value that this list returned$/],
    ["state", "open", /^state is not a parameter; did you mean status\?$/],
  ] as const) {
    const response = await edge.send("GET", addressOf("oco-orders", { [name]: value }));
    assert.equal(response.status, 400, name);
    const { message, error } = refused.parse(await response.json());
    assert.match(message, rule);
    assert.equal(error.field, name);
  }
  const unknown = await edge.send("GET", addressOf("oco-orders/pending", { since: "2026-03-01" }));
  assert.equal(unknown.status, 400);
});
