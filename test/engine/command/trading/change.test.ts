/** Changing a running group in place, at the paper brokerage (behaviour 15). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES, type Reply } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import type { PlanView } from "../../../../src/contract/trading/plan.ts";
import { livePrice } from "../../../../src/domain/price/price.ts";
import { startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const ACCOUNT = { brokerageCode: "PAPER", accountNumber: "PAPER-7" };
const GROUP = {
  ...{ ...ACCOUNT, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 100 },
  takeProfitItems: [
    { price: 110, quantity: 60 },
    { price: 120, quantity: 40 },
  ],
};

async function running(): Promise<{ world: TradingWorld; id: number }> {
  const world = await startWorld();
  await world.tick("THYAO", 100);
  const { id } = (await world.done(COMMANDS.createGroup, GROUP)) as OcoRowView;
  return { world, id };
}

const change = (world: TradingWorld, id: number, request: object, versions?: readonly number[]): Promise<Reply> =>
  world.command(COMMANDS.changeGroup, { id, change: request, ...(versions !== undefined && { versions }) });

const sold = async (world: TradingWorld): Promise<(readonly [number, number])[]> =>
  (await world.orders()).map(({ buySell, quantity }) => [buySell, quantity] as const);

const rowsOf = async (world: TradingWorld, id: number): Promise<readonly OcoRowView[]> =>
  (await world.query(QUERIES.readGroup, { id })) as readonly OcoRowView[];

describe("a change of a running group", () => {
  test("moves the stop-loss: the new level sells once", async () => {
    const { world, id } = await running();
    const reply = await change(world, id, { stopLossPrice: 95 });
    assert.ok(reply.ok);
    assert.equal(reply.version, 2);
    await world.tick("THYAO", 94.9);
    assert.deepEqual(await sold(world), [[2, 100]]);
    await world.tick("THYAO", 89.9);
    assert.deepEqual(await sold(world), [[2, 100]]);
    assert.equal(world.eventsOf("oco.changed").length, 1);
  });

  test("answers the plan of the group as its query does, orders and version included (behaviour 15.6)", async () => {
    const { world, id } = await running();
    const readPlan = (): Promise<unknown> => world.query(QUERIES.readPlan, { id });
    const first = await change(world, id, { stopLossPrice: 95, stopLossTrailing: { distance: 4 } });
    assert.ok(first.ok);
    assert.deepEqual(first.data, await readPlan());
    await world.tick("THYAO", 110);
    const second = await change(world, id, { notes: "later" });
    assert.ok(second.ok);
    const { orders, version } = second.data as PlanView;
    assert.deepEqual([orders.length, version], [1, second.version]);
    assert.deepEqual(second.data, await readPlan());
    const same = await change(world, id, { notes: "later" });
    assert.ok(same.ok);
    assert.deepEqual(same.data, second.data);
  });

  test("that the last price reaches already sells at once, and the message says so", async () => {
    const { world, id } = await running();
    await world.tick("THYAO", 94);
    const reply = await change(world, id, { stopLossPrice: 95 });
    assert.ok(reply.ok);
    assert.match(reply.message ?? "", /^The OCO group was changed; THYAO is at 94, .* sells immediately$/);
    await world.tick("THYAO", 94);
    assert.deepEqual(await sold(world), [[2, 100]]);
  });

  test("names the version that it means: a stale one is refused with that of now, after a trigger too", async () => {
    const { world, id } = await running();
    await world.tick("THYAO", 110);
    const stale = await change(world, id, { stopLossPrice: 95 }, [1]);
    assert.ok(!stale.ok);
    assert.equal(stale.code, "PRECONDITION_FAILED");
    const version = stale.version ?? 0;
    assert.ok(version > 1);
    const fresh = await change(world, id, { stopLossPrice: 95 }, [version]);
    assert.ok(fresh.ok);
    assert.equal(fresh.version, version + 1);
  });

  test("a cancel names the version that it means, too: a stale one cancels nothing", async () => {
    const { world, id } = await running();
    assert.ok((await change(world, id, { stopLossPrice: 95 })).ok);
    const cancel = (versions: readonly number[]): Promise<Reply> =>
      world.command(COMMANDS.cancelGroup, { id, brokerageCode: "PAPER", versions });
    const stale = await cancel([1]);
    assert.ok(!stale.ok);
    assert.deepEqual([stale.code, stale.version], ["PRECONDITION_FAILED", 2]);
    assert.ok((await rowsOf(world, id)).every(({ status }) => status === 1));
    assert.ok((await cancel([2])).ok);
    assert.ok((await rowsOf(world, id)).every(({ status }) => status !== 1));
  });

  test("of a hundred clients with one version, one changes the group", async () => {
    const { world, id } = await running();
    const prices = Array.from({ length: 100 }, (_, index) => 80 + index * 0.05);
    const replies = await Promise.all(
      prices.map((price) => change(world, id, { stopLossPrice: Math.round(price * 100) / 100 }, [1])),
    );
    const failed = replies.filter((reply) => !reply.ok && reply.code === "PRECONDITION_FAILED");
    assert.deepEqual([replies.filter(({ ok }) => ok).length, failed.length], [1, 99]);
  });

  test("that changes nothing keeps the version and tells nobody", async () => {
    const { world, id } = await running();
    const reply = await change(world, id, { stopLossPrice: 90, stopLossQuantity: 100 });
    assert.ok(reply.ok);
    assert.equal(reply.version, 1);
    assert.equal(world.eventsOf("oco.changed").length, 0);
  });

  test("an added row names the group, is listed by price, and sells its own lots, over a restart too", async () => {
    const { world, id } = await running();
    const [, first] = await rowsOf(world, id);
    const items = [
      { id: first?.id, price: 110, quantity: 60 },
      { price: 105, quantity: 40 },
    ];
    const reply = await change(world, id, { takeProfitItems: items });
    assert.ok(reply.ok);
    const rows = await rowsOf(world, id);
    assert.deepEqual(
      rows.map(({ price, status }) => [price, status]),
      [
        [90, 1],
        [105, 1],
        [110, 1],
        [120, 4],
      ],
    );
    const added = rows[1]?.id ?? 0;
    await world.restart();
    assert.deepEqual(await rowsOf(world, added), rows);
    await world.tick("THYAO", 105);
    assert.deepEqual(await sold(world), [[2, 40]]);
    const cancelled = await world.command(COMMANDS.cancelGroup, { id: added, brokerageCode: "PAPER" });
    assert.ok(cancelled.ok);
  });

  test("a price that is read back from before the change fires an unchanged row, and no changed one", async () => {
    const { world, id } = await running();
    const [, first] = await rowsOf(world, id);
    const items = [
      { id: first?.id, price: 110, quantity: 60 },
      { price: 105, quantity: 40 },
    ];
    await world.time.advance(1_000);
    const before = world.time.nowMs();
    await world.time.advance(1_000);
    assert.ok((await change(world, id, { takeProfitItems: items })).ok);
    await world.time.advance(1_000);
    const price = livePrice(111);
    assert.ok(price !== undefined);
    world.partition.onTick({ symbol: "THYAO", price, timeMs: before, isCaughtUp: true });
    await world.time.advance(100);
    assert.deepEqual(await sold(world), [[2, 60]]);
  });

  test("is whole after a crash: the new stop-loss holds, and the old one never does", async () => {
    const { world, id } = await running();
    assert.ok((await change(world, id, { stopLossPrice: 85 })).ok);
    await world.restart();
    await world.tick("THYAO", 89.9);
    assert.deepEqual(await sold(world), []);
    await world.tick("THYAO", 84.9);
    assert.deepEqual(await sold(world), [[2, 100]]);
  });

  test("is refused while a sell is on its way, and while missed prices are read back", async () => {
    const { world, id } = await running();
    const [, first, second] = await rowsOf(world, id);
    const only = { takeProfitItems: [{ id: second?.id, price: 120, quantity: 40 }] };
    world.give("THYAO", 110);
    const dropped = await change(world, id, only);
    assert.ok(!dropped.ok);
    assert.equal(dropped.code, "CONFLICT");
    await world.time.advance(1_000);
    assert.deepEqual(await sold(world), [[2, first?.quantity ?? 0]]);
    world.isCatchingUp = true;
    const early = await change(world, id, { stopLossPrice: 95 });
    assert.ok(!early.ok);
    assert.equal(early.code, "UNAVAILABLE");
  });

  test("is refused where the group is another user's, or over", async () => {
    const { world, id } = await running();
    const foreign = await world.command(COMMANDS.changeGroup, { id, change: { notes: "x" } }, { userId: 8 });
    assert.ok(!foreign.ok);
    assert.equal(foreign.code, "NOT_FOUND");
    await world.done(COMMANDS.cancelGroup, { id, brokerageCode: "PAPER" });
    const over = await change(world, id, { notes: "x" });
    assert.ok(!over.ok);
    assert.equal(over.code, "INVALID");
  });
});
