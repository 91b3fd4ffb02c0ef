/** An engine that stood still, over a real nats-server: what it missed is judged before the clock and before old prices. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ENGINE_USER, EngineWorld, groupOf, paperBrokerage } from "../../support/engine-world.ts";
import { natsSuite } from "../../support/nats-server.ts";
import { pause } from "../../support/stack.ts";

const ACCOUNT = `PAPER-${ENGINE_USER}`;
const SYMBOLS = ["THYAO", "GARAN", "AKBNK"];
const STOP_LOSS = 2;
/** After it a loop that stood still is noticed, and the group's due date has passed. */
const STANDSTILL_MS = 4_000;

natsSuite("an engine that stood still", () => {
  let world: EngineWorld;

  before(async () => {
    world = await EngineWorld.open({ brokerages: [paperBrokerage(SYMBOLS)] });
    await world.startEngine();
    // An account is known to its brokerage once it was asked for.
    const body = { type: "accounts.list", userId: ENGINE_USER, requestId: "test", body: {} };
    await world.nats.request("engine.0.query", JSON.stringify(body), { timeout: 20_000 });
  });
  after(() => world.close());

  const statusOf = async (symbol: string): Promise<number | undefined> => {
    const rows = await world.client.rows("PAPER", ACCOUNT);
    return rows.find((row) => row.symbol === symbol && row.orderType === STOP_LOSS)?.status;
  };
  const create = (symbol: string, change: object = {}) =>
    world.client.createGroup({ ...groupOf("PAPER", ACCOUNT, symbol), ...change }, `create-${symbol}`);

  test("sells at a dip before a due date that has passed meanwhile, and judges new groups by the newest price", async () => {
    await world.tick("THYAO", 100);
    await world.tick("GARAN", 100);
    await world.tick("AKBNK", 85);
    // Until the position is known.
    await pause(2_500);
    await create("THYAO", { dueDate: new Date(Date.now() + STANDSTILL_MS - 1_000).toISOString() });
    process.kill(world.engine.pid, "SIGSTOP");
    await pause(500);
    await world.tick("THYAO", 85);
    await world.tick("THYAO", 100);
    await world.tick("GARAN", 85);
    await world.tick("AKBNK", 100);
    const created = [create("GARAN"), create("AKBNK")];
    await pause(STANDSTILL_MS);
    process.kill(world.engine.pid, "SIGCONT");
    await Promise.all(created);
    for (let attempt = 0; attempt < 200 && (await statusOf("GARAN")) === 1; attempt += 1) await pause(50);
    await pause(500);
    assert.deepEqual(await Promise.all(SYMBOLS.map(statusOf)), [2, 2, 1]);
  });
});
