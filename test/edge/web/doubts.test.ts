/** Orders in doubt of all accounts, read when an event is about one, and one alarm for each (behaviour 13.6). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Doubts } from "../../../edge/web/dashboard/state/doubts.ts";
import type {
  Account,
  DoubtfulOrder,
  FollowedOrder,
  UnansweredOrder,
} from "../../../edge/web/dashboard/state/model.ts";
import type { ToldEvent } from "../../../src/event/describe-event.ts";

const accountOf = (accountNumber: string): Account => ({
  ...{ accountNumber, number: accountNumber, name: "", brokerageCode: "ACME", isActive: true, isDefault: true },
});

const orderOf = (orderNo: string, change: Partial<FollowedOrder> = {}): FollowedOrder => ({
  ...{ orderNo, orderNumbers: [orderNo], clientOrderId: null, symbol: "THYAO", buySell: 2, quantity: 10 },
  ...{ filledQuantity: 0, state: "inDoubt", since: "2026-01-05T09:00:00.000Z", message: "why" },
  ...{ owner: { type: "group", id: 7 } },
  ...change,
});

/** A service with two accounts. */
class World {
  readonly orders = new Map<string, readonly FollowedOrder[]>();
  readonly alarms: ToldEvent[] = [];
  listed: readonly DoubtfulOrder[] = [];
  unanswered: readonly UnansweredOrder[] = [];
  newsCount = 0;
  readonly doubts = new Doubts({
    get: async <T>(path: string) =>
      (this.orders.get(new URLSearchParams(path.split("?")[1]).get("accountNumber") ?? "") ?? []) as T,
    ask: async (read, { isWanted }) => {
      const answer = await read();
      return isWanted() ? answer : undefined;
    },
    accounts: () => [accountOf("A1"), accountOf("A2")],
    onOrders: (orders) => {
      this.listed = orders;
    },
    onUnanswered: (orders) => {
      this.unanswered = orders;
    },
    onNews: () => {
      this.newsCount += 1;
    },
    onAlarm: (alarm) => void this.alarms.push(alarm),
    onFault: () => undefined,
  });

  async read(): Promise<string[]> {
    this.doubts.read();
    await new Promise((resolve) => setImmediate(resolve));
    return this.listed.map(({ accountNumber, orderNo }) => `${accountNumber} ${orderNo}`);
  }
}

test("those of every account are listed, the oldest first, and no order whose outcome is known", async () => {
  const world = new World();
  world.orders.set("A1", [orderOf("R-1"), orderOf("R-2", { state: "open" })]);
  world.orders.set("A2", [orderOf("R-3", { since: "2026-01-05T08:00:00.000Z" })]);
  assert.deepEqual(await world.read(), ["A2 R-3", "A1 R-1"]);
  world.orders.set("A2", []);
  assert.deepEqual(await world.read(), ["A1 R-1"]);
});

test("orders without an answer are listed apart, and while there is one, any event is a reason to read again", async () => {
  const world = new World();
  world.doubts.hear({ type: "oco.triggered" });
  assert.equal(world.newsCount, 0);
  world.orders.set("A1", [{ ...orderOf("-"), orderNo: null, clientOrderId: "life-r1", state: "unanswered" }]);
  assert.deepEqual(await world.read(), []);
  assert.deepEqual(
    world.unanswered.map(({ accountNumber, clientOrderId }) => [accountNumber, clientOrderId]),
    [["A1", "life-r1"]],
  );
  world.doubts.hear({ type: "oco.triggered" });
  assert.equal(world.newsCount, 1);
  world.orders.set("A1", []);
  await world.read();
  assert.deepEqual(world.unanswered, []);
});

test("an order that was in doubt before is one alarm, and one that an event reported is none of this reading", async () => {
  const world = new World();
  world.orders.set("A1", [orderOf("R-1"), orderOf("R-2")]);
  world.doubts.hear({ type: "order.inDoubt", order: { brokerageCode: "ACME", orderNo: "R-2" } });
  await world.read();
  await world.read();
  assert.deepEqual(
    world.alarms.map(({ type, order }) => [type, (order as FollowedOrder).orderNo]),
    [["order.inDoubt", "R-1"]],
  );
});

test("an order that is in doubt again after it was settled is another alarm", async () => {
  const world = new World();
  for (const orders of [[orderOf("R-1")], [], [orderOf("R-1")]]) {
    world.orders.set("A1", orders);
    await world.read();
  }
  assert.equal(world.alarms.length, 2);
});

test("the lost order of a pending OCO is the alarm that its event would have been", async () => {
  const world = new World();
  world.orders.set("A1", [orderOf("B-1", { owner: { type: "pendingOco", id: 5 } })]);
  await world.read();
  assert.deepEqual(
    world.alarms.map(({ type, row }) => [type, row]),
    [["setup.orderLost", { setupId: 5, brokerOrderNo: "B-1", symbol: "THYAO" }]],
  );
});

test("an event about an order in doubt is a reason to read again, and another event is none", () => {
  const world = new World();
  world.doubts.hear({ type: "order.placed", order: {} });
  assert.equal(world.newsCount, 0);
  const types = [
    "order.inDoubt",
    "order.found",
    "order.settled",
    "setup.orderLost",
    "setup.orderFound",
    "setup.removed",
  ];
  for (const type of types) world.doubts.hear({ type });
  assert.equal(world.newsCount, types.length);
});

test("an answer to an earlier question never replaces the one to a later question", async () => {
  const world = new World();
  world.orders.set("A1", [orderOf("R-1")]);
  world.doubts.read();
  world.orders.set("A1", []);
  assert.deepEqual(await world.read(), []);
  assert.deepEqual(world.alarms, []);
});
