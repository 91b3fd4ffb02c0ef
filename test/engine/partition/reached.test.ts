/** What a tick reached is handled, however much waits already, and also in the life after. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS } from "../../../src/contract/command.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const PAPER = { startingCash: 1_000, startingPositions: { THYAO: 100 }, requiresLogin: false, fillShareMax: 1 };
/** More than are handled within the tick's own turn, and more than any part of the inbox. */
const GROUPS = 300;

async function openGroups(world: TradingWorld, count: number): Promise<void> {
  await world.tick("THYAO", 100);
  for (let userId = 1; userId <= count; userId += 1) {
    const body = { brokerageCode: "PAPER", accountNumber: `PAPER-${userId}`, symbol: "THYAO", stopLossPrice: 90 };
    const rows = { stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 10 }] };
    await world.done(COMMANDS.createGroup, { ...body, ...rows }, { userId });
  }
}

describe("what a tick reached", () => {
  test("is sold once each, however many groups it reached", async () => {
    const world = await startWorld({ paper: PAPER });
    await openGroups(world, GROUPS);
    await world.tick("THYAO", 89);
    await world.time.advance(5_000);
    assert.equal(new Set(world.sent).size, GROUPS);
    assert.equal(world.sent.length, GROUPS);
  });

  test("is sold by an engine that read the groups back at its start", async () => {
    const world = await startWorld({ paper: PAPER });
    await openGroups(world, 3);
    await world.time.advance(1_000);
    await world.restart();
    assert.equal(world.partition.watchbook.armedCount, 6);
    await world.tick("THYAO", 89);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 3);
  });
});
