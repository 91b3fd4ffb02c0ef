/**
 * Engine, edge, brokerage and nats-server killed with SIGKILL in turn, under load: every reached row has exactly one
 * order, it was reached by the first price that did, and whatever a client was told is still true at the end.
 *
 * `CHAOS_KILLS=200 npm test -- chaos` kills more often.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type BrokerOrder, type ChaosRow, ChaosWorld, isWithoutPrice, START_POSITION } from "../support/chaos-world.ts";
import { natsSuite } from "../support/nats-server.ts";
import { pause, type StackUser } from "../support/stack.ts";
import { firstReached, type LoggedTick } from "../support/tick-log.ts";

const KILLS = Number(process.env.CHAOS_KILLS ?? 20);
const USERS = 5;
const SEED = 20_261_123;
const VICTIMS = ["engine", "server", "edge", "brokerage"] as const;
/**
 * How far a row's trigger may be behind the tick that reached it, as the server stamped it: the engine counts a live
 * tick when it handles it, on a machine that this test keeps busy.
 */
const BEHIND_MS_MAX = 2_000;
/** From when on a row must hear ticks: its creation is stamped before it is durable and under watch. */
const ARMED_WITHIN_MS = 1_000;
const SETTLE_ROUNDS_MAX = 100;

const ACTIVE = 1;
const TRIGGERED = 2;
const FAILED = 3;
const CANCELLED = 4;
const TAKE_PROFIT = 1;

interface Outcome {
  readonly user: StackUser;
  readonly rows: readonly ChaosRow[];
  readonly orders: readonly BrokerOrder[];
}

natsSuite("processes that are killed under load", () => {
  let world: ChaosWorld;
  let ticks: readonly LoggedTick[];
  const outcomes: Outcome[] = [];
  const rows = (): ChaosRow[] => outcomes.flatMap((one) => one.rows);

  before(async () => {
    world = await ChaosWorld.open(USERS, SEED);
    world.startLoad();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(100 + world.random() * 400);
      await world.killAndStart(VICTIMS[kill % VICTIMS.length] ?? "engine");
    }
    await world.stopLoad();
    await world.swing();
    for (const user of world.users) {
      outcomes.push({ user, rows: await settledRows(world, user), orders: await world.brokerOrders(user) });
    }
    ticks = await world.ticks.readAll();
  });
  after(() => world.close());

  test(`killed ${KILLS} times, no client was ever told of an inner error`, (context) => {
    const { groups, cancelled, orders } = world.accepted;
    const count = (status: number): number => rows().filter((row) => row.status === status).length;
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
    assert.ok(failed.length <= KILLS, `${failed.length} rows failed`);
  });

  test("no level was passed without its row: each was triggered by the first price that reached it", () => {
    assert.ok(ticks.length > KILLS, "the stream kept ticks");
    const late = rows().flatMap((row) => faultOf(row, rows(), ticks) ?? []);
    assert.deepEqual(late, []);
  });

  test("every group that a client was told of is there, and every cancelled one stayed cancelled", () => {
    const { groups, cancelled } = world.accepted;
    assert.ok(groups.length > KILLS, `only ${groups.length} groups were created: the test proves little`);
    for (const { groupId, user } of groups) {
      const own = outcomes.find((one) => one.user === user)?.rows.filter((row) => row.groupId === groupId);
      assert.equal(own?.length, 3, `group ${groupId} of user ${user.userId} is there`);
    }
    for (const { groupId, answeredMs } of cancelled) {
      const own = rows().filter((row) => row.groupId === groupId);
      assert.ok(own.some(({ status }) => status === CANCELLED));
      for (const { triggeredDate } of own) {
        assert.ok(triggeredDate === null || Date.parse(triggeredDate) <= answeredMs, `group ${groupId}`);
      }
    }
  });

  test("every order that a client was told of exists once, and its key still gives the same answer", async () => {
    const { orders } = world.accepted;
    assert.ok(orders.length > 0);
    assert.equal(new Set(orders.map(({ orderNo }) => orderNo)).size, orders.length);
    for (const { user, orderNo } of orders) {
      const own = outcomes.find((one) => one.user === user)?.orders.filter((order) => order.orderNo === orderNo);
      assert.deepEqual(
        own?.map(({ orderStatus, quantity, buySell }) => [orderStatus, quantity, buySell]),
        [[2, 1, 1]],
      );
    }
    const bought = outcomes.flatMap((one) => one.orders).filter(({ buySell }) => buySell === 1);
    assert.equal(bought.filter(({ orderStatus }) => orderStatus === 2).length, orders.length);
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

/** The rows once none is Active: the last swing reached every level. */
async function settledRows(world: ChaosWorld, user: StackUser): Promise<ChaosRow[]> {
  for (let round = 0; round < SETTLE_ROUNDS_MAX; round += 1) {
    const rows = await world.rows(user);
    if (rows.every(({ status }) => status !== ACTIVE)) return rows;
    await pause(200);
  }
  const active = (await world.rows(user)).filter(({ status }) => status === ACTIVE);
  return assert.fail(`${active.length} rows are still Active, e.g. ${JSON.stringify(active[0])}`);
}

function checkSells({ rows, orders }: Outcome): void {
  const sells = orders.filter(({ buySell, orderStatus }) => buySell === 2 && orderStatus === 2);
  const byRow = new Map(sells.map((order) => [order.clientOrderId.replace(/^.*-r/, ""), order]));
  const triggered = rows.filter(({ status }) => status === TRIGGERED);
  assert.equal(byRow.size, sells.length, "no row was sold twice");
  assert.equal(sells.length, triggered.length, "one sell for each triggered row");
  for (const row of triggered) {
    const order = byRow.get(String(row.id));
    assert.ok(order !== undefined, `row ${row.id} has an order`);
    assert.deepEqual([order.symbol, order.quantity], [row.symbol, row.quantity]);
  }
}

/** What is wrong with a row's end, given what the stream holds; undefined where nothing is. */
function faultOf(row: ChaosRow, rows: readonly ChaosRow[], ticks: readonly LoggedTick[]): string | undefined {
  const reaches = (price: number): boolean => (row.orderType === TAKE_PROFIT ? price >= row.price : price <= row.price);
  if (row.triggeredPrice !== null && !reaches(row.triggeredPrice)) return `fired early: ${JSON.stringify(row)}`;
  const first = firstReached(ticks, row.symbol, Date.parse(row.createdDate) + ARMED_WITHIN_MS, reaches);
  const endDate = row.triggeredDate ?? stopLossDate(row, rows) ?? row.updatedDate;
  if (first === undefined || endDate === null) return undefined;
  const behindMs = Date.parse(endDate) - first.storedMs;
  return behindMs > BEHIND_MS_MAX ? `${behindMs} ms late: ${JSON.stringify(row)}` : undefined;
}

/** When the group's stop-loss fired: from then on its take-profits are out of the watch. */
function stopLossDate({ groupId }: ChaosRow, rows: readonly ChaosRow[]): string | null | undefined {
  return rows.find((row) => row.groupId === groupId && row.orderType !== TAKE_PROFIT)?.triggeredDate;
}
