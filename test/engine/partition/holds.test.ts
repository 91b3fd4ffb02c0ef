/** Held symbols: no level fires until a release, over restarts too (behaviour 16). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { HOLD_COMMANDS, HOLD_QUERIES } from "../../../src/contract/operator/hold.ts";
import type { ConditionsView } from "../../../src/contract/trading/conditions.ts";
import type { OcoRowView } from "../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../src/contract/trading/plan.ts";
import { startWorld, type TradingWorld } from "../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [{ price: 110, quantity: 4 }],
};

async function opened(): Promise<{ world: TradingWorld; id: number }> {
  const world = await startWorld({ paper: paperSettingsSchema.parse({ startingPositions: { THYAO: 100 } }) });
  await world.tick("THYAO", 100);
  const row = (await world.done(COMMANDS.createGroup, GROUP)) as OcoRowView;
  return { world, id: row.id };
}

async function hold(world: TradingWorld): Promise<void> {
  const data = await world.done(HOLD_COMMANDS.hold, { symbol: "THYAO", reason: "wrong venue" });
  assert.deepEqual(data, { isChanged: true });
}

const release = (world: TradingWorld) => world.done(HOLD_COMMANDS.release, { symbol: "THYAO" });
const planOf = async (world: TradingWorld, id: number) => (await world.query(QUERIES.readPlan, { id })) as PlanView;

describe("a symbol that an operator holds", () => {
  test("fires nothing, tells the owner once, and fires by the last price at its release", async () => {
    const { world, id } = await opened();
    await hold(world);
    await world.tick("THYAO", 80);
    await world.time.advance(5_000);
    assert.deepEqual(world.sent, []);
    assert.equal(world.eventsOf("symbol.held").length, 1);
    const plan = await planOf(world, id);
    assert.deepEqual([plan.hold?.by, plan.hold?.reason, plan.hold?.isReleased], ["operator", "wrong venue", false]);
    const { heldSymbols } = (await world.query(QUERIES.readConditions, {})) as ConditionsView;
    assert.deepEqual(
      heldSymbols.map(({ symbol }) => symbol),
      ["THYAO"],
    );
    assert.deepEqual(await release(world), { isChanged: true });
    await world.time.advance(5_000);
    assert.equal(world.sent.length, 1);
    assert.equal(world.eventsOf("symbol.released").length, 1);
    assert.equal((await planOf(world, id)).hold, null);
    assert.deepEqual(await release(world), { isChanged: false });
  });

  test("prices that passed meanwhile fire nothing", async () => {
    const { world } = await opened();
    await hold(world);
    for (const price of [80, 120, 100]) await world.tick("THYAO", price);
    await release(world);
    await world.time.advance(5_000);
    assert.deepEqual(world.sent, []);
    await world.tick("THYAO", 89);
    assert.equal(world.sent.length, 1);
  });

  test("a last price that is older than a minute does not count at the release (behaviour 3.3)", async () => {
    const { world } = await opened();
    await hold(world);
    await world.tick("THYAO", 80);
    await world.time.advance(61_000);
    await release(world);
    await world.time.advance(5_000);
    assert.deepEqual(world.sent, []);
  });

  test("other symbols, deadlines and cancels go on", async () => {
    const { world, id } = await opened();
    await world.tick("GARAN", 100);
    await world.done(COMMANDS.createGroup, { ...GROUP, symbol: "GARAN" });
    await hold(world);
    await world.tick("GARAN", 89);
    assert.equal(world.sent.length, 1);
    assert.equal(await world.done(COMMANDS.cancelGroup, { id, brokerageCode: "PAPER" }), true);
  });

  test("what is made or changed meanwhile says it, and does not fire", async () => {
    const { world, id } = await opened();
    await hold(world);
    await world.tick("THYAO", 94);
    const changed = await world.command(COMMANDS.changeGroup, { id, change: { stopLossPrice: 95 } });
    assert.match(
      (changed.ok && changed.message) || "",
      /THYAO is held and no level of it fires until it is released: wrong venue/,
    );
    await world.time.advance(5_000);
    assert.deepEqual(world.sent, []);
    const made = await world.command(COMMANDS.createGroup, { ...GROUP, accountNumber: "PAPER-7-B" });
    if (made.ok) assert.match(made.message ?? "", /is held/);
  });

  test("is held after a restart, also by ticks that were missed; its release holds after one, too", async () => {
    const { world, id } = await opened();
    await hold(world);
    await world.time.advance(1_000);
    await world.restart(false, (partition) => {
      assert.equal(partition.holds.heldCount, 1);
      world.give("THYAO", 80, true);
    });
    await world.time.advance(5_000);
    assert.deepEqual(world.sent, []);
    assert.equal(world.eventsOf("symbol.held").length, 1, "told once");
    await world.tick("THYAO", 100);
    await release(world);
    await world.time.advance(1_000);
    const releasedMs = world.time.nowMs();
    await world.restart();
    // Read back from before the release.
    const price = { value: 80, floor: 8_000, ceil: 8_000 };
    world.partition.onTick({ symbol: "THYAO", price, timeMs: releasedMs - 5_000, isCaughtUp: true });
    await world.time.advance(1_000);
    assert.deepEqual(world.sent, []);
    await world.tick("THYAO", 80);
    assert.equal(world.sent.length, 1, `group ${id} sells`);
  });

  test("a release is refused while missed ticks are read back, and an unknown symbol is not found", async () => {
    const { world } = await opened();
    await hold(world);
    world.isCatchingUp = true;
    const early = await world.command(HOLD_COMMANDS.release, { symbol: "THYAO" });
    assert.equal(early.ok ? "" : early.code, "UNAVAILABLE");
    const unknown = await world.command(HOLD_COMMANDS.hold, { symbol: "NOPE" });
    assert.equal(unknown.ok ? "" : unknown.code, "NOT_FOUND");
  });
});

describe("a group that its owner releases", () => {
  test("fires although its symbol is held, over a restart too, and others do not", async () => {
    const { world, id } = await opened();
    await hold(world);
    assert.equal(await world.done(COMMANDS.releaseGroup, { id: id + 1, brokerageCode: "PAPER" }), true);
    await world.time.advance(1_000);
    await world.restart();
    assert.equal((await planOf(world, id)).hold?.isReleased, true);
    const [held] = (await world.query(HOLD_QUERIES.listHolds, {})) as { releasedGroups: number }[];
    assert.equal(held?.releasedGroups, 1);
    await world.tick("THYAO", 110);
    assert.equal(world.sent.length, 1, "the take-profit");
    await world.tick("THYAO", 89);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 2, "the stop-loss");
  });

  test("sells at once where the last price has reached a level, and the answer says so", async () => {
    const { world, id } = await opened();
    await hold(world);
    await world.tick("THYAO", 80);
    const reply = await world.command(COMMANDS.releaseGroup, { id });
    assert.match(
      (reply.ok && reply.message) || "",
      /was released; THYAO is at 80, at or under the stop-loss 90, so it sells immediately/,
    );
    assert.equal(world.sent.length, 1);
  });

  test("is refused where its symbol is not held, nothing is under watch, or it is another's", async () => {
    const { world, id } = await opened();
    const free = await world.command(COMMANDS.releaseGroup, { id });
    assert.deepEqual(free, { ok: false, code: "INVALID", message: "THYAO is not held" });
    await hold(world);
    const foreign = await world.command(COMMANDS.releaseGroup, { id }, { userId: 8 });
    assert.equal(foreign.ok ? "" : foreign.code, "NOT_FOUND");
    await world.done(COMMANDS.cancelGroup, { id, brokerageCode: "PAPER" });
    const over = await world.command(COMMANDS.releaseGroup, { id });
    assert.equal(over.ok ? "" : over.message, "the group has no row under watch");
  });
});

describe("the guard against prices on another base", () => {
  test("holds a symbol whose first price of a session lies too far from the last close, and one near it fires", async () => {
    const { world, id } = await opened();
    await world.tick("THYAO", 50, 100);
    await world.tick("THYAO", 49);
    await world.time.advance(5_000);
    assert.deepEqual(world.sent, []);
    const [told] = world.eventsOf("symbol.held");
    assert.deepEqual([told?.from, told?.to], [100, 50]);
    assert.equal((await planOf(world, id)).hold?.by, "guard");
    await release(world);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 1, "released it sells");

    const other = await opened();
    await other.world.tick("THYAO", 80, 100);
    assert.equal(other.world.sent.length, 1, "20 % under the close it fires");
  });

  test("holds over a kill that comes before its row is stored, as the tick is read back", async () => {
    const { world } = await opened();
    await world.time.advance(1_000);
    world.give("THYAO", 50, false, 100);
    await world.restart(false, () => world.give("THYAO", 50, true, 100));
    await world.tick("THYAO", 49);
    await world.time.advance(5_000);
    assert.deepEqual(world.sent, []);
    assert.equal(world.eventsOf("symbol.held").length, 1);
  });

  test("looks only at symbols with levels, and never at prices of one cent steps unless told to", async () => {
    const world = await startWorld({ paper: paperSettingsSchema.parse({ startingPositions: { THYAO: 100 } }) });
    await world.tick("THYAO", 50, 100);
    assert.equal(world.partition.holds.heldCount, 0);
    world.centSymbols.add("THYAO");
    await world.done(COMMANDS.createGroup, { ...GROUP, stopLossPrice: 20 });
    await world.tick("THYAO", 19, 50);
    assert.equal(world.sent.length, 1);
  });
});
