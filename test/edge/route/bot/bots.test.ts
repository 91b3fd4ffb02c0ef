/** Bots and the list of systems over HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertInvalid } from "../../../support/invalid.ts";
import { pageOf } from "../../support/fake-engine.ts";
import { runEdge } from "../../support/running-edge.ts";

const place = { brokerageCode: "PAPER", accountNumber: "1001" };
const ofAccount = "brokerageCode=PAPER&accountNumber=1001";
const levelBot = { ...place, name: "One", isActive: true, levelBotDetails: [{ symbol: "THYAO", buyGap: 1 }] };
const webhookBot = {
  ...place,
  name: "Two",
  isActive: true,
  webhookBotDetails: [{ symbol: "THYAO", algoName: "MACD", period: "1H", quantity: 5 }],
};
const row = {
  id: 9,
  name: "Two",
  accountNumber: "1001",
  isActive: true,
  isRunning: true,
  webhookBotDetails: [],
  createdDate: "2026-01-05T09:00:00.000Z",
  updatedDate: null,
  webhookPath: `/webhooks/0_${"a".repeat(43)}`,
};
const { webhookPath, ...shown } = row;

test("a level bot is created and updated with the whole body, and read by id", async (t) => {
  const edge = await runEdge(t);
  for (const type of ["levelBots.create", "levelBots.update", "levelBots.get"]) {
    edge.engine.on(type, () => ({ ok: true, data: { id: 5 } }));
  }
  const created = await edge.send("POST", "/api/v1/level-bots", levelBot);
  assert.deepEqual(await created.json(), { success: true, message: "The level bot was created", data: { id: 5 } });
  assert.deepEqual(edge.engine.asked.at(-1)?.body, levelBot);
  const updated = await edge.send("PUT", "/api/v1/level-bots/5", levelBot);
  assert.equal(updated.status, 200);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { id: 5, bot: levelBot });
  const read = await edge.send("GET", "/api/v1/level-bots/5?brokerageCode=PAPER");
  assert.equal(read.status, 200);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { id: 5, brokerageCode: "PAPER" });
});

test("a bot is deleted by its id, at the brokerage that is named; what is no parameter is a 400", async (t) => {
  const edge = await runEdge(t);
  for (const kind of ["level", "webhook"]) {
    edge.engine.on(`${kind}Bots.delete`, () => ({ ok: true, data: true }));
    const bot = `/api/v1/${kind}-bots/5`;
    assert.equal((await edge.send("DELETE", bot)).status, 200);
    assert.deepEqual(edge.engine.asked.at(-1)?.body, { id: 5 });
    assert.equal((await edge.send("DELETE", `${bot}?brokerageCode=PAPER`)).status, 200);
    assert.deepEqual(edge.engine.asked.at(-1)?.body, { id: 5, brokerageCode: "PAPER" });
    const askedCount = edge.engine.asked.length;
    for (const [query, message] of [
      ["brokerageCod=PAPER", "brokerageCod is not a parameter; did you mean brokerageCode?"],
      ["brokerageCode=", "brokerageCode must not be empty"],
    ] as const) {
      const refused = await edge.send("DELETE", `${bot}?${query}`);
      assert.equal(refused.status, 400, query);
      assertInvalid(await refused.json(), message);
    }
    assert.equal(edge.engine.asked.length, askedCount, "nothing was deleted");
  }
});

test("the version of a bot is the ETag of its answers, and a change hands on the versions that If-Match names (behaviour 8.5)", async (t) => {
  const edge = await runEdge(t);
  const bodies = { level: levelBot, webhook: webhookBot };
  for (const kind of ["level", "webhook"] as const) {
    for (const name of ["create", "get", "update"]) {
      edge.engine.on(`${kind}Bots.${name}`, () => ({ ok: true, data: row, version: 4 }));
    }
    edge.engine.on(`${kind}Bots.delete`, () => ({ ok: false, code: "PRECONDITION_FAILED", message: "5", version: 5 }));
    const path = `/api/v1/${kind}-bots`;
    const answers = [
      await edge.send("POST", path, bodies[kind]),
      await edge.send("GET", `${path}/9?brokerageCode=PAPER`),
      await edge.send("PUT", `${path}/9`, bodies[kind], { "If-Match": '"3", W/"4"' }),
    ];
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get("etag")]),
      answers.map(() => [200, '"4"']),
    );
    assert.deepEqual(edge.engine.asked.at(-1)?.body, { id: 9, bot: bodies[kind], versions: [3] });
    assert.equal((await edge.send("PUT", `${path}/9`, bodies[kind], { "If-Match": "3" })).status, 400);
    const stale = await edge.send("DELETE", `${path}/9`, undefined, { "If-Match": '"3"' });
    assert.deepEqual([stale.status, stale.headers.get("etag")], [412, '"5"']);
    assert.deepEqual(edge.engine.asked.at(-1)?.body, { id: 9, versions: [3] });
  }
  edge.engine.on("webhookBots.rotateSecret", () => ({ ok: true, data: row, version: 5 }));
  const rotated = await edge.send("POST", "/api/v1/webhook-bots/9/rotate-secret", undefined, { "If-Match": '"4"' });
  assert.deepEqual([rotated.status, rotated.headers.get("etag")], [200, '"5"']);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { id: 9, versions: [4] });
});

test("lists of bots and of their pairs are passed through", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("levelBots.list", () => pageOf(null, { id: 5 }));
  edge.engine.on("levelBots.pairs", () => pageOf(null, { id: 6 }));
  edge.engine.on("webhookBots.pairs", () => ({ ok: false, code: "NOT_FOUND", message: "bot 9 was not found" }));
  const bots = await edge.send("GET", `/api/v1/level-bots?${ofAccount}`);
  assert.deepEqual(((await bots.json()) as { data: unknown }).data, [{ id: 5 }]);
  const pairs = await edge.send("GET", "/api/v1/level-bots/5/pair-orders?brokerageCode=PAPER");
  assert.deepEqual(((await pairs.json()) as { data: unknown }).data, [{ id: 6 }]);
  const none = await edge.send("GET", "/api/v1/webhook-bots/9/pair-orders?brokerageCode=PAPER");
  assert.equal(none.status, 404);
  assert.equal((await edge.send("GET", "/api/v1/level-bots?brokerageCode=PAPER")).status, 400);
});

test("closed pairs of webhook bots are a history of their own", async (t) => {
  const edge = await runEdge(t);
  const data = { items: [], totalCount: 0, page: 1, pageSize: 10 };
  edge.engine.on("webhookBots.history", () => ({ ok: true, data }));
  const response = await edge.send("GET", `/api/v1/webhook-bots/pair-orders/history?${ofAccount}`);
  assert.deepEqual(((await response.json()) as { data: unknown }).data, data);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { ...place, page: 1, pageSize: 10 });
});

test("history is asked for with page 1 and 10 items unless the query says otherwise, within limits", async (t) => {
  const edge = await runEdge(t);
  const data = { items: [], totalCount: 0, page: 1, pageSize: 10 };
  edge.engine.on("levelBots.history", () => ({ ok: true, data }));
  const history = "/api/v1/level-bots/pair-orders/history";
  const response = await edge.send("GET", `${history}?${ofAccount}`);
  assert.deepEqual(((await response.json()) as { data: unknown }).data, data);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { ...place, page: 1, pageSize: 10 });
  await edge.send("GET", `${history}?${ofAccount}&page=3&pageSize=100`);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, { ...place, page: 3, pageSize: 100 });
  for (const wrong of ["page=0", "page=-1", "page=1.5", "page=", "pageSize=0", "pageSize=101", "page=1&page=2"]) {
    const refused = await edge.send("GET", `${history}?${ofAccount}&${wrong}`);
    assert.equal(refused.status, 400, wrong);
  }
});

test("a webhook bot shows the address at which its owner reached us", async (t) => {
  const edge = await runEdge(t);
  for (const type of ["webhookBots.create", "webhookBots.update", "webhookBots.get"]) {
    edge.engine.on(type, () => ({ ok: true, data: row }));
  }
  edge.engine.on("webhookBots.list", ({ body }) =>
    (body as { from?: string }).from === undefined ? pageOf("b", row) : pageOf(null, { ...row, id: 10 }),
  );
  const expected = { ...shown, webhookUrl: edge.url + webhookPath };
  const dataOf = async (response: Response): Promise<unknown> => ((await response.json()) as { data: unknown }).data;
  assert.deepEqual(await dataOf(await edge.send("POST", "/api/v1/webhook-bots", webhookBot)), expected);
  assert.deepEqual(await dataOf(await edge.send("PUT", "/api/v1/webhook-bots/9", webhookBot)), expected);
  assert.deepEqual(await dataOf(await edge.send("GET", "/api/v1/webhook-bots/9?brokerageCode=PAPER")), expected);
  const list = await dataOf(await edge.send("GET", `/api/v1/webhook-bots?${ofAccount}`));
  assert.deepEqual(list, [expected, { ...expected, id: 10 }]);
});

test("who may only read is not told the address of a webhook bot (behaviour 9.1)", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("webhookBots.get", () => ({ ok: true, data: row }));
  edge.engine.on("webhookBots.list", () => pageOf(null, row));
  const read = async (path: string, scope: string): Promise<unknown> => {
    const response = await edge.send("GET", path, undefined, await edge.bearer({ claims: { scope } }));
    assert.equal(response.status, 200);
    return ((await response.json()) as { data: unknown }).data;
  };
  const [one, list] = ["/api/v1/webhook-bots/9?brokerageCode=PAPER", `/api/v1/webhook-bots?${ofAccount}`];
  assert.deepEqual(await read(one, "read"), shown);
  assert.deepEqual(await read(list, "read"), [shown]);
  assert.deepEqual(await read(one, "read admin"), shown);
  assert.deepEqual(await read(list, "read trade"), [{ ...shown, webhookUrl: edge.url + webhookPath }]);
});

test("behind a trusted proxy that ends TLS the address is https", async (t) => {
  const edge = await runEdge(t, { trustedProxies: 1 });
  edge.engine.on("webhookBots.get", () => ({ ok: true, data: row }));
  const headers = { "x-forwarded-proto": "https" };
  const response = await edge.send("GET", "/api/v1/webhook-bots/9?brokerageCode=PAPER", undefined, headers);
  const { data } = (await response.json()) as { data: { webhookUrl: string } };
  assert.equal(data.webhookUrl, edge.url.replace("http:", "https:") + webhookPath);
});

test("systems are listed with read alone, and every filter goes to the engine", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("systems.list", () => pageOf(null, { id: 5 }));
  const body = { ...place, botType: [1, 2], isActive: 2, isDeleted: 1, startDate: "2026-01-01", endDate: "2026-02-01" };
  const reading = await edge.bearer({ claims: { scope: "read" } });
  const response = await edge.send("POST", "/api/v1/systems/list", body, reading);
  assert.deepEqual(((await response.json()) as { data: unknown }).data, [{ id: 5 }]);
  assert.deepEqual(edge.engine.asked.at(-1)?.body, body);
  for (const wrong of [{ botType: [5] }, { botType: 1 }, { isActive: 0 }, { isDeleted: 4 }, { startDate: 1 }]) {
    const refused = await edge.send("POST", "/api/v1/systems/list", { ...place, ...wrong });
    assert.equal(refused.status, 400, JSON.stringify(wrong));
  }
});

test("changing bots needs the scope trade, and -0 is no limit", async (t) => {
  const edge = await runEdge(t);
  const reading = await edge.bearer({ claims: { scope: "read" } });
  assert.equal((await edge.send("POST", "/api/v1/level-bots", levelBot, reading)).status, 403);
  assert.equal((await edge.send("PUT", "/api/v1/webhook-bots/9", webhookBot, reading)).status, 403);
  const text = JSON.stringify(levelBot).replace('"buyGap":1', '"buyGap":1,"maxBuyPrice":-0');
  const refused = await edge.send("POST", "/api/v1/level-bots", text);
  assert.equal(refused.status, 400);
  assert.match(
    ((await refused.json()) as { message: string }).message,
    /^levelBotDetails\[0\]\.maxBuyPrice must not be -0$/,
  );
});

test("a filter of the systems that is none of its choices is told them", async (t) => {
  const edge = await runEdge(t);
  const wrong: readonly (readonly [object, string])[] = [
    [{ botType: [5] }, "botType[0] must be 1 or 2 or 3 or 4"],
    [{ botType: [1, "2"] }, "botType[1] must be 1 or 2 or 3 or 4"],
    [{ isActive: 4 }, "isActive must be 1 or 2 or 3"],
    [{ isDeleted: true }, "isDeleted must be 1 or 2 or 3"],
  ];
  for (const [change, message] of wrong) {
    const response = await edge.send("POST", "/api/v1/systems/list", { ...place, ...change });
    assert.equal(response.status, 400, message);
    assertInvalid(await response.json(), message);
  }
});

test("a number of a bot's detail may be left out and is not null", async (t) => {
  const edge = await runEdge(t);
  const limits = ["quantity", "maxBuyPrice", "minBuyPrice", "maxSellPrice", "minSellPrice"];
  const refuse = async (path: string, body: object, message: string): Promise<void> => {
    const response = await edge.send("POST", path, body);
    assert.equal(response.status, 400, message);
    assertInvalid(await response.json(), message);
  };
  for (const field of [...limits, "buyGap", "sellGap", "targetProfit", "profit"]) {
    const levelBotDetails = [{ ...levelBot.levelBotDetails[0], [field]: null }];
    const message = `levelBotDetails[0].${field} must be a number`;
    await refuse("/api/v1/level-bots", { ...levelBot, levelBotDetails }, message);
  }
  for (const field of limits) {
    const webhookBotDetails = [{ ...webhookBot.webhookBotDetails[0], [field]: null }];
    const message = `webhookBotDetails[0].${field} must be a number`;
    await refuse("/api/v1/webhook-bots", { ...webhookBot, webhookBotDetails }, message);
  }
});
