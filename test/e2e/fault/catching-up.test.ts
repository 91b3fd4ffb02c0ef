/** A frozen engine resumes, over a real nats-server: it judges missed ticks before the clock and before old prices. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { ENGINE_USER, EngineWorld, groupOf, paperBrokerage } from "../../support/world/engine-world.ts";
import { pause, until } from "../../support/world/stack.ts";

const ACCOUNT = `PAPER-${ENGINE_USER}`;
const SYMBOLS = ["THYAO", "GARAN", "AKBNK"];
const STOP_LOSS = 2;
/** The engine notices a loop that was frozen for so long. */
const STANDSTILL_MS = 4_000;
/** From the creation of a group to its due date: enough for a busy machine to arm the group and freeze the engine. */
const DUE_MS = 15_000;

natsSuite("an engine that stood still", () => {
  let world: EngineWorld;

  before(async () => {
    world = await EngineWorld.open({ brokerages: [paperBrokerage(SYMBOLS)] });
    await world.startEngine();
    // A brokerage knows an account once it was asked for it.
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

  /** Repeats the request until the group before, which is due or being sold, has given up its place. */
  const createAgain = async (symbol: string): Promise<void> => {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const made = await world.client.createGroup(groupOf("PAPER", ACCOUNT, symbol), `again-${attempt}`);
      if ("groupId" in made) return;
      assert.match(made.refusal, /already exists/);
      await pause(100);
    }
    assert.fail(`the group before it of ${symbol} is still there`);
  };

  /** Waits until the engine has a position in the tick stream: without one a later life begins at the stream's end. */
  const untilPositionIsKnown = async (): Promise<void> => {
    const position = async (): Promise<number | null> => {
      const stats = (await world.client.query("operator.stats", {})).data as { tickPosition: number | null };
      return stats.tickPosition;
    };
    assert.ok(((await until(position, (now) => (now ?? 0) >= SYMBOLS.length)) ?? 0) >= SYMBOLS.length);
  };

  test("sells at a dip before a due date that has passed meanwhile, and judges new groups by the newest price", async () => {
    await world.tick("THYAO", 100);
    await world.tick("GARAN", 100);
    await world.tick("AKBNK", 85);
    await untilPositionIsKnown();
    const dueMs = Date.now() + DUE_MS;
    assert.ok("groupId" in (await create("THYAO", { dueDate: new Date(dueMs).toISOString() })));
    process.kill(world.engine.pid, "SIGSTOP");
    await pause(500);
    assert.ok(Date.now() < dueMs, "the dip comes before the due date");
    await world.tick("THYAO", 85);
    await world.tick("THYAO", 100);
    await world.tick("GARAN", 85);
    await world.tick("AKBNK", 100);
    // The last one takes the place of the group whose due date is over when the request is answered.
    const created = [create("GARAN"), create("AKBNK"), createAgain("THYAO")];
    await pause(Math.max(STANDSTILL_MS, dueMs + 1_000 - Date.now()));
    process.kill(world.engine.pid, "SIGCONT");
    await Promise.all(created);
    const statuses = (): Promise<unknown> => Promise.all(SYMBOLS.map(statusOf));
    await until(statuses, (now) => String(now) === "2,2,1");
    await pause(500);
    assert.deepEqual(await statuses(), [2, 2, 1]);
  });
});
