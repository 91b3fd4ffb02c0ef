/** Webhook signals: which bots receive them, how often, and that each makes exactly one order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  partitionOfSecret,
  WEBHOOK_PATH,
  WEBHOOK_SECRET,
  type WebhookBotRow,
} from "../../../../src/contract/trading/bot.ts";
import { ACCOUNT, startWorld } from "../../../support/world/trading-world.ts";
import { buySignal, createWebhook, pairsOf, place, sellSignal, signal, webhookBot } from "./bots.ts";

test("a webhook's secret names its partition and reaches no event and no log", async () => {
  const world = await startWorld({ partition: 2, partitions: 40 });
  const { secret } = await createWebhook(world);
  assert.match(secret, WEBHOOK_SECRET);
  assert.equal(partitionOfSecret(secret), 2);
  assert.equal(partitionOfSecret(`${secret}x`), undefined);
  const [row] = (await world.query("webhookBots.list", place)) as WebhookBotRow[];
  assert.equal(row?.webhookPath, WEBHOOK_PATH + secret);
  assert.ok(!JSON.stringify([world.events, world.log]).includes(secret));
});

test("a signal buys, the next one sells, and each is answered with how many details it matched", async () => {
  const world = await startWorld();
  const detail = webhookBot.webhookBotDetails[0];
  const { id, secret } = await createWebhook(world, {
    webhookBotDetails: [detail, { ...detail, period: "4H" }],
  });
  await world.tick("THYAO", 100);
  assert.deepEqual(await signal(world, secret, buySignal), { ok: true, data: { matched: 1 } });
  assert.deepEqual(await signal(world, secret, { ...buySignal, algoName: "RSI" }), { ok: true, data: { matched: 0 } });
  await world.time.turns();
  const [pair] = (await pairsOf(world, "webhook", id)) as unknown as Record<string, unknown>[];
  assert.deepEqual(
    [pair?.algoName, pair?.period, pair?.accountNumber, pair?.buyQuantity, pair?.buyStatus, pair?.sellStatus],
    ["MACD", "1H", ACCOUNT, 5, 2, 0],
  );
  await signal(world, secret, sellSignal);
  await world.time.turns();
  assert.deepEqual(await pairsOf(world, "webhook", id), []);
  assert.deepEqual(
    (await world.orders()).map(({ buySell, orderStatus }) => [buySell, orderStatus]),
    [
      [1, 2],
      [2, 2],
    ],
  );
});

test("an unknown secret is not found, and a signal that is none is refused", async () => {
  const world = await startWorld();
  const { secret } = await createWebhook(world);
  const unknown = await signal(world, `${secret.slice(0, -1)}_`, buySignal);
  assert.equal(!unknown.ok && unknown.code, "NOT_FOUND");
  const malformed = await signal(world, secret, { ...buySignal, side: "hold" });
  assert.equal(!malformed.ok && malformed.code, "INVALID");
});

test("the same id, or without one the same body, is heard once within 60 seconds", async () => {
  const world = await startWorld();
  const { secret } = await createWebhook(world);
  await world.tick("THYAO", 100);
  const once = async (given: object, hash?: string): Promise<number> => {
    const reply = await signal(world, secret, given, hash);
    assert.deepEqual(reply, { ok: true, data: { matched: 1 } });
    await world.time.turns();
    return world.sent.length;
  };
  assert.equal(await once({ ...buySignal, id: "a" }), 1);
  assert.equal(await once({ ...sellSignal, id: "a" }), 1);
  assert.equal(await once({ ...sellSignal, id: "b" }), 2);
  assert.equal(await once(buySignal, "hash"), 3);
  await world.time.advance(59_000);
  assert.equal(await once(sellSignal, "hash"), 3);
  await world.time.advance(1_000);
  assert.equal(await once(sellSignal, "hash"), 4);
});

test("an id that is a number beyond 2^53 tells nothing: the body counts, and no signal is lost (behaviour 9.2)", async () => {
  const world = await startWorld();
  const { secret } = await createWebhook(world);
  await world.tick("THYAO", 100);
  const sentAfter = async (given: object, hash: string): Promise<number> => {
    assert.ok((await signal(world, secret, given, hash)).ok);
    await world.time.turns();
    return world.sent.length;
  };
  const idIn = (digits: string): number => JSON.parse(digits);
  assert.equal(await sentAfter({ ...buySignal, id: idIn("1795442931301000001") }, "buy"), 1);
  assert.equal(await sentAfter({ ...sellSignal, id: idIn("1795442931301000002") }, "sell"), 2);
  assert.equal(await sentAfter({ ...sellSignal, id: idIn("1795442931301000002") }, "sell"), 2);
  const exact = { id: Number.MAX_SAFE_INTEGER };
  assert.equal(await sentAfter({ ...buySignal, ...exact }, "exact"), 3);
  assert.equal(await sentAfter({ ...sellSignal, ...exact }, "another body"), 3, "an exact number is an id");
  assert.equal(await sentAfter({ ...sellSignal, id: -(2 ** 53) }, "below"), 4);
});

test("without a price of its own a signal has the last live one", async () => {
  const world = await startWorld();
  const [detail] = webhookBot.webhookBotDetails;
  const { secret } = await createWebhook(world, { webhookBotDetails: [{ ...detail, maxBuyPrice: 90 }] });
  await signal(world, secret, buySignal);
  assert.deepEqual(world.sent, [], "no price is known");
  await world.tick("THYAO", 91);
  await signal(world, secret, buySignal);
  assert.deepEqual(world.sent, []);
  await signal(world, secret, { ...buySignal, price: 89.5 });
  assert.equal(world.sent.length, 1);
  assert.equal(world.eventsOf("signal.ignored").length, 2);
});

test("a signal is answered while the brokerage hangs", async () => {
  const world = await startWorld();
  const { id, secret } = await createWebhook(world);
  await world.tick("THYAO", 100);
  world.isMute = true;
  assert.deepEqual(await signal(world, secret, buySignal), { ok: true, data: { matched: 1 } });
  const [pair] = await pairsOf(world, "webhook", id);
  assert.equal(pair?.buyStatus, 0);
});

test("a signal makes exactly one order, whenever the engine dies", async () => {
  for (let step = 0; step < 12; step += 1) {
    for (const isKept of [false, true]) {
      const world = await startWorld();
      const { id, secret } = await createWebhook(world);
      await world.tick("THYAO", 100);
      world.giveOfNobody("webhook.signal", { webhookSecret: secret, signal: buySignal, bodyHash: "hash" });
      for (let turn = 0; turn < step; turn += 1) await world.time.turn();
      await world.restart(isKept);
      // The sender got no answer and tries again.
      assert.deepEqual(await signal(world, secret, buySignal, "hash"), { ok: true, data: { matched: 1 } });
      await world.time.advance(5_000);
      const orders = await world.orders();
      assert.equal(orders.length, 1, `killed after ${step} turns, batch kept: ${isKept}`);
      const [pair] = await pairsOf(world, "webhook", id);
      assert.equal(pair?.buyStatus, 2);
    }
  }
});

test("the owner of a bot is told of a body that is no signal; at an address of nobody there is nobody to tell", async () => {
  const world = await startWorld();
  const { id, secret } = await createWebhook(world);
  const reject = (webhookSecret: string) =>
    world.commandOfNobody("webhook.reject", { webhookSecret, reason: "price must be a number" });
  assert.deepEqual(await reject(secret), { ok: true, data: true });
  const unknown = await reject(`${secret}x`);
  assert.equal(unknown.ok ? "" : unknown.code, "NOT_FOUND");
  await world.time.advance(1_000);
  const told = world.events.filter(({ data }) => data.type === "signal.rejected");
  assert.deepEqual(
    told.map(({ data }) => [data.systemId, data.message]),
    [[id, "price must be a number"]],
  );
});
