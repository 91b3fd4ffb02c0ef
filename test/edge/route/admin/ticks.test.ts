/** Ticks that an operator sends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { untilTrue } from "../../../support/machine/until-true.ts";
import { pageOf } from "../../support/fake-engine.ts";
import { type RunningEdge, runEdge } from "../../support/running-edge.ts";

const symbol = (code: string) => ({ symbol: code, name: code, exchange: "BIST", isActive: true });

interface Heard {
  readonly subject: string;
  readonly tick: unknown;
}

async function setUp(
  t: Parameters<typeof runEdge>[0],
  isMarketSimulated = false,
): Promise<{ edge: RunningEdge; heard: Heard[] }> {
  const edge = await runEdge(t, { isMarketSimulated });
  edge.engine.on("symbols.list", () => pageOf(null, symbol("AAA"), symbol("BBB")));
  const heard: Heard[] = [];
  edge.engineBus.subscribe("ticks.>", ({ subject, data }) => {
    heard.push({ subject, tick: JSON.parse(Buffer.from(data).toString()) });
  });
  await edge.engineBus.flush();
  return { edge, heard };
}

test("go out in their order, each on its symbol's subject, as a publisher would write them", async (t) => {
  const { edge, heard } = await setUp(t);
  const ticks = [
    { symbol: "AAA", price: 10.005, time: 1_700_000_000_000 },
    { symbol: "BBB", price: 10_000_000.5 },
    { symbol: "AAA", price: 10, time: null },
  ];
  const answer = await edge.send("POST", "/admin/v1/ticks", { ticks });
  assert.deepEqual(((await answer.json()) as { data: unknown }).data, { published: 3 });
  await untilTrue(() => heard.length === 3);
  assert.deepEqual(heard, [
    { subject: "ticks.AAA", tick: { price: 10.005, time: 1_700_000_000_000 } },
    { subject: "ticks.BBB", tick: { price: 10_000_000.5 } },
    { subject: "ticks.AAA", tick: { price: 10 } },
  ]);
});

test("go out all or not at all", async (t) => {
  const { edge, heard } = await setUp(t);
  const right = { symbol: "AAA", price: 10 };
  for (const wrong of [
    { symbol: "CCC", price: 10 },
    { symbol: "AAA", price: 0 },
    { symbol: "AAA", price: -1 },
    { symbol: "AAA", price: 1e15 },
    { symbol: "AAA", price: 10, time: 1.5 },
    { symbol: "AAA", price: 10, time: Date.now() + 60_000 },
  ]) {
    const answer = await edge.send("POST", "/admin/v1/ticks", { ticks: [right, wrong] });
    assert.equal(answer.status, 400, JSON.stringify(wrong));
    assert.match(((await answer.json()) as { message: string }).message, /^ticks\[1\]\./);
  }
  const zero = await edge.send("POST", "/admin/v1/ticks", { ticks: [{ symbol: "AAA", price: 0 }] });
  assert.equal(((await zero.json()) as { message: string }).message, "ticks[0].price must be above 0");
  const infinite = await edge.send("POST", "/admin/v1/ticks", '{"ticks":[{"symbol":"AAA","price":1e400}]}');
  assert.equal(infinite.status, 400);
  const tooMany = await edge.send("POST", "/admin/v1/ticks", { ticks: Array.from({ length: 1_001 }, () => right) });
  assert.equal(tooMany.status, 400);
  await edge.engineBus.flush();
  assert.deepEqual(heard, []);
});

test("are refused where the symbols cannot be had", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("symbols.list", () => ({ ok: false, code: "UNAVAILABLE", message: "away" }));
  assert.equal((await edge.send("POST", "/admin/v1/ticks", { ticks: [{ symbol: "AAA", price: 1 }] })).status, 503);
});

test("go out from whoever trades while prices are simulated, and else are refused (behaviour 11.7a)", async (t) => {
  const ticks = [{ symbol: "AAA", price: 10 }];
  const simulated = await setUp(t, true);
  assert.equal((await simulated.edge.send("POST", "/api/v1/ticks", { ticks })).status, 200);
  await untilTrue(() => simulated.heard.length === 1);
  const unknown = await simulated.edge.send("POST", "/api/v1/ticks", { ticks: [{ symbol: "CCC", price: 10 }] });
  assert.equal(unknown.status, 400);
  const real = await setUp(t);
  const refused = await real.edge.send("POST", "/api/v1/ticks", { ticks });
  assert.deepEqual([refused.status, real.heard], [403, []]);
  assert.match(((await refused.json()) as { message: string }).message, /only into a simulated market/);
});
