/**
 * Engine, edge, brokerage and nats-server killed with SIGKILL in turn, under load. Every reached row has exactly one
 * order, from the first price that reached it, and every answer to a client is still true at the end.
 *
 * `CHAOS_KILLS=200 npm test -- --test-timeout=1500000 chaos` kills more often, for some five minutes.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  CANCELLED,
  checkGroups,
  checkOrders,
  checkSells,
  collectOutcomes,
  FAILED,
  findLate,
  type Outcome,
  TRIGGERED,
} from "../../support/chaos/chaos-checks.ts";
import { type ChaosRow, ChaosWorld, isWithoutPrice, START_POSITION } from "../../support/chaos/chaos-world.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import type { LoggedTick } from "../../support/store/tick-log.ts";
import { pause } from "../../support/world/stack.ts";

const KILLS = Number(process.env.CHAOS_KILLS ?? 20);
/** A slow machine kills less often, as the test must end in its time; a given number of kills lifts this limit. */
const KILLING_MS_MAX = process.env.CHAOS_KILLS === undefined ? 120_000 : Number.POSITIVE_INFINITY;
const USERS = 5;
const SEED = 20_261_123;
const VICTIMS = ["engine", "server", "edge", "brokerage"] as const;
natsSuite("processes that are killed under load", () => {
  let world: ChaosWorld;
  let ticks: readonly LoggedTick[];
  let outcomes: readonly Outcome[] = [];
  let kills = 0;
  const rows = (): ChaosRow[] => outcomes.flatMap((one) => one.rows);

  before(async () => {
    world = await ChaosWorld.open(USERS, SEED);
    world.startLoad();
    const startMs = performance.now();
    for (; kills < KILLS && performance.now() - startMs < KILLING_MS_MAX; kills += 1) {
      await pause(100 + world.random() * 400);
      await world.killAndStart(VICTIMS[kills % VICTIMS.length] ?? "engine");
    }
    await world.stopLoad();
    await world.swing();
    outcomes = await collectOutcomes(world);
    ticks = await world.ticks.readAll();
  });
  after(() => world.close());

  test(`killed up to ${KILLS} times, no client was ever told of an inner error`, (context) => {
    const { groups, cancelled, orders } = world.accepted;
    const count = (status: number): number => rows().filter((row) => row.status === status).length;
    context.diagnostic(`killed ${kills} times`);
    assert.ok(kills >= VICTIMS.length, "each was killed");
    context.diagnostic(`accepted: ${groups.length} groups, ${cancelled.length} cancels, ${orders.length} orders`);
    context.diagnostic(
      `rows: ${count(TRIGGERED)} triggered, ${count(FAILED)} failed, ${count(CANCELLED)} cancelled; ${ticks.length} ticks`,
    );
    assert.deepEqual(world.oddAnswers, []);
  });

  test("every triggered row has one order, and no order exists that nobody asked for", () => {
    const triggered = rows().filter(({ status }) => status === TRIGGERED);
    assert.ok(triggered.length > KILLS, `only ${triggered.length} rows were triggered: the test proves little`);
    for (const one of outcomes) checkSells(one);
  });

  test("a row failed only while the brokerage had just come back and knew no price, and has no order", () => {
    const failed = rows().filter(({ status }) => status === FAILED);
    for (const row of failed) assert.ok(isWithoutPrice(row.triggerErrorMessage), JSON.stringify(row));
    // On a busy machine the brokerage is away for longer, and more orders wait for it when it comes back.
    const triggered = rows().filter(({ status }) => status === TRIGGERED);
    assert.ok(failed.length < triggered.length, `${failed.length} rows failed, ${triggered.length} were sold`);
  });

  test("no level was passed without its row: each was triggered by the first price that reached it", () => {
    assert.ok(ticks.length > KILLS, "the stream kept ticks");
    assert.deepEqual(findLate(world, outcomes, ticks), []);
  });

  test("every group that a client was told of is there, and every cancelled one stayed cancelled", () => {
    const { groups } = world.accepted;
    assert.ok(groups.length > KILLS, `only ${groups.length} groups were created: the test proves little`);
    checkGroups(world, outcomes);
  });

  test("every order that a client was told of exists once, and its key still gives the same answer", async () => {
    const { orders } = world.accepted;
    assert.ok(orders.length > 0);
    checkOrders(world, outcomes);
    for (const order of orders.slice(-10)) {
      const again = await world.repeatOrder(order);
      assert.equal((again.body.data as { orderNo: string }).orderNo, order.orderNo);
    }
  });

  test("the accounts hold what the orders left them", async () => {
    for (const { user, orders } of outcomes) {
      for (const { symbol, quantity } of await world.positions(user)) {
        const done = orders.filter((order) => order.symbol === symbol && order.orderStatus === 2);
        const moved = done.reduce((sum, order) => sum + (order.buySell === 1 ? order.quantity : -order.quantity), 0);
        assert.equal(quantity, START_POSITION + moved, `${symbol} of user ${user.userId}`);
      }
    }
  });
});
