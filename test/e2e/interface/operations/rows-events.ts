/** Events and prices. */
import assert from "node:assert/strict";
import type { ConditionsView } from "../../../../src/contract/trading/conditions.ts";
import type { OutlookView } from "../../../../src/contract/trading/outlook.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import type { PriceAlertView } from "../../../../src/contract/trading/price-alert.ts";
import type { ReceiptView } from "../../../../src/contract/trading/receipt.ts";
import { until } from "../../../support/world/stack.ts";
import { ABSENT_ID, type Row, withBody, withPath, withQuery } from "./row.ts";
import type { World } from "./world.ts";

interface Price {
  readonly symbol: string;
  readonly price: number | null;
}

/** No name of this end is ever given to an address (RFC 6761). */
const hook = { kind: "webhook", name: "desk", events: ["oco.*"], isActive: true, url: "https://hook.invalid/in" };
const mailbox = { name: "mail", events: ["*"], isActive: true, address: "me@example.com" };

export const eventRows: readonly Row[] = [
  {
    operation: "GET /api/v1/events",
    scope: "read",
    given: () => ({ query: { types: "oco.*,order.placed", prices: "THYAO,GARAN" } }),
    refused: [
      { given: withQuery({ types: "oco.fired" }), status: 400, message: /^types must be event types/ },
      { given: withQuery({ types: "" }), status: 400, message: /^types must be event types/ },
      { given: withQuery({ prices: "thyao" }), status: 400, message: /^prices must be symbol codes/ },
      { given: withQuery({ prices: "NOSUCH" }), status: 400, message: /symbol NOSUCH is not known/ },
      { given: withQuery({ lastEventId: "7" }), status: 400, message: /^Last-Event-ID is not the id of an event$/ },
      {
        given: withQuery({ lastEventId: "abcdefghij-0-1" }),
        status: 400,
        message: /^Last-Event-ID is not the id of an event of this user/,
      },
    ],
    success: async (answer, world) => {
      assert.match(answer.text, /^retry: [1-3][0-9]00\n\n: alive\nid: [a-z0-9]{10}-0-[0-9]+\n\n/);
      const [, place = ""] = /id: (\S+)-[0-9]+\n/.exec(answer.text) ?? [];
      const future = { query: { lastEventId: `${place}-999999999` } };
      const refused = await world.send("GET /api/v1/events", future, world.alice.token);
      assert.equal(refused.status, 400);
      assert.match(String(refused.body.message), /^Last-Event-ID lies in the future/);
      const resumed = await world.send(
        "GET /api/v1/events",
        { query: { lastEventId: `${place}-0` } },
        world.alice.token,
      );
      assert.equal(resumed.status, 200);
    },
  },
  {
    operation: "GET /api/v1/conditions",
    scope: "read",
    given: () => ({}),
    success: (answer) => {
      const { feed, brokerages, cluster } = answer.body.data as ConditionsView;
      assert.ok(feed !== null);
      assert.equal(cluster, null, "engines share nothing here");
      const paper = brokerages.find(({ code }) => code === "PAPER");
      assert.deepEqual([paper?.state, paper?.refusal], ["up", null]);
    },
  },
  {
    operation: "GET /api/v1/prices",
    scope: "read",
    given: () => ({ query: { symbols: "GARAN,THYAO,GARAN" } }),
    refused: [
      { given: () => ({}), status: 400, message: /^give symbols or list, and not both$/ },
      { given: withQuery({ list: "1" }), status: 400, message: /^give symbols or list, and not both$/ },
      { given: withQuery({ symbols: "garan" }), status: 400, message: /^symbols must be symbol codes/ },
      { given: withQuery({ symbols: "NOSUCH" }), status: 400, message: /symbol NOSUCH is not known/ },
      { given: () => ({ query: { list: "one" } }), status: 400, message: /^list must be the id of a symbol list$/ },
    ],
    absent: () => ({ query: { list: String(ABSENT_ID) } }),
    success: async (answer, world) => {
      const prices = answer.body.data as Price[];
      assert.deepEqual(
        prices.map(({ symbol }) => symbol),
        ["GARAN", "THYAO"],
      );
      const ofIndex = { query: { list: String(world.id("indexId")) } };
      const listed = await world.send("GET /api/v1/prices", ofIndex, world.alice.token);
      assert.ok((listed.body.data as Price[]).length > 2);
      const { id, groupId } = await fireTakeProfit(world);
      world.kept.set("firedId", id);
      world.kept.set("stopLossOfFired", groupId);
      world.kept.set("exitingId", await fireStopLoss(world));
    },
  },
  {
    operation: "GET /api/v1/oco-orders/{id}/receipt",
    scope: "read",
    given: (world) => ({ path: { id: world.id("firedId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [
      {
        given: (_right, world) => ({ path: { id: world.id("stopLossOfFired") } }),
        status: 400,
        message: /has not fired: it has no receipt/,
      },
    ],
    success: (answer) => {
      const { rule, tick, orders } = answer.body.data as ReceiptView;
      assert.equal(rule, "take-profit: the live price 111 was at or over 110");
      assert.deepEqual([tick?.price, tick?.ownTime, tick?.isCaughtUp], [111, null, false]);
      const [order, ...others] = orders;
      assert(order !== undefined && others.length === 0);
      assert.equal(order.attempts, 1);
      const moments = [order.decidedDate, order.durableDate, order.sentDate, order.acknowledgedDate].map(String);
      assert.deepEqual(moments, [...moments].sort(), "in this order");
      assert.ok(
        moments.every((moment) => /^\d{4}-/.test(moment)),
        moments.join(),
      );
    },
  },
  {
    operation: "GET /api/v1/oco-orders/{id}/plan",
    scope: "read",
    given: (world) => ({ path: { id: world.id("firedId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [
      {
        given: (right) => ({ ...right, query: { brokerageCode: "NOSUCH" } }),
        status: 400,
        message: /brokerageCode is not known/,
      },
    ],
    success: (answer, world) => {
      const { rows, version, exit, orders } = answer.body.data as PlanView;
      assert.deepEqual(
        [rows[0]?.id, version, exit.stopLoss, exit.state],
        [world.id("stopLossOfFired"), 3, "untilSold", "none"],
      );
      assert.deepEqual(
        orders.map(({ rowId }) => rowId),
        [world.id("firedId")],
      );
    },
  },
  {
    operation: "GET /api/v1/oco-orders/{id}/outlook",
    scope: "read",
    given: (world) => ({ path: { id: world.id("firedId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [
      {
        given: (right) => ({ ...right, query: { brokerageCode: "NOSUCH" } }),
        status: 400,
        message: /brokerageCode is not known/,
      },
    ],
    success: (answer, world) => {
      const { groupId, rows, restrictions, tradingState } = answer.body.data as OutlookView;
      assert.deepEqual([groupId, restrictions, tradingState], [world.id("stopLossOfFired"), [], null]);
      const [stopLoss, ...others] = rows;
      assert(stopLoss !== undefined && others.every(({ id }) => id !== world.id("firedId")));
      const { orderType, result, order } = stopLoss;
      assert.deepEqual([orderType, result], [2, "sells"]);
      assert.deepEqual(order, { orderType: 1, price: null, quantity: stopLoss.quantity });
    },
  },
  {
    operation: "POST /api/v1/oco-orders/{id}/stop-exit",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("exitingId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [
      {
        given: (_right, world) => ({ path: { id: world.id("stopLossOfFired") } }),
        status: 400,
        message: /is not being sold/,
      },
    ],
    success: (answer) => assert.equal(answer.body.data, true),
  },
  {
    operation: "POST /api/v1/price-alerts",
    scope: "trade",
    given: () => ({ json: { symbol: "THYAO", direction: "atOrAbove", price: 9_000_000, note: "far" } }),
    refused: [
      { given: withBody({ symbol: "NOSUCH" }), status: 400, message: /^symbol NOSUCH is not known/ },
      { given: withBody({ direction: "above" }), status: 400, message: /^direction must be/ },
      { given: withBody({ price: 0.001 }), status: 400, message: /^price must be/ },
      { given: withBody({ repeat: "yes" }), status: 400, message: /^repeat must be/ },
      { given: withBody({ until: "2020-01-01" }), status: 400, message: /^until must be in the future/ },
      { given: withBody({ until: "tomorrow" }), status: 400, message: /^until .*ISO 8601/ },
    ],
    success: (answer, world) => {
      const { id, direction, price } = answer.body.data as PriceAlertView;
      assert.deepEqual([direction, price], ["atOrAbove", 9_000_000]);
      world.kept.set("priceAlertId", id);
    },
  },
  {
    operation: "GET /api/v1/price-alerts",
    scope: "read",
    given: () => ({}),
    refused: [
      { given: () => ({ query: { status: "gone" } }), status: 400, message: /^status must be "watching" or "ended"/ },
    ],
    success: (answer, world) => {
      const alerts = answer.body.data as readonly PriceAlertView[];
      assert.ok(alerts.some(({ id }) => id === world.id("priceAlertId")));
    },
  },
  {
    operation: "PATCH /api/v1/price-alerts/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("priceAlertId") }, json: { price: 8_000_000, repeat: true } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [
      { given: withBody({ symbol: "THYAO" }), status: 400, message: /^symbol is not a field/ },
      { given: withBody({ price: 0.001 }), status: 400, message: /^price must be/ },
      { given: withBody({ until: "2020-01-01" }), status: 400, message: /^until must be in the future/ },
    ],
    success: (answer, world) => {
      const { id, price, repeat, note } = answer.body.data as PriceAlertView;
      assert.deepEqual([id, price, repeat, note], [world.id("priceAlertId"), 8_000_000, true, "far"]);
    },
  },
  {
    operation: "DELETE /api/v1/price-alerts/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("priceAlertId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer) => assert.equal(answer.body.data, true),
  },
  {
    operation: "POST /api/v1/notification-targets",
    scope: "trade",
    given: () => ({ json: hook }),
    refused: [
      { given: withBody({ url: "http://example.com" }), status: 400, message: /^url must start with https/ },
      { given: withBody({ url: "https://127.0.0.1/" }), status: 400, message: /^url is not a public address/ },
      { given: withBody({ url: "https://[::1]/" }), status: 400, message: /^url is not a public address/ },
      { given: withBody({ url: "nonsense" }), status: 400, message: /^url must be an address/ },
      { given: withBody({ events: ["oco.fired"] }), status: 400, message: /^events must be event types/ },
      { given: withBody({ events: [] }), status: 400, message: /^events must not be empty/ },
      { given: withBody({ kind: "fax" }), status: 400, message: /^kind must be/ },
      {
        given: () => ({ json: { ...mailbox, kind: "email" } }),
        status: 400,
        message: /SMTP_URL is not set/,
      },
    ],
    success: (answer, world) => {
      const { id, secret, address } = answer.body.data as { id: number; secret: string; address: string };
      assert.equal(address, hook.url);
      assert.match(secret, /^whsec_/);
      world.kept.set("targetId", id);
    },
  },
  {
    operation: "GET /api/v1/notification-targets",
    scope: "read",
    given: () => ({}),
    success: (answer, world) => {
      const [target] = answer.body.data as { id: number; state: string; lastDelivery: object | null }[];
      assert.deepEqual([target?.id, target?.state, target?.lastDelivery], [world.id("targetId"), "idle", null]);
      assert.ok(!answer.text.includes("whsec_"));
    },
  },
  {
    operation: "PUT /api/v1/notification-targets/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("targetId") }, json: { ...hook, isActive: false } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [{ given: withBody({ url: "https://10.0.0.1" }), status: 400, message: /^url is not a public address/ }],
    success: (answer) => assert.equal((answer.body.data as { isActive: boolean }).isActive, false),
  },
  {
    operation: "POST /api/v1/notification-targets/{id}/test",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("targetId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer) => assert.equal((answer.body.data as { delivered: boolean }).delivered, false),
  },
  {
    operation: "DELETE /api/v1/notification-targets/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("targetId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer) => assert.equal(answer.body.data, true),
  },
];

interface Fired {
  readonly id: number;
  readonly groupId: number;
  readonly symbol: string;
  readonly orderType: number;
  readonly status: number;
}

/** A group of Alice's whose take-profit a tick has reached and whose sell was answered. */
/** The stop-loss of a group at a brokerage that fills one lot of a hundred a tick: its order is open. */
async function fireStopLoss(world: World): Promise<number> {
  const { token } = world.alice;
  const account = world.account("SLICE");
  await world.stack.tick("ASELS", 100);
  const levels = { stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems: [{ price: 110, quantity: 1 }] };
  const json = { ...account, symbol: "ASELS", ...levels };
  const made = await world.send("POST /api/v1/oco-orders", { json }, token);
  assert.equal(made.status, 200, made.text);
  await world.stack.tick("ASELS", 89);
  const list = async (): Promise<Fired | undefined> => {
    const listed = await world.send("GET /api/v1/oco-orders", { query: account }, token);
    return (listed.body.data as Fired[]).find((row) => row.orderType === 2 && row.status === 2);
  };
  const fired = await until(list, (row) => row !== undefined);
  assert(fired !== undefined);
  return fired.id;
}

async function fireTakeProfit(world: World): Promise<Fired> {
  const symbol = "AKBNK";
  const { token } = world.alice;
  await world.stack.tick(symbol, 100);
  const levels = { stopLossPrice: 90, stopLossQuantity: 1, takeProfitItems: [{ price: 110, quantity: 1 }] };
  const made = await world.send("POST /api/v1/oco-orders", { json: { ...world.account(), symbol, ...levels } }, token);
  assert.equal(made.status, 200, made.text);
  await world.stack.tick(symbol, 111);
  const list = async (): Promise<Fired | undefined> => {
    const listed = await world.send("GET /api/v1/oco-orders", { query: world.account() }, token);
    const isIt = (row: Fired): boolean => row.symbol === symbol && row.orderType === 1 && row.status !== 1;
    return (listed.body.data as Fired[]).find(isIt);
  };
  const fired = await until(list, (row) => row !== undefined);
  assert(fired !== undefined);
  return fired;
}
