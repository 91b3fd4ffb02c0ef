/** Systems, level bots, webhook bots and signals. */
import assert from "node:assert/strict";
import {
  ABSENT_ID,
  ofAnotherBrokerage,
  type Row,
  unknownBrokerage,
  unknownBrokerageInQuery,
  withBody,
  withPath,
  withQuery,
} from "./row.ts";
import { NOTE } from "./rows-trading.ts";
import type { World } from "./world.ts";

const limits = { maxBuyPrice: 400, minBuyPrice: 50, maxSellPrice: 0, minSellPrice: 0 };
const levelDetail = {
  symbol: "GARAN",
  quantity: 5,
  ...limits,
  buyGap: 0.5,
  sellGap: 0.4,
  targetProfit: 1,
  profit: 500,
};
const webhookDetail = { symbol: "GARAN", algoName: "trend", period: "1H", quantity: 5, ...limits };
const levelBot = { name: `level ${NOTE}`, isActive: true, levelBotDetails: [levelDetail] };
const webhookBot = { name: `webhook ${NOTE}`, isActive: true, webhookBotDetails: [webhookDetail] };

const detail = (field: "levelBotDetails" | "webhookBotDetails", change: object) => ({
  given: withBody({ [field]: [{ ...(field === "levelBotDetails" ? levelDetail : webhookDetail), ...change }] }),
  status: 400 as const,
});

function botRefusals(field: "levelBotDetails" | "webhookBotDetails"): NonNullable<Row["refused"]> {
  return [
    unknownBrokerage,
    { given: withBody({ name: " " }), status: 400, message: /^name/ },
    { given: withBody({ name: "x".repeat(101) }), status: 400, message: /^name/ },
    { given: withBody({ [field]: [] }), status: 400, message: new RegExp(`^${field}`) },
    { ...detail(field, { symbol: "NOSUCH" }), message: /symbol NOSUCH/ },
    { ...detail(field, { quantity: 0 }), message: /quantity/ },
    { ...detail(field, { maxBuyPrice: 100.05 }), message: /maxBuyPrice 100.05/ },
    { ...detail(field, { minBuyPrice: 401 }), message: /minBuyPrice/ },
    { given: withBody({ accountNumber: "PAPER-0" }), status: 403, message: /accountNumber/ },
  ];
}

const ofAccount = (world: World) => ({ query: world.account() });
const ofBot = (name: string) => (world: World) => ({ path: { id: world.id(name) }, query: { brokerageCode: "PAPER" } });

interface Shown {
  readonly id: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly webhookUrl: string;
}

export const botRows: readonly Row[] = [
  {
    operation: "POST /api/v1/level-bots",
    scope: "trade",
    given: (world) => ({ json: { ...world.account(), ...levelBot } }),
    foreign: 403,
    refused: [
      ...botRefusals("levelBotDetails"),
      { ...detail("levelBotDetails", { buyGap: 0 }), message: /buyGap/ },
      { ...detail("levelBotDetails", { confirmTicks: 3 }), message: /confirmTicks/ },
    ],
    success: (answer, world) => {
      const { id, ...rest } = answer.body.data as Shown;
      assert.deepEqual(rest, { name: levelBot.name, accountNumber: world.account().accountNumber, isActive: true });
      assert.equal(answer.headers.get("etag"), '"1"');
      world.kept.set("levelBotId", id);
    },
  },
  {
    operation: "GET /api/v1/level-bots",
    scope: "read",
    given: ofAccount,
    foreign: 403,
    refused: [unknownBrokerageInQuery],
    success: (answer) => assert.equal((answer.body.data as Shown[]).length, 1),
  },
  {
    operation: "GET /api/v1/level-bots/{id}",
    scope: "read",
    given: ofBot("levelBotId"),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer) => {
      assert.equal((answer.body.data as Shown).name, levelBot.name);
      assert.equal(answer.headers.get("etag"), '"1"');
    },
  },
  {
    operation: "PUT /api/v1/level-bots/{id}",
    scope: "trade",
    given: (world) => ({
      path: { id: world.id("levelBotId") },
      json: { ...world.account(), ...levelBot, isActive: false },
    }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: botRefusals("levelBotDetails"),
    success: async (answer, world) => {
      assert.equal((answer.body.data as Shown).isActive, false);
      assert.equal(answer.headers.get("etag"), '"2"');
      const given = { path: { id: world.id("levelBotId") }, json: { ...world.account(), ...levelBot } };
      const update = (tag: string) =>
        world.send("PUT /api/v1/level-bots/{id}", given, world.alice.token, { "If-Match": tag });
      const stale = await update('"1"');
      assert.deepEqual([stale.status, stale.headers.get("etag")], [412, '"2"']);
      assert.equal((await update("1")).status, 400);
    },
  },
  {
    operation: "GET /api/v1/level-bots/{id}/pair-orders",
    scope: "read",
    given: ofBot("levelBotId"),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer) => assert.deepEqual(answer.body.data, []),
  },
  {
    operation: "GET /api/v1/level-bots/{id}/pair-orders/targets",
    scope: "read",
    given: ofBot("levelBotId"),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer) => assert.deepEqual(answer.body.data, []),
  },
  ...(["level-bots", "webhook-bots"] as const).map(
    (kind): Row => ({
      operation: `GET /api/v1/${kind}/pair-orders/totals`,
      scope: "read",
      given: ofAccount,
      foreign: 403,
      refused: [unknownBrokerageInQuery],
      success: (answer) => {
        for (const totals of answer.body.data as { readonly closedCount: number; readonly open: readonly object[] }[]) {
          assert.deepEqual([totals.closedCount, totals.open], [0, []]);
        }
      },
    }),
  ),
  ...(["level-bots", "webhook-bots"] as const).map(
    (kind): Row => ({
      operation: `GET /api/v1/${kind}/pair-orders/history`,
      scope: "read",
      given: ofAccount,
      foreign: 403,
      refused: [
        unknownBrokerageInQuery,
        { given: withQuery({ page: "0" }), status: 400, message: /^page/ },
        { given: withQuery({ page: "first" }), status: 400, message: /^page/ },
        { given: withQuery({ pageSize: "101" }), status: 400, message: /^pageSize/ },
      ],
      success: (answer) => assert.deepEqual(answer.body.data, { items: [], totalCount: 0, page: 1, pageSize: 10 }),
    }),
  ),
  {
    operation: "POST /api/v1/webhook-bots",
    scope: "trade",
    given: (world) => ({ json: { ...world.account(), ...webhookBot } }),
    foreign: 403,
    refused: [
      ...botRefusals("webhookBotDetails"),
      { ...detail("webhookBotDetails", { algoName: "" }), message: /algoName/ },
      { ...detail("webhookBotDetails", { quantity: undefined }), message: /quantity is required/ },
    ],
    success: (answer, world) => {
      const { id, webhookUrl } = answer.body.data as Shown;
      world.kept.set("webhookBotId", id);
      world.kept.set("webhookSecret", new URL(webhookUrl).pathname.split("/").at(-1) ?? "");
    },
  },
  {
    operation: "GET /api/v1/webhook-bots",
    scope: "read",
    given: ofAccount,
    foreign: 403,
    refused: [unknownBrokerageInQuery],
    success: (answer) => assert.equal((answer.body.data as Shown[]).length, 1),
  },
  {
    operation: "GET /api/v1/webhook-bots/{id}",
    scope: "read",
    given: ofBot("webhookBotId"),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer, world) => {
      assert.ok((answer.body.data as Shown).webhookUrl.endsWith(`/webhooks/${world.id("webhookSecret")}`));
    },
  },
  {
    operation: "GET /api/v1/webhook-bots/{id}/pair-orders",
    scope: "read",
    given: ofBot("webhookBotId"),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: (answer) => assert.deepEqual(answer.body.data, []),
  },
  {
    operation: "POST /api/v1/systems/list",
    scope: "read",
    given: (world) => ({ json: { ...world.account(), botType: [1, 2], isActive: 1 } }),
    foreign: 403,
    refused: [
      unknownBrokerage,
      { given: withBody({ botType: [5] }), status: 400, message: /^botType/ },
      { given: withBody({ isActive: 4 }), status: 400, message: /^isActive/ },
      { given: withBody({ isDeleted: 0 }), status: 400, message: /^isDeleted/ },
      { given: withBody({ startDate: "soon" }), status: 400, message: /startDate/ },
    ],
    success: (answer) => assert.equal((answer.body.data as object[]).length, 2),
  },
  {
    operation: "PUT /api/v1/webhook-bots/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("webhookBotId") }, json: { ...world.account(), ...webhookBot } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: botRefusals("webhookBotDetails"),
    success: (answer) => {
      assert.equal((answer.body.data as Shown).name, webhookBot.name);
      assert.equal(answer.headers.get("etag"), '"2"');
    },
  },
  {
    operation: "POST /api/v1/webhook-bots/{id}/rotate-secret",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("webhookBotId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    success: async (answer, world) => {
      const { id, webhookUrl } = answer.body.data as Shown;
      assert.equal(id, world.id("webhookBotId"));
      assert.equal(answer.headers.get("etag"), '"3"');
      const old = { path: { secret: world.id("webhookSecret") }, json: signal };
      assert.equal((await world.send("POST /webhooks/{secret}", old, undefined)).status, 404);
      world.kept.set("webhookSecret", new URL(webhookUrl).pathname.split("/").at(-1) ?? "");
      const json = { ...world.account(), ...webhookBot };
      const idle = await world.send("POST /api/v1/webhook-bots", { json }, world.alice.token);
      world.kept.set("idleWebhookBotId", (idle.body.data as Shown).id);
    },
  },
  {
    operation: "DELETE /api/v1/webhook-bots/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("idleWebhookBotId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [unknownBrokerageInQuery, ofAnotherBrokerage],
    success: async (answer, world) => {
      assert.equal(answer.body.data, true);
      // Its brokerage takes one order a minute: the second pair stays open.
      const details = [webhookDetail, { ...webhookDetail, period: "4H" }];
      const json = { ...world.account("TINY"), ...webhookBot, webhookBotDetails: details };
      const created = await world.send("POST /api/v1/webhook-bots", { json }, world.alice.token);
      const { id, webhookUrl } = created.body.data as Shown;
      const path = { secret: new URL(webhookUrl).pathname.split("/").at(-1) ?? "" };
      for (const { period } of details) {
        const heard = await world.send("POST /webhooks/{secret}", { path, json: { ...signal, period } }, undefined);
        assert.deepEqual(heard.body.data, { matched: 1 });
      }
      const given = { path: { id } };
      const ofBefore = { "If-Match": '"2"' };
      const stale = await world.send("DELETE /api/v1/webhook-bots/{id}", given, world.alice.token, ofBefore);
      assert.deepEqual([stale.status, stale.headers.get("etag")], [412, '"1"']);
      const open = await world.send("DELETE /api/v1/webhook-bots/{id}", given, world.alice.token);
      assert.equal(open.status, 409);
      assert.match(String(open.body.message), /open pair orders/);
      // What waits is taken back: nothing of it is left for what comes after.
      const off = { path: { id }, json: { ...json, isActive: false } };
      assert.equal((await world.send("PUT /api/v1/webhook-bots/{id}", off, world.alice.token)).status, 200);
    },
  },
  {
    operation: "DELETE /api/v1/level-bots/{id}",
    scope: "trade",
    given: (world) => ({ path: { id: world.id("levelBotId") } }),
    foreign: 404,
    absent: withPath({ id: ABSENT_ID }),
    refused: [unknownBrokerageInQuery, ofAnotherBrokerage],
    success: async (answer, world) => {
      assert.equal(answer.body.data, true);
      const listed = async (isDeleted: number): Promise<unknown[]> => {
        const json = { ...world.account(), botType: [1], isDeleted };
        const list = await world.send("POST /api/v1/systems/list", { json }, world.alice.token);
        return (list.body.data as Shown[]).map(({ id }) => id);
      };
      assert.deepEqual([await listed(2), await listed(3)], [[], [world.id("levelBotId")]]);
    },
  },
];

export const signal = { algoName: "trend", period: "1H", symbol: "GARAN", side: "buy", price: 120 };
