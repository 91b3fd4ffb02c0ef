/** What an account may still sell limits requests and stop-losses with `SELL_LEDGER=refuse` (behaviour 26). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES, type Reply } from "../../../../src/contract/command.ts";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { paperSettingsSchema } from "../../../../src/contract/trading/order.ts";
import type { SellLedgerRule } from "../../../../src/domain/order/sell-ledger.ts";
import { ACCOUNT, startWorld, type TradingWorld, USER } from "../../../support/world/trading-world.ts";

const PLACE = { brokerageCode: "PAPER", accountNumber: ACCOUNT };
const group = (stopLossQuantity: number, change: object = {}) => ({
  ...{ ...PLACE, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity },
  ...{ takeProfitItems: [{ price: 110, quantity: 1 }], ...change },
});
const sell = (quantity: number) => ({ symbol: "THYAO", quantity, buySell: 2, orderType: 2, price: 105 });

async function start(sellLedger: SellLedgerRule = "refuse", held = 100): Promise<TradingWorld> {
  const paper = paperSettingsSchema.parse({ startingPositions: held === 0 ? {} : { THYAO: held } });
  const world = await startWorld({ paper, sellLedger });
  await world.tick("THYAO", 100);
  return world;
}

/** The brokerage reports no positions from now on; returns how often it was asked. */
function withoutPositions(world: TradingWorld): () => number {
  let count = 0;
  world.paper.positions = () => {
    count += 1;
    return Promise.resolve({ ok: false, code: "UNAVAILABLE", message: "not now" });
  };
  return () => count;
}

function refusalOf(reply: Reply): string {
  assert.ok(!reply.ok, "it was not refused");
  return `${reply.code}: ${reply.message}`;
}

const excess = (field: string, wanted: number, sells: number, committed: number, held = 100): string =>
  `OVERCOMMITTED: ${field} commits ${wanted} more lots of THYAO than may be sold: the account holds ${held}, open orders sell ${sells}, and groups and bots may sell ${committed} (SELL_LEDGER=refuse)`;

async function rows(world: TradingWorld): Promise<OcoRowView[]> {
  return (await world.query(QUERIES.listGroups, PLACE)) as OcoRowView[];
}

const sold = async (world: TradingWorld) =>
  (await world.orders()).filter(({ buySell }) => buySell === 2).map(({ quantity }) => quantity);

describe("with refuse, a request that commits more than is held", () => {
  test("is a 409 that names the field, and nothing is made", async () => {
    const world = await start();
    assert.equal(
      refusalOf(await world.command(COMMANDS.createGroup, group(101))),
      excess("stopLossQuantity", 101, 0, 0),
    );
    assert.deepEqual(await rows(world), []);
    await world.done(COMMANDS.createGroup, group(60));
    assert.match(refusalOf(await world.command(COMMANDS.createGroup, group(60))), /^INVALID: an active OCO group/);
  });

  test("counts the change of a group alone, and open sells", async () => {
    const world = await start();
    const { groupId } = (await world.done(COMMANDS.createGroup, group(60))) as OcoRowView;
    await world.done(COMMANDS.placeOrder, { ...PLACE, ...sell(30) });
    const change = (stopLossQuantity: number) =>
      world.command(COMMANDS.changeGroup, { id: groupId, change: { stopLossQuantity } });
    assert.equal(refusalOf(await change(71)), excess("stopLossQuantity", 11, 30, 60));
    assert.ok((await change(70)).ok);
    assert.ok((await change(10)).ok);
    await world.done(COMMANDS.placeOrder, { ...PLACE, ...sell(60) });
    const over = await world.command(COMMANDS.placeOrder, { ...PLACE, ...sell(1) });
    assert.equal(refusalOf(over), excess("quantity", 1, 90, 10));
    await world.done(COMMANDS.placeOrder, { ...PLACE, ...sell(1), buySell: 1, price: 95 });
  });

  test("in a batch refuses the items that no lots are left for", async () => {
    const world = await start();
    const items = [sell(60), sell(50), sell(40)];
    const reply = await world.command(COMMANDS.placeBatch, { ...PLACE, items });
    assert.match(JSON.stringify(reply), /items\[1\]\.quantity commits 50 more lots/);
    assert.deepEqual(await sold(world), [60, 40]);
  });

  test("two of them at the same moment cannot commit the same lots", async () => {
    const world = await start();
    const replies: Reply[] = [];
    for (const quantity of [60, 50]) {
      const body = { ...PLACE, ...sell(quantity) };
      const envelope = { type: COMMANDS.placeOrder, userId: USER, requestId: "request", body };
      void world.partition.handleCommand(envelope).then((reply) => replies.push(reply));
    }
    await world.time.turns();
    await world.time.turns();
    assert.deepEqual(
      replies.map((reply) => (reply.ok ? "ok" : reply.code)),
      ["ok", "OVERCOMMITTED"],
    );
    assert.deepEqual(await sold(world), [60]);
  });

  test("a sell that waits for a buy is not judged, and a pending OCO commits nothing", async () => {
    const world = await start("refuse", 0);
    const buy = await world.order({ price: 95, quantity: 10 });
    const tiers = { stopLossQuantity: 10, stopLossPercent: 5, takeProfitItems: [{ quantity: 10, percent: 10 }] };
    await world.done("setup.register", { ...PLACE, symbol: "THYAO", brokerOrderNo: buy.orderNo, ...tiers });
    await world.done(COMMANDS.chainOrder, { ...PLACE, ...sell(10), referenceOrderNo: buy.orderNo });
  });

  test("a brokerage that does not report what is held refuses nothing", async () => {
    const world = await start();
    withoutPositions(world);
    await world.done(COMMANDS.createGroup, group(500));
    await world.done(COMMANDS.placeOrder, { ...PLACE, ...sell(40) });
  });
});

describe("with warn and off", () => {
  test("nothing is refused, and no position is read", async () => {
    for (const rule of ["warn", "off"] as const) {
      const world = await start(rule);
      const askedCount = withoutPositions(world);
      world.partition.context.holdings.learn({ userId: USER, ...PLACE }, [{ symbol: "THYAO", quantity: 100 }]);
      const made = await world.command(COMMANDS.createGroup, group(150));
      const ordered = await world.command(COMMANDS.placeOrder, { ...PLACE, ...sell(101) });
      assert.ok(made.ok && !ordered.ok, "the brokerage itself takes no sell of more than is held");
      assert.equal(/it may sell 150 THYAO, and the account held 100/.test(made.message ?? ""), rule === "warn");
      await world.time.advance(120_000);
      await world.tick("THYAO", 89);
      assert.deepEqual([askedCount(), (await sold(world)).includes(150)], [0, true]);
    }
  });

  test("a change that sells more than was held says so", async () => {
    const world = await start("warn");
    const { groupId } = (await world.done(COMMANDS.createGroup, group(60))) as OcoRowView;
    world.partition.context.holdings.learn({ userId: USER, ...PLACE }, [{ symbol: "THYAO", quantity: 100 }]);
    const more = await world.command(COMMANDS.changeGroup, { id: groupId, change: { stopLossQuantity: 130 } });
    assert.match((more.ok && more.message) || "", /it may sell 130 THYAO, and the account held 100 at /);
    const less = await world.command(COMMANDS.changeGroup, { id: groupId, change: { stopLossQuantity: 120 } });
    assert.equal(less.ok && less.message, undefined);
  });
});

describe("with refuse, a stop-loss that fires", () => {
  /** A stop-loss of 100 lots of an account that now holds `held`, by hand. */
  async function watched(held: number): Promise<TradingWorld> {
    const world = await start();
    await world.done(COMMANDS.createGroup, group(100));
    if (held < 100) await world.order({ buySell: 2, orderType: 1, quantity: 100 - held });
    return world;
  }

  test("sells what the account was just known to hold, and ends there", async () => {
    const world = await watched(60);
    await world.time.advance(50_000);
    await world.tick("THYAO", 89);
    await world.time.advance(10_000);
    assert.deepEqual(await sold(world), [40, 60]);
    const [stopLoss] = await rows(world);
    assert.deepEqual(
      [stopLoss?.status, stopLoss?.triggerErrorMessage],
      [2, "60 of 100 sold: the account was just known to hold no more"],
    );
    assert.equal(world.eventsOf("alarm.exitStopped").length, 1);
  });

  test("sells nothing of nothing: its row fails, and the take-profits stay under watch", async () => {
    const world = await watched(0);
    await world.time.advance(50_000);
    await world.tick("THYAO", 89);
    assert.deepEqual(await sold(world), [100]);
    const [stopLoss, takeProfit] = await rows(world);
    assert.deepEqual([stopLoss?.status, takeProfit?.status], [3, 1]);
    assert.equal(stopLoss?.triggerErrorMessage, "the account was just known to hold no more");
  });

  test("counts what own orders have sold since", async () => {
    const world = await start();
    await world.done(COMMANDS.createGroup, group(100, { takeProfitItems: [{ price: 110, quantity: 70 }] }));
    await world.tick("THYAO", 110);
    await world.tick("THYAO", 89);
    await world.time.advance(10_000);
    assert.deepEqual(await sold(world), [70, 30]);
  });

  test("goes whole by a reading that is too old, and after a buy of its own account", async () => {
    const old = await watched(100);
    withoutPositions(old);
    await old.order({ buySell: 2, orderType: 1, quantity: 40 });
    await old.time.advance(61_000);
    await old.tick("THYAO", 89);
    assert.deepEqual((await sold(old)).slice(0, 2), [40, 100]);
    const bought = await watched(60);
    await bought.time.advance(50_000);
    await bought.done(COMMANDS.placeOrder, { ...PLACE, ...sell(40), buySell: 1, orderType: 1, price: 0 });
    await bought.tick("THYAO", 89);
    assert.deepEqual(await sold(bought), [40, 100]);
  });

  test("waits for no brokerage", async () => {
    const world = await watched(100);
    world.paper.positions = () => new Promise(() => undefined);
    await world.time.advance(120_000);
    await world.tick("THYAO", 89);
    assert.deepEqual(await sold(world), [100]);
  });
});
