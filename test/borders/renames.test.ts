/** Levels follow a symbol that was renamed exactly once, over real processes and kill -9 (behaviour 30). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { QUERIES } from "../../src/contract/command.ts";
import { RENAME_COMMANDS } from "../../src/contract/operator/rename.ts";
import type { PlanView } from "../../src/contract/trading/plan.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "RENAMES";

natsSuite("a rename at an engine that is killed", () => {
  let world: ScriptedWorld;

  before(async () => {
    const place = (ask: Parameters<ScriptedWorld["connector"]["accept"]>[0]) =>
      world.connector.accept(ask, 2, ask.quantity);
    world = await ScriptedWorld.start(CODE, {}, place, {}, { jetStream: false });
  });
  after(() => world.close());

  const kill = () => world.engines.engine.end("SIGKILL");
  const sellsOf = (symbol: string) => world.ordersOf(symbol).map(({ quantity }) => quantity);

  async function price(symbol: string, value: number): Promise<void> {
    world.engines.nats.publish(`ticks.${symbol}`, JSON.stringify({ price: value, time: Date.now() }));
    await world.engines.nats.flush();
  }

  async function symbolOf(id: number): Promise<string | undefined> {
    const plan = await world.engines.client.query(QUERIES.readPlan, { id });
    assert.ok(plan.ok, JSON.stringify(plan));
    return (plan.data as PlanView).rows[0]?.symbol;
  }

  async function tell(command: string, from: string, to: string): Promise<void> {
    const answer = await world.engines.client.command(command, { from, to });
    assert.ok(answer.ok, JSON.stringify(answer));
  }

  /** A price under the former name sells nothing, and one under the new name sells the 100 lots once. */
  async function sellsOnce(from: string, to: string, id: number): Promise<void> {
    await until(
      () => symbolOf(id),
      (symbol) => symbol === to,
    );
    // A read can be ahead of the disk; an event goes out once its change is durable.
    await world.untilTold(to, "oco.adjusted");
    await price(from, 80);
    await price(to, 95);
    await world.engines.restartEngine();
    assert.deepEqual([await symbolOf(id), sellsOf(from), sellsOf(to)], [to, [], []]);
    await price(to, 89);
    await world.untilTold(to, "oco.triggered");
    await world.engines.restartEngine();
    assert.deepEqual([sellsOf(from), sellsOf(to)], [[], [100]]);
    const adjusted = world.events.filter((event) => {
      return event.type === "oco.adjusted" && JSON.stringify(event).includes(`"${to}"`);
    });
    assert.equal(new Set(adjusted.map(({ id: eventId }) => eventId)).size, 1, "one event for the group");
  }

  test("between the rename and the levels that follow it", async () => {
    await price("THYAO", 100);
    const id = await world.createGroup("THYAO");
    await tell(RENAME_COMMANDS.check, "THYAO", "TURK");
    await tell(RENAME_COMMANDS.write, "THYAO", "TURK");
    await kill();
    await world.engines.startEngine();
    await sellsOnce("THYAO", "TURK", id);
  });

  test("as soon as the partition has begun to follow", async () => {
    await price("GARAN", 100);
    const id = await world.createGroup("GARAN");
    await tell(RENAME_COMMANDS.write, "GARAN", "GARNT");
    await tell(RENAME_COMMANDS.follow, "GARAN", "GARNT");
    await kill();
    await world.engines.startEngine();
    await sellsOnce("GARAN", "GARNT", id);
  });
});
