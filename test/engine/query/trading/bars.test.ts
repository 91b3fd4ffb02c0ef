/** Bars as they are asked for (behaviour 22): spans, refusals, and what a brokerage is asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Brokerage } from "../../../../engine/ports/brokerage.ts";
import type { QueryContext } from "../../../../engine/query/context.ts";
import { barQueries } from "../../../../engine/query/trading/bars.ts";
import type { BarView } from "../../../../src/contract/trading/bars.ts";
import type { BarsRequest } from "../../../../src/contract/trading/order.ts";
import type { Bar } from "../../../../src/domain/market/bars.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

const MINUTE_MS = 60_000;

function world(own: readonly Bar[]) {
  const time = new FakeTime(Date.parse("2026-03-02T09:00:00Z"));
  const asked: BarsRequest[] = [];
  const state = { isSilent: false, isRefusing: false, canTellBars: true };
  const bars: Brokerage["bars"] = (request) => {
    asked.push(request);
    if (state.isSilent) return new Promise(() => undefined);
    if (state.isRefusing) return Promise.resolve({ ok: false, code: "REJECTED", message: "not yours" });
    const prices = { open: 1, high: 9, low: 1, close: 2, volume: 0 };
    const at = (minutes: number) => new Date(time.nowMs() - minutes * MINUTE_MS).toISOString();
    return Promise.resolve({
      ok: true,
      data: [
        { time: at(10), ...prices, isOpen: false },
        { time: at(5), ...prices, isOpen: true },
      ],
    });
  };
  const brokerage = { bars, session: () => ({ state: "up", canTellBars: state.canTellBars }) } as unknown as Brokerage;
  const context = {
    ...{ clock: time, timers: time },
    symbols: { isKnown: (symbol: string) => symbol === "THYAO", zoneOf: () => "Europe/Istanbul" },
    brokerages: { find: () => undefined, all: () => [brokerage] },
  } as unknown as QueryContext;
  const history = {
    // In slices of two, so that periods lie in several.
    read: async function* (_symbol: string, fromMs: number, toMs: number) {
      const asked = own.filter((bar) => bar.fromMs >= fromMs && bar.fromMs < toMs);
      for (let start = 0; start < asked.length; start += 2) yield asked.slice(start, start + 2);
    },
  };
  const query = barQueries(history).get("symbols.bars") ?? assert.fail("no query");
  const ask = async (body: object) => {
    const answer = query(context, 7, { symbol: "THYAO", interval: "1m", limit: 100, ...body });
    await time.advance(2_100);
    return (await answer) as { ok: boolean; code?: string; message?: string; data?: BarView[] };
  };
  const closes = async (body: object) =>
    (await ask(body)).data?.map(({ time: at, close }) => [at.slice(11, 16), close]);
  return { time, asked, state, ask, closes };
}

function ownBar(at: string, price: number): Bar {
  return { fromMs: Date.parse(`2026-03-02T${at}:00Z`), open: price, high: price, low: price, close: price };
}

test("own bars come oldest first, at most as many as are wanted, from and to included", async () => {
  const { closes, asked } = world([ownBar("08:00", 5), ownBar("08:01", 6), ownBar("08:02", 7)]);
  const from = "2026-03-02T08:00:00Z";
  assert.deepEqual(await closes({ from, to: "2026-03-02T08:01:00Z" }), [
    ["08:00", 5],
    ["08:01", 6],
  ]);
  assert.deepEqual(await closes({ from, limit: 1 }), [["08:02", 7]]);
  assert.equal(asked.length, 0, "no brokerage is asked for what is kept");
});

test("the last period is whole whatever lies before its end", async () => {
  const { closes } = world([ownBar("08:00", 5), ownBar("08:04", 6)]);
  const span = { from: "2026-03-02T08:00:00Z", to: "2026-03-02T08:01:00Z" };
  assert.deepEqual(await closes({ ...span, interval: "5m" }), [["08:00", 6]]);
});

test("what is wrong is refused under its name", async () => {
  const { ask } = world([]);
  const told = async (body: object) => {
    const { code, message } = await ask(body);
    return [code, message];
  };
  assert.deepEqual(await told({ symbol: "NOSUCH" }), ["NOT_FOUND", "the symbol was not found"]);
  assert.deepEqual(await told({ from: "2026-03-03", to: "2026-03-02" }), ["INVALID", "from must not be after to"]);
  const tooMany = "from must lie at most 1500 periods of the interval before to";
  assert.deepEqual(await told({ from: "2026-02-01" }), ["INVALID", tooMany]);
  for (const body of [{ interval: "2m" }, { limit: 1_501 }, { from: "yesterday" }]) {
    const [code, message] = await told(body);
    assert.equal(code, "INVALID");
    assert.match(String(message), new RegExp(Object.keys(body).join("")));
  }
});

test("what lies before the kept history is asked of a brokerage once a minute, and own bars win", async () => {
  const { time, closes, asked } = world([ownBar("08:55", 50)]);
  const filled = [
    ["08:50", 2],
    ["08:55", 50],
  ];
  assert.deepEqual(await closes({}), filled);
  assert.deepEqual(await closes({}), filled);
  assert.deepEqual(asked, [{ userId: 7, symbol: "THYAO", periodMinutes: 1, count: 1_000 }]);
  await time.advance(MINUTE_MS);
  await closes({});
  await closes({ interval: "5m" });
  assert.deepEqual(
    asked.map(({ periodMinutes }) => periodMinutes),
    [1, 1, 5],
  );
});

test("a longer period that the own history began in its middle is joined with the brokerage's", async () => {
  const { ask } = world([ownBar("08:57", 5)]);
  const { data } = await ask({ interval: "5m" });
  assert.deepEqual(data?.at(-1), { time: "2026-03-02T08:55:00.000Z", open: 1, high: 9, low: 1, close: 5 });
});

test("a brokerage that is silent, refuses or tells no bars leaves the own ones", async () => {
  const { time, state, closes, asked } = world([ownBar("08:59", 50)]);
  state.canTellBars = false;
  assert.deepEqual(await closes({}), [["08:59", 50]]);
  assert.equal(asked.length, 0);
  Object.assign(state, { canTellBars: true, isRefusing: true });
  assert.deepEqual(await closes({}), [["08:59", 50]]);
  Object.assign(state, { isRefusing: false, isSilent: true });
  assert.deepEqual(await closes({}), [["08:59", 50]], "a refusal of one user holds no other off");
  assert.equal(asked.length, 2);
  await time.advance(MINUTE_MS);
});
