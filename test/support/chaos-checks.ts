/** What must be true after processes were ended under load, however they were ended. */
import assert from "node:assert/strict";
import type { BrokerOrder, ChaosRow, ChaosWorld } from "./chaos-world.ts";
import { pause, type StackUser } from "./stack.ts";
import { firstReached, type LoggedTick } from "./tick-log.ts";

/**
 * How far a row's trigger may be behind the tick that reached it, as the server stamped it: the engine counts a live
 * tick when it handles it, on a machine that this test keeps busy.
 */
const BEHIND_MS_MAX = 2_000;
/** From when on a row must hear ticks: its creation is stamped before it is durable and under watch. */
const ARMED_WITHIN_MS = 1_000;
const SETTLE_ROUNDS_MAX = 100;

export const ACTIVE = 1;
export const TRIGGERED = 2;
export const FAILED = 3;
export const CANCELLED = 4;
const TAKE_PROFIT = 1;

/** How one user's rows ended, and what the brokerage has. */
export interface Outcome {
  readonly user: StackUser;
  readonly rows: readonly ChaosRow[];
  readonly orders: readonly BrokerOrder[];
}

/** The outcome of every user, once no row is Active any more. */
export async function collectOutcomes(world: ChaosWorld): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const user of world.users) {
    outcomes.push({ user, rows: await settledRows(world, user), orders: await world.brokerOrders(user) });
  }
  return outcomes;
}

/** One sell for each triggered row, and no other. */
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

/** Every group that a client was told of is there, and every cancelled one stayed cancelled. */
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

/** Every order that a client was told of exists once and was filled, and no other buy was. */
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

/** The rows that were not triggered by the first price that reached them, each with what is wrong. */
export function findLate(outcomes: readonly Outcome[], ticks: readonly LoggedTick[]): string[] {
  return outcomes.flatMap(({ rows }) => rows.flatMap((row) => faultOf(row, rows, ticks) ?? []));
}

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
