/** Price alerts: made, reached once, removed, listed, and kept over a restart (behaviour 29). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES, type Reply } from "../../../../src/contract/command.ts";
import type { PriceAlertView } from "../../../../src/contract/trading/price-alert.ts";
import { PRICE_ALERTS_MAX } from "../../../../src/domain/price-alert.ts";
import { startWorld, type TradingWorld, USER } from "../../../support/world/trading-world.ts";

const above = { symbol: "THYAO", direction: "atOrAbove", price: 320 };
const below = { symbol: "THYAO", direction: "atOrBelow", price: 280 };

const create = async (world: TradingWorld, body: object = above): Promise<PriceAlertView> =>
  (await world.done(COMMANDS.createPriceAlert, body)) as PriceAlertView;
const list = async (world: TradingWorld): Promise<readonly PriceAlertView[]> =>
  (await world.query(QUERIES.listPriceAlerts, {})) as readonly PriceAlertView[];
const reachedOf = (world: TradingWorld) =>
  world.eventsOf("price.reached").map(({ alertId, reachedPrice }) => [alertId, reachedPrice]);
const codeOf = (reply: Reply): string => (reply.ok ? "done" : reply.code);

describe("a price alert", () => {
  test("is sent once, with the first price that reaches it, and is gone", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const up = await create(world, { ...above, note: "breakout" });
    const down = await create(world, below);
    assert.deepEqual(
      (await list(world)).map(({ id, direction, price, note }) => [id, direction, price, note]),
      [
        [up.id, "atOrAbove", 320, "breakout"],
        [down.id, "atOrBelow", 280, null],
      ],
    );
    await world.tick("THYAO", 319.75);
    await world.tick("THYAO", 280.25);
    assert.deepEqual(reachedOf(world), []);
    await world.tick("THYAO", 320);
    await world.tick("THYAO", 325);
    assert.deepEqual(reachedOf(world), [[up.id, 320]]);
    const [event] = world.eventsOf("price.reached");
    assert.deepEqual(
      [event?.symbol, event?.direction, event?.price, event?.note],
      ["THYAO", "atOrAbove", 320, "breakout"],
    );
    await world.tick("THYAO", 279);
    assert.deepEqual(reachedOf(world).at(-1), [down.id, 279]);
    assert.deepEqual([await list(world), world.sent], [[], []], "no order depends on it");
  });

  test("that the last price has reached already is sent immediately, and the answer states it", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 330);
    const reply = await world.command(COMMANDS.createPriceAlert, above);
    assert.match(JSON.stringify(reply), /"message":"The price is reached already: the alert was sent"/);
    assert.equal(reachedOf(world).length, 1);
    assert.deepEqual(await list(world), []);
  });

  test("is kept over a restart, and prices that were missed count", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const { id } = await create(world);
    await world.restart();
    assert.deepEqual(
      (await list(world)).map((alert) => alert.id),
      [id],
    );
    await world.time.advance(1_000);
    await world.restartMissing("THYAO", 321, world.time.nowMs());
    await world.time.turns();
    assert.deepEqual(reachedOf(world), [[id, 321]]);
    await world.restart();
    await world.tick("THYAO", 322);
    const given = new Set(world.eventsOf("price.reached").map((event) => event.id));
    assert.equal(given.size, 1, "a restart can give an event again, under its id");
    assert.deepEqual(await list(world), []);
  });

  test("is removed by its owner alone", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const { id } = await create(world);
    assert.equal(codeOf(await world.command(COMMANDS.deletePriceAlert, { id }, { userId: USER + 1 })), "NOT_FOUND");
    assert.equal(codeOf(await world.command(COMMANDS.deletePriceAlert, { id })), "done");
    assert.equal(codeOf(await world.command(COMMANDS.deletePriceAlert, { id })), "NOT_FOUND");
    await world.tick("THYAO", 330);
    assert.deepEqual([reachedOf(world), await list(world)], [[], []]);
  });

  test("of an unknown symbol, or with a price of three decimals, is refused", async () => {
    const world = await startWorld();
    for (const wrong of [{ symbol: "NOSUCH" }, { price: 320.005 }, { direction: "above" }, { note: "" }])
      assert.equal(codeOf(await world.command(COMMANDS.createPriceAlert, { ...above, ...wrong })), "INVALID");
  });

  test(`is one of at most ${PRICE_ALERTS_MAX}, and an end makes room (behaviour 29.2)`, async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const ids: number[] = [];
    for (let count = 0; count < PRICE_ALERTS_MAX; count += 1)
      ids.push((await create(world, { ...above, price: 320 + count })).id);
    assert.equal(codeOf(await world.command(COMMANDS.createPriceAlert, above)), "CONFLICT");
    await world.tick("THYAO", 320);
    assert.equal(codeOf(await world.command(COMMANDS.createPriceAlert, { ...above, price: 500 })), "done");
    assert.equal(codeOf(await world.command(COMMANDS.createPriceAlert, above)), "CONFLICT");
    assert.equal(codeOf(await world.command(COMMANDS.deletePriceAlert, { id: ids[50] })), "done");
    assert.equal((await list(world)).length, PRICE_ALERTS_MAX - 1);
  });
});
