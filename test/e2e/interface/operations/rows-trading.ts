/** Accounts, orders and OCO orders. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { LedgerRowView } from "../../../../src/contract/trading/ledger.ts";
import type { LimitsView } from "../../../../src/contract/trading/limits.ts";
import { until } from "../../../support/world/stack.ts";
import {
  ABSENT_ID,
  ofAnotherBrokerage,
  type Refused,
  type Row,
  unknownBrokerage,
  unknownBrokerageInQuery,
  unknownSymbol,
  withBody,
  withPath,
  withQuery,
} from "./row.ts";
import type { Answer, World } from "./world.ts";

const PASSWORD = `password-${randomBytes(9).toString("hex")}`;
const NATIONAL_ID = `national-${randomBytes(9).toString("hex")}`;
/** In bodies that are stored and shown, and must not be logged. */
export const NOTE = `note-${randomBytes(9).toString("hex")}`;

interface Shown {
  readonly id: number;
  readonly orderNo: string;
  readonly accountNumber: string;
  readonly status: number;
}

const shown = ({ body }: Answer): Shown => body.data as Shown;
const all = ({ body }: Answer): readonly Shown[] => body.data as readonly Shown[];

const order = { symbol: "THYAO", quantity: 10, buySell: 1, orderType: 2, price: 100 };

const orderRefusals: readonly Refused[] = [
  unknownBrokerage,
  unknownSymbol,
  { given: withBody({ symbol: "thyao" }), status: 400, message: /symbol/ },
  { given: withBody({ quantity: 0 }), status: 400, message: /^quantity must be at least 1$/ },
  { given: withBody({ quantity: 1.5 }), status: 400, message: /^quantity must be a whole number$/ },
  { given: withBody({ quantity: 1_000_000_001 }), status: 400, message: /quantity/ },
  { given: withBody({ buySell: 3 }), status: 400, message: /buySell/ },
  { given: withBody({ orderType: 3 }), status: 400, message: /orderType/ },
  { given: withBody({ price: 100.05 }), status: 400, message: /price 100.05 is not a multiple of 0.1/ },
  { given: withBody({ price: 0 }), status: 400, message: /price/ },
  { given: withBody({ orderType: 1 }), status: 400, message: /price.* must be 0/ },
  { given: withBody({ accountNumber: "PAPER-0" }), status: 403, message: /accountNumber/ },
];

async function keepSmsCode(world: World): Promise<void> {
  const codes = (output: string): string[] => [...output.matchAll(/"code":"(\d{6})"/g)].map(([, code]) => code ?? "");
  // The log is written behind the answer.
  const code = await until(
    async () => codes(world.stack.engine(0).output()).at(-1),
    (found) => found !== undefined,
  );
  assert.ok(code !== undefined, "the paper brokerage has sent a code");
  world.kept.set("sms", code);
  world.keepSecret(code);
}

const login = (world: World) => ({ ...world.account("LOGIN"), username: NATIONAL_ID, password: PASSWORD });

export const accountRows: readonly Row[] = [
  {
    operation: "GET /api/v1/accounts",
    scope: "read",
    given: () => ({}),
    success: (answer, world) => {
      const numbers = all(answer).map(({ accountNumber }) => accountNumber);
      assert.deepEqual(numbers, [
        world.account().accountNumber,
        world.account("SLICE").accountNumber,
        world.account("TINY").accountNumber,
        world.account("MUTE").accountNumber,
      ]);
    },
  },
  {
    operation: "POST /api/v1/accounts/reset",
    scope: "trade",
    // Before it has a bot.
    given: (world) => ({ json: { ...world.account("TINY"), confirm: "RESET" } }),
    foreign: 403,
    refused: [
      { given: withBody({ confirm: "yes" }), status: 400, message: /^confirm/ },
      { given: withBody({ accountNumber: "TINY-0" }), status: 403, message: /accountNumber/ },
      { given: withBody({ brokerageCode: "NOSUCH" }), status: 400, message: /brokerageCode/ },
    ],
    success: (answer) => {
      const { cash, buyingPower } = answer.body.data as unknown as { cash: number; buyingPower: number };
      assert.equal(cash, buyingPower);
    },
  },
  {
    operation: "POST /api/v1/accounts/login",
    scope: "trade",
    given: (world) => ({ json: login(world) }),
    refused: [
      unknownBrokerage,
      { given: withBody({ username: "" }), status: 400, message: /^username must not be empty$/ },
      { given: withBody({ sms: "123456" }), status: 400, message: /sms/ },
      { given: withBody({ sessionId: "unknown", sms: "123456" }), status: 400, message: /sessionId is not known/ },
      { given: withBody({ accountNumber: "LOGIN-0" }), status: 400, message: /accountNumber/ },
    ],
    success: async (answer, world) => {
      const { otp, sessionId } = answer.body.data as { otp: number; sessionId: string };
      assert.equal(otp, 1);
      world.keepSecret(PASSWORD, NATIONAL_ID, sessionId);
      await keepSmsCode(world);
      const send = (sms: unknown) =>
        world.send("POST /api/v1/accounts/login", { json: { ...login(world), sessionId, sms } }, world.alice.token);
      const wrong = await send("000000x");
      assert.equal(wrong.status, 400);
      const second = await send(world.id("sms"));
      assert.deepEqual(second.body.data, { otp: 0, isLoggedIn: true });
    },
  },
  {
    operation: "POST /api/v1/accounts/positions",
    scope: "read",
    given: (world) => ({ json: { ...world.account(), includeOrders: true } }),
    foreign: 403,
    refused: [unknownBrokerage],
    success: (answer) => assert.deepEqual((answer.body.data as object[]).length, 2),
  },
  {
    operation: "POST /api/v1/accounts/daily-orders",
    scope: "read",
    given: (world) => ({ json: world.account() }),
    foreign: 403,
    refused: [unknownBrokerage],
    waitMs: 1_100,
    success: (answer) => assert.deepEqual(answer.body.data, []),
  },
  {
    operation: "GET /api/v1/accounts/balance",
    scope: "read",
    given: (world) => ({ query: world.account() }),
    foreign: 403,
    refused: [unknownBrokerageInQuery],
    waitMs: 1_100,
    success: (answer) => {
      const { cash, equity, currency } = answer.body.data as unknown as {
        cash: number;
        equity: number;
        currency: string;
      };
      assert.ok(cash > 0 && equity >= cash);
      assert.equal(currency, "TRY");
    },
  },
  {
    operation: "GET /api/v1/accounts/sell-ledger",
    scope: "read",
    given: (world) => ({ query: world.account() }),
    foreign: 403,
    refused: [unknownBrokerageInQuery],
    waitMs: 1_100,
    success: (answer) => {
      const [row] = answer.body.data as LedgerRowView[];
      assert.deepEqual([row?.committed.groups, row?.overcommitted], [0, false]);
    },
  },
  {
    operation: "PUT /api/v1/limits",
    scope: "trade",
    given: (world) => ({ json: { ...world.account(), maxDailyLoss: 900_000, maxOrdersPerMinute: 100_000 } }),
    foreign: 403,
    refused: [
      unknownBrokerage,
      { given: withBody({ maxDailyLoss: 0 }), status: 400, message: /^maxDailyLoss/ },
      { given: withBody({ maxOrdersPerMinute: 1.5 }), status: 400, message: /^maxOrdersPerMinute/ },
      { given: withBody({ maxOrderValue: "much" }), status: 400, message: /^maxOrderValue/ },
      { given: withBody({ maxLoss: 1 }), status: 400, message: /maxLoss is not a field/ },
    ],
    success: (answer) => assert.equal(answer.body.data, true),
  },
  {
    operation: "GET /api/v1/limits",
    scope: "read",
    given: (world) => ({ query: world.account() }),
    foreign: 403,
    refused: [unknownBrokerageInQuery],
    success: (answer) => {
      const { maxDailyLoss, maxOrderValue, realisedToday } = answer.body.data as LimitsView;
      assert.deepEqual([maxDailyLoss, maxOrderValue, realisedToday], [900_000, null, 0]);
    },
  },
];

export const orderRows: readonly Row[] = [
  {
    operation: "GET /api/v1/orders",
    scope: "read",
    given: (world) => ({ query: { ...world.account(), state: "open", symbol: "THYAO", limit: "10" } }),
    foreign: 403,
    refused: [
      unknownBrokerageInQuery,
      { given: withQuery({ state: "shut" }), status: 400, message: /^state must be unanswered, open, unclear/ },
      { given: withQuery({ cursor: "YWJj" }), status: 400, message: /^cursor is not a value/ },
    ],
    success: (answer) => assert.deepEqual(answer.body.data, []),
  },
  {
    operation: "POST /api/v1/orders",
    scope: "trade",
    given: (world) => ({ json: { ...world.account(), ...order } }),
    foreign: 403,
    refused: orderRefusals,
    success: (answer, world) => {
      const { orderNo, ...rest } = shown(answer);
      assert.deepEqual(rest, { symbol: "THYAO", quantity: 10, buySell: 1, orderStatus: 1 });
      world.kept.set("orderNo", orderNo);
    },
  },
  {
    operation: "GET /api/v1/orders/{orderNo}",
    scope: "read",
    given: (world) => ({ path: { orderNo: world.id("orderNo") }, query: world.account() }),
    foreign: 403,
    absent: withPath({ orderNo: "nothing" }),
    refused: [unknownBrokerageInQuery],
    success: (answer, world) => {
      const order = answer.body.data as Shown & { orderNo: string; filledQuantity: number };
      assert.deepEqual([order.orderNo, order.filledQuantity], [world.id("orderNo"), 0]);
    },
  },
  {
    operation: "POST /api/v1/orders/chain",
    scope: "trade",
    given: (world) => ({
      json: { ...world.account(), ...order, buySell: 2, price: 300, referenceOrderNo: world.id("orderNo") },
    }),
    foreign: 403,
    refused: [
      ...orderRefusals.filter(({ message }) => !/price|orderType/.test(message.source)),
      { given: withBody({ referenceOrderNo: "nothing" }), status: 400, message: /referenceOrderNo/ },
    ],
    success: (answer) => assert.equal((answer.body.data as { orderStatus: number }).orderStatus, 0),
  },
  {
    operation: "POST /api/v1/orders/batch",
    scope: "trade",
    given: (world) => ({
      json: { ...world.account(), items: [order, { ...order, price: 100.05 }, { ...order, price: 99.95 }] },
    }),
    foreign: 403,
    refused: [
      unknownBrokerage,
      { given: withBody({ items: [] }), status: 400, message: /^items must not be empty$/ },
      { given: withBody({ items: Array.from({ length: 101 }, () => order) }), status: 400, message: /^items/ },
    ],
    success: (answer, world) => {
      const items = answer.body.data as { success: boolean; message: string; data: Shown | null }[];
      assert.deepEqual(
        items.map(({ success }) => success),
        [true, false, true],
      );
      assert.match(items[1]?.message ?? "", /price 100.05/);
      world.kept.set("pendingOrderNo", items[0]?.data?.orderNo ?? "");
    },
  },
  {
    operation: "POST /api/v1/orders/cancel",
    scope: "trade",
    given: (world) => ({ json: { ...world.account(), orderNo: world.id("orderNo"), symbol: "THYAO" } }),
    foreign: 403,
    absent: (right) => withBody({ orderNo: "nothing" })(right, undefined as never),
    refused: [unknownBrokerage, { given: withBody({ symbol: "GARAN" }), status: 400, message: /GARAN/ }],
    success: (answer) => assert.equal(answer.body.data, true),
  },
  {
    operation: "POST /api/v1/orders/cancel/batch",
    scope: "trade",
    given: (world) => ({ json: { ...world.account(), items: [{ orderNo: "nothing", symbol: "THYAO" }] } }),
    foreign: 403,
    refused: [unknownBrokerage, { given: withBody({ items: [] }), status: 400, message: /^items/ }],
    success: (answer) => {
      assert.equal(answer.body.data, true);
      assert.match(String(answer.body.message), /^0 of 1/);
    },
  },
];

const group = {
  symbol: "THYAO",
  stopLossPrice: 90,
  stopLossQuantity: 10,
  takeProfitItems: [{ price: 400, quantity: 4 }],
  notes: NOTE,
};
export const tp = (change: object) => withBody({ takeProfitItems: [{ price: 400, quantity: 4, ...change }] });

export const ocoRows: readonly Row[] = [
  {
    operation: "POST /api/v1/oco-orders",
    scope: "trade",
    given: (world) => ({ json: { ...world.account(), ...group, dueDate: "2099-01-01T00:00:00+03:00" } }),
    foreign: 403,
    refused: [
      unknownBrokerage,
      unknownSymbol,
      {
        given: withBody({ stopLossPrice: 20.01 }),
        status: 400,
        message: /^stopLossPrice 20.01 is not a multiple of 0.02$/,
      },
      { given: withBody({ stopLossPrice: 400 }), status: 400, message: /stopLossPrice/ },
      { given: withBody({ stopLossPrice: 0 }), status: 400, message: /stopLossPrice/ },
      { given: withBody({ stopLossQuantity: 0 }), status: 400, message: /^stopLossQuantity must be at least 1$/ },
      { given: withBody({ stopLossQuantity: 3 }), status: 400, message: /takeProfitItems/ },
      { given: withBody({ takeProfitItems: [] }), status: 400, message: /takeProfitItems/ },
      { given: tp({ price: 400.1 }), status: 400, message: /takeProfitItems\[0\].price 400.1/ },
      { given: tp({ price: "400" }), status: 400, message: /takeProfitItems\[0\].price/ },
      { given: tp({ quantity: 0.5 }), status: 400, message: /takeProfitItems\[0\].quantity/ },
      { given: withBody({ dueDate: "2020-01-01T00:00:00Z" }), status: 400, message: /dueDate/ },
      { given: withBody({ dueDate: "soon" }), status: 400, message: /dueDate/ },
      { given: withBody({ notes: "x".repeat(501) }), status: 400, message: /notes/ },
    ],
    success: async (answer, world) => {
      const row = answer.body.data as Shown & {
        groupId: number;
        userId: number;
        price: number;
        notes: string;
        orderType: number;
      };
      assert.deepEqual(
        [row.id, row.userId, row.orderType, row.price, row.status],
        [row.groupId, world.alice.userId, 2, 90, 1],
      );
      world.kept.set("groupId", row.groupId);
      const again = await world.send(
        "POST /api/v1/oco-orders",
        { json: { ...world.account(), ...group } },
        world.alice.token,
      );
      assert.equal(again.status, 400);
      assert.match(String(again.body.message), /active OCO group already exists/);
    },
  },
  {
    operation: "GET /api/v1/oco-orders",
    scope: "read",
    given: (world) => ({ query: { ...world.account(), status: "1", since: "2026-01-01", limit: "2" } }),
    foreign: 403,
    refused: [
      unknownBrokerageInQuery,
      { given: withQuery({ status: "Active" }), status: 400, message: /^status must be 1 \(Active\)/ },
      { given: withQuery({ since: "today" }), status: 400, message: /^since must be an ISO 8601 time/ },
      { given: withQuery({ limit: "0" }), status: 400, message: /^limit must be a whole number/ },
      { given: withQuery({ cursor: "YWJj" }), status: 400, message: /^cursor is not a value/ },
    ],
    success: (answer) =>
      assert.deepEqual(
        all(answer).map(({ status }) => status),
        [1, 1],
      ),
  },
  {
    operation: "GET /api/v1/oco-orders/{id}",
    scope: "read",
    given: (world) => ({ path: { id: world.id("groupId") }, query: { brokerageCode: "PAPER" } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [unknownBrokerageInQuery, ofAnotherBrokerage],
    success: async (answer, world) => {
      const rows = answer.body.data as (Shown & { groupId: number; orderType: number })[];
      const groupId = world.id("groupId");
      assert.deepEqual(
        rows.map((row) => [row.groupId, row.orderType]),
        [
          [groupId, 2],
          [groupId, 1],
        ],
      );
      const path = { id: rows[1]?.id ?? 0 };
      for (const given of [{ path, query: { brokerageCode: "PAPER" } }, { path }]) {
        const byOther = await world.send("GET /api/v1/oco-orders/{id}", given, world.alice.token);
        assert.deepEqual(byOther.body.data, rows, "any row's id names the group, with its brokerage or without");
      }
    },
  },
  {
    operation: "PATCH /api/v1/oco-orders/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("groupId") }, json: { notes: NOTE } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [
      unknownBrokerage,
      { given: withBody({ brokerageCode: "TINY" }), status: 404, message: /not found/ },
      { given: withBody({ takeProfitItems: [] }), status: 400, message: /takeProfitItems/ },
      { given: withBody({ stopLossPrice: 0 }), status: 400, message: /stopLossPrice/ },
      { given: withBody({ stopLossQuantity: 0 }), status: 400, message: /stopLossQuantity/ },
      { given: withBody({ stopLoss: 90 }), status: 400, message: /^stopLoss is not a field/ },
      { given: withBody({ dueDate: "2020-01-01" }), status: 400, message: /^dueDate must be in the future/ },
      {
        given: withBody({ takeProfitItems: [{ id: ABSENT_ID, price: 400, quantity: 1 }] }),
        status: 400,
        message: /id/,
      },
    ],
    success: (answer) => {
      const { version, rows } = answer.body.data as { version: number; rows: { notes: string }[] };
      assert.equal(answer.headers.get("etag"), `"${version}"`);
      assert.deepEqual(new Set(rows.map(({ notes }) => notes)), new Set([NOTE]));
    },
  },
  {
    operation: "DELETE /api/v1/oco-orders/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("groupId") }, query: { brokerageCode: "PAPER" } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [unknownBrokerageInQuery, ofAnotherBrokerage],
    success: async (answer, world) => {
      assert.equal(answer.body.data, true);
      const given = { path: { id: world.id("groupId") }, query: { brokerageCode: "PAPER" } };
      const again = await world.send("DELETE /api/v1/oco-orders/{id}", given, world.alice.token);
      assert.equal(again.status, 400);
    },
  },
];
