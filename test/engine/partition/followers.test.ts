/** A brokerage's reports of orders while prices are read back, and before its own answers arrive. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import type { OrderRecord, PlaceRequest } from "../../../src/contract/trading/order.ts";
import { livePrice } from "../../../src/domain/price/price.ts";
import { ACCOUNT, brokerageOf, FakeBrokerage, type Life, no, refusalOf, startLife } from "../command/harness.ts";

const account = { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };
const levels = { stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 10 }] };
const once = { exit: { stopLoss: "once" } };

function recordOf(orderNo: string, fields: Partial<OrderRecord> = {}): OrderRecord {
  return {
    ...{ orderNo, clientOrderId: null, accountNumber: ACCOUNT.accountNumber, symbol: "THYAO" },
    ...{ buySell: 2, orderType: 1, quantity: 10, price: 0, orderStatus: 1, filledQuantity: 0, averagePrice: 0 },
    ...{ createdDate: "2026-01-05T12:00:00+03:00", updatedDate: null, ...fields },
  };
}

async function done(life: Life, type: string, body: object): Promise<unknown> {
  const reply = await life.command(type, body);
  assert.ok(reply?.ok, JSON.stringify(reply));
  return reply.data;
}

function give(life: Life, symbol: string, value: number, timeMs = life.time.nowMs(), isCaughtUp = false): void {
  const price = livePrice(value);
  assert.ok(price !== undefined);
  life.partition.onTick({ symbol, price, timeMs, isCaughtUp });
}

async function caughtUp(life: Life): Promise<void> {
  life.isCatchingUp = false;
  life.partition.onCaughtUp();
  await life.time.advance(2_000);
}

async function statusesOf(life: Life): Promise<unknown[]> {
  const page = await life.query(QUERIES.listGroups, account);
  assert.ok("rows" in page);
  return page.rows.map(({ status }) => status);
}

const sellsOf = (life: Life): readonly PlaceRequest[] =>
  (brokerageOf(life).callsOf("place") as PlaceRequest[]).filter(({ buySell }) => buySell === 2);

describe("while prices that were missed are read back", () => {
  /** A group that came due during the cut, after a dip that reached its stop-loss, and a setup of the same symbol. */
  async function dueAfterDip() {
    const life = await startLife();
    const brokerage = brokerageOf(life);
    const buy = { buySell: 1, orderType: 2, price: 100 } as const;
    const resting = recordOf("B1", buy);
    const filled = recordOf("B1", { ...buy, orderStatus: 2, filledQuantity: 10, averagePrice: 100 });
    let now = resting;
    brokerage.answers.set("findOrder", () => ({ ok: true, data: now }));
    const dueDate = new Date(life.time.nowMs() + 4_000).toISOString();
    await done(life, COMMANDS.createGroup, { ...account, symbol: "THYAO", dueDate, ...levels, ...once });
    const dipMs = life.time.nowMs() + 2_000;
    const registration = {
      ...{ ...account, symbol: "THYAO", brokerOrderNo: "B1", stopLossQuantity: 10, stopLossPrice: 80 },
      takeProfitItems: [{ price: 120, quantity: 10 }],
    };
    const fill = (): void => {
      now = filled;
      brokerage.tell(filled);
    };
    return { life, dipMs, registration, fill };
  }

  test("a setup is told of its fill after them: the dip from before the due date sells first", async () => {
    const { life, dipMs, registration, fill } = await dueAfterDip();
    await done(life, COMMANDS.registerSetup, registration);
    life.isCatchingUp = true;
    await life.time.advance(10_000);
    fill();
    await life.time.advance(1_000);
    give(life, "THYAO", 89, dipMs, true);
    await caughtUp(life);
    assert.equal(sellsOf(life).length, 1);
    assert.deepEqual(await statusesOf(life), [2, 4]);
  });

  test("a registration that would end a due group is a 503 for a moment", async () => {
    const { life, dipMs, registration } = await dueAfterDip();
    life.isCatchingUp = true;
    await life.time.advance(10_000);
    assert.match(refusalOf(await life.command(COMMANDS.registerSetup, registration), "UNAVAILABLE"), /are being read/);
    give(life, "THYAO", 89, dipMs, true);
    await caughtUp(life);
    assert.equal(sellsOf(life).length, 1);
    await done(life, COMMANDS.registerSetup, registration);
  });

  /** A bot with a pair of THYAO that sells at 104 and a buy of GARAN under way, cut off from its prices. */
  async function cutOffBot() {
    const life = await startLife();
    const levelBotDetails = ["THYAO", "GARAN"].map((symbol) => ({ symbol, buyGap: 1, sellGap: 5 }));
    const bot = { ...account, name: "bot", isActive: true, levelBotDetails };
    const { id } = (await done(life, COMMANDS.createLevelBot, bot)) as { readonly id: number };
    const step = async (symbol: string, price: number): Promise<void> => {
      await life.time.advance(10);
      give(life, symbol, price);
      await life.time.advance(100);
    };
    const fill = async (symbol: string, averagePrice: number): Promise<void> => {
      const order = [...brokerageOf(life).orders.values()].find((one) => one.symbol === symbol);
      assert.ok(order !== undefined);
      brokerageOf(life).tell({ ...order, orderStatus: 2, filledQuantity: order.quantity, averagePrice });
      await life.time.advance(100);
    };
    await step("THYAO", 100);
    await step("THYAO", 99);
    await fill("THYAO", 99);
    await step("GARAN", 20);
    await step("GARAN", 19);
    const cutMs = life.time.nowMs();
    life.isCatchingUp = true;
    await life.time.advance(6_000);
    const readBack = async (): Promise<void> => {
      give(life, "THYAO", 106, cutMs + 2_000, true);
      give(life, "THYAO", 100, cutMs + 4_000, true);
      await caughtUp(life);
    };
    const update = (change: object) => life.command(COMMANDS.updateLevelBot, { id, bot: { ...bot, ...change } });
    return { life, fill, readBack, update };
  }

  test("a bot's fill counts after them: the peak that was missed sells its other pair", async () => {
    const { life, fill, readBack } = await cutOffBot();
    await fill("GARAN", 19);
    await readBack();
    assert.deepEqual(
      sellsOf(life).map(({ symbol }) => symbol),
      ["THYAO"],
    );
    give(life, "GARAN", 25);
    await life.time.advance(1_000);
    assert.deepEqual(
      sellsOf(life).map(({ symbol }) => symbol),
      ["THYAO", "GARAN"],
    );
  });

  test("a bot is changed after them, and switched off at once", async () => {
    const { life, readBack, update } = await cutOffBot();
    assert.match(refusalOf(await update({ name: "another" }), "UNAVAILABLE"), /are being read back/);
    await readBack();
    assert.equal(sellsOf(life).length, 1);
    assert.ok((await update({ name: "another" }))?.ok);
    life.isCatchingUp = true;
    assert.ok((await update({ isActive: false }))?.ok);
  });
});

describe("the end of a sell that is told before its order's answer is known", () => {
  /** A brokerage that cannot be asked, and a group whose stop-loss is on its way to it. */
  async function onItsWay(answer: () => unknown) {
    const life = await startLife(new FakeBrokerage("PAPER", { resend: "none" }));
    const brokerage = brokerageOf(life);
    brokerage.answers.set("findOrder", () => no("UNKNOWN"));
    brokerage.answers.set("place", answer as never);
    await done(life, COMMANDS.createGroup, { ...account, symbol: "THYAO", ...levels, ...once });
    give(life, "THYAO", 89);
    await life.time.advance(100);
    const [request] = sellsOf(life);
    assert.ok(request !== undefined);
    const tell = async (fields: Partial<OrderRecord>): Promise<void> => {
      brokerage.tell(recordOf("N1", { clientOrderId: request.clientOrderId, ...fields }));
      await life.time.advance(100);
    };
    const release = (decision: object) => {
      const [waiting] = life.partition.outbox.quarantined();
      return done(life, "operator.release", { id: `order-0-${waiting?.sequence}`, decision });
    };
    return { life, tell, release };
  }

  test("counts once the answer comes: nothing was sold, so the take-profit is watched again (behaviour 4.5a)", async () => {
    let settle = (_: unknown): void => undefined;
    const { life, tell } = await onItsWay(() => new Promise((resolve) => (settle = resolve)));
    await tell({ orderStatus: 3 });
    brokerageOf(life).answers.delete("findOrder");
    settle({ ok: true, data: { orderNo: "N1", orderStatus: 1 } });
    await life.time.advance(1_000);
    assert.deepEqual(await statusesOf(life), [3, 1]);
  });

  test("counts once an operator says that the order was placed", async () => {
    const { life, tell, release } = await onItsWay(() => no("UNAVAILABLE", "time-out"));
    await tell({ orderStatus: 3 });
    brokerageOf(life).answers.delete("findOrder");
    await release({ action: "placed", orderNo: "N1" });
    await life.time.advance(1_000);
    assert.deepEqual(await statusesOf(life), [3, 1]);
  });

  test("is an alarm where an operator says that there is no order, whichever came first", async () => {
    for (const isToldFirst of [true, false]) {
      const { life, tell, release } = await onItsWay(() => no("UNAVAILABLE", "time-out"));
      const fill = () => tell({ orderStatus: 2, filledQuantity: 10, averagePrice: 89 });
      if (isToldFirst) await fill();
      await release({ action: "refused", message: "no order exists" });
      if (!isToldFirst) await fill();
      const alarms = life.log.filter(({ message }) => message.includes("alarm.filledAfterEnd"));
      assert.equal(alarms.length, 1);
      assert.deepEqual(await statusesOf(life), [3, 1]);
    }
  });
});

test("the end of a bot's buy that is told before its order's answer is known counts once that comes", async () => {
  const life = await startLife(new FakeBrokerage("PAPER", { resend: "none" }));
  const brokerage = brokerageOf(life);
  brokerage.answers.set("findOrder", () => no("UNAVAILABLE"));
  let settle = (_: unknown): void => undefined;
  brokerage.answers.set("place", (() => new Promise((resolve) => (settle = resolve))) as never);
  const levelBotDetails = [{ symbol: "THYAO", buyGap: 1, sellGap: 5 }];
  const bot = { ...account, name: "bot", isActive: true, levelBotDetails };
  const { id } = (await done(life, COMMANDS.createLevelBot, bot)) as { readonly id: number };
  for (const price of [100, 99]) {
    give(life, "THYAO", price);
    await life.time.advance(100);
  }
  const [{ clientOrderId = null, quantity = 0 } = {}] = brokerage.callsOf("place") as PlaceRequest[];
  const fill = { buySell: 1, orderStatus: 2, filledQuantity: quantity, averagePrice: 99 } as const;
  brokerage.tell(recordOf("N1", { clientOrderId, quantity, ...fill }));
  await life.time.advance(100);
  settle({ ok: true, data: { orderNo: "N1", orderStatus: 1 } });
  await life.time.advance(1_000);
  const pairs = await life.query(QUERIES.listLevelPairs, { id, brokerageCode: "PAPER" });
  assert.match(JSON.stringify(pairs), /"buyStatus":2/);
});

describe("the answer of a completed order that names its fill", () => {
  /** A group with both levels, whose stop-loss of 10 gets this answer. */
  async function answered(data: object) {
    const life = await startLife();
    const brokerage = brokerageOf(life);
    brokerage.answers.set("place", () => ({ ok: true, data: { orderNo: "N1", ...data } }));
    const { id } = (await done(life, COMMANDS.createGroup, { ...account, symbol: "THYAO", ...levels })) as {
      id: number;
    };
    return { life, brokerage, id };
  }
  const receiptOf = async (life: Life, id: number): Promise<unknown> => {
    const reply = await life.query(QUERIES.readReceipt, { id });
    assert.ok("ok" in reply && reply.ok, JSON.stringify(reply));
    return reply.data;
  };
  const rowIdOf = async (life: Life): Promise<number> => {
    const page = await life.query(QUERIES.listGroups, account);
    assert.ok("rows" in page);
    return Number(page.rows[0]?.id);
  };

  test("ends the order without a look-up", async () => {
    const { life, brokerage } = await answered({ orderStatus: 2, filledQuantity: 10, averagePrice: 89.5 });
    give(life, "THYAO", 89);
    await life.time.advance(5_000);
    assert.deepEqual(await statusesOf(life), [2, 4]);
    assert.deepEqual(brokerage.callsOf("findOrder"), []);
    const receipt = JSON.stringify(await receiptOf(life, await rowIdOf(life)));
    assert.match(receipt, /"orderStatus":2,.*"filledQuantity":10,"averagePrice":89.5/);
  });

  test("is confirmed by a look-up where less was filled than ordered, and the rest is sold", async () => {
    const { life, brokerage } = await answered({ orderStatus: 2, filledQuantity: 4, averagePrice: 89.5 });
    brokerage.answers.set("findOrder", () => {
      const [{ clientOrderId = null } = {}] = sellsOf(life);
      const fields = { clientOrderId, orderStatus: 2, filledQuantity: 4, averagePrice: 89.5 } as const;
      return { ok: true, data: recordOf("N1", fields) };
    });
    give(life, "THYAO", 89);
    await life.time.advance(5_000);
    assert.ok(brokerage.callsOf("findOrder").length > 0);
    assert.deepEqual(
      sellsOf(life)
        .map(({ quantity }) => quantity)
        .slice(0, 2),
      [10, 6],
    );
  });

  test("ends a client's order, too", async () => {
    const { life, brokerage } = await answered({ orderStatus: 2, filledQuantity: 10, averagePrice: 89.5 });
    const order = { ...account, symbol: "THYAO", quantity: 10, buySell: 2, orderType: 1, price: 0 };
    await done(life, COMMANDS.placeOrder, order);
    await life.time.advance(1_000);
    assert.deepEqual(brokerage.callsOf("findOrder"), []);
    const orders = JSON.stringify(await life.query(QUERIES.listOrders, account));
    assert.match(orders, /"filledQuantity":10/);
  });
});

test("orders that are taken just after a look-up are looked up together, a moment later", async () => {
  const life = await startLife();
  const symbols = ["THYAO", "GARAN"];
  for (const symbol of symbols) await done(life, COMMANDS.createGroup, { ...account, symbol, ...levels });
  const lookedUp = (): number => brokerageOf(life).callsOf("findOrder").length;
  for (const symbol of symbols) give(life, symbol, 89);
  await life.time.advance(5);
  assert.deepEqual([sellsOf(life).length, lookedUp()], [2, 1]);
  await life.time.advance(10);
  assert.equal(lookedUp(), 2);
});
