/** The client that cancels an order is notified of the cancel, as is every client that follows the user's events. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ACCOUNT, startWorld } from "../../../support/world/trading-world.ts";

const account = { brokerageCode: "PAPER", accountNumber: ACCOUNT };

test("an order that is cancelled is told of once, one that cannot be is not", async () => {
  const world = await startWorld();
  await world.tick("THYAO", 105);
  const [first, second] = [await world.order({ price: 100 }), await world.order({ price: 99 })];
  const { orderNo, symbol } = first;
  await world.done("order.cancel", { ...account, orderNo, symbol });
  assert.equal((await world.command("order.cancel", { ...account, orderNo: "nothing", symbol })).ok, false);
  const items = [
    { orderNo: second.orderNo, symbol },
    { orderNo: "nothing", symbol },
  ];
  await world.done("order.cancelBatch", { ...account, items });
  const told = world.eventsOf("order.cancelled").map(({ order }) => order);
  assert.deepEqual(told, [
    { ...account, symbol, orderNo },
    { ...account, symbol, orderNo: second.orderNo },
  ]);
});
