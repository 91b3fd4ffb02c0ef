/** Cancelling a group: the notifications to its owner. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS, type Reply } from "../../../../src/contract/command.ts";
import { ACCOUNT, startWorld, type TradingWorld, USER } from "../../../support/world/trading-world.ts";

const group = {
  brokerageCode: "PAPER",
  accountNumber: ACCOUNT,
  symbol: "THYAO",
  stopLossPrice: 90,
  stopLossQuantity: 10,
  takeProfitItems: [
    { price: 110, quantity: 4 },
    { price: 120, quantity: 6 },
  ],
};

/** Cancels a new group after these prices, which the brokerage answers or not. */
async function cancelAfter(world: TradingWorld, prices: readonly number[], isMute: boolean): Promise<Reply> {
  await world.tick("THYAO", 100);
  const { groupId } = (await world.done(COMMANDS.createGroup, group)) as { readonly groupId: number };
  world.isMute = isMute;
  for (const price of prices) await world.tick("THYAO", price);
  return world.command(COMMANDS.cancelGroup, { id: groupId, brokerageCode: "PAPER" });
}

test("a cancel says that a sell on its way is not cancelled, be it a stop-loss or a take-profit", async () => {
  const message =
    "What could be cancelled of the OCO group was cancelled; a sell that is on its way to the brokerage was not";
  for (const price of [89, 111]) {
    assert.deepEqual(await cancelAfter(await startWorld(), [price], true), { ok: true, data: true, message });
  }
});

test("a cancel with no sell on its way says nothing of one", async () => {
  assert.deepEqual(await cancelAfter(await startWorld(), [], false), { ok: true, data: true });
  assert.deepEqual(await cancelAfter(await startWorld(), [111], false), { ok: true, data: true });
});

test("a create says that it may sell more than the account was last known to hold; unknown is not none", async () => {
  const world = await startWorld();
  const { holdings } = world.partition.context;
  const place = { userId: USER, brokerageCode: "PAPER", accountNumber: ACCOUNT };
  await world.tick("THYAO", 100);
  const make = async (): Promise<string | undefined> => {
    const reply = await world.command(COMMANDS.createGroup, group);
    assert.ok(reply.ok);
    const { groupId } = reply.data as { readonly groupId: number };
    await world.done(COMMANDS.cancelGroup, { id: groupId, brokerageCode: "PAPER" });
    return reply.message;
  };
  assert.equal(await make(), undefined);
  holdings.learn(place, [{ symbol: "THYAO", quantity: 10 }]);
  assert.equal(await make(), undefined);
  holdings.learn(place, [{ symbol: "THYAO", quantity: 4 }]);
  assert.match(String(await make()), /^The OCO group was created; it may sell 10 THYAO, and the account held 4 at 20/);
  holdings.learn(place, [{ symbol: "GARAN", quantity: 4 }]);
  assert.match(String(await make()), /and the account held none at 20/);
});

test("a create says which level is already reached, and that it sells at once", async () => {
  const world = await startWorld();
  await world.tick("THYAO", 89.5);
  const stopped = await world.command(COMMANDS.createGroup, group);
  const stop = "The OCO group was created; THYAO is at 89.5, at or under the stop-loss 90, so it sells immediately";
  assert.equal(stopped.ok && stopped.message, stop);
  await world.tick("GARAN", 115);
  const taken = await world.command(COMMANDS.createGroup, { ...group, symbol: "GARAN" });
  const take = "The OCO group was created; GARAN is at 115, at or over the take-profit 110, so it sells immediately";
  assert.equal(taken.ok && taken.message, take);
  const other = await startWorld();
  await other.tick("THYAO", 100);
  const waiting = await other.command(COMMANDS.createGroup, group);
  assert.equal(waiting.ok && waiting.message, undefined);
});
