/** Notifications to users that no actor emits: stopped work, and prices that were lost. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ActorKind } from "../../../engine/actor/kind.ts";
import { kindNamed } from "../../../engine/partition/kinds.ts";
import { COMMANDS } from "../../../src/contract/command.ts";
import { OPERATOR_COMMANDS, quarantineId } from "../../../src/contract/operator/operator.ts";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { ACCOUNT, startWorld, type TradingWorld, USER } from "../../support/world/trading-world.ts";

const PAPER = {
  startingCash: 1_000,
  startingPositions: { THYAO: 100, GARAN: 100 },
  requiresLogin: false,
  fillShareMax: 1,
};

async function openGroup(world: TradingWorld, symbol = "THYAO"): Promise<number> {
  const body = {
    brokerageCode: "PAPER",
    accountNumber: ACCOUNT,
    symbol,
    stopLossPrice: 90,
    stopLossQuantity: 10,
    takeProfitItems: [{ price: 110, quantity: 10 }],
  };
  return ((await world.done(COMMANDS.createGroup, body)) as { groupId: number }).groupId;
}

/** Runs `work` while every step of a group fails. */
async function whileGroupsFail(work: () => Promise<void>): Promise<void> {
  const groups = kindNamed("group") as { -readonly [K in keyof ActorKind]: ActorKind[K] };
  const { isShownAlike } = groups;
  groups.isShownAlike = () => assert.fail("a fault of ours");
  try {
    await work();
  } finally {
    if (isShownAlike !== undefined) groups.isShownAlike = isShownAlike;
  }
}

const alarms = (world: TradingWorld): object[] =>
  world.events
    .map(({ data }) => data)
    .filter(({ type }) => String(type).startsWith("alarm."))
    .map(({ type, userId, groupId, reason }) => ({ type, userId, groupId, reason }));

describe("alarms", () => {
  test("a group that a fault stopped is told to its owner, at each start again, and when it is released", async () => {
    const world = await startWorld({ paper: PAPER });
    await world.tick("THYAO", 100);
    const groupId = await openGroup(world);
    const stopped = { type: "alarm.quarantined", userId: USER, groupId, reason: undefined };
    await whileGroupsFail(() => world.tick("THYAO", 89));
    await world.time.advance(1_000);
    assert.deepEqual(world.partition.host.quarantine.ids(), [groupId]);
    assert.deepEqual(alarms(world), [stopped]);
    await world.restart();
    await world.time.advance(1_000);
    assert.deepEqual(alarms(world), [stopped, stopped]);
    const id = quarantineId({ type: "actor", partition: 0, number: groupId });
    const release = {
      type: OPERATOR_COMMANDS.release,
      userId: 99,
      requestId: "release",
      body: { id, decision: null },
    };
    const reply = world.partition.handleCommand(release);
    await world.time.advance(1_000);
    assert.equal((await reply).ok, true);
    assert.deepEqual(alarms(world).slice(2), [{ ...stopped, type: "alarm.released" }]);
    assert.equal(world.sent.length, 1, "the level that was reached meanwhile has sold");
  });

  test("what the brokerage sold of an order that it had refused is told to its owner, once", async () => {
    const world = await startWorld({ paper: { ...PAPER, startingPositions: {} } });
    await world.tick("THYAO", 100);
    const groupId = await openGroup(world);
    await world.tick("THYAO", 89);
    await world.time.advance(1_000);
    const [clientOrderId = ""] = world.sent;
    const sold: OrderRecord = {
      ...{ orderNo: "77", clientOrderId, accountNumber: ACCOUNT, symbol: "THYAO", buySell: 2, orderType: 1 },
      ...{ quantity: 10, price: 0, orderStatus: 2, filledQuantity: 10, averagePrice: 89, updatedDate: null },
      createdDate: "2026-01-05T09:00:00.000Z",
    };
    await world.tell({ ...sold, orderStatus: 4, filledQuantity: 0, averagePrice: 0 });
    await world.time.advance(1_000);
    assert.deepEqual(alarms(world), []);
    await world.tell(sold);
    await world.time.advance(1_000);
    await world.restart();
    await world.tell(sold);
    await world.time.advance(1_000);
    const [alarm, ...others] = world.eventsOf("alarm.soldAfterEnd");
    assert.deepEqual(others, []);
    assert.equal(alarm?.groupId, groupId);
    assert.equal(alarm?.userId, USER);
    const order = { clientOrderId, orderNo: "77", symbol: "THYAO", filledQuantity: 10 };
    assert.deepEqual(alarm?.order, { ...order, brokerageCode: "PAPER", accountNumber: ACCOUNT });
  });

  test("a wrong clock is told to each user with something under watch (behaviour 3.7a)", async () => {
    const world = await startWorld({ paper: PAPER });
    await world.tick("THYAO", 100);
    await openGroup(world);
    world.clockOffMs = 5_000;
    await world.time.advance(15_000);
    const [alarm, ...others] = world.eventsOf("alarm.clockOff");
    assert.deepEqual(others, []);
    assert.deepEqual([alarm?.userId, alarm?.clockAheadMs], [USER, 5_000]);
    assert.match(String(alarm?.message), /the clock of the service is 5000 ms behind/);
  });

  test("a symbol without prices is told to the owner of its group, and in the answer that made it (behaviour 3.10)", async () => {
    const world = await startWorld({ paper: PAPER });
    await world.tick("THYAO", 100);
    await openGroup(world);
    const body = {
      brokerageCode: "PAPER",
      accountNumber: ACCOUNT,
      symbol: "GARAN",
      takeProfitItems: [{ price: 110, quantity: 10 }],
    };
    const answer = await world.command(COMMANDS.createGroup, { ...body, stopLossPrice: 90, stopLossQuantity: 10 });
    assert.match(String(answer.message), /^The OCO group was created; no price of GARAN is known yet$/);
    await world.time.advance(70_000);
    const [alarm, ...others] = world.eventsOf("alarm.pricesSilent");
    assert.deepEqual(others, []);
    assert.deepEqual([alarm?.userId, alarm?.symbols, alarm?.reason], [USER, ["GARAN"], "none"]);
  });

  test("a hole is told to the owner of each group whose stop-loss trails, once for each hole and group (behaviour 19.4)", async () => {
    const world = await startWorld({ paper: PAPER });
    await world.tick("THYAO", 100);
    await world.tick("GARAN", 100);
    const terms = { brokerageCode: "PAPER", accountNumber: ACCOUNT, stopLossPrice: 90, stopLossQuantity: 10 };
    const group = { ...terms, takeProfitItems: [{ price: 130, quantity: 10 }] };
    const trailing = { ...group, symbol: "THYAO", stopLossTrailing: { distance: 5, confirmTicks: 1 } };
    const { id } = (await world.done("oco.create", trailing)) as { id: number };
    await world.done("oco.create", { ...group, symbol: "GARAN" });
    await world.tick("THYAO", 104);
    const untilMs = world.time.nowMs();
    world.partition.onTicksLost({ reason: "missing", fromMs: 0, untilMs });
    await world.time.advance(1_000);
    const [first, ...others] = world.eventsOf("oco.trailingUncertain");
    assert.deepEqual(others, []);
    const row = first?.row as { readonly id: number; readonly price: number };
    assert.deepEqual([first?.userId, row.id, row.price], [USER, id, 99]);
    assert.match(String(first?.message), /^prices from .* were lost: .*; the stop-loss stays where it is/);
    world.partition.onTicksLost({ reason: "tooOld", fromMs: null, untilMs: null });
    await world.time.advance(1_000);
    assert.equal(world.eventsOf("oco.trailingUncertain").length, 2, "another hole");
    world.partition.onTicksLost({ reason: "missing", fromMs: 0, untilMs: 1 });
    await world.time.advance(1_000);
    assert.equal(world.eventsOf("oco.trailingUncertain").length, 2, "a hole from before the group");
    await world.tick("THYAO", 98.9);
    world.partition.onTicksLost({ reason: "missing", fromMs: 0, untilMs: null });
    await world.time.advance(1_000);
    assert.equal(world.eventsOf("oco.trailingUncertain").length, 2, "it has fired");
  });

  test("lost ticks are told once to each user with something under watch, and to no other", async () => {
    const world = await startWorld({ paper: PAPER });
    await world.tick("THYAO", 100);
    await openGroup(world);
    await openGroup(world, "GARAN");
    const lost = { reason: "missing", fromMs: 0, untilMs: 60_000 };
    world.partition.onTicksLost(lost);
    await world.time.advance(1_000);
    assert.deepEqual(alarms(world), [{ type: "alarm.ticksLost", userId: USER, groupId: undefined, reason: "missing" }]);
    const [alarm] = world.eventsOf("alarm.ticksLost");
    const span = { missingFrom: "1970-01-01T00:00:00.000Z", missingUntil: "1970-01-01T00:01:00.000Z" };
    assert.deepEqual({ missingFrom: alarm?.missingFrom, missingUntil: alarm?.missingUntil }, span);
    assert.ok(
      String(alarm?.message).startsWith(`prices from ${span.missingFrom} until ${span.missingUntil} were lost`),
    );
    await world.tick("THYAO", 89);
    await world.tick("GARAN", 89);
    await world.time.advance(1_000);
    assert.equal(world.sent.length, 2);
    world.partition.onTicksLost(lost);
    await world.time.advance(1_000);
    assert.equal(alarms(world).length, 1, "nothing is under watch any more");
  });
});
