/** A paper account that follows the exchange, at a real engine that is killed (behaviour 28.10, 30.6, 11.1c). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { QUERIES } from "../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../src/contract/operator/band.ts";
import { ACTION_COMMANDS } from "../../src/contract/operator/corporate-action.ts";
import { RENAME_COMMANDS } from "../../src/contract/operator/rename.ts";
import type { PositionRecord } from "../../src/contract/trading/order.ts";
import { dateIn } from "../../src/domain/time-zone.ts";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { EngineWorld, groupOf } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";

const ACCOUNT = "PAPER-7";
const LOTS = 100;
const PAPER = {
  ...{ code: "PAPER", name: "Paper", adapter: "paper", resend: "idempotent", ordersPerMinute: 100_000 },
  paper: { market: "exchange", startingPositions: { THYAO: LOTS, GARAN: LOTS, AKBNK: LOTS } },
};

natsSuite("a paper account that follows the exchange", () => {
  let world: EngineWorld;

  before(async () => {
    // By the clock of the test the exchange can be closed.
    world = await EngineWorld.open({ brokerages: [PAPER], environment: { CALENDARS: "off" } });
    await world.startEngine();
  });
  after(() => world.close());

  async function done(command: string, body: object): Promise<void> {
    const answer = await world.client.command(command, body);
    assert.equal(answer.ok, true, JSON.stringify(answer));
  }

  async function lotsOf(symbol: string): Promise<number> {
    const body = { brokerageCode: "PAPER", accountNumber: ACCOUNT, includeOrders: false };
    const positions = await world.client.records<PositionRecord>(QUERIES.listPositions, body);
    return positions.find((position) => position.symbol === symbol)?.quantity ?? 0;
  }

  /** A group of ten lots with a stop-loss at 90. */
  async function protect(symbol: string): Promise<void> {
    await world.tick(symbol, 100);
    const made = await world.client.createGroup(groupOf("PAPER", ACCOUNT, symbol), symbol);
    assert.ok("groupId" in made, JSON.stringify(made));
  }

  const stopLossOf = async (symbol: string): Promise<OcoRow | undefined> =>
    (await world.client.rows("PAPER", ACCOUNT)).find((row) => row.symbol === symbol && row.orderType === 2);

  test("sells a stop-loss at the lower limit until all is sold, over kills", async () => {
    await protect("THYAO");
    const band = { symbol: "THYAO", floorPrice: 89, ceilingPrice: 110 };
    await done(BAND_COMMANDS.write, { source: "operator", bands: [band] });
    await world.tick("THYAO", 89);
    const isOpen = (row: OcoRow | undefined) => row?.triggerErrorMessage?.startsWith("0 of 10 sold") === true;
    await until(() => stopLossOf("THYAO"), isOpen);
    await world.restartEngine();
    await world.tick("THYAO", 89);
    await until(() => stopLossOf("THYAO"), isOpen);
    assert.equal(await lotsOf("THYAO"), LOTS, "none buys at the floor");
    await world.tick("THYAO", 89.5);
    await until(
      () => lotsOf("THYAO"),
      (lots) => lots === LOTS - 10,
    );
    await until(
      () => stopLossOf("THYAO"),
      (row) => row?.status === 2 && row.triggerErrorMessage === null,
    );
    await world.restartEngine();
    await world.tick("THYAO", 89.5);
    assert.equal(await lotsOf("THYAO"), LOTS - 10);
  });

  test("sells the stop-loss of a renamed symbol once, over a kill after the rename", async () => {
    await protect("GARAN");
    const renaming = { from: "GARAN", to: "GARNT" };
    await done(RENAME_COMMANDS.check, renaming);
    await done(RENAME_COMMANDS.write, renaming);
    await world.restartEngine();
    await until(
      () => stopLossOf("GARNT"),
      (row) => row?.status === 1,
    );
    assert.deepEqual([await lotsOf("GARAN"), await lotsOf("GARNT")], [0, LOTS]);
    await world.tick("GARNT", 89);
    await until(
      () => lotsOf("GARNT"),
      (lots) => lots === LOTS - 10,
    );
    await world.restartEngine();
    assert.equal(await lotsOf("GARNT"), LOTS - 10);
    assert.deepEqual((await stopLossOf("GARNT"))?.status, 2);
  });

  test("has twice the lots after a bonus issue of 100 %, once over a kill", async () => {
    const exDate = dateIn("Europe/Istanbul", Date.now());
    assert.equal(await lotsOf("AKBNK"), LOTS);
    await done(ACTION_COMMANDS.add, { symbol: "AKBNK", type: "bonus", exDate, ratio: 1 });
    await world.restartEngine();
    assert.equal(await lotsOf("AKBNK"), 2 * LOTS);
    await world.restartEngine();
    assert.equal(await lotsOf("AKBNK"), 2 * LOTS);
  });
});
