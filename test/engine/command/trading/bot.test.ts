/** Bots from their creation to their pairs, over a partition and a paper brokerage. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Reply } from "../../../../src/contract/command.ts";
import { ACCOUNT, startWorld } from "../../../support/world/trading-world.ts";
import {
  buySignal,
  createLevel,
  createWebhook,
  historyOf,
  levelBot,
  pairsOf,
  place,
  sellSignal,
  signal,
  tradeOnce,
  webhookBot,
} from "./bots.ts";

test("a level bot is created, listed, read, and found by its owner alone", async () => {
  const world = await startWorld();
  const created = await world.done("levelBots.create", levelBot);
  const { id } = created as { id: number };
  assert.deepEqual(created, { id, name: levelBot.name, accountNumber: ACCOUNT, isActive: true });
  const [listed] = (await world.query("levelBots.list", place)) as Record<string, unknown>[];
  assert.deepEqual(listed, {
    id,
    name: levelBot.name,
    accountNumber: ACCOUNT,
    isActive: true,
    isRunning: true,
    levelBotDetails: levelBot.levelBotDetails,
    createdDate: new Date(world.time.nowMs()).toISOString(),
    updatedDate: null,
  });
  const asked = { id, brokerageCode: "PAPER" };
  assert.deepEqual(await world.query("levelBots.get", asked), listed);
  const others = (await world.query("levelBots.get", asked, { userId: 8 })) as Reply;
  assert.equal(!others.ok && others.code, "NOT_FOUND");
  const pairs = (await world.query("levelBots.pairs", asked, { userId: 8 })) as Reply;
  assert.equal(!pairs.ok && pairs.code, "NOT_FOUND");
  const wrongKind = (await world.query("webhookBots.get", asked)) as Reply;
  assert.equal(!wrongKind.ok && wrongKind.code, "NOT_FOUND");
  const wrongBrokerage = (await world.query("levelBots.get", { id, brokerageCode: "paper" })) as Reply;
  assert.equal(!wrongBrokerage.ok && wrongBrokerage.code, "INVALID");
});

test("an update changes the whole bot but for its account, and reaches no other user's", async () => {
  const world = await startWorld();
  const id = await createLevel(world);
  const bot = { ...levelBot, name: "Renamed", isActive: false };
  const others = await world.command("levelBots.update", { id, bot }, { userId: 8 });
  assert.equal(!others.ok && others.code, "NOT_FOUND");
  const updated = (await world.done("levelBots.update", { id, bot })) as Record<string, unknown>;
  assert.deepEqual([updated.name, updated.isActive, updated.isRunning], ["Renamed", false, false]);
  assert.equal(typeof updated.updatedDate, "string");
  const moved = await world.command("levelBots.update", { id, bot: { ...bot, accountNumber: "PAPER-8" } });
  assert.equal(!moved.ok && moved.code, "FORBIDDEN");
  const unknown = await world.command("levelBots.update", { id: id + 1000, bot });
  assert.equal(!unknown.ok && unknown.code, "NOT_FOUND");
  assert.deepEqual(
    world.events.map(({ data }) => data.type),
    ["bot.created", "bot.updated"],
  );
});

test("a bot of an unknown symbol, twice the same one, or on somebody else's account is refused", async () => {
  const world = await startWorld();
  const [detail] = levelBot.levelBotDetails;
  const refused = async (change: object, code: string, message: RegExp): Promise<void> => {
    const reply = await world.command("levelBots.create", { ...levelBot, ...change });
    assert.equal(!reply.ok && reply.code, code);
    assert.match(reply.ok ? "" : reply.message, message);
  };
  await refused({ levelBotDetails: [{ ...detail, symbol: "NONE" }] }, "INVALID", /symbol NONE is not known/);
  await refused({ levelBotDetails: [detail, detail] }, "INVALID", /repeats the symbol/);
  await refused({ levelBotDetails: [{ ...detail, maxBuyPrice: 20.01 }] }, "INVALID", /maxBuyPrice/);
  await refused({ name: " " }, "INVALID", /name must not be only blanks/);
  await refused({ accountNumber: "PAPER-8" }, "FORBIDDEN", /accountNumber/);
});

test("a webhook bot with a label that is blank, or has a blank at an end, is refused (behaviour 9.2)", async () => {
  const world = await startWorld();
  const [detail] = webhookBot.webhookBotDetails;
  const rule = "must not be blank, nor begin or end with a blank";
  for (const field of ["algoName", "period"]) {
    for (const wrong of [" ", " 1H", "1H\t"]) {
      const body = { ...webhookBot, webhookBotDetails: [{ ...detail, [field]: wrong }] };
      const reply = await world.command("webhookBots.create", body);
      assert.equal(reply.ok ? "" : reply.message, `webhookBotDetails[0].${field} ${rule}`);
    }
  }
  // A bot that was stored with such a label before can be switched off.
  const off = { ...webhookBot, isActive: false, webhookBotDetails: [{ ...detail, algoName: "trend " }] };
  assert.equal((await world.command("webhookBots.create", off)).ok, true);
});

test("a level bot buys at its level, sells over it, and the pair goes to the history", async () => {
  const world = await startWorld();
  const id = await createLevel(world);
  await world.tick("THYAO", 100);
  await world.tick("THYAO", 99);
  const [pair, ...others] = await pairsOf(world, "level", id);
  assert.ok(pair !== undefined);
  assert.deepEqual(others, []);
  // The order was filled before the engine followed it: the engine asks immediately, not at the next poll.
  assert.deepEqual([pair.buyStatus, pair.sellStatus], [2, 0]);
  await world.tick("THYAO", 101);
  assert.deepEqual(await pairsOf(world, "level", id), []);
  const { items, totalCount } = await historyOf(world);
  assert.equal(totalCount, 1);
  const orders = await world.orders();
  assert.deepEqual(
    orders.map(({ buySell, quantity, averagePrice }) => ({ buySell, quantity, averagePrice })),
    [
      { buySell: 1, quantity: 3, averagePrice: 99 },
      { buySell: 2, quantity: 3, averagePrice: 101 },
    ],
  );
  assert.deepEqual(items, [
    {
      id: pair.id,
      systemId: id,
      symbol: "THYAO",
      buyQuantity: 3,
      buyOrderNo: orders[0]?.orderNo,
      buyOrderDate: new Date(world.time.nowMs() - 1).toISOString(),
      sellQuantity: 3,
      sellOrderNo: orders[1]?.orderNo,
      sellOrderDate: new Date(world.time.nowMs()).toISOString(),
      description: "",
      hourCount: 0,
      profit: 6,
    },
  ]);
  assert.deepEqual(
    ["pair.bought", "pair.sold"].map((type) => world.eventsOf(type).length),
    [1, 1],
  );
});

test("history lists newest first, page by page, and counts all of it", async () => {
  const world = await startWorld();
  await createLevel(world);
  for (let round = 0; round < 5; round += 1) await tradeOnce(world);
  const all = await historyOf(world);
  assert.equal(all.totalCount, 5);
  const ids = all.items.map((item) => item.id);
  assert.deepEqual(
    ids,
    [...ids].sort((left, right) => right - left),
  );
  const second = await historyOf(world, { page: 2, pageSize: 2 });
  assert.deepEqual(
    second.items.map((item) => item.id),
    ids.slice(2, 4),
  );
  const last = await historyOf(world, { page: 3, pageSize: 2 });
  assert.deepEqual(
    last.items.map((item) => item.id),
    ids.slice(4),
  );
  assert.deepEqual(await historyOf(world, { page: 9, pageSize: 2 }), {
    items: [],
    totalCount: 5,
    page: 9,
    pageSize: 2,
  });
});

test("a refused buy closes its pair with the reason", async () => {
  const world = await startWorld({
    paper: { startingCash: 10, startingPositions: {}, requiresLogin: false, fillShareMax: 1 },
  });
  const id = await createLevel(world);
  await world.tick("THYAO", 100);
  await world.tick("THYAO", 99);
  assert.deepEqual(await pairsOf(world, "level", id), []);
  const { items } = await historyOf(world);
  assert.match(items[0]?.description ?? "", /^buy failed: /);
  assert.equal(items[0]?.sellOrderNo, null);
  assert.equal(world.eventsOf("pair.buyFailed").length, 1);
});

test("an inactive bot orders nothing", async () => {
  const world = await startWorld();
  await createLevel(world, { isActive: false });
  const { secret } = await createWebhook(world, { isActive: false });
  await tradeOnce(world);
  assert.deepEqual(await signal(world, secret, buySignal), { ok: true, data: { matched: 0 } });
  await world.time.turns();
  assert.deepEqual(world.sent, []);
});

test("bots, anchors and open pairs survive a restart", async () => {
  const world = await startWorld();
  const id = await createLevel(world);
  const { id: webhookId, secret } = await createWebhook(world);
  await world.tick("THYAO", 100);
  await world.restart();
  await world.tick("THYAO", 99);
  await signal(world, secret, buySignal);
  await world.time.turns();
  const before = [await pairsOf(world, "level", id), await pairsOf(world, "webhook", webhookId)];
  assert.deepEqual(
    before.map((pairs) => pairs.length),
    [1, 1],
  );
  await world.restart();
  assert.deepEqual([await pairsOf(world, "level", id), await pairsOf(world, "webhook", webhookId)], before);
  await world.tick("THYAO", 101);
  await signal(world, secret, sellSignal);
  await world.time.turns();
  assert.equal((await historyOf(world)).totalCount, 1);
  assert.deepEqual(await pairsOf(world, "webhook", webhookId), []);
});

test("a first price that is to be confirmed survives a restart, and one bad print buys nothing (behaviour 8.1a)", async () => {
  const world = await startWorld();
  const [detail] = levelBot.levelBotDetails;
  const id = await createLevel(world, { levelBotDetails: [{ ...detail, confirmTicks: 2 }] });
  for (const price of [100, 100, 120, 99.5]) await world.tick("THYAO", price);
  assert.deepEqual(await pairsOf(world, "level", id), []);
  await world.tick("THYAO", 101);
  await world.restart();
  await world.tick("THYAO", 102);
  await world.tick("THYAO", 100.1);
  assert.deepEqual(await pairsOf(world, "level", id), []);
  await world.tick("THYAO", 100);
  assert.equal((await pairsOf(world, "level", id)).length, 1);
  const { levelBotDetails } = (await world.query("levelBots.get", { id, brokerageCode: "PAPER" })) as {
    levelBotDetails: { confirmTicks?: number }[];
  };
  assert.equal(levelBotDetails[0]?.confirmTicks, 2);
  await world.done("levelBots.update", { id, bot: levelBot });
  const [plain] = (await world.query("levelBots.list", place)) as { levelBotDetails: object[] }[];
  assert.ok(plain?.levelBotDetails[0] !== undefined && !("confirmTicks" in plain.levelBotDetails[0]));
});

test("systems are both kinds of bots by id, filtered as asked", async () => {
  const world = await startWorld();
  const first = await createLevel(world);
  // From 09:00 on the 5th.
  await world.time.advance(60 * 60_000);
  const { id: second } = await createWebhook(world, { isActive: false });
  const list = async (change: object): Promise<number[]> => {
    const systems = (await world.query("systems.list", { ...place, ...change })) as { id: number }[];
    return systems.map(({ id }) => id);
  };
  const all = (await world.query("systems.list", place, { pageBytesMax: 10 })) as Record<string, unknown>[];
  assert.deepEqual(
    all.map(({ id, botType, isActive, isRunning }) => [id, botType, isActive, isRunning]),
    [
      [first, 1, true, true],
      [second, 2, false, false],
    ],
  );
  assert.deepEqual(all[0]?.levelBotDetails, levelBot.levelBotDetails);
  assert.ok(!JSON.stringify(all).includes("webhookPath"));
  assert.deepEqual(await list({ botType: [] }), [first, second]);
  assert.deepEqual(await list({ botType: [2, 3] }), [second]);
  assert.deepEqual(await list({ botType: [3, 4] }), []);
  assert.deepEqual(await list({ isActive: 2 }), [first]);
  assert.deepEqual(await list({ isActive: 3 }), [second]);
  assert.deepEqual(await list({ isDeleted: 1 }), [first, second]);
  assert.deepEqual(await list({ isDeleted: 3 }), []);
  assert.deepEqual(await list({ startDate: "2026-01-05T10:00:00" }), [second]);
  assert.deepEqual(await list({ endDate: "2026-01-05T12:59:59+03:00" }), [first]);
  assert.deepEqual(await list({ startDate: "2026-01-05", endDate: "2026-01-05" }), [first, second]);
  assert.deepEqual(await list({ startDate: "2026-01-06" }), []);
  const reversed = (await world.query("systems.list", {
    ...place,
    startDate: "2026-02-01",
    endDate: "2026-01-01",
  })) as Reply;
  assert.equal(!reversed.ok && reversed.code, "INVALID");
  assert.deepEqual(await world.query("systems.list", { ...place, accountNumber: "PAPER-8" }, { userId: 8 }), []);
});

test("a bot is deleted only at its own brokerage, where one is named", async () => {
  const world = await startWorld();
  for (const [kind, id] of [
    ["level", await createLevel(world)],
    ["webhook", (await createWebhook(world)).id],
  ] as const) {
    const refused = async (brokerageCode: string): Promise<Reply> =>
      (await world.command(`${kind}Bots.delete`, { id, brokerageCode })) as Reply;
    assert.deepEqual(await refused("NONE"), { ok: false, code: "INVALID", message: "brokerageCode is not known" });
    assert.equal(await world.done(`${kind}Bots.delete`, { id, brokerageCode: "PAPER" }), true);
  }
});

test("a bot that is deactivated takes back what waits unsent: no order leaves from that moment", async () => {
  const world = await startWorld({ settings: { ordersPerMinute: 1 } });
  const [detail] = levelBot.levelBotDetails;
  const levelBotDetails = ["THYAO", "GARAN"].map((symbol) => ({ ...detail, symbol }));
  const id = await createLevel(world, { levelBotDetails });
  for (const symbol of ["THYAO", "GARAN"]) {
    await world.tick(symbol, 100);
    await world.tick(symbol, 99);
  }
  assert.equal(world.sent.length, 1);
  assert.equal((await pairsOf(world, "level", id)).length, 2);
  await world.done("levelBots.update", { id, bot: { ...levelBot, levelBotDetails, isActive: false } });
  assert.equal((await pairsOf(world, "level", id)).length, 1);
  assert.deepEqual(
    (await historyOf(world)).items.map(({ description }) => description),
    ["buy failed: withdrawn"],
  );
  await world.time.advance(180_000);
  assert.equal(world.sent.length, 1);
});
