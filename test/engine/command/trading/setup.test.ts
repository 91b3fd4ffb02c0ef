/** Pending OCO setups from registration to their end, over a partition and a paper brokerage. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OcoRowView } from "../../../../src/contract/trading/oco.ts";
import { orderRecordSchema } from "../../../../src/contract/trading/order.ts";
import { ACCOUNT, startWorld, type TradingWorld } from "../../../support/world/trading-world.ts";

const registration = {
  brokerageCode: "PAPER",
  accountNumber: ACCOUNT,
  symbol: "THYAO",
  stopLossQuantity: 10,
  stopLossPercent: 5,
  takeProfitItems: [
    { quantity: 4, percent: 10 },
    { quantity: 6, price: 130 },
  ],
};

const list = { brokerageCode: "PAPER", accountNumber: ACCOUNT };

async function rowsOf(world: TradingWorld): Promise<OcoRowView[]> {
  return (await world.query("oco.list", list)) as OcoRowView[];
}

/** A world with a limit buy at 100 that rests. */
async function withRestingBuy() {
  const world = await startWorld();
  await world.tick("THYAO", 105);
  const order = await world.order({ price: 100 });
  return { world, order, body: { ...registration, brokerOrderNo: order.orderNo } };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function refusalOf(reply: unknown): { code: string; message: string } {
  const { code, message } = reply as { code: string; message: string };
  return { code, message };
}

test("a setup waits for its order and becomes a group with levels from the fill price", async () => {
  const { world, body } = await withRestingBuy();
  const setupId = await world.done("setup.register", body);
  assert.equal(typeof setupId, "number");
  assert.deepEqual(await rowsOf(world), []);
  await world.tick("THYAO", 100);
  const rows = await rowsOf(world);
  const [stopLoss] = rows;
  assert.ok(stopLoss !== undefined);
  assert.deepEqual(
    rows.map(({ orderType, price, quantity, status }) => ({ orderType, price, quantity, status })),
    [
      { orderType: 2, price: 95, quantity: 10, status: 1 },
      { orderType: 1, price: 110, quantity: 4, status: 1 },
      { orderType: 1, price: 130, quantity: 6, status: 1 },
    ],
  );
  const [registered] = world.eventsOf("setup.registered");
  const [converted] = world.eventsOf("setup.converted");
  assert.equal(field(registered?.row, "setupId"), setupId);
  assert.equal(converted?.groupId, stopLoss.groupId);
});

test("an order that is completed already converts at once", async () => {
  const { world, body } = await withRestingBuy();
  await world.tick("THYAO", 100);
  await world.done("setup.register", body);
  assert.equal((await rowsOf(world)).length, 3);
});

/** The reply to a registration that must be taken. */
async function registered(world: TradingWorld, body: object, options: { readonly key?: string } = {}) {
  const reply = await world.command("setup.register", body, options);
  assert.ok(reply.ok);
  return reply;
}

test("a registration says what became of it in its turn, again under its key (behaviour 5.1, 3.3)", async () => {
  const waiting = await withRestingBuy();
  assert.equal((await registered(waiting.world, waiting.body)).message, undefined);

  const made = await withRestingBuy();
  await made.world.tick("THYAO", 100);
  const first = await registered(made.world, made.body, { key: "once" });
  const [stopLoss] = await rowsOf(made.world);
  const told = `The order was completed already: OCO group ${stopLoss?.groupId} was made`;
  assert.equal(first.message, told);
  await made.world.restart();
  assert.deepEqual(await registered(made.world, made.body, { key: "once" }), first);

  const sold = await withRestingBuy();
  await sold.world.tick("THYAO", 100);
  await sold.world.tick("THYAO", 94.5);
  const { message } = await registered(sold.world, sold.body);
  assert.equal(message, `${told}; THYAO is at 94.5, at or under the stop-loss 95, so it sells immediately`);

  const failed = await withRestingBuy();
  await failed.world.tick("THYAO", 100);
  const reversed = { ...failed.body, stopLossPercent: undefined, stopLossPrice: 120 };
  const reply = await registered(failed.world, reversed);
  assert.equal(reply.message, "No group was made: takeProfitItems[0].price must be higher than stopLossPrice");
  assert.equal(typeof reply.data, "number");
});

test("an order that completes while it is being registered converts at once, though nobody followed it then", async () => {
  const { world, body } = await withRestingBuy();
  const find = world.paper.findOrder.bind(world.paper);
  world.paper.findOrder = async (request) => {
    world.paper.findOrder = find;
    const found = await find(request);
    world.paper.onTick("THYAO", { value: 100, floor: 10_000, ceil: 10_000 }, world.time.nowMs());
    await find(request);
    return found;
  };
  await world.done("setup.register", body);
  await world.time.advance(100);
  assert.equal((await rowsOf(world)).length, 3);
});

test("a record that tells the order as completed without a price ends nothing, and is asked for again", async () => {
  for (const averagePrice of [0, null, undefined]) {
    const { world, order, body } = await withRestingBuy();
    const setupId = (await world.done("setup.register", body)) as number;
    const told = { ...order, orderStatus: 2, filledQuantity: 10, averagePrice };
    const { host, inbox } = world.partition;
    inbox.enqueue(() => {
      const record = orderRecordSchema.parse(told);
      host.wake(setupId, { type: "orderUpdated", record, timeMs: world.time.nowMs() });
    });
    await world.time.turns();
    assert.equal(host.find("setup", setupId)?.isEnded, false);
    assert.deepEqual(await rowsOf(world), []);
    await world.tick("THYAO", 100);
    assert.equal((await rowsOf(world)).length, 3);
  }
});

test("an order that is unknown, a sell, of another symbol, cancelled, or of another account is refused", async () => {
  const { world, body } = await withRestingBuy();
  const refused = async (change: object): Promise<string> => {
    const reply = await world.command("setup.register", { ...body, ...change });
    assert.equal(reply.ok, false);
    const { code, message } = refusalOf(reply);
    assert.equal(code, "INVALID");
    return message;
  };
  assert.match(await refused({ brokerOrderNo: "none" }), /brokerOrderNo is not an order of the account/);
  assert.match(await refused({ symbol: "GARAN" }), /another symbol/);
  assert.match(await refused({ stopLossPrice: 90 }), /exactly one of stopLossPercent and stopLossPrice/);
  assert.match(await refused({ takeProfitItems: [] }), /takeProfitItems/);
  assert.match(await refused({ brokerageCode: "paper" }), /brokerageCode is not known/);
  const buy = await world.order({ symbol: "GARAN", price: 90 });
  await world.cancel(buy);
  assert.match(await refused({ brokerOrderNo: buy.orderNo, symbol: "GARAN" }), /cancelled or rejected/);
  const others = await world.order({ price: 80 }, 8);
  assert.match(await refused({ brokerOrderNo: others.orderNo }), /not an order of the account/);
  const foreign = await world.command("setup.register", { ...body, accountNumber: "PAPER-8" });
  assert.equal(refusalOf(foreign).code, "FORBIDDEN");
});

test("a sell order is refused: only long positions are supported", async () => {
  const world = await startWorld({ paper: { ...paper, startingPositions: { THYAO: 50 } } });
  await world.tick("THYAO", 100);
  const sell = await world.order({ buySell: 2, price: 120 });
  const reply = await world.command("setup.register", { ...registration, brokerOrderNo: sell.orderNo });
  assert.match(refusalOf(reply).message, /not a buy order/);
});

test("a second setup for the same order is refused until the first has ended", async () => {
  const { world, body } = await withRestingBuy();
  await world.done("setup.register", body);
  assert.match(refusalOf(await world.command("setup.register", body)).message, /pending record already exists/);
});

test("a registration that is repeated under its key registers once and gets the first answer", async () => {
  const { world, body } = await withRestingBuy();
  const first = await world.done("setup.register", body, { key: "once" });
  await world.restart();
  assert.equal(await world.done("setup.register", body, { key: "once" }), first);
});

test("a cancelled order removes its setup and frees the order number", async () => {
  const { world, order, body } = await withRestingBuy();
  await world.done("setup.register", body);
  await world.cancel(order);
  assert.equal(world.eventsOf("setup.removed").length, 1);
  assert.deepEqual(await rowsOf(world), []);
  assert.match(refusalOf(await world.command("setup.register", body)).message, /cancelled or rejected/);
});

test("a part-filled order that is cancelled removes its setup too, and the log warns", async () => {
  const world = await startWorld({ paper: { ...paper, fillShareMax: 0.5 } });
  await world.tick("THYAO", 105);
  const order = await world.order({ price: 100 });
  await world.done("setup.register", { ...registration, brokerOrderNo: order.orderNo });
  await world.tick("THYAO", 100);
  assert.deepEqual(await rowsOf(world), [], "a part fill changes nothing");
  await world.cancel(order);
  assert.equal(world.eventsOf("setup.removed")[0]?.isPartFilled, true);
  const warnings = world.log.filter(({ level }) => level === "warn");
  assert.match(warnings.map(({ message }) => message).join(), /part-filled order ended: its setup was removed/);
});

test("a setup whose symbol has an active group ends as conversion failed, and says so", async () => {
  const { world, body } = await withRestingBuy();
  await world.done("setup.register", body);
  await world.done("oco.create", {
    ...list,
    symbol: "THYAO",
    stopLossPrice: 50,
    stopLossQuantity: 1,
    takeProfitItems: [{ price: 200, quantity: 1 }],
  });
  await world.tick("THYAO", 100);
  assert.equal((await rowsOf(world)).length, 2);
  assert.match(String(world.eventsOf("setup.conversionFailed")[0]?.message), /active OCO group already exists/);
});

/** Returns the message for reading a setup, which must be the message for removing it. */
async function toldOf(world: TradingWorld, id: unknown, userId = 7): Promise<string> {
  const read = refusalOf(await world.query("setup.get", { id }, { userId }));
  const removed = refusalOf(await world.command("setup.remove", { id, brokerageCode: "PAPER" }, { userId }));
  assert.deepEqual(removed, read);
  assert.equal(read.code, "NOT_FOUND");
  return read.message;
}

test("a setup that is over is told to its owner with what became of it, alike by GET and DELETE", async () => {
  const failed = await withRestingBuy();
  const dueDate = new Date(failed.world.time.nowMs() + 1_000).toISOString();
  const failedId = await failed.world.done("setup.register", { ...failed.body, dueDate });
  assert.equal(field(await failed.world.query("setup.get", { id: failedId }), "setupId"), failedId);
  await failed.world.time.advance(1_500);
  const told = `pending OCO ${failedId} is over: no group was made: dueDate has passed`;
  assert.equal(await toldOf(failed.world, failedId), told);
  await failed.world.restart();
  assert.equal(await toldOf(failed.world, failedId), told, "after a restart");
  assert.equal(await toldOf(failed.world, failedId, 8), `pending OCO ${failedId} was not found`, "to another user");
  assert.equal(await toldOf(failed.world, 999_999), "pending OCO 999999 was not found");

  const converted = await withRestingBuy();
  const convertedId = await converted.world.done("setup.register", converted.body);
  await converted.world.tick("THYAO", 100);
  const [stopLoss] = await rowsOf(converted.world);
  const became = `pending OCO ${convertedId} is over: it became the OCO group ${stopLoss?.groupId}`;
  assert.equal(await toldOf(converted.world, convertedId), became);

  const removed = await withRestingBuy();
  const removedId = await removed.world.done("setup.register", removed.body);
  assert.equal(await removed.world.done("setup.remove", { id: removedId, brokerageCode: "PAPER" }), true);
  assert.equal(await toldOf(removed.world, removedId), `pending OCO ${removedId} is over: it was removed`);

  const cancelled = await withRestingBuy();
  const cancelledId = await cancelled.world.done("setup.register", cancelled.body);
  await cancelled.world.cancel(cancelled.order);
  const ended = `pending OCO ${cancelledId} is over: its order was cancelled or rejected`;
  assert.equal(await toldOf(cancelled.world, cancelledId), ended);
});

test("a setup is read only at its own brokerage, where one is named", async () => {
  const { world, body } = await withRestingBuy();
  const id = await world.done("setup.register", body);
  assert.equal(field(await world.query("setup.get", { id, brokerageCode: "PAPER" }), "setupId"), id);
  const unknown = refusalOf(await world.query("setup.get", { id, brokerageCode: "NONE" }));
  assert.deepEqual(unknown, { code: "INVALID", message: "brokerageCode is not known" });
});

test("a setup whose due date passes ends, frees its order and says so, also after a restart (behaviour 5.4)", async () => {
  for (const restarts of [false, true]) {
    const { world, body } = await withRestingBuy();
    const dueDate = new Date(world.time.nowMs() + 5_000).toISOString();
    await world.done("setup.register", { ...body, dueDate });
    await world.time.advance(4_000);
    if (restarts) await world.restart();
    assert.deepEqual(world.eventsOf("setup.conversionFailed"), []);
    await world.time.advance(1_500);
    assert.equal(world.eventsOf("setup.conversionFailed")[0]?.message, "dueDate has passed");
    assert.equal(((await world.query("setup.list", list)) as unknown[]).length, 0);
    await world.done("setup.register", body);
  }
});

test("a group whose due date has just passed is in no setup's way, though no clock has told it yet", async () => {
  const { world, body } = await withRestingBuy();
  await world.done("setup.register", body);
  const dueDate = new Date(world.time.nowMs() + 2).toISOString();
  await world.done("oco.create", {
    ...list,
    symbol: "THYAO",
    stopLossPrice: 50,
    stopLossQuantity: 1,
    takeProfitItems: [{ price: 200, quantity: 1 }],
    dueDate,
  });
  await world.time.advance(2);
  world.paper.onTick("THYAO", { value: 100, floor: 10_000, ceil: 10_000 }, world.time.nowMs());
  await world.time.turns();
  assert.equal(world.eventsOf("setup.converted").length, 1);
  const [stopLoss] = await rowsOf(world);
  assert.deepEqual([stopLoss?.status, stopLoss?.updatedDate], [4, dueDate]);
});

test("a setup survives a restart, and a fill that came while the engine was down is caught up", async () => {
  const { world, body } = await withRestingBuy();
  await world.done("setup.register", body);
  world.kill();
  world.paper.onTick("THYAO", { value: 100, floor: 10_000, ceil: 10_000 }, world.time.nowMs());
  await world.time.turns();
  await world.start();
  await world.time.turns();
  const rows = await rowsOf(world);
  assert.equal(rows.length, 3);
  assert.equal(rows[0]?.price, 95);
});

test("a brokerage that cannot be asked is 503, one that wants a login 403", async () => {
  const world = await startWorld({ paper: { ...paper, requiresLogin: true } });
  const reply = await world.command("setup.register", { ...registration, brokerOrderNo: "1" });
  assert.equal(refusalOf(reply).code, "FORBIDDEN");
});

const paper = { startingCash: 1_000_000, startingPositions: {}, requiresLogin: false, fillShareMax: 1 };

test("a setup of a symbol whose prices are on every cent becomes a group on every cent (behaviour 3.6a)", async () => {
  const world = await startWorld();
  world.centSymbols.add("THYAO");
  await world.tick("THYAO", 227.35);
  const order = await world.order({ price: 227.31 });
  const takeProfitItems = [{ quantity: 10, percent: 3 }];
  const body = { ...registration, stopLossPercent: 3, takeProfitItems, brokerOrderNo: order.orderNo };
  await world.done("setup.register", body);
  await world.tick("THYAO", 227.31);
  const rows = await rowsOf(world);
  assert.deepEqual(
    rows.map(({ price }) => price),
    [220.49, 234.13],
  );
});
