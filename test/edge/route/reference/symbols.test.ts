/** Symbols and list types: what is asked, what is kept, what takes it away. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { pageOf } from "../../support/fake-engine.ts";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";
import { askedCount, dataAt, tellChanged } from "../reference.ts";

const path = "/api/v1/symbols";
const symbol = (code: string) => ({ symbol: code, name: code, exchange: "BIST", isActive: true });

function serveSymbols(edge: RunningEdge, ...codes: readonly string[]): void {
  edge.engine.on("symbols.list", () => pageOf(null, ...codes.map(symbol)));
}

test("all symbols come in the envelope, asked of the shared partition", async (t) => {
  const edge = await runEdge(t, { partitions: 3 });
  serveSymbols(edge, "AAA", "BBB");
  const response = await edge.send("GET", path);
  assert.deepEqual(await response.json(), {
    success: true,
    message: "All symbols",
    data: [symbol("AAA"), symbol("BBB")],
  });
  assert.equal(response.headers.get("x-ratelimit-limit"), "5000");
  assert.equal(edge.engine.asked.at(-1)?.subject, "engine.0.query");
});

test("several pages are one list", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("symbols.list", ({ body }) =>
    (body as { from?: string }).from === "1" ? pageOf(null, symbol("BBB")) : pageOf("1", symbol("AAA")),
  );
  assert.deepEqual(await dataAt(edge, path), [symbol("AAA"), symbol("BBB")]);
});

test("a list that changes between its pages is read from the start again", async (t) => {
  const edge = await runEdge(t);
  let isOld = true;
  edge.engine.on("symbols.list", async ({ body }) => {
    if ((body as { from?: string }).from !== "1")
      return isOld ? pageOf("1", symbol("OLD")) : pageOf("1", symbol("AAA"));
    if (isOld) {
      isOld = false;
      tellChanged(edge, "symbols");
      await edge.engineBus.flush();
    }
    return pageOf(null, symbol("BBB"));
  });
  assert.deepEqual(await dataAt(edge, path), [symbol("AAA"), symbol("BBB")]);
});

test("symbols are kept for 60 s", async (t) => {
  const edge = await runEdge(t);
  serveSymbols(edge, "AAA");
  await dataAt(edge, path);
  edge.advance(59_000);
  await dataAt(edge, path);
  assert.equal(askedCount(edge, "symbols.list"), 1);
  edge.advance(2_000);
  await dataAt(edge, path);
  assert.equal(askedCount(edge, "symbols.list"), 2);
});

test("a write is seen by the next read, whatever was kept", async (t) => {
  const edge = await runEdge(t);
  for (const what of ["symbols", "all", "nonsense"]) {
    serveSymbols(edge, "AAA");
    tellChanged(edge, "all");
    await untilTrue(async () => JSON.stringify(await dataAt(edge, path)) === JSON.stringify([symbol("AAA")]));
    serveSymbols(edge, "AAA", "BBB");
    assert.deepEqual(await dataAt(edge, path), [symbol("AAA")]);
    tellChanged(edge, what);
    await edge.engineBus.flush();
    await untilTrue(async () => ((await dataAt(edge, path)) as unknown[]).length === 2);
  }
});

test("an answer that a change has overtaken is not kept", async (t) => {
  const edge = await runEdge(t);
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  edge.engine.on("symbols.list", async () => {
    await gate;
    return pageOf(null, symbol("OLD"));
  });
  const overtaken = dataAt(edge, path);
  await untilTrue(() => askedCount(edge, "symbols.list") === 1);
  tellChanged(edge, "symbols");
  serveSymbols(edge, "NEW");
  await untilTrue(async () => JSON.stringify(await dataAt(edge, path)) === JSON.stringify([symbol("NEW")]));
  open();
  assert.deepEqual(await overtaken, [symbol("OLD")]);
  assert.deepEqual(await dataAt(edge, path), [symbol("NEW")]);
});

test("readers at one time ask once", async (t) => {
  const edge = await runEdge(t);
  serveSymbols(edge, "AAA");
  await Promise.all(Array.from({ length: 10 }, () => dataAt(edge, path)));
  assert.equal(askedCount(edge, "symbols.list"), 1);
});

test("one symbol is asked for by its code, and its refusal is not kept", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("symbols.get", () => ({ ok: false, code: "NOT_FOUND", message: "the symbol was not found" }));
  const missing = await edge.send("GET", `${path}/AAA`);
  assert.equal(missing.status, 404);
  assert.deepEqual(await missing.json(), {
    success: false,
    message: "the symbol was not found",
    error: { code: "NOT_FOUND", message: "the symbol was not found" },
  });
  edge.engine.on("symbols.get", ({ body }) => ({ ok: true, data: symbol((body as { symbol: string }).symbol) }));
  assert.deepEqual(await dataAt(edge, `${path}/AAA`), symbol("AAA"));
});

test("list types are fixed and need no engine", async (t) => {
  const edge = await runEdge(t);
  const types = (await dataAt(edge, "/api/v1/list-types")) as { id: number; code: string }[];
  assert.deepEqual(
    types.map(({ id, code }) => [id, code]),
    [
      [1, "INDEX"],
      [2, "CUSTOM"],
    ],
  );
  assert.deepEqual(await dataAt(edge, "/api/v1/list-types/2"), types[1]);
  assert.equal((await edge.send("GET", "/api/v1/list-types/3")).status, 404);
  assert.equal((await edge.send("GET", "/api/v1/list-types/x")).status, 400);
});

test("without the read scope nothing is told", async (t) => {
  const edge = await runEdge(t);
  const headers = await edge.bearer({ claims: { scope: "trade" } });
  const paths = [path, `${path}/AAA`, "/api/v1/list-types", "/api/v1/symbol-lists", "/api/v1/public/restrictions"];
  for (const each of paths) assert.equal((await edge.fetch(each, { headers })).status, 403, each);
});
