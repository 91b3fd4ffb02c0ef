/** Price alerts: made, reached, changed, removed, listed, ended, and kept over a restart (behaviour 29). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { queryHandlers } from "../../../../engine/query/queries.ts";
import { COMMANDS, QUERIES, type Reply } from "../../../../src/contract/command.ts";
import type { PriceAlertView } from "../../../../src/contract/trading/price-alert.ts";
import { livePrice } from "../../../../src/domain/price/price.ts";
import { PRICE_ALERTS_MAX } from "../../../../src/domain/price-alert.ts";
import { formatTime } from "../../../../src/domain/time.ts";
import { startWorld, type TradingWorld, USER } from "../../../support/world/trading-world.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const above = { symbol: "THYAO", direction: "atOrAbove", price: 320 };
const below = { symbol: "THYAO", direction: "atOrBelow", price: 280 };

const create = async (world: TradingWorld, body: object = above): Promise<PriceAlertView> =>
  (await world.done(COMMANDS.createPriceAlert, body)) as PriceAlertView;
const list = async (world: TradingWorld): Promise<readonly PriceAlertView[]> =>
  (await world.query(QUERIES.listPriceAlerts, {})) as readonly PriceAlertView[];
const listEnded = async (world: TradingWorld): Promise<readonly PriceAlertView[]> =>
  (await world.query(QUERIES.listPriceAlerts, { status: "ended" })) as readonly PriceAlertView[];
const change = (world: TradingWorld, id: number, changes: object, userId = USER): Promise<Reply> =>
  world.command(COMMANDS.changePriceAlert, { id, change: changes }, { userId });
const tickOf = (value: number) => {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  return { symbol: "THYAO", price };
};
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
    assert.match(JSON.stringify(reply), /"status":"reached"/);
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

  test("that has ended remains in a list of its own for seven days", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const { id } = await create(world);
    await world.tick("THYAO", 320.5);
    const [row, ...others] = await listEnded(world);
    assert.deepEqual([others, row?.id, row?.status, row?.armed], [[], id, "reached", false]);
    assert.deepEqual([row?.reachedPrice, row?.reachedCount], [320.5, 1]);
    assert.deepEqual([row?.reachedDate, row?.endedDate], [formatTime(world.time.nowMs()), row?.reachedDate]);
    assert.equal(codeOf(await world.command(COMMANDS.deletePriceAlert, { id })), "NOT_FOUND");
    assert.equal(codeOf(await change(world, id, { price: 400 })), "CONFLICT");
    await world.restart();
    assert.equal((await listEnded(world)).length, 1);
    await world.restart(false, () => world.time.standStill(7 * DAY_MS));
    await world.time.advance(1_000);
    assert.deepEqual(await listEnded(world), []);
    assert.equal(new Set(world.eventsOf("price.reached").map((event) => event.id)).size, 1);
  });

  test(`that has ended is one of at most ${PRICE_ALERTS_MAX}: a new one replaces the oldest (behaviour 29.7)`, async () => {
    const world = await startWorld();
    await world.tick("THYAO", 330);
    const ids: number[] = [];
    for (let count = 0; count <= PRICE_ALERTS_MAX; count += 1) {
      ids.push((await create(world)).id);
      await world.time.advance(1_000);
      await world.tick("THYAO", 330);
    }
    const ended = (await listEnded(world)).map(({ id }) => id).sort((left, right) => left - right);
    assert.deepEqual(ended, ids.slice(1));
    await world.restart();
    assert.equal((await listEnded(world)).length, PRICE_ALERTS_MAX);
  });

  test("that ends at a time is over then, and prices from before it count (behaviour 29.5)", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const until = formatTime(world.time.nowMs() + 60_000);
    for (const wrong of ["tomorrow", "1970-01-01", formatTime(world.time.nowMs())])
      assert.equal(codeOf(await world.command(COMMANDS.createPriceAlert, { ...above, until: wrong })), "INVALID");
    const { id } = await create(world, { ...above, until });
    const other = await create(world, { ...below, until });
    await world.time.advance(30_000);
    const missedMs = world.time.nowMs();
    await world.time.advance(20_000);
    world.kill();
    world.time.standStill(60_000);
    await world.start((partition) => {
      world.isCatchingUp = true;
      partition.onTick({ ...tickOf(321), timeMs: missedMs, isCaughtUp: true });
      partition.onTick({ ...tickOf(270), timeMs: world.time.nowMs(), isCaughtUp: true });
      world.isCatchingUp = false;
      partition.onCaughtUp();
    });
    await world.time.advance(1_000);
    assert.deepEqual(reachedOf(world), [[id, 321]]);
    const expired = world.eventsOf("price.expired").map(({ alertId, until: end }) => [alertId, end]);
    assert.deepEqual(expired, [[other.id, until]]);
    assert.deepEqual(
      (await listEnded(world)).map(({ status, endedDate }) => [status, endedDate]),
      [
        ["reached", formatTime(missedMs)],
        ["expired", until],
      ],
    );
    const day = await create(world, { ...above, until: "2199-01-01" });
    assert.equal(day.until, "2199-01-01T23:59:59.999Z");
  });

  test("that repeats is reached once by each crossing, also by ticks that come together", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const { id } = await create(world, { ...above, repeat: true });
    for (const price of [320, 321, 320, 319.75, 320.25]) await world.tick("THYAO", price);
    assert.deepEqual(reachedOf(world), [
      [id, 320],
      [id, 320.25],
    ]);
    for (const price of [319, 322, 318, 323]) world.give("THYAO", price);
    await world.time.turns();
    assert.deepEqual(
      reachedOf(world)
        .slice(2)
        .map(([, price]) => price),
      [322, 323],
    );
    const [row] = await list(world);
    assert.deepEqual([row?.armed, row?.reachedCount, row?.reachedPrice], [false, 4, 323]);
    assert.equal(codeOf(await world.command(COMMANDS.deletePriceAlert, { id })), "done");
    await world.tick("THYAO", 300);
    await world.tick("THYAO", 330);
    assert.equal(reachedOf(world).length, 4);
  });

  test("that repeats reports each missed crossing once, however often the ticks are read back", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    await create(world, { ...above, repeat: true });
    await world.tick("THYAO", 325);
    await world.time.advance(1_000);
    const stream = "ticks";
    const missed = [321, 319, 330, 318, 317, 320].map((price, index) => {
      const timeMs = world.time.nowMs() + index;
      return { ...tickOf(price), timeMs, isCaughtUp: true, stored: { stream, sequence: index + 1, timeMs } };
    });
    await world.time.advance(1_000);
    for (const count of [3, 4, 6, 6]) {
      await world.restart(true, (partition) => {
        world.isCatchingUp = true;
        for (const tick of missed.slice(0, count)) partition.onTick(tick);
        world.isCatchingUp = false;
        partition.onCaughtUp();
      });
      await world.time.advance(1_000);
    }
    const given = new Map(world.eventsOf("price.reached").map((event) => [event.id, event.reachedPrice]));
    assert.deepEqual([...given.values()], [325, 330, 320]);
    const [row] = await list(world);
    assert.deepEqual([row?.armed, row?.reachedCount], [false, 3]);
  });

  test("is changed in place, and reached by the last price if that has passed the new one", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const { id } = await create(world, { ...above, note: "first" });
    const until = formatTime(world.time.nowMs() + 60_000);
    assert.equal(codeOf(await change(world, id, { price: 310, note: null, repeat: true, until })), "done");
    const [row] = await list(world);
    assert.deepEqual([row?.id, row?.price, row?.note, row?.repeat, row?.until], [id, 310, null, true, until]);
    assert.equal(codeOf(await change(world, id, { until: null })), "done");
    assert.equal((await list(world))[0]?.until, null);
    for (const wrong of [{ price: 0.001 }, { symbol: "GARAN" }, { until: "1999-01-01" }, { direction: "above" }])
      assert.equal(codeOf(await change(world, id, wrong)), "INVALID", JSON.stringify(wrong));
    assert.equal(codeOf(await change(world, id, { price: 311 }, USER + 1)), "NOT_FOUND");
    const reply = await change(world, id, { direction: "atOrBelow", repeat: false });
    assert.match(JSON.stringify(reply), /the price is reached already: the alert was sent/);
    assert.deepEqual(reachedOf(world), [[id, 300]]);
    assert.deepEqual(await list(world), []);
    world.isCatchingUp = true;
    const other = await create(world);
    assert.equal(codeOf(await change(world, other.id, { price: 400 })), "UNAVAILABLE");
  });

  test("can cease to repeat while it waits for a price on the other side", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 300);
    const { id } = await create(world, { ...above, repeat: true });
    await world.tick("THYAO", 330);
    assert.equal(codeOf(await change(world, id, { repeat: false })), "done");
    await world.tick("THYAO", 331);
    await world.restart();
    await world.tick("THYAO", 319);
    await world.tick("THYAO", 332);
    await world.tick("THYAO", 319);
    await world.tick("THYAO", 333);
    const given = new Map(world.eventsOf("price.reached").map((event) => [event.id, event.reachedPrice]));
    assert.deepEqual([...given.values()], [330, 332]);
    assert.deepEqual(await list(world), []);
  });
});

test("a listed row of an older version gets the fields that it lacks", async () => {
  const world = await startWorld();
  await world.tick("THYAO", 300);
  const now = await create(world);
  const { id, symbol, direction, price, note, createdDate } = now;
  const old = Buffer.from(JSON.stringify({ id, symbol, direction, price, note, createdDate }));
  const { store } = world.partition.context;
  const pages = (async function* () {
    yield [["row", old]] as const;
  })();
  const context = { ...world.partition.context, store: { ...store, scan: () => pages } };
  const page = await queryHandlers.get(QUERIES.listPriceAlerts)?.(context, USER, {});
  assert.ok(page instanceof Uint8Array);
  assert.deepEqual(JSON.parse(Buffer.from(page).toString().split("\n")[1] ?? ""), now);
});
