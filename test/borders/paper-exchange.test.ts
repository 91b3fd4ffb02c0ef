/** A paper account that follows the exchange, at a real engine that is killed (behaviour 28.10, 30.6, 11.1c). */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { QUERIES } from "../../src/contract/command.ts";
import { BAND_COMMANDS } from "../../src/contract/operator/band.ts";
import { ACTION_COMMANDS } from "../../src/contract/operator/corporate-action.ts";
import { RENAME_COMMANDS } from "../../src/contract/operator/rename.ts";
import type { PositionRecord } from "../../src/contract/trading/order.ts";
import { dateIn } from "../../src/domain/time-zone.ts";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { type Program, startProgram } from "../support/machine/process.ts";
import { EngineWorld, groupOf } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";

const ACCOUNT = "PAPER-7";
const LOTS = 100;
const PAPER = {
  ...{ code: "PAPER", name: "Paper", adapter: "paper", resend: "idempotent", ordersPerMinute: 100_000 },
  paper: { market: "exchange", startingPositions: { THYAO: LOTS, GARAN: LOTS, AKBNK: LOTS } },
};

async function lotsOf(world: EngineWorld, symbol: string): Promise<number> {
  const body = { brokerageCode: "PAPER", accountNumber: ACCOUNT, includeOrders: false };
  const positions = await world.client.records<PositionRecord>(QUERIES.listPositions, body);
  return positions.find((position) => position.symbol === symbol)?.quantity ?? 0;
}

async function done(world: EngineWorld, command: string, body: object): Promise<void> {
  const answer = await world.client.command(command, body);
  assert.equal(answer.ok, true, JSON.stringify(answer));
}

/** A group of ten lots with a stop-loss at 90. */
async function protect(world: EngineWorld, symbol: string): Promise<void> {
  await world.tick(symbol, 100);
  const made = await world.client.createGroup(groupOf("PAPER", ACCOUNT, symbol), symbol);
  assert.ok("groupId" in made, JSON.stringify(made));
}

async function stopLossOf(world: EngineWorld, symbol: string): Promise<OcoRow | undefined> {
  const rows = await world.client.rows("PAPER", ACCOUNT);
  return rows.find((row) => row.symbol === symbol && row.orderType === 2);
}

natsSuite("a paper account that follows the exchange", () => {
  let world: EngineWorld;

  before(async () => {
    // By the clock of the test the exchange can be closed.
    world = await EngineWorld.open({ brokerages: [PAPER], environment: { CALENDARS: "off" } });
    await world.startEngine();
  });
  after(() => world.close());

  test("sells a stop-loss at the lower limit until all is sold, over kills", async () => {
    await protect(world, "THYAO");
    const band = { symbol: "THYAO", floorPrice: 89, ceilingPrice: 110 };
    await done(world, BAND_COMMANDS.write, { source: "operator", bands: [band] });
    await world.tick("THYAO", 89);
    const isOpen = (row: OcoRow | undefined) => row?.triggerErrorMessage?.startsWith("0 of 10 sold") === true;
    await until(() => stopLossOf(world, "THYAO"), isOpen);
    await world.restartEngine();
    await world.tick("THYAO", 89);
    await until(() => stopLossOf(world, "THYAO"), isOpen);
    assert.equal(await lotsOf(world, "THYAO"), LOTS, "none buys at the floor");
    await world.tick("THYAO", 89.5);
    await until(
      () => lotsOf(world, "THYAO"),
      (lots) => lots === LOTS - 10,
    );
    await until(
      () => stopLossOf(world, "THYAO"),
      (row) => row?.status === 2 && row.triggerErrorMessage === null,
    );
    await world.restartEngine();
    await world.tick("THYAO", 89.5);
    assert.equal(await lotsOf(world, "THYAO"), LOTS - 10);
  });

  test("sells the stop-loss of a renamed symbol once, over a kill after the rename", async () => {
    await protect(world, "GARAN");
    const renaming = { from: "GARAN", to: "GARNT" };
    await done(world, RENAME_COMMANDS.check, renaming);
    await done(world, RENAME_COMMANDS.write, renaming);
    await world.restartEngine();
    await until(
      () => stopLossOf(world, "GARNT"),
      (row) => row?.status === 1,
    );
    assert.deepEqual([await lotsOf(world, "GARAN"), await lotsOf(world, "GARNT")], [0, LOTS]);
    await world.tick("GARNT", 89);
    await until(
      () => lotsOf(world, "GARNT"),
      (lots) => lots === LOTS - 10,
    );
    await world.restartEngine();
    assert.equal(await lotsOf(world, "GARNT"), LOTS - 10);
    assert.deepEqual((await stopLossOf(world, "GARNT"))?.status, 2);
  });

  test("has twice the lots after a bonus issue of 100 %, once over a kill", async () => {
    const exDate = dateIn("Europe/Istanbul", Date.now());
    assert.equal(await lotsOf(world, "AKBNK"), LOTS);
    await done(world, ACTION_COMMANDS.add, { symbol: "AKBNK", type: "bonus", exDate, ratio: 1 });
    await world.restartEngine();
    assert.equal(await lotsOf(world, "AKBNK"), 2 * LOTS);
    await world.restartEngine();
    assert.equal(await lotsOf(world, "AKBNK"), 2 * LOTS);
  });
});

natsSuite("a paper brokerage in a process of its own", () => {
  let world: EngineWorld;
  let paper: Program | undefined;

  async function startPaper(): Promise<void> {
    paper = await startProgram("engine/entry/paper.ts", environment(), /paper brokerage is ready/);
  }

  const environment = (): Record<string, string> => ({
    ...{ NATS_URL: world.server.url, DATA_DIR: join(world.folder, "paper") },
    BROKERAGES_FILE: join(world.folder, "paper.json"),
  });

  before(async () => {
    const gateway = { code: "PAPER", name: "Paper", adapter: "gateway", resend: "idempotent" };
    world = await EngineWorld.open({ brokerages: [gateway] });
    const own = { ...PAPER, paper: { startingPositions: { THYAO: LOTS } } };
    await writeFile(join(world.folder, "paper.json"), JSON.stringify([own]));
    await startPaper();
    await world.startEngine();
  });
  after(async () => {
    await paper?.end("SIGKILL");
    await world.close();
  });

  test("sells the stop-loss of a symbol that was renamed while it was down", async () => {
    await protect(world, "THYAO");
    await paper?.end("SIGKILL");
    const renaming = { from: "THYAO", to: "TURKH" };
    await done(world, RENAME_COMMANDS.write, renaming);
    await until(
      () => stopLossOf(world, "TURKH"),
      (row) => row?.status === 1,
    );
    await startPaper();
    await world.tick("TURKH", 89);
    await until(
      () => stopLossOf(world, "TURKH"),
      (row) => row?.status === 2,
    );
    await until(
      () => lotsOf(world, "TURKH"),
      (lots) => lots === LOTS - 10,
    );
    assert.equal(await lotsOf(world, "THYAO"), 0);
  });
});
