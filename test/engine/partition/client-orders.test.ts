/**
 * Orders of clients are followed until they are settled, over restarts, and leave nothing a day later (behaviour 13.8).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TABLES } from "../../../engine/table/tables.ts";
import { COMMANDS, QUERIES } from "../../../src/contract/command.ts";
import { OPERATOR_COMMANDS, OPERATOR_QUERIES } from "../../../src/contract/operator/operator.ts";
import type { OrderRecord, PlaceRequest } from "../../../src/contract/trading/order.ts";
import { ACCOUNT, brokerageOf, type Life, no, orderBody, type Page, refusalOf, startLife } from "../command/harness.ts";

const account = { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber };
const DAY_MS = 24 * 60 * 60 * 1000;

/** A limit buy of 10 THYAO at 90 that the brokerage took. */
async function placed(fields: Readonly<Record<string, unknown>> = {}, type: string = COMMANDS.placeOrder) {
  const life = await startLife();
  const reply = await life.command(type, orderBody({ orderType: 2, price: 90, ...fields }));
  assert.ok(reply?.ok, JSON.stringify(reply));
  return life;
}

async function tell(life: Life, change: Partial<OrderRecord>, forMs = 1_000): Promise<void> {
  const [order] = [...brokerageOf(life).orders.values()];
  assert.ok(order !== undefined);
  brokerageOf(life).tell({ ...order, ...change });
  await life.time.advance(forMs);
}

async function rowsOf(life: Life, userId?: number): Promise<readonly Record<string, unknown>[]> {
  const page = await life.query(QUERIES.listOrders, account, userId === undefined ? {} : { userId });
  return "rows" in page ? page.rows : [];
}

const shown = async (life: Life): Promise<unknown[][]> =>
  (await rowsOf(life)).map((row) => [row.orderNo, row.quantity, row.filledQuantity, row.averagePrice, row.state]);

async function read(life: Life, orderNo: string): Promise<Record<string, unknown>> {
  const reply = await life.query(QUERIES.readOrder, { ...account, orderNo });
  assert.ok("ok" in reply && reply.ok, JSON.stringify(reply));
  return reply.data as Record<string, unknown>;
}

/** Events about executions, from the log; not the answers of the brokerage that lead to them. */
const toldOf = (life: Life): unknown[] =>
  life.log
    .map(({ fields }) => String(Reflect.get(fields, "event")))
    .filter((event) => /^(order|alarm)\./.test(event) && event !== "order.notFound");

const storedActors = (life: Life): number =>
  life.disk.entries.keysIn(TABLES.actors.range).length + life.disk.entries.keysIn(TABLES.endedActors.range).length;

describe("an order without an answer", () => {
  test("is listed for its owner under its name, and for its owner alone", async () => {
    const life = await startLife();
    brokerageOf(life).isMute = true;
    void life.command(COMMANDS.placeOrder, orderBody({ orderType: 2, price: 90 }));
    await life.time.advance(100);
    const [row, ...others] = await rowsOf(life);
    assert.deepEqual(others, []);
    assert.deepEqual([row?.orderNo, row?.orderNumbers, row?.state, row?.quantity], [null, [], "unanswered", 10]);
    assert.match(String(row?.clientOrderId), /^abcdefghij-c\d+$/);
    assert.match(JSON.stringify(row?.owner), /^{"type":"client","id":\d+}$/);
    assert.deepEqual(await rowsOf(life, 8), []);
  });
});

describe("an order of a client", () => {
  test("is listed with its owner as soon as the brokerage took it, and for its client alone", async () => {
    const life = await placed();
    const [row, ...others] = await rowsOf(life);
    assert.deepEqual(others, []);
    assert.match(String(row?.clientOrderId), /^abcdefghij-c\d+$/);
    assert.match(JSON.stringify(row?.owner), /^{"type":"client","id":\d+}$/);
    assert.deepEqual(await shown(life), [["N1", 10, 0, null, "open"]]);
    assert.deepEqual(await rowsOf(life, 8), []);
  });

  test("one that was filled before its answer came is looked up at once", async () => {
    const life = await startLife();
    const brokerage = brokerageOf(life);
    brokerage.answers.set("findOrder", () => {
      const [order] = [...brokerage.orders.values()];
      assert.ok(order !== undefined);
      return { ok: true, data: { ...order, orderStatus: 2, filledQuantity: 10, averagePrice: 89 } };
    });
    await life.command(COMMANDS.placeOrder, orderBody());
    assert.deepEqual(await shown(life), [["N1", 10, 10, 89, "settled"]]);
  });

  test("a fill after its confirmed end counts, over a restart, with an alarm", async () => {
    const life = await placed();
    await tell(life, { orderStatus: 3, filledQuantity: 4, averagePrice: 90 });
    assert.deepEqual(await shown(life), [["N1", 10, 4, 90, "ended"]]);
    await life.crashAndStart();
    await tell(life, { orderStatus: 3, filledQuantity: 7, averagePrice: 90 });
    assert.deepEqual(await shown(life), [["N1", 10, 7, 90, "ended"]]);
    assert.deepEqual(toldOf(life), ["alarm.filledAfterEnd"]);
  });

  test("one that is registered as a pending OCO too: a fill after its end is one alarm, which names both (13.10)", async () => {
    const life = await placed();
    const setupId = await life.command(COMMANDS.registerSetup, {
      ...account,
      ...{ symbol: "THYAO", brokerOrderNo: "N1", stopLossQuantity: 10, stopLossPercent: 5 },
      takeProfitItems: [{ quantity: 10, percent: 10 }],
    });
    assert.ok(setupId?.ok, JSON.stringify(setupId));
    await tell(life, { orderStatus: 3, filledQuantity: 0 });
    await tell(life, { orderStatus: 3, filledQuantity: 7, averagePrice: 90 });
    assert.deepEqual(toldOf(life), ["alarm.filledAfterEnd"]);
    const alarm = life.log.find(({ fields }) => Reflect.get(fields, "event") === "alarm.filledAfterEnd")?.fields ?? {};
    assert.deepEqual(
      ["setupId", "orderId"].map((field) => typeof Reflect.get(alarm, field)),
      ["number", "number"],
    );
  });

  test("overfilled, corrected and replaced are told, and the numbers are shown", async () => {
    const life = await placed();
    await tell(life, { orderNo: "N7" });
    assert.deepEqual((await rowsOf(life))[0]?.orderNumbers, ["N1", "N7"]);
    assert.equal(((await read(life, "N7")).followed as { orderNo: string }).orderNo, "N7");
    await tell(life, { orderNo: "N7", orderStatus: 2, filledQuantity: 12, averagePrice: 90 });
    assert.deepEqual(toldOf(life), ["order.replaced", "order.overfilled"]);
    const other = await placed();
    await tell(other, { filledQuantity: 6, averagePrice: 90 });
    await tell(other, { orderStatus: 3, filledQuantity: 5, averagePrice: 90 });
    assert.deepEqual(toldOf(other), ["order.corrected"]);
    assert.deepEqual((await shown(other))[0]?.slice(2, 3), [6]);
  });

  test("another order under its number changes nothing (13.1)", async () => {
    const life = await placed();
    const [order] = [...brokerageOf(life).orders.values()];
    assert.ok(order !== undefined);
    const stranger = { ...order, orderStatus: 2, filledQuantity: 10, averagePrice: 80 } as const;
    brokerageOf(life).tell({ ...stranger, clientOrderId: "by-hand" });
    brokerageOf(life).orders.delete("by-hand");
    await life.time.advance(1_000);
    assert.deepEqual(await shown(life), [["N1", 10, 0, null, "open"]]);
  });

  test("a fill price that its limit forbids is no price, and is asked for again (13.4)", async () => {
    const life = await placed();
    await tell(life, { orderStatus: 2, filledQuantity: 10, averagePrice: 91 });
    assert.deepEqual(await shown(life), [["N1", 10, 10, null, "unclear"]]);
    const [order] = [...brokerageOf(life).orders.values()];
    assert.ok(order !== undefined);
    brokerageOf(life).orders.set(order.clientOrderId ?? "", { ...order, averagePrice: 89.5 });
    await life.time.advance(5_000);
    assert.deepEqual(await shown(life), [["N1", 10, 10, 89.5, "settled"]]);
  });

  test("a fill above 9,999,999 is a price: only prices of clients have that limit", async () => {
    const life = await placed({ orderType: 1, price: 0 });
    await tell(life, { orderStatus: 2, filledQuantity: 10, averagePrice: 12_345_678.9 });
    assert.deepEqual(await shown(life), [["N1", 10, 10, 12_345_678.9, "settled"]]);
  });

  test("one that the brokerage forgot is in doubt, over a restart, until a person decides (13.6)", async () => {
    const life = await placed();
    brokerageOf(life).answers.set("findOrder", () => no("UNKNOWN", "cannot tell"));
    await life.time.advance(60_000);
    await life.crashAndStart();
    assert.deepEqual(await shown(life), [["N1", 10, 0, null, "inDoubt"]]);
    assert.deepEqual(toldOf(life), ["order.inDoubt"]);
    const listed = async (from: string | null): Promise<Page> =>
      (await life.query(OPERATOR_QUERIES.listQuarantine, { from }, { userId: null })) as Page;
    const { rows } = await listed((await listed(null)).next);
    assert.deepEqual(
      rows.map(({ type, orderNo, reason }) => [type, orderNo, reason]),
      [
        [
          "doubt",
          "N1",
          "order N1 is in doubt, 0 of 10 known as filled: the brokerage cannot report the outcome; an operator decides",
        ],
      ],
    );
    const decision = { action: "filled", orderNo: "N1", quantity: 10, price: 89 };
    const released = await life.command(OPERATOR_COMMANDS.release, { id: rows[0]?.id, decision });
    assert.equal(released?.ok, true, JSON.stringify(released));
    assert.deepEqual(await shown(life), [["N1", 10, 10, 89, "settled"]]);
  });

  test("its number answers with what is known if the brokerage cannot show it, for its client alone", async () => {
    const life = await placed();
    await tell(life, { filledQuantity: 4, averagePrice: 90 });
    brokerageOf(life).answers.set("findOrder", () => no("NOT_FOUND"));
    const { createdDate: _, updatedDate: __, followed, ...order } = await read(life, "N1");
    assert.deepEqual(order, {
      ...{ symbol: "THYAO", quantity: 10, buySell: 1, orderNo: "N1", orderStatus: 1, orderType: 2, price: 90 },
      ...{ accountNumber: ACCOUNT.accountNumber, filledQuantity: 4, averagePrice: 90 },
      clientOrderId: (await rowsOf(life))[0]?.clientOrderId,
    });
    assert.equal((followed as { state: string }).state, "open");
    const foreign = await life.query(QUERIES.readOrder, { ...account, orderNo: "N1" }, { userId: 8 });
    refusalOf(foreign, "NOT_FOUND");
  });

  test("its client's cancel is followed by a look-up, and its end is confirmed", async () => {
    const life = await placed();
    const brokerage = brokerageOf(life);
    brokerage.answers.set("findOrder", () => {
      const [order] = [...brokerage.orders.values()];
      assert.ok(order !== undefined);
      return { ok: true, data: { ...order, orderStatus: 3, endedBy: "owner" } };
    });
    await life.command(COMMANDS.cancelOrder, { ...account, orderNo: "N1", symbol: "THYAO" });
    await life.time.advance(1_000);
    assert.deepEqual(await shown(life), [["N1", 10, 0, null, "ended"]]);
  });

  test("a process that dies while it is on its way follows it once it is settled", async () => {
    const life = await startLife();
    brokerageOf(life).isMute = true;
    life.begin(COMMANDS.placeOrder, orderBody({ orderType: 2, price: 90 }), { key: "k" });
    await life.time.advance(100);
    brokerageOf(life).isMute = false;
    await life.crashAndStart();
    await life.time.advance(120_000);
    assert.deepEqual(await shown(life), [["N1", 10, 0, null, "open"]]);
    await tell(life, { orderStatus: 2, filledQuantity: 10, averagePrice: 90 });
    assert.deepEqual(await shown(life), [["N1", 10, 10, 90, "settled"]]);
  });

  test("a day after it is settled nothing of it is stored", async () => {
    const life = await placed();
    await tell(life, { orderStatus: 2, filledQuantity: 10, averagePrice: 90 });
    assert.equal(storedActors(life), 1);
    life.time.stepClock(DAY_MS - 60_000);
    await life.time.advance(1_000);
    assert.equal((await shown(life)).length, 1);
    await life.time.advance(120_000);
    assert.deepEqual([await shown(life), storedActors(life)], [[], 0]);
    await life.crashAndStart();
    assert.deepEqual(await shown(life), []);
  });

  test("a start asks for no order that is settled, and for one that ended with a rest within the hour", async () => {
    const life = await placed();
    await tell(life, { orderStatus: 2, filledQuantity: 10, averagePrice: 90 });
    const asked = brokerageOf(life).callsOf("findOrder").length;
    await life.crashAndStart();
    await life.time.advance(5_000);
    assert.equal(brokerageOf(life).callsOf("findOrder").length, asked);
    const other = await placed();
    await tell(other, { orderStatus: 3, filledQuantity: 4, averagePrice: 90 });
    const before = brokerageOf(other).callsOf("findOrder").length;
    await other.crashAndStart();
    await other.time.advance(5_000);
    assert.ok(brokerageOf(other).callsOf("findOrder").length > before);
  });

  test("costs no batch of its own: it is in the one that takes the order out of the outbox", async () => {
    const life = await startLife();
    const batches: string[][] = [];
    const commit = life.disk.commit.bind(life.disk);
    life.disk.commit = (batch) => {
      batches.push(batch.map(({ type, key }) => `${type} ${key}`));
      commit(batch);
    };
    await life.command(COMMANDS.placeOrder, orderBody({ orderType: 2, price: 90 }));
    const outcome = batches.findIndex((keys) => keys.some((key) => /^(del|delete) o\/\d/.test(key)));
    const followed = batches.findIndex((keys) => keys.some((key) => key.startsWith("put a/")));
    assert.notEqual(outcome, -1, JSON.stringify(batches));
    assert.equal(followed, outcome);
  });

  test("is refused without a trace: nothing is followed", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("place", () => no("REJECTED", "no cash"));
    await life.command(COMMANDS.placeOrder, orderBody());
    assert.deepEqual([await shown(life), storedActors(life)], [[], 0]);
  });
});

describe("an order that the brokerage refused", () => {
  test("and reports as filled afterwards raises an alarm, once for each number of lots", async () => {
    const life = await startLife();
    let name = "";
    brokerageOf(life).answers.set("place", ({ clientOrderId }: PlaceRequest) => {
      name = clientOrderId;
      return no("REJECTED", "no cash");
    });
    const reply = await life.command(COMMANDS.placeOrder, orderBody({ orderType: 2, price: 90 }));
    assert.match(refusalOf(reply, "INVALID"), /no cash/);
    for (const filledQuantity of [0, 4, 4, 10]) {
      brokerageOf(life).tell({
        ...{ accountNumber: ACCOUNT.accountNumber, orderNo: "N7", clientOrderId: name, symbol: "THYAO", quantity: 10 },
        ...{ buySell: 1, orderType: 2, price: 90, orderStatus: 1, filledQuantity, averagePrice: 90, message: null },
        ...{ createdDate: "2026-03-02T07:00:00Z", updatedDate: null },
      });
      await life.time.advance(1_000);
    }
    const alarms = life.log.filter(({ fields }) => Reflect.get(fields, "event") === "alarm.filledAfterEnd");
    assert.deepEqual(
      alarms.map(({ fields }) => Reflect.get(fields, "quantity")),
      [4, 6],
    );
  });
});

describe("orders of chains and batches", () => {
  test("an order of a chain waits for its reference, and is followed like any other", async () => {
    const life = await placed({ referenceOrderNo: "N0", buySell: 2 }, COMMANDS.chainOrder);
    await tell(life, { orderStatus: 0 });
    assert.deepEqual(await shown(life), [["N1", 10, 0, null, "open"]]);
    await tell(life, { orderStatus: 3, filledQuantity: 0 });
    assert.deepEqual(await shown(life), [["N1", 10, 0, null, "ended"]]);
    await tell(life, { orderStatus: 2, filledQuantity: 10, averagePrice: 90 });
    assert.deepEqual(await shown(life), [["N1", 10, 10, 90, "settled"]]);
    assert.deepEqual(toldOf(life), ["alarm.filledAfterEnd"]);
  });

  test("every item of a batch is an order of its own", async () => {
    const life = await startLife();
    const items = [1, 2, 3].map((quantity) => ({ symbol: "THYAO", quantity, buySell: 1, orderType: 1, price: 0 }));
    await life.command(COMMANDS.placeBatch, { ...account, items });
    assert.deepEqual(
      (await rowsOf(life)).map(({ quantity }) => quantity),
      [1, 2, 3],
    );
  });
});
