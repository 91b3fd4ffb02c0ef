/** Pending OCO orders. */
import assert from "node:assert/strict";
import {
  ABSENT_ID,
  ofAnotherBrokerage,
  type Row,
  unknownBrokerage,
  unknownBrokerageInQuery,
  withBody,
  withPath,
} from "./row.ts";
import { NOTE, tp } from "./rows-trading.ts";

export const pendingRows: readonly Row[] = [
  {
    operation: "POST /api/v1/oco-orders/register-pending",
    scope: "trade",
    given: (world) => ({
      json: {
        ...world.account(),
        brokerOrderNo: world.id("pendingOrderNo"),
        symbol: "THYAO",
        stopLossQuantity: 10,
        stopLossPercent: 3,
        takeProfitItems: [
          { quantity: 4, percent: 5 },
          { quantity: 6, price: 400 },
        ],
        notes: NOTE,
      },
    }),
    foreign: 403,
    refused: [
      unknownBrokerage,
      { given: withBody({ stopLossPrice: 90 }), status: 400, message: /stopLossP/ },
      { given: withBody({ stopLossPercent: undefined }), status: 400, message: /stopLossP/ },
      { given: tp({ percent: 5 }), status: 400, message: /takeProfitItems\[0\]/ },
      { given: withBody({ takeProfitItems: [{ quantity: 4 }] }), status: 400, message: /takeProfitItems\[0\]/ },
      { given: withBody({ takeProfitItems: [{ quantity: 0, percent: 5 }] }), status: 400, message: /quantity/ },
      { given: withBody({ takeProfitItems: [] }), status: 400, message: /takeProfitItems/ },
      { given: withBody({ brokerOrderNo: "nothing" }), status: 400, message: /brokerOrderNo/ },
      { given: withBody({ symbol: "GARAN" }), status: 400, message: /symbol/ },
      { given: withBody({ followPosition: 1 }), status: 400, message: /followPosition/ },
    ],
    success: async (answer, world) => {
      assert.equal(typeof answer.body.data, "number");
      world.kept.set("setupId", answer.body.data as number);
      const again = await world.send(
        "POST /api/v1/oco-orders/register-pending",
        {
          json: {
            ...world.account(),
            brokerOrderNo: world.id("pendingOrderNo"),
            symbol: "THYAO",
            stopLossQuantity: 10,
            stopLossPrice: 50,
            takeProfitItems: [{ quantity: 10, price: 400 }],
          },
        },
        world.alice.token,
      );
      assert.equal(again.status, 400);
      assert.equal(again.body.data, 0);
      assert.match(String(again.body.message), /pending record already exists/);
    },
  },
  {
    operation: "GET /api/v1/oco-orders/pending",
    scope: "read",
    given: (world) => ({ query: world.account() }),
    foreign: 403,
    refused: [unknownBrokerageInQuery],
    success: (answer, world) => {
      const [setup, ...others] = answer.body.data as { setupId: number; stopLossPercent: number; notes: string }[];
      assert.deepEqual(others, []);
      assert.deepEqual([setup?.setupId, setup?.stopLossPercent, setup?.notes], [world.id("setupId"), 3, NOTE]);
    },
  },
  {
    operation: "GET /api/v1/oco-orders/pending/{setupId}",
    scope: "read",
    given: (world) => ({ path: { setupId: world.id("setupId") } }),
    foreign: 404,
    absent: withPath({ setupId: ABSENT_ID }),
    refused: [unknownBrokerageInQuery, ofAnotherBrokerage],
    success: async (answer, world) => {
      const listed = await world.send("GET /api/v1/oco-orders/pending", { query: world.account() }, world.alice.token);
      assert.deepEqual([answer.body.data], listed.body.data);
    },
  },
  {
    operation: "PATCH /api/v1/oco-orders/pending/{setupId}",
    scope: "trade",
    given: (world) => ({
      path: { setupId: world.id("setupId") },
      json: { brokerageCode: "PAPER", stopLossPrice: 50, dueDate: "2099-01-01", followPosition: true },
    }),
    foreign: 404,
    absent: withPath({ setupId: ABSENT_ID }),
    refused: [
      unknownBrokerage,
      { given: withBody({ stopLossPercent: 3 }), status: 400, message: /stopLossP/ },
      { given: withBody({ takeProfitItems: [] }), status: 400, message: /takeProfitItems/ },
      { given: withBody({ stopLossQuantity: 9 }), status: 400, message: /takeProfitItems quantities together/ },
      { given: withBody({ triggerPrice: 60 }), status: 400, message: /triggerPrice is only for a stop entry/ },
      { given: withBody({ expiresAt: "2099-01-01" }), status: 400, message: /expiresAt is only for an entry/ },
    ],
    success: async (answer, world) => {
      const changed = answer.body.data as Readonly<Record<string, unknown>>;
      assert.deepEqual([changed.stopLossPercent, changed.stopLossPrice, changed.version], [null, 50, 2]);
      assert.equal(changed.followPosition, true);
      const path = { setupId: world.id("setupId") };
      const read = await world.send("GET /api/v1/oco-orders/pending/{setupId}", { path }, world.alice.token);
      assert.deepEqual(read.body.data, answer.body.data);
    },
  },
  {
    operation: "DELETE /api/v1/oco-orders/pending/{setupId}",
    scope: "trade",
    given: (world) => ({ path: { setupId: world.id("setupId") }, query: { brokerageCode: "PAPER" } }),
    foreign: 404,
    absent: withPath({ setupId: ABSENT_ID }),
    refused: [unknownBrokerageInQuery, ofAnotherBrokerage],
    success: async (answer, world) => {
      assert.equal(answer.body.data, true);
      const path = { setupId: world.id("setupId") };
      const given = { path, query: { brokerageCode: "PAPER" } };
      const again = await world.send("DELETE /api/v1/oco-orders/pending/{setupId}", given, world.alice.token);
      assert.equal(again.status, 404, "it is removed once");
      const read = await world.send("GET /api/v1/oco-orders/pending/{setupId}", { path }, world.alice.token);
      assert.deepEqual([read.status, read.body.message], [404, again.body.message]);
      const list = await world.send("GET /api/v1/oco-orders/pending", { query: world.account() }, world.alice.token);
      assert.deepEqual(list.body.data, []);
    },
  },
  {
    operation: "POST /api/v1/oco-orders/entries",
    scope: "trade",
    given: (world) => ({
      json: {
        ...world.account(),
        symbol: "GARAN",
        entry: { orderType: 2, price: 10, cashAmount: 109, expiresAt: "2099-01-01" },
        stopLossPercent: 3,
        takeProfitItems: [
          { percent: 5, quantityPercent: 40 },
          { price: 400, quantity: 6 },
        ],
        notes: NOTE,
      },
    }),
    foreign: 403,
    refused: [
      unknownBrokerage,
      { given: withBody({ protectPartial: "yes" }), status: 400, message: /protectPartial/ },
      {
        given: withBody({ entry: { orderType: 4, price: 10, quantity: 1 } }),
        status: 400,
        message: /entry\.orderType/,
      },
      { given: withBody({ entry: { orderType: 3, quantity: 1 } }), status: 400, message: /entry\.triggerPrice is req/ },
      {
        given: withBody({ entry: { orderType: 1, triggerPrice: 10, quantity: 1 } }),
        status: 400,
        message: /entry\.triggerPrice is only/,
      },
      {
        given: withBody({ entry: { orderType: 2, price: 10 } }),
        status: 400,
        message: /exactly one of entry\.quantity/,
      },
      {
        given: withBody({ entry: { orderType: 2, price: 10, quantity: 1, cashAmount: 10 } }),
        status: 400,
        message: /exactly one of entry\.quantity/,
      },
      { given: withBody({ entry: { orderType: 2, price: 10, cashAmount: 0 } }), status: 400, message: /entry\.cashAm/ },
      {
        given: withBody({ entry: { orderType: 2, price: 10, cashAmount: 9.99 } }),
        status: 400,
        message: /buys no lot/,
      },
      {
        given: withBody({ entry: { orderType: 2, price: 10, riskAmount: 0.01 } }),
        status: 400,
        message: /buys no lot/,
      },
      {
        given: withBody({ entry: { orderType: 2, price: 10, quantity: 1, expiresAt: "2020-01-01" } }),
        status: 400,
        message: /entry\.expiresAt must be in the future/,
      },
      { given: withBody({ entry: { orderType: 2, quantity: 1 } }), status: 400, message: /entry\.price/ },
      { given: withBody({ entry: { orderType: 1, quantity: 0 } }), status: 400, message: /entry\.quantity/ },
      { given: withBody({ stopLossPrice: 9 }), status: 400, message: /stopLossP/ },
      {
        given: withBody({ takeProfitItems: [{ percent: 5 }] }),
        status: 400,
        message: /takeProfitItems\[0\]\.quantity/,
      },
      { given: withBody({ stopLossQuantity: 10 }), status: 400, message: /stopLossQuantity is not a field/ },
    ],
    success: async (answer, world) => {
      const { setupId, orderNo, orderStatus, quantity } = answer.body.data as Record<string, unknown>;
      assert.deepEqual([typeof setupId, typeof orderNo, orderStatus, quantity], ["number", "string", 1, 10]);
      const path = { setupId: Number(setupId) };
      const shown = await world.send("GET /api/v1/oco-orders/pending/{setupId}", { path }, world.alice.token);
      const { brokerOrderNo, stopLossQuantity, entry } = shown.body.data as Record<string, unknown>;
      assert.deepEqual([brokerOrderNo, stopLossQuantity], [orderNo, 10]);
      const { quantity: lots, expiresAt } = entry as Record<string, unknown>;
      assert.deepEqual([lots, expiresAt], [10, "2099-01-01T20:59:59.999Z"]);
      const change = (json: object) =>
        world.send("PATCH /api/v1/oco-orders/pending/{setupId}", { path, json }, world.alice.token);
      const changed = (await change({ expiresAt: null })).body.data as {
        version: number;
        entry: { expiresAt: unknown };
      };
      assert.deepEqual([changed.version, changed.entry.expiresAt], [2, null]);
      const past = await change({ expiresAt: "2020-01-01" });
      assert.deepEqual([past.status, past.body.message], [400, "expiresAt must be in the future"]);
      const given = { path, query: { brokerageCode: "PAPER" } };
      const removed = await world.send("DELETE /api/v1/oco-orders/pending/{setupId}", given, world.alice.token);
      assert.deepEqual([removed.status, removed.body.data], [200, true]);
    },
  },
];
