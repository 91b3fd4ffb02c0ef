/** Bands of a day: who is believed, when, and what follows a stop-loss (behaviour 17). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { BAND_COMMANDS, BAND_QUERIES, type BandView } from "../../../src/contract/operator/band.ts";
import { instrumentSchema, paperSettingsSchema } from "../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../src/contract/trading/plan.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [{ price: 110, quantity: 4 }],
};
const BAND = { symbol: "THYAO", floorPrice: 81, ceilingPrice: 99, basePrice: 90 };

function start(paper: object = {}): Promise<TradingWorld> {
  return startWorld({ paper: paperSettingsSchema.parse({ startingPositions: { THYAO: 100 }, ...paper }) });
}

const write = (world: TradingWorld, source: string, ...bands: object[]) =>
  world.command(BAND_COMMANDS.write, { source, bands });
const bandOf = async (world: TradingWorld, brokerageCode?: string) =>
  (await world.query(BAND_QUERIES.read, { symbol: "THYAO", brokerageCode })) as BandView | null;

describe("the band that counts", () => {
  test("is that of today by hand, then the brokerage's, then the import's, over restarts", async () => {
    const world = await start();
    assert.equal(await bandOf(world), null);
    await write(world, "import", { ...BAND, floorPrice: 80 });
    assert.deepEqual([(await bandOf(world))?.source, (await bandOf(world))?.floorPrice], ["import", 80]);
    world.instruments.set("THYAO", instrumentSchema.parse({ floorPrice: 80.5, ceilingPrice: 99.5, basePrice: 90 }));
    await world.tick("THYAO", 95);
    await world.done(COMMANDS.createGroup, GROUP);
    assert.deepEqual((await bandOf(world, "PAPER"))?.source, "brokerage");
    assert.deepEqual((await bandOf(world))?.source, "import", "of no brokerage");
    await write(world, "operator", BAND);
    assert.deepEqual((await bandOf(world, "PAPER"))?.source, "operator");
    await world.time.advance(1_000);
    await world.restart();
    assert.deepEqual(await bandOf(world, "PAPER"), {
      ...BAND,
      bandDate: (await bandOf(world))?.bandDate,
      source: "operator",
    });
    await world.time.advance(24 * 3_600_000);
    assert.equal(await bandOf(world, "PAPER"), null, "of yesterday");
  });

  test("is all of a request or nothing, and names what is wrong", async () => {
    const world = await start();
    const wrong = await write(world, "import", BAND, { ...BAND, symbol: "GARAN", floorPrice: 100 });
    assert.equal(wrong.ok ? "" : wrong.message, "bands[1].floorPrice must be lower than bands[1].ceilingPrice");
    const alone = await write(world, "operator", { ...BAND, basePrice: 100 });
    assert.equal(alone.ok ? "" : alone.message, "basePrice must lie from floorPrice to ceilingPrice");
    const unknown = await write(world, "operator", { ...BAND, symbol: "NOPE" });
    assert.equal(unknown.ok ? "" : unknown.code, "NOT_FOUND");
    const early = await write(world, "import", { ...BAND, symbol: "NOPE" });
    assert.equal(early.ok ? "" : early.code, "UNAVAILABLE");
    assert.equal(await bandOf(world), null);
  });

  test("a brokerage's band that cannot be is none, and one that does not answer is asked again", async () => {
    const world = await start();
    await world.tick("GARAN", 95);
    await world.done(COMMANDS.createGroup, { ...GROUP, symbol: "GARAN" });
    world.instruments.set("GARAN", instrumentSchema.parse({ floorPrice: 81, ceilingPrice: 99 }));
    await world.time.advance(600_000);
    await world.done(COMMANDS.createGroup, { ...GROUP, symbol: "GARAN", accountNumber: "PAPER-8" }, { userId: 8 });
    const asked = { symbol: "GARAN", brokerageCode: "PAPER" };
    assert.deepEqual(((await world.query(BAND_QUERIES.read, asked)) as BandView).source, "brokerage");
    world.instruments.set("THYAO", instrumentSchema.parse({ floorPrice: 99, ceilingPrice: 81 }));
    await world.tick("THYAO", 95);
    await world.done(COMMANDS.createGroup, GROUP);
    assert.equal(await bandOf(world, "PAPER"), null);
  });
});

describe("a stop-loss under today's floor", () => {
  test("is made, and the answer says that no price reaches it today (behaviour 17.3)", async () => {
    const world = await start();
    await world.tick("THYAO", 95);
    await write(world, "operator", BAND);
    const made = await world.command(COMMANDS.createGroup, { ...GROUP, stopLossPrice: 80 });
    const said = (made.ok && made.message) || "";
    assert.match(said, /the stop-loss 80 lies under today's floor 81, so no price reaches it today/);
    const other = await world.command(COMMANDS.createGroup, { ...GROUP, symbol: "GARAN", stopLossPrice: 80 });
    assert.doesNotMatch((other.ok && other.message) || "", /floor/);
  });
});

describe("an exit whose first order ended with a rest", () => {
  async function stopped(hasBand: boolean): Promise<TradingWorld> {
    const world = await start({ fillShareMax: 0.5, cancelsMarketRest: true });
    await world.tick("THYAO", 100);
    if (hasBand) await write(world, "operator", BAND);
    await world.done(COMMANDS.createGroup, GROUP);
    await world.tick("THYAO", 89);
    await world.time.advance(3_000);
    return world;
  }

  test("goes on with a limit order at the day's floor, which stays in the book (behaviour 17.2)", async () => {
    const world = await stopped(true);
    const [first, second, ...others] = await world.orders();
    assert.deepEqual([first?.orderType, first?.quantity, first?.filledQuantity], [1, 10, 5]);
    assert.deepEqual([second?.orderType, second?.price, second?.quantity, others.length], [2, 81, 5, 0]);
    await world.tick("THYAO", 88);
    await world.tick("THYAO", 87);
    await world.tick("THYAO", 86);
    await world.tick("THYAO", 85);
    await world.time.advance(60_000);
    const sold = (await world.orders()).reduce((sum, order) => sum + order.filledQuantity, 0);
    assert.equal(sold, 10);
    const [row] = (await world.query(QUERIES.listGroups, ACCOUNT)) as { id: number }[];
    const plan = (await world.query(QUERIES.readPlan, { id: row?.id ?? 0 })) as PlanView;
    assert.deepEqual([plan.exit.state, plan.band?.floorPrice], ["sold", 81]);
  });

  test("goes on at market where no band is known", async () => {
    const world = await stopped(false);
    const orders = await world.orders();
    assert.ok(orders.length > 1);
    assert.deepEqual([...new Set(orders.map(({ orderType }) => orderType))], [1]);
  });
});

test("the guard holds a symbol by its day's band, also where the price moved less than 25 % (behaviour 16.2)", async () => {
  const world = await start();
  await world.tick("THYAO", 100);
  await world.done(COMMANDS.createGroup, GROUP);
  await write(world, "operator", { ...BAND, floorPrice: 90, ceilingPrice: 110, basePrice: 100 });
  await world.tick("THYAO", 85, 100);
  assert.deepEqual([world.partition.holds.isHeld("THYAO"), world.sent.length], [true, 0]);
});
