/** A leader is killed around a corporate action: the next one has each group follow once, and sells once (28.3). */
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { ACTION_COMMANDS, ACTION_QUERIES, type ActionView } from "../../../src/contract/operator/corporate-action.ts";
import { MovedMidnight } from "../../borders/support/clock.ts";
import { EngineClient } from "../../support/client/engine-client.ts";
import { clusterSuite } from "../../support/machine/nats-cluster.ts";
import { stoppingAt, stopText } from "../../support/machine/process.ts";
import { ENGINE_USER, groupOf } from "../../support/world/engine-world.ts";
import { FailoverWorld } from "../../support/world/failover-world.ts";
import { until } from "../../support/world/stack.ts";

const ENGINES = ["a", "b"];
const ACCOUNTS = ["A1", "A2", "A3"];
/** More than follow in one turn. */
const USERS = 140;
/** Enough to enter an action and to kill the leader before the day begins. */
const EVE_MS = 4_000;
const BEFORE = "90:10 110:3 120:4";
const AFTER = "45:20 55:6 60:8";

interface Group {
  readonly id: number;
  readonly userId: number;
}

interface Told {
  readonly id: string;
  readonly type: string;
  readonly symbol: string | undefined;
}

clusterSuite("a leader that is killed around a bonus issue of 100 %", () => {
  let world: FailoverWorld;
  let midnight: MovedMidnight;
  const told = new Map<string, Told>();
  const stopFile = (engine: string): string => join(world.folder, `stop-${engine}`);

  before(async () => {
    world = await FailoverWorld.open();
    midnight = new MovedMidnight(join(world.folder, "shift"), "Europe/Istanbul");
    world.nats.subscribe("events.*.>", {
      callback: (_, message) => {
        const event = message.json<Told>();
        // Published again after a kill, an event keeps its id.
        told.set(event.id, event);
      },
    });
    for (const engine of ENGINES) await start(engine);
    await world.untilLed();
  });
  // The killed engine follows again.
  afterEach(async () => {
    for (const engine of ENGINES) if (world.engine(engine).hasEnded()) await start(engine);
  });
  after(() => world.close());

  function start(engine: string): Promise<unknown> {
    const stops = stoppingAt("log", stopFile(engine));
    return world.startEngine(engine, { ...stops, NODE_OPTIONS: `${stops.NODE_OPTIONS} ${midnight.preload}` });
  }

  async function create(symbol: string, userIds: readonly number[], accounts: readonly string[]): Promise<Group[]> {
    await world.tick(symbol, 100);
    const places = userIds.flatMap((userId) => accounts.map((accountNumber) => ({ userId, accountNumber })));
    return Promise.all(
      places.map(async ({ userId, accountNumber }) => {
        const body = groupOf("FAR", accountNumber, symbol);
        const made = await clientOf(userId).createGroup(body, `${symbol}-${userId}-${accountNumber}`);
        assert.ok("groupId" in made, JSON.stringify(made));
        return { id: made.groupId, userId };
      }),
    );
  }

  const clientOf = (userId: number): EngineClient => new EngineClient(world.nats, userId);
  const groupsOf = (symbol: string): Promise<Group[]> => create(symbol, [ENGINE_USER], ACCOUNTS);

  /** Enters a bonus issue of the day that begins soon. */
  async function enter(symbol: string): Promise<void> {
    const action = { symbol, type: "bonus", ratio: 1, exDate: midnight.beginIn(EVE_MS) };
    const answer = await world.client.command(ACTION_COMMANDS.add, action);
    assert.ok(answer.ok, JSON.stringify(answer));
  }

  async function actionOf(symbol: string): Promise<ActionView | undefined> {
    const actions = await world.client.records<ActionView>(ACTION_QUERIES.list, {});
    return actions.find((action) => action.symbol === symbol);
  }

  async function levelsOf({ id, userId }: Group): Promise<string> {
    const answer = await clientOf(userId).query("oco.plan", { id });
    const { rows, version } = answer.data as { rows: { price: number; quantity: number }[]; version: number };
    return `v${version} ${rows.map(({ price, quantity }) => `${price}:${quantity}`).join(" ")}`;
  }

  /** The leader, whichever it is by then, stops at the first batch that contains the text, and is killed there. */
  async function killAt(at: "written" | "durable", text: string): Promise<string> {
    for (const engine of ENGINES) writeFileSync(stopFile(engine), stopText(at, text));
    const stopped = await until(
      async () => ENGINES.find((engine) => !existsSync(stopFile(engine))),
      (engine) => engine !== undefined,
    );
    for (const engine of ENGINES) rmSync(stopFile(engine), { force: true });
    assert.ok(stopped !== undefined, "a leader stopped at the batch");
    return kill(stopped);
  }

  async function kill(leader: string): Promise<string> {
    await world.engine(leader).end("SIGKILL");
    return leader;
  }

  /** Each group has followed once; the new base fires nothing, and the level of 45 sells each group once. */
  async function sellsOnceAt45(symbol: string, killed: string, groups: readonly Group[]): Promise<void> {
    assert.notEqual(await world.untilLed(killed), killed);
    const applied = await until(
      () => actionOf(symbol),
      (action) => action !== undefined && action.appliedDate !== null,
    );
    assert.equal(typeof applied?.appliedDate, "string", "the other engine applies the action");
    const levels = await Promise.all(groups.map(levelsOf));
    assert.deepEqual([...new Set(levels)], [`v2 ${AFTER}`]);
    const isOfSymbol = (event: Told): boolean => JSON.stringify(event).includes(`"${symbol}"`);
    const adjusted = async () =>
      [...told.values()].filter((event) => event.type === "oco.adjusted" && isOfSymbol(event)).length;
    await until(adjusted, (count) => count >= groups.length);
    for (const price of [50, 54.9, 45.02]) await world.tick(symbol, price);
    // The engine takes ticks in order: once the last price is known, these have fired what they fire.
    const last = async () => JSON.stringify(await world.client.query("prices.last", { symbols: [symbol] }));
    assert.match(await until(last, (text) => text.includes("45.02")), /45\.02/);
    assert.deepEqual(soldOf(symbol), []);
    await until(
      async () => {
        await world.tick(symbol, 44.9);
        return soldOf(symbol).length;
      },
      (count) => count >= groups.length,
    );
    await world.tick(symbol, 44.8);
    for (const group of groups) assert.equal(await stopLossOf(group), 2);
    assert.deepEqual(
      soldOf(symbol),
      groups.map(() => 20),
    );
    assert.deepEqual(world.doubled(), []);
    assert.equal(await adjusted(), groups.length, "one event for each group");
  }

  async function stopLossOf({ id, userId }: Group): Promise<number | undefined> {
    const answer = await clientOf(userId).query("oco.plan", { id });
    return (answer.data as { rows: { status: number }[] }).rows[0]?.status;
  }

  const soldOf = (symbol: string): number[] =>
    world.connector.orders.filter((order) => order.symbol === symbol).map(({ quantity }) => quantity);

  test("before the day begins: the other engine knows the action, and applies it", async () => {
    const groups = await groupsOf("THYAO");
    await enter("THYAO");
    const leader = await kill(await world.untilLed());
    await sellsOnceAt45("THYAO", leader, groups);
  });

  test("right after the begin of the action is durable, before a group has followed", async () => {
    const groups = await groupsOf("GARAN");
    await enter("GARAN");
    assert.equal(await levelsOf(groups[0] ?? assert.fail()), `v1 ${BEFORE}`);
    const killed = await killAt("durable", '"begun":{"closePrice"');
    await sellsOnceAt45("GARAN", killed, groups);
  });

  test("while its levels follow: nothing of that batch is durable", async () => {
    const groups = await groupsOf("AKBNK");
    await enter("AKBNK");
    const killed = await killAt("written", '"counted":["AKBNK-bonus');
    await sellsOnceAt45("AKBNK", killed, groups);
  });

  test("while its levels follow: a part of the groups has followed durably", async () => {
    const groups = await create(
      "ASELS",
      Array.from({ length: USERS }, (_, index) => 100 + index),
      ["A1"],
    );
    await enter("ASELS");
    const killed = await killAt("durable", '"counted":["ASELS-bonus');
    await sellsOnceAt45("ASELS", killed, groups);
  });
});
