/** Access rights: other users' objects on every route, and scopes (catalogue 36, 37). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { FaultApp } from "./support/app.ts";
import { cancelGroup, createGroup, GROUPS, groupOf, PENDING, pendingOf, rowsOf } from "./support/group.ts";
import { assertNoFault, assertRefusal, type FaultCase, faultTable } from "./support/table.ts";

const app = await FaultApp.start();
after(() => app.stop());
const owner = await app.newUser();
const thief = await app.newUser();
const reader = await app.newUser(["read"]);
const trader = await app.newUser(["trade"]);

const LIST = `${GROUPS}?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`;
const account = { brokerageCode: "PAPER", accountNumber: owner.accountNumber };
const ofThief = { ...account, accountNumber: thief.accountNumber };
const order = { symbol: "THYAO", quantity: 1, buySell: 1, orderType: 2, price: 50 };
const standing = await createGroup(app, owner, { symbol: "GARAN" });
const takeProfit = (await rowsOf(app, owner, standing.groupId))[1]?.id ?? 0;
const made = async (path: string, json: object): Promise<number> => {
  const answer = await app.send("POST", path, { token: owner.token, json });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body.data as { id: number }).id;
};
const list = { name: "mine", description: "", symbols: ["THYAO"], listType: "CUSTOM", isPublic: false };
const levelBot = {
  ...account,
  name: "bot",
  isActive: false,
  levelBotDetails: [{ symbol: "THYAO", buyGap: 1, sellGap: 1 }],
};
const webhookBot = {
  ...account,
  name: "bot",
  isActive: false,
  webhookBotDetails: [{ symbol: "THYAO", algoName: "a", period: "1H", quantity: 1 }],
};
const listId = await made("/api/v1/symbol-lists", list);
const levelBotId = await made("/api/v1/level-bots", levelBot);
const webhookBotId = await made("/api/v1/webhook-bots", webhookBot);
const placed = await app.send("POST", "/api/v1/orders", { token: owner.token, json: { ...account, ...order } });
const { orderNo } = placed.body.data as { orderNo: string };

const from = (method: string, path: string, status: number, json?: object): FaultCase => ({
  name: `${method} ${path.replace(/accountNumber=[^&]+/, "accountNumber=theirs")} ${json === undefined ? "" : JSON.stringify(json).slice(0, 40)}`,
  method,
  path,
  status,
  ...(json === undefined ? {} : { json }),
});

faultTable("what belongs to another user", {
  app,
  user: thief,
  path: GROUPS,
  cases: [
    from("GET", LIST, 403),
    from("GET", LIST.replace(owner.accountNumber, encodeURIComponent(`${owner.accountNumber} `)), 403),
    from("DELETE", `${GROUPS}/${standing.id}?brokerageCode=PAPER`, 404),
    from("DELETE", `${GROUPS}/${takeProfit}?brokerageCode=PAPER`, 404),
    from("POST", GROUPS, 403, groupOf(owner)),
    from("POST", "/api/v1/accounts/positions", 403, { ...account, includeOrders: true }),
    // It shares the limit of positions: another stranger sends it.
    { ...from("POST", "/api/v1/accounts/daily-orders", 403, account), token: reader.token },
    from("POST", "/api/v1/orders", 403, { ...account, ...order }),
    from("POST", "/api/v1/orders/chain", 403, { ...account, ...order, referenceOrderNo: orderNo }),
    from("POST", "/api/v1/orders/batch", 403, { ...account, items: [order] }),
    from("POST", "/api/v1/orders/cancel", 403, { ...account, orderNo, symbol: "THYAO" }),
    from("POST", "/api/v1/orders/cancel", 404, { ...ofThief, orderNo, symbol: "THYAO" }),
    from("POST", "/api/v1/orders/cancel/batch", 403, { ...account, items: [{ orderNo, symbol: "THYAO" }] }),
    from("GET", `/api/v1/symbol-lists/${listId}`, 404),
    from("PUT", `/api/v1/symbol-lists/${listId}`, 404, { name: "stolen", description: "", symbols: ["GARAN"] }),
    from("DELETE", `/api/v1/symbol-lists/${listId}`, 404),
    from("GET", `/api/v1/level-bots?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`, 403),
    from("GET", `/api/v1/level-bots/${levelBotId}?brokerageCode=PAPER`, 404),
    from("PUT", `/api/v1/level-bots/${levelBotId}`, 404, { ...levelBot, isActive: true }),
    from("PUT", `/api/v1/level-bots/${levelBotId}`, 404, { ...levelBot, ...ofThief, isActive: true }),
    from("POST", "/api/v1/level-bots", 403, levelBot),
    from("GET", `/api/v1/level-bots/${levelBotId}/pair-orders?brokerageCode=PAPER`, 404),
    from("GET", `/api/v1/level-bots/pair-orders/history?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`, 403),
    from("GET", `/api/v1/webhook-bots?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`, 403),
    from("GET", `/api/v1/webhook-bots/${webhookBotId}?brokerageCode=PAPER`, 404),
    from("PUT", `/api/v1/webhook-bots/${webhookBotId}`, 404, { ...webhookBot, isActive: true }),
    from("PUT", `/api/v1/webhook-bots/${webhookBotId}`, 404, { ...webhookBot, ...ofThief, isActive: true }),
    from("POST", "/api/v1/webhook-bots", 403, webhookBot),
    from(
      "GET",
      `/api/v1/webhook-bots/pair-orders/history?brokerageCode=PAPER&accountNumber=${owner.accountNumber}`,
      403,
    ),
    from("GET", `/api/v1/webhook-bots/${webhookBotId}/pair-orders?brokerageCode=PAPER`, 404),
    from("POST", "/api/v1/systems/list", 403, account),
    from("GET", `/api/v1/level-bots/${webhookBotId}?brokerageCode=PAPER`, 404),
    from("GET", `/api/v1/level-bots/${standing.id}?brokerageCode=PAPER`, 404),
  ],
});

faultTable("a registration on another user's order", {
  app,
  user: thief,
  path: PENDING,
  invalidData: 0,
  cases: [
    { name: "at their account", json: pendingOf(owner, orderNo), status: 403 },
    {
      name: "at one's own account",
      json: pendingOf(thief, orderNo),
      status: 400,
      message: /not an order of the account/,
    },
  ],
});

test("a chain on another user's order ends as an unknown reference, and trades nothing of theirs", async () => {
  const json = { ...ofThief, ...order, referenceOrderNo: orderNo };
  const answer = await app.send("POST", "/api/v1/orders/chain", { token: thief.token, json });
  assertRefusal(answer);
  assert.equal((await app.orders(owner)).length, 1);
});

const CHANGES: readonly (readonly [string, string, object])[] = [
  ["POST", GROUPS, groupOf(reader)],
  ["DELETE", `${GROUPS}/${standing.id}?brokerageCode=PAPER`, {}],
  ["POST", PENDING, pendingOf(reader, "1")],
  ["POST", "/api/v1/orders", order],
  ["POST", "/api/v1/orders/chain", order],
  ["POST", "/api/v1/orders/batch", order],
  ["POST", "/api/v1/orders/cancel", order],
  ["POST", "/api/v1/orders/cancel/batch", order],
  ["POST", "/api/v1/accounts/login", order],
  ["POST", "/api/v1/symbol-lists", list],
  ["PUT", `/api/v1/symbol-lists/${listId}`, list],
  ["DELETE", `/api/v1/symbol-lists/${listId}`, {}],
  ["POST", "/api/v1/level-bots", levelBot],
  ["PUT", `/api/v1/level-bots/${levelBotId}`, levelBot],
  ["POST", "/api/v1/webhook-bots", webhookBot],
  ["PUT", `/api/v1/webhook-bots/${webhookBotId}`, webhookBot],
];
const READS: readonly (readonly [string, string])[] = [
  ["GET", LIST],
  ["GET", "/api/v1/accounts"],
  ["POST", "/api/v1/accounts/positions"],
  ["POST", "/api/v1/accounts/daily-orders"],
  ["POST", "/api/v1/systems/list"],
  ["GET", "/api/v1/symbols"],
  ["GET", "/api/v1/symbols/THYAO"],
  ["GET", "/api/v1/symbol-lists"],
  ["GET", "/api/v1/list-types"],
  ["GET", "/api/v1/level-bots?brokerageCode=PAPER&accountNumber=x"],
  ["GET", "/api/v1/webhook-bots?brokerageCode=PAPER&accountNumber=x"],
  ["GET", "/api/v1/public/restrictions"],
  ["GET", "/api/v1/public/restrictions/THYAO"],
  ["GET", "/api/v1/public/restrictions/by-type/BrutTakas"],
  ["GET", "/api/v1/public/restrictions/check/THYAO/3"],
  ["POST", "/mcp"],
];

faultTable("a change without the scope trade", {
  app,
  user: reader,
  path: GROUPS,
  cases: CHANGES.map(([method, path, json]) => ({
    ...from(method, path, 403, json),
    message: /lacks the scope trade$/,
  })),
});

faultTable("a read without the scope read", {
  app,
  user: trader,
  path: GROUPS,
  cases: READS.map(([method, path]) => ({
    ...from(method, path, 403, method === "POST" ? {} : undefined),
    message: /lacks the scope read$/,
  })),
});

test("through all of it the owner's group stands, and is the owner's to cancel", async () => {
  assert.deepEqual(
    (await rowsOf(app, owner, standing.groupId)).map(({ status }) => status),
    [1, 1, 1],
  );
  await cancelGroup(app, owner, takeProfit);
  assertNoFault(app);
});
