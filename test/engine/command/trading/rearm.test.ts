/** A stop-loss that failed is set Active again by a change of its group (behaviour 15.7). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES, type Reply } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { PlaceRequest } from "../../../../src/contract/trading/order.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import { livePrice } from "../../../../src/domain/price/price.ts";
import { ACCOUNT, startWorld } from "../../../support/world/trading-world.ts";
import { brokerageOf, type Life, no, orderBody, refusalOf, startLife } from "../harness.ts";

const { accountNumber } = orderBody() as { accountNumber: string };
const GROUP = {
  ...{ brokerageCode: "PAPER", accountNumber, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10 },
  takeProfitItems: [{ price: 110, quantity: 10 }],
};

async function tick(life: Life, value: number): Promise<void> {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  life.partition.onTick({ symbol: "THYAO", price, timeMs: life.time.nowMs(), isCaughtUp: false });
  await life.time.advance(100);
}

/** A group whose stop-loss was refused at 89: its take-profit is watched. */
async function failed(): Promise<{ life: Life; id: number }> {
  const life = await startLife();
  const reply = await life.command(COMMANDS.createGroup, GROUP);
  assert.ok(reply?.ok, JSON.stringify(reply));
  const { id } = reply.data as OcoRowView;
  brokerageOf(life).answers.set("place", () => no("REJECTED", "no short sales"));
  await tick(life, 89);
  await life.time.advance(1_000);
  brokerageOf(life).answers.delete("place");
  return { life, id };
}

const change = (life: Life, id: number, request: object): Promise<Reply | undefined> =>
  life.command(COMMANDS.changeGroup, { id, change: request });

async function planOf(life: Life, id: number): Promise<PlanView> {
  const reply = await life.query(QUERIES.readPlan, { id });
  assert.ok("data" in reply, JSON.stringify(reply));
  return reply.data as PlanView;
}

const namesOf = (life: Life): readonly string[] =>
  brokerageOf(life)
    .calls.filter(({ operation }) => operation === "place")
    .map(({ request }) => (request as PlaceRequest).clientOrderId.replace(/^.*?-(?=r\d)/, ""));

describe("a stop-loss that failed", () => {
  test("is Active again with its row and id, and its next order has the next name", async () => {
    const { life, id } = await failed();
    const before = await planOf(life, id);
    assert.deepEqual([before.rows.map(({ status }) => status), before.exit.state], [[3, 1], "ended"]);
    const reply = await change(life, id, { stopLossPrice: 85 });
    assert.ok(reply?.ok, JSON.stringify(reply));
    const { rows, exit, orders } = reply.data as PlanView;
    assert.deepEqual(
      rows.map((row) => [row.id, row.status, row.price, row.triggeredPrice, row.triggerErrorMessage]),
      [
        [id, 1, 85, null, null],
        [before.rows[1]?.id, 1, 110, null, null],
      ],
    );
    assert.deepEqual([exit.state, exit.orderCount, orders.length], ["none", 1, 1]);
    await tick(life, 86);
    assert.deepEqual(namesOf(life), [`r${id}`]);
    await tick(life, 84.9);
    assert.deepEqual(namesOf(life), [`r${id}`, `r${id}-n2`]);
    assert.deepEqual(
      (await planOf(life, id)).rows.map(({ status, triggeredPrice }) => [status, triggeredPrice]),
      [
        [2, 84.9],
        [4, null],
      ],
    );
  });

  test("is Active again after a restart, and sells once", async () => {
    const { life, id } = await failed();
    const reply = await change(life, id, { stopLossPrice: 85 });
    assert.ok(reply?.ok, JSON.stringify(reply));
    await life.crashAndStart();
    await tick(life, 84.9);
    await life.crashAndStart();
    await tick(life, 84.8);
    await life.time.advance(1_000);
    assert.deepEqual(namesOf(life), [`r${id}`, `r${id}-n2`]);
  });

  test("that is set Active at or over the last price sells at once, and the message says so", async () => {
    const world = await startWorld();
    await world.tick("THYAO", 100);
    const { id } = (await world.done(COMMANDS.createGroup, { ...GROUP, accountNumber: ACCOUNT })) as OcoRowView;
    const place = world.paper.place.bind(world.paper);
    world.paper.place = async () => no("REJECTED", "no short sales");
    await world.tick("THYAO", 89);
    world.paper.place = place;
    const reply = await world.command(COMMANDS.changeGroup, { id, change: { stopLossPrice: 90 } });
    assert.ok(reply.ok, JSON.stringify(reply));
    assert.match(reply.message ?? "", /THYAO is at 89, at or under the stop-loss 90, so it sells immediately$/);
    await world.tick("THYAO", 89);
    assert.deepEqual(
      (await world.orders()).map(({ quantity }) => quantity),
      [10],
    );
  });

  test("that fails once more is set Active once more, under the third name", async () => {
    const { life, id } = await failed();
    assert.ok((await change(life, id, { stopLossPrice: 85 }))?.ok);
    brokerageOf(life).answers.set("place", () => no("REJECTED", "no short sales"));
    await tick(life, 84);
    brokerageOf(life).answers.delete("place");
    assert.ok((await change(life, id, { stopLossPrice: 80 }))?.ok);
    await tick(life, 79);
    assert.deepEqual(namesOf(life), [`r${id}`, `r${id}-n2`, `r${id}-n3`]);
  });

  test("stays as it is without stopLossPrice, and once no take-profit is Active", async () => {
    const { life, id } = await failed();
    const reply = await change(life, id, { stopLossQuantity: 20 });
    assert.match(refusalOf(reply, "CONFLICT"), /stopLossPrice sets it Active again/);
    assert.ok((await change(life, id, { notes: "x" }))?.ok);
    assert.equal((await planOf(life, id)).rows[0]?.status, 3);
    await tick(life, 110);
    assert.match(refusalOf(await change(life, id, { stopLossPrice: 85 }), "INVALID"), /no Active row/);
  });

  test("a price from before fires neither it nor a take-profit that was armed when it failed", async () => {
    const { life, id } = await failed();
    const price = livePrice(111);
    assert.ok(price !== undefined);
    assert.ok((await change(life, id, { stopLossPrice: 85 }))?.ok);
    // After the creation, before the failure.
    const timeMs = life.time.nowMs() - 1_250;
    life.partition.onTick({ symbol: "THYAO", price, timeMs, isCaughtUp: true });
    await life.time.advance(1_000);
    assert.deepEqual(namesOf(life), [`r${id}`]);
  });
});
