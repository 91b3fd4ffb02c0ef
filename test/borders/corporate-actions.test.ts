/** Levels follow a corporate action exactly once, over real processes and kill -9 (behaviour 28). */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { QUERIES } from "../../src/contract/command.ts";
import { ACTION_COMMANDS, ACTION_QUERIES, type ActionView } from "../../src/contract/operator/corporate-action.ts";
import type { PlanView } from "../../src/contract/trading/plan.ts";
import { momentIn } from "../../src/domain/time-zone.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { temporaryFolder } from "../support/machine/process.ts";
import { until } from "../support/world/stack.ts";
import { WrongClock } from "./support/clock.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "ACTIONS";
const DAY_MS = 86_400_000;
const ZONE = "Europe/Istanbul";
const BEFORE = [
  [90, 100],
  [110, 40],
  [120, 60],
];
const AFTER = [
  [45, 200],
  [55, 80],
  [60, 120],
];

natsSuite("a bonus issue of 100 % at an engine that is killed", () => {
  let world: ScriptedWorld;
  let clock: WrongClock;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let aheadMs = 0;
  /** The days since the epoch of the next exDate. */
  let exDay = Math.floor(Date.now() / DAY_MS) + 2;

  before(async () => {
    folder = await temporaryFolder();
    clock = new WrongClock(join(folder.path, "ahead"));
    const environment = { MAX_TICK_AGE_SECONDS: "0", ...clock.environment };
    const place = (ask: Parameters<ScriptedWorld["connector"]["accept"]>[0]) =>
      world.connector.accept(ask, 2, ask.quantity);
    setNow(momentIn(ZONE, exDay, 0) - 60_000);
    // With a tick stream, the clock of its server would count.
    world = await ScriptedWorld.start(CODE, {}, place, environment, { jetStream: false });
  });
  after(async () => {
    await world.close();
    await folder.remove();
  });

  /** Sets the clock of engines. */
  function setNow(timeMs: number): void {
    aheadMs = timeMs - Date.now();
    clock.setAhead(aheadMs);
  }

  const exDate = () => new Date(exDay * DAY_MS).toISOString().slice(0, 10);
  const kill = () => world.engines.engine.end("SIGKILL");
  const sellsOf = (symbol: string) => world.ordersOf(symbol).map(({ quantity }) => quantity);

  async function price(symbol: string, value: number): Promise<void> {
    world.engines.nats.publish(`ticks.${symbol}`, JSON.stringify({ price: value, time: Date.now() + aheadMs }));
    await world.engines.nats.flush();
  }

  async function watched(symbol: string): Promise<number> {
    await price(symbol, 100);
    return world.createGroup(symbol);
  }

  async function enter(symbol: string): Promise<void> {
    const action = { symbol, type: "bonus", ratio: 1, exDate: exDate() };
    const answer = await world.engines.client.command(ACTION_COMMANDS.add, action);
    assert.ok(answer.ok, JSON.stringify(answer));
  }

  async function planOf(id: number): Promise<PlanView> {
    const plan = await world.engines.client.query(QUERIES.readPlan, { id });
    assert.ok(plan.ok, JSON.stringify(plan));
    return plan.data as PlanView;
  }
  const levelsOf = async (id: number) => (await planOf(id)).rows.map(({ price: level, quantity }) => [level, quantity]);

  async function untilApplied(symbol: string): Promise<void> {
    const listed = await until(
      () => world.engines.client.records<ActionView>(ACTION_QUERIES.list, {}),
      (actions) => actions.some((action) => action.symbol === symbol && action.appliedDate !== null),
    );
    assert.ok(listed.some((action) => action.symbol === symbol && action.appliedDate !== null));
  }

  /** The first price of the new base fires nothing, and the stop-loss of 45 sells its 200 lots once. */
  async function sellsOnceAt45(symbol: string, id: number): Promise<void> {
    assert.deepEqual(await levelsOf(id), AFTER);
    await price(symbol, 50);
    await price(symbol, 45.02);
    await world.engines.restartEngine();
    assert.deepEqual([await levelsOf(id), sellsOf(symbol)], [AFTER, []]);
    await price(symbol, 44.9);
    await world.untilTold(symbol, "oco.triggered");
    await world.engines.restartEngine();
    assert.deepEqual(sellsOf(symbol), [200]);
    const ofSymbol = world.events.filter((event) => JSON.stringify(event).includes(`"${symbol}"`));
    const adjusted = ofSymbol.filter(({ type }) => type === "oco.adjusted");
    assert.equal(new Set(adjusted.map((event) => event.id)).size, 1, "one event for the group");
  }

  test("between entry and exDate, and again while it applies the action", async () => {
    const id = await watched("THYAO");
    await enter("THYAO");
    await kill();
    await world.engines.startEngine();
    assert.deepEqual(await levelsOf(id), BEFORE);
    await kill();
    setNow(momentIn(ZONE, exDay, 60));
    await world.engines.startEngine();
    await world.engines.restartEngine();
    await untilApplied("THYAO");
    await sellsOnceAt45("THYAO", id);
  });

  test("as soon as the action was applied at midnight, while it ran", async () => {
    exDay += 1;
    await kill();
    setNow(momentIn(ZONE, exDay, 0) - 10_000);
    await world.engines.startEngine();
    const id = await watched("GARAN");
    await enter("GARAN");
    await until(
      async () => JSON.stringify(await levelsOf(id)),
      (levels) => levels === JSON.stringify(AFTER),
    );
    await world.engines.restartEngine();
    await untilApplied("GARAN");
    await sellsOnceAt45("GARAN", id);
  });

  test("between the entry of a late action and its levels, which releases the symbol that the guard holds", async () => {
    exDay += 1;
    await kill();
    setNow(momentIn(ZONE, exDay, 0) - 6 * 3_600_000);
    await world.engines.startEngine();
    const id = await watched("AKBNK");
    await kill();
    setNow(momentIn(ZONE, exDay, 600));
    await world.engines.startEngine();
    await price("AKBNK", 50);
    await world.untilTold("AKBNK", "symbol.held");
    await enter("AKBNK");
    await world.engines.restartEngine();
    await untilApplied("AKBNK");
    await world.untilTold("AKBNK", "symbol.released");
    await sellsOnceAt45("AKBNK", id);
  });
});
