/** A stop-loss of a paper account that follows the exchange (behaviour 14, 21, 11.1c). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS, QUERIES } from "../../../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../../../src/contract/operator/band.ts";
import { HOLD_COMMANDS } from "../../../../src/contract/operator/hold.ts";
import { RENAME_COMMANDS } from "../../../../src/contract/operator/rename.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import { planCalendar } from "../../../../src/domain/market/calendar.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [{ price: 110, quantity: 4 }],
};
/** The world begins on a Monday at 09:00 UTC. */
const OPENS = "2026-01-05T09:40:00.000Z";

async function opened(market: "open" | "exchange" = "exchange"): Promise<TradingWorld> {
  const paper = paperSettingsSchema.parse({ startingPositions: { THYAO: 100 }, market });
  const world = await startWorld({ paper, symbols: ["THYAO", "TURKH"] });
  await world.tick("THYAO", 100);
  await world.done(COMMANDS.createGroup, GROUP);
  return world;
}

function closeUntilNoon(world: TradingWorld): void {
  const phases = [{ name: "day", from: "09:40", to: "15:00", takes: ["market", "limit"] as const }];
  const planned = planCalendar({ mic: "XTST", zone: "UTC", phases, holidays: [], halfDays: {} });
  assert.ok(planned.ok);
  world.calendar = planned.value;
}

const ordersOf = async (world: TradingWorld) =>
  (await world.orders()).map(({ orderType, price, orderStatus, filledQuantity }) => [
    ...[orderType, price, orderStatus, filledQuantity],
  ]);

async function stopLossOf(world: TradingWorld): Promise<OcoRowView | undefined> {
  const rows = (await world.query(QUERIES.listGroups, ACCOUNT)) as OcoRowView[];
  return rows.find(({ orderType }) => orderType === 2);
}

test("waits for the session, and at the lower limit sells on until all is sold", async () => {
  const world = await opened();
  closeUntilNoon(world);
  await world.done(BAND_COMMANDS.write, {
    source: "operator",
    bands: [{ symbol: "THYAO", floorPrice: 89, ceilingPrice: 110 }],
  });
  await world.tick("THYAO", 89);
  await world.time.advance(60_000);
  assert.deepEqual(await ordersOf(world), []);
  assert.deepEqual(
    world.eventsOf("oco.waitsForSession").map(({ until }) => until),
    [OPENS],
  );
  await world.time.advance(Date.parse(OPENS) + 60_000 - world.time.nowMs());
  assert.deepEqual(await ordersOf(world), [
    [1, 0, 3, 0],
    [2, 89, 1, 0],
  ]);
  assert.match((await stopLossOf(world))?.triggerErrorMessage ?? "", /^0 of 10 sold/);
  await world.restart();
  await world.tick("THYAO", 89);
  await world.time.advance(60_000);
  await world.tick("THYAO", 89.5);
  await world.time.advance(60_000);
  assert.deepEqual(await ordersOf(world), [
    [1, 0, 3, 0],
    [2, 89, 2, 10],
  ]);
  assert.equal((await stopLossOf(world))?.triggerErrorMessage, null);
});

test("is sold immediately at any time and price with market open, the default", async () => {
  const world = await opened("open");
  closeUntilNoon(world);
  await world.done(BAND_COMMANDS.write, {
    source: "operator",
    bands: [{ symbol: "THYAO", floorPrice: 89, ceilingPrice: 110 }],
  });
  await world.tick("THYAO", 89);
  assert.deepEqual(await ordersOf(world), [[1, 0, 2, 10]]);
});

test("that fired before a hold is sold once the symbol is released", async () => {
  const world = await opened();
  closeUntilNoon(world);
  await world.tick("THYAO", 89);
  await world.done(HOLD_COMMANDS.hold, { symbol: "THYAO", reason: "wrong prices" });
  await world.time.advance(Date.parse(OPENS) + 60_000 - world.time.nowMs());
  assert.deepEqual(await ordersOf(world), []);
  await world.done(HOLD_COMMANDS.release, { symbol: "THYAO" });
  await world.time.advance(20 * 60_000);
  assert.deepEqual(await ordersOf(world), [[1, 0, 2, 10]]);
});

test("is sold under the new name of a renamed symbol of which the account held the former one alone", async () => {
  const world = await opened();
  const renaming = { from: "THYAO", to: "TURKH" };
  world.renames = [renaming];
  await world.done(RENAME_COMMANDS.follow, renaming);
  await world.time.advance(1_000);
  await world.tick("TURKH", 89);
  assert.deepEqual(
    (await world.orders()).map(({ symbol, orderStatus, filledQuantity }) => [symbol, orderStatus, filledQuantity]),
    [["TURKH", 2, 10]],
  );
});
