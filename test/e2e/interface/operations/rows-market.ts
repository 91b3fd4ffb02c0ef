/** Rows of the table of operations: bands, held symbols, the trading state. */
import assert from "node:assert/strict";
import { ABSENT_ID, type Row, withBody, withPath, withQuery } from "./row.ts";

const symbol = { symbol: "NEWCO2", name: "New", exchange: "BIST", isActive: true };

const THIRTY_DAYS_MS = 30 * 86_400_000;
const inAMonth = (): string => new Date(Date.now() + THIRTY_DAYS_MS).toISOString().slice(0, 10);

/** They follow the row that writes the symbols NEWCO and NEWCO2. */
export const marketRows: readonly Row[] = [
  {
    operation: "PUT /admin/v1/symbols/{symbol}/band",
    scope: "admin",
    given: () => ({ path: { symbol: "NEWCO" }, json: { floorPrice: 81, ceilingPrice: 99, basePrice: 90 } }),
    absent: withPath({ symbol: "NOSUCH" }),
    refused: [
      { given: withBody({ floorPrice: 100 }), status: 400, message: /floorPrice must be lower than ceilingPrice/ },
      { given: withBody({ basePrice: 80 }), status: 400, message: /basePrice must lie from/ },
      { given: withBody({ floorPrice: 81.001 }), status: 400, message: /floorPrice/ },
      { given: withBody({ bandDate: "02.03.2026" }), status: 400, message: /^bandDate/ },
    ],
    success: (answer) => assert.equal(answer.body.data, true),
  },
  {
    operation: "GET /api/v1/symbols/{symbol}/band",
    scope: "read",
    given: () => ({ path: { symbol: "NEWCO" } }),
    absent: withPath({ symbol: "NOSUCH" }),
    refused: [{ given: withQuery({ brokerageCode: "NOSUCH" }), status: 400, message: /brokerageCode/ }],
    success: async (answer, world) => {
      const { floorPrice, source } = answer.body.data as { floorPrice: number; source: string };
      assert.deepEqual([floorPrice, source], [81, "operator"]);
      const imported = { ...symbol, symbol: "NEWCO2", floorPrice: 45, ceilingPrice: 55 };
      const send = (symbols: object[]) =>
        world.send("POST /admin/v1/symbols", { json: { symbols } }, world.operator.token);
      assert.equal((await send([imported])).status, 200);
      const read = await world.send(
        "GET /api/v1/symbols/{symbol}/band",
        { path: { symbol: "NEWCO2" } },
        world.alice.token,
      );
      assert.deepEqual((read.body.data as { source: string }).source, "import");
      assert.equal((await send([{ ...imported, ceilingPrice: 40 }])).status, 400);
      assert.equal((await send([{ ...symbol, floorPrice: 45 }])).status, 400);
    },
  },
  {
    operation: "GET /api/v1/symbols/{symbol}/session",
    scope: "read",
    given: () => ({ path: { symbol: "NEWCO" } }),
    absent: withPath({ symbol: "NOSUCH" }),
    refused: [{ given: withPath({ symbol: "newco" }), status: 400, message: /^symbol/ }],
    success: (answer) => {
      const { mic, takes } = answer.body.data as { mic: string; takes: string[] };
      assert.deepEqual([mic, Array.isArray(takes)], ["XIST", true]);
    },
  },
  {
    operation: "GET /api/v1/symbols/{symbol}/bars",
    scope: "read",
    given: () => ({ path: { symbol: "NEWCO" }, query: { interval: "5m" } }),
    absent: withPath({ symbol: "NOSUCH" }),
    refused: [
      { given: withQuery({ interval: "2m" }), status: 400, message: /^interval/ },
      { given: withQuery({ limit: "1501" }), status: 400, message: /^limit must be a whole number from 1 to 1500/ },
      { given: withQuery({ from: "yesterday" }), status: 400, message: /^from/ },
      { given: withQuery({ from: "2026-03-03", to: "2026-03-02" }), status: 400, message: /from must not be after to/ },
      { given: withQuery({ from: "2020-01-01" }), status: 400, message: /from must lie at most 1500 periods/ },
    ],
    success: (answer) => assert.ok(Array.isArray(answer.body.data)),
  },
  {
    operation: "POST /admin/v1/symbols/{symbol}/hold",
    scope: "admin",
    given: () => ({ path: { symbol: "NEWCO" }, json: { reason: "wrong venue" } }),
    absent: withPath({ symbol: "NOSUCH" }),
    refused: [
      { given: withBody({ reason: "" }), status: 400, message: /^reason/ },
      { given: withBody({ until: "2030-01-01" }), status: 400, message: /until is not a field/ },
      { given: withPath({ symbol: "newco" }), status: 400, message: /^symbol/ },
    ],
    success: async (answer, world) => {
      assert.deepEqual(answer.body.data, { symbol: "NEWCO", isChanged: true });
      const group = {
        ...{ brokerageCode: "PAPER", accountNumber: `PAPER-${world.alice.userId}` },
        ...{ symbol: "NEWCO", stopLossPrice: 90, stopLossQuantity: 10 },
        takeProfitItems: [{ price: 110, quantity: 10 }],
      };
      const made = await world.send("POST /api/v1/oco-orders", { json: group }, world.alice.token);
      assert.match(
        String(made.body.message),
        /NEWCO is held and no level of it fires until it is released: wrong venue/,
      );
      world.kept.set("heldId", (made.body.data as { groupId: number }).groupId);
    },
  },
  {
    operation: "POST /api/v1/oco-orders/{id}/release",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("heldId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [
      {
        given: (_right, world) => ({ path: { id: world.id("stopLossOfFired") } }),
        status: 400,
        message: /no row under watch|is not held/,
      },
    ],
    success: (answer) => assert.equal(answer.body.data, true),
  },
  {
    operation: "GET /admin/v1/symbols/held",
    scope: "admin",
    given: () => ({}),
    success: (answer) => {
      const [held, ...others] = answer.body.data as { symbol: string; by: string; releasedGroups: number }[];
      assert.deepEqual([held?.symbol, held?.by, held?.releasedGroups, others], ["NEWCO", "operator", 1, []]);
    },
  },
  {
    operation: "POST /admin/v1/symbols/{symbol}/release",
    scope: "admin",
    given: () => ({ path: { symbol: "NEWCO" } }),
    refused: [{ given: withPath({ symbol: "newco" }), status: 400, message: /^symbol/ }],
    success: (answer) => assert.deepEqual(answer.body.data, { symbol: "NEWCO", isChanged: true }),
  },
  {
    operation: "POST /admin/v1/corporate-actions",
    scope: "admin",
    given: () => ({ json: { symbol: "NEWCO", type: "bonus", ratio: 1, exDate: inAMonth() } }),
    refused: [
      { given: withBody({ ratio: 0 }), status: 400, message: /^ratio must be above 0/ },
      { given: withBody({ cash: 1 }), status: 400, message: /^cash is not a field of type bonus/ },
      { given: withBody({ type: "merger" }), status: 400, message: /^type/ },
      { given: withBody({ exDate: "2020-01-02" }), status: 400, message: /^exDate 2020-01-02 is over/ },
      { given: withBody({ symbol: "NOSUCH" }), status: 404, message: /NOSUCH is not known/ },
    ],
    success: (answer) => assert.deepEqual(answer.body.data, { actionId: `NEWCO-bonus-${inAMonth()}` }),
  },
  {
    operation: "GET /admin/v1/corporate-actions",
    scope: "admin",
    given: () => ({}),
    success: (answer) => {
      const [listed] = answer.body.data as { symbol: string; appliedDate: string | null }[];
      assert.deepEqual([listed?.symbol, listed?.appliedDate], ["NEWCO", null]);
    },
  },
  {
    operation: "DELETE /admin/v1/corporate-actions/{actionId}",
    scope: "admin",
    given: () => ({ path: { actionId: `NEWCO-bonus-${inAMonth()}` } }),
    absent: withPath({ actionId: "NEWCO-bonus-2020-01-02" }),
    success: (answer) => assert.deepEqual(answer.body.data, { actionId: `NEWCO-bonus-${inAMonth()}` }),
  },
  {
    operation: "PUT /admin/v1/symbols/{symbol}/rename",
    scope: "admin",
    given: () => ({ path: { symbol: "NEWCO2" }, json: { to: "NEWCO3" } }),
    absent: withPath({ symbol: "NOSUCH" }),
    refused: [
      { given: withBody({ to: "NEWCO2" }), status: 400, message: /^to NEWCO2 must differ from the symbol/ },
      { given: withBody({ to: "new co" }), status: 400, message: /^to/ },
      { given: withBody({ to: undefined }), status: 400, message: /^to/ },
    ],
    success: async (answer, world) => {
      assert.deepEqual(answer.body.data, { symbol: "NEWCO2", to: "NEWCO3", isChanged: true });
      const again = await world.send(
        "PUT /admin/v1/symbols/{symbol}/rename",
        { path: { symbol: "NEWCO2" }, json: { to: "NEWCO3" } },
        world.operator.token,
      );
      assert.deepEqual(again.body.data, { symbol: "NEWCO2", to: "NEWCO3", isChanged: false });
      const listed = await world.send("POST /admin/v1/symbols", { json: { symbols: [symbol] } }, world.operator.token);
      assert.deepEqual(
        [listed.status, listed.body.message],
        [400, "symbols[0].symbol NEWCO2 was renamed to NEWCO3: leave it out, or inactive"],
      );
    },
  },
  {
    operation: "POST /api/v1/trading-state",
    scope: "trade",
    given: (world) => ({
      json: {
        ...{ scope: "account", brokerageCode: "PAPER", accountNumber: `PAPER-${world.alice.userId}` },
        ...{ state: "reducing", reason: "a test" },
      },
    }),
    foreign: 403,
    refused: [
      { given: withBody({ scope: "installation" }), status: 400, message: /^scope/ },
      { given: withBody({ state: "paused" }), status: 400, message: /^state/ },
      { given: withBody({ reason: "" }), status: 400, message: /^reason/ },
      { given: withBody({ includingStops: true }), status: 400, message: /^includingStops is only for/ },
      { given: withBody({ accountNumber: "PAPER-0" }), status: 403, message: /accountNumber/ },
      { given: withBody({ brokerageCode: "NOSUCH" }), status: 400, message: /brokerageCode/ },
    ],
    success: async (answer, world) => {
      assert.equal(answer.body.data, true);
      const order = {
        ...{ brokerageCode: "PAPER", accountNumber: `PAPER-${world.alice.userId}`, symbol: "THYAO" },
        ...{ quantity: 1, buySell: 1, orderType: 1, price: 0 },
      };
      const refused = await world.send("POST /api/v1/orders", { json: order }, world.alice.token);
      const { error } = refused.body as unknown as { error: { code: string } };
      assert.deepEqual([refused.status, error.code], [409, "TRADING_REDUCING"]);
    },
  },
  {
    operation: "GET /api/v1/trading-state",
    scope: "read",
    given: () => ({}),
    success: async (answer, world) => {
      const [one, ...others] = answer.body.data as { scope: string; state: string }[];
      assert.deepEqual([one?.scope, one?.state, others], ["account", "reducing", []]);
      const place = { scope: "account", brokerageCode: "PAPER", accountNumber: `PAPER-${world.alice.userId}` };
      const json = { ...place, state: "active", reason: "a test" };
      const resumed = await world.send("POST /api/v1/trading-state", { json }, world.alice.token);
      assert.equal(resumed.status, 200);
    },
  },
  {
    operation: "POST /api/v1/accounts/flatten",
    scope: "trade",
    // An account without bots, which are paused by it and needed later.
    given: (world) => ({ json: { ...world.account("TINY"), reason: "a test", confirm: "FLATTEN" } }),
    foreign: 403,
    refused: [
      { given: withBody({ confirm: "yes" }), status: 400, message: /^confirm/ },
      { given: withBody({ reason: "" }), status: 400, message: /^reason/ },
      { given: withBody({ accountNumber: "TINY-0" }), status: 403, message: /accountNumber/ },
      { given: withBody({ brokerageCode: "NOSUCH" }), status: 400, message: /brokerageCode/ },
    ],
    success: async (answer, world) => {
      const { left } = answer.body.data as unknown as { left: readonly object[] };
      assert.deepEqual(left, []);
      const json = { scope: "account", ...world.account("TINY"), state: "active", reason: "a test", confirm: "RESUME" };
      const resumed = await world.send("POST /api/v1/trading-state", { json }, world.alice.token);
      assert.equal(resumed.status, 200);
    },
  },
  {
    operation: "POST /admin/v1/trading-state",
    scope: "admin",
    given: () => ({ json: { state: "active", reason: "a test", confirm: "RESUME" } }),
    refused: [
      { given: withBody({ state: "stopped" }), status: 400, message: /^state/ },
      { given: withBody({ scope: "user" }), status: 400, message: /scope is not a field/ },
    ],
    success: (answer) => assert.equal(answer.body.data, true),
  },
];
