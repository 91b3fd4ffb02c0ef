/** The rules that hold after processes were ended under load, in any way. */
import assert from "node:assert/strict";
import { firstReached, type LoggedTick } from "../store/tick-log.ts";
import { pause, type StackUser } from "../world/stack.ts";
import type { BrokerOrder, ChaosRow, ChaosWorld } from "./chaos-world.ts";

/**
 * The most by which a row's trigger may follow the server's stamp of the tick that reached it. The engine counts a live
 * tick when it handles it, on a machine that this test keeps busy. A row that was later because the engine was paused
 * is recognized by its price: the first tick that reached it triggered it.
 */
const BEHIND_MS_MAX = 2_000;
/**
 * The delay from a row's creation until ticks must count for it: the creation is stamped before it is durable and under
 * watch. If that took longer, ticks must count from the answer on.
 */
const ARMED_WITHIN_MS = 1_000;
const SETTLE_ROUNDS_MAX = 500;

export const ACTIVE = 1;
export const TRIGGERED = 2;
export const FAILED = 3;
export const CANCELLED = 4;
const TAKE_PROFIT = 1;

/** The end of one user's rows, and the orders at the brokerage. */
export interface Outcome {
  readonly user: StackUser;
  readonly rows: readonly ChaosRow[];
  readonly orders: readonly BrokerOrder[];
}

/** Collects the outcome of every user, once no row is Active any more. */
export async function collectOutcomes(world: ChaosWorld): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const user of world.users) {
    outcomes.push({ user, rows: await settledRows(world, user), orders: await world.brokerOrders(user) });
  }
  return outcomes;
}

/** Checks that each triggered row has one sell, and that no other sell exists. */
export function checkSells({ rows, orders }: Outcome): void {
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

/** Checks that every group reported to a client exists, and that every cancelled group stayed cancelled. */
export function checkGroups({ accepted }: ChaosWorld, outcomes: readonly Outcome[]): void {
  const rows = outcomes.flatMap((one) => one.rows);
  for (const { groupId, user } of accepted.groups) {
    const own = outcomes.find((one) => one.user === user)?.rows.filter((row) => row.groupId === groupId);
    assert.equal(own?.length, 3, `group ${groupId} of user ${user.userId} is there`);
  }
  for (const { groupId, answeredMs } of accepted.cancelled) {
    const own = rows.filter((row) => row.groupId === groupId);
    assert.ok(own.some(({ status }) => status === CANCELLED));
    for (const { triggeredDate } of own) {
      assert.ok(triggeredDate === null || Date.parse(triggeredDate) <= answeredMs, `group ${groupId}`);
    }
  }
}

/** Checks that every order reported to a client exists once and was filled, and that no other buy was. */
export function checkOrders({ accepted }: ChaosWorld, outcomes: readonly Outcome[]): void {
  const { orders } = accepted;
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
}

/** Finds the rows that the first price that reached them did not trigger, each with its fault. */
export function findLate(
  { accepted }: ChaosWorld,
  outcomes: readonly Outcome[],
  ticks: readonly LoggedTick[],
): string[] {
  const answered = new Map(accepted.groups.map(({ groupId, answeredMs }) => [groupId, answeredMs]));
  const firstOf = (row: ChaosRow): LoggedTick | undefined => {
    const armedMs = Math.max(Date.parse(row.createdDate) + ARMED_WITHIN_MS, answered.get(row.groupId) ?? 0);
    return firstReached(ticks, row.symbol, armedMs, (price) => reaches(row, price));
  };
  return outcomes.flatMap(({ rows }) => rows.flatMap((row) => faultOf(row, rows, firstOf) ?? []));
}

/** Returns the rows once none is Active: the last swing reached every level. */
async function settledRows(world: ChaosWorld, user: StackUser): Promise<ChaosRow[]> {
  for (let round = 0; round < SETTLE_ROUNDS_MAX; round += 1) {
    const rows = await world.rows(user);
    if (rows.every(({ status }) => status !== ACTIVE)) return rows;
    await pause(200);
  }
  const active = (await world.rows(user)).filter(({ status }) => status === ACTIVE);
  return assert.fail(`${active.length} rows are still Active, e.g. ${JSON.stringify(active[0])}`);
}

const reaches = ({ orderType, price: level }: ChaosRow, price: number): boolean =>
  orderType === TAKE_PROFIT ? price >= level : price <= level;

/** Returns the fault of a row's end, given the stream's first tick that reached a row; undefined: it has no fault. */
function faultOf(
  row: ChaosRow,
  rows: readonly ChaosRow[],
  firstOf: (row: ChaosRow) => LoggedTick | undefined,
): string | undefined {
  const { triggeredPrice } = row;
  if (triggeredPrice !== null && !reaches(row, triggeredPrice)) return `fired early: ${JSON.stringify(row)}`;
  const first = firstOf(row);
  const stopLoss = stopLossOf(row, rows);
  const endDate = row.triggeredDate ?? stopLoss?.triggeredDate ?? row.updatedDate;
  if (first === undefined || endDate === null) return undefined;
  const behindMs = Date.parse(endDate) - first.storedMs;
  if (behindMs <= BEHIND_MS_MAX || triggeredPrice === first.price) return undefined;
  // The stop-loss was reached before: from then on its take-profits are out of the watch, whenever it was handled.
  const stopped = triggeredPrice === null && stopLoss !== undefined ? firstOf(stopLoss) : undefined;
  if (stopped !== undefined && stopped.storedMs <= first.storedMs) return undefined;
  return `${behindMs} ms late: ${JSON.stringify(row)}`;
}

/** The group's stop-loss, if it fired: from then on its take-profits are out of the watch. */
function stopLossOf({ groupId }: ChaosRow, rows: readonly ChaosRow[]): ChaosRow | undefined {
  return rows.find((row) => row.groupId === groupId && row.orderType !== TAKE_PROFIT && row.triggeredDate !== null);
}
