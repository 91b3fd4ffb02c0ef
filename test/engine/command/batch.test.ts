import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { partId, readPartId, replyOfParts } from "../../../engine/command/batch.ts";
import type { Reply } from "../../../src/contract/command.ts";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";
import { brokerageOf, type Life, no, refusalOf, startLife } from "./harness.ts";

function batchOf(...items: readonly unknown[]): object {
  return { brokerageCode: "PAPER", accountNumber: "A-7", items };
}

const item = (quantity: unknown, fields: object = {}): object => ({
  symbol: "THYAO",
  quantity,
  buySell: 1,
  orderType: 1,
  price: 0,
  ...fields,
});

interface ItemResult {
  readonly success: boolean;
  readonly message: string;
  readonly data: { readonly quantity: number; readonly orderNo: string } | null;
}

function itemsOf(reply: Reply | undefined): readonly ItemResult[] {
  assert.ok(reply?.ok, JSON.stringify(reply));
  return reply.data as ItemResult[];
}

const quantitiesSent = (life: Life): number[] =>
  (brokerageOf(life).callsOf("place") as PlaceRequest[]).map((request) => request.quantity);

describe("order.batch", () => {
  test("answers item by item in order, and one failed item does not stop the rest", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("place", ({ quantity }: PlaceRequest) =>
      quantity === 4 ? no("REJECTED", "no cash") : { ok: true, data: { orderNo: `N${quantity}`, orderStatus: 1 } },
    );
    const body = batchOf(item(1), item(0), item("2"), item(3), null, item(4), { symbol: "THYAO" }, item(5));
    const reply = await life.command("order.batch", body, { forMs: 1_000 });
    const items = itemsOf(reply);
    assert.deepEqual(
      items.map(({ success, data }) => [success, data?.orderNo ?? null]),
      [
        [true, "N1"],
        [false, null],
        [false, null],
        [true, "N3"],
        [false, null],
        [false, null],
        [false, null],
        [true, "N5"],
      ],
    );
    assert.match(items[1]?.message ?? "", /quantity must be at least 1/);
    assert.match(items[2]?.message ?? "", /quantity must be a number/);
    assert.match(items[4]?.message ?? "", /^items\[4\] must be an object$/);
    assert.match(items[5]?.message ?? "", /no cash/);
    assert.match(items[6]?.message ?? "", /quantity is required/);
    assert.equal(reply?.ok && reply.message, "3 of 8 orders were placed");
    assert.deepEqual(items[0]?.data, { symbol: "THYAO", quantity: 1, buySell: 1, orderNo: "N1", orderStatus: 1 });
  });

  test("says of an item what its status says, and counts none as placed that the brokerage ended", async () => {
    const life = await startLife();
    const place = ({ quantity }: PlaceRequest) => ({
      ok: true as const,
      data: { orderNo: `N${quantity}`, orderStatus: quantity as 1 | 2 | 3 },
    });
    brokerageOf(life).answers.set("place", place);
    const reply = await life.command("order.batch", batchOf(item(1), item(2), item(3)), { forMs: 1_000 });
    assert.deepEqual(
      itemsOf(reply).map(({ success, message }) => [success, message]),
      [
        [true, "the order was placed"],
        [true, "the order was placed"],
        [true, "the order was cancelled by the brokerage"],
      ],
    );
    assert.equal(reply?.ok && reply.message, "2 of 3 orders were placed");
  });

  test("sends its orders one after the other as they stand", async () => {
    const life = await startLife();
    await life.command("order.batch", batchOf(item(3), item(1), item(2)), { forMs: 1_000 });
    assert.deepEqual(quantitiesSent(life), [3, 1, 2]);
  });

  test("a batch of which nothing can be sent answers at once", async () => {
    const life = await startLife();
    const items = itemsOf(await life.command("order.batch", batchOf(item(0), item(0)), { key: "k" }));
    assert.deepEqual(
      items.map(({ success }) => success),
      [false, false],
    );
    assert.deepEqual(itemsOf(await life.command("order.batch", batchOf(item(0), item(0)), { key: "k" })), items);
  });

  const whole: readonly (readonly [string, object, string])[] = [
    ["no items", { brokerageCode: "PAPER", accountNumber: "A-7" }, "INVALID"],
    ["an empty list", batchOf(), "INVALID"],
    ["101 items", batchOf(...Array.from({ length: 101 }, () => item(1))), "INVALID"],
    ["an unknown brokerage", { ...batchOf(item(1)), brokerageCode: "X" }, "INVALID"],
    ["another's account", { ...batchOf(item(1)), accountNumber: "A-8" }, "FORBIDDEN"],
  ];
  for (const [name, body, code] of whole) {
    test(`${name} refuses the batch whole`, async () => {
      const life = await startLife();
      refusalOf(await life.command("order.batch", body), code);
      assert.deepEqual(quantitiesSent(life), []);
    });
  }

  test("100 items are placed, each with a name of its own", async () => {
    const life = await startLife();
    const body = batchOf(...Array.from({ length: 100 }, (_, index) => item(index + 1)));
    const items = itemsOf(await life.command("order.batch", body, { forMs: 20_000 }));
    assert.deepEqual(
      items.map(({ data }) => data?.quantity),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    assert.equal(brokerageOf(life).orders.size, 100);
  });

  test("a keyed batch cut short by a crash is completed: the repeat gets every item, and no order twice", async () => {
    const life = await startLife();
    const brokerage = brokerageOf(life);
    brokerage.answers.set("place", ({ quantity }: PlaceRequest) =>
      quantity === 2 ? new Promise(() => undefined) : (undefined as never),
    );
    const body = batchOf(item(1), item(0), item(2), item(3));
    assert.equal(await life.command("order.batch", body, { key: "k#0/part/1/", forMs: 1_000 }), undefined);
    brokerage.answers.clear();
    await life.crashAndStart();
    await life.time.advance(60_000);
    const reply = await life.command("order.batch", body, { key: "k#0/part/1/" });
    assert.deepEqual(
      itemsOf(reply).map(({ success, data }) => [success, data?.quantity ?? null]),
      [
        [true, 1],
        [false, null],
        [true, 2],
        [true, 3],
      ],
    );
    assert.equal(brokerage.orders.size, 3);
  });

  test("a repeat while some items are open is refused", async () => {
    const life = await startLife();
    brokerageOf(life).isMute = true;
    await life.command("order.batch", batchOf(item(1), item(0)), { key: "k", forMs: 28_000 });
    refusalOf(await life.command("order.batch", batchOf(item(1), item(0)), { key: "k" }), "CONFLICT");
  });

  test("a batch of which every order came to nothing by a fault may be tried again under its key", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("place", () => no("NOT_SENT"));
    await life.command("order.batch", batchOf(item(1), item(2)), { key: "k", forMs: 90_000 });
    brokerageOf(life).answers.clear();
    const items = itemsOf(await life.command("order.batch", batchOf(item(1), item(2)), { key: "k", forMs: 5_000 }));
    assert.deepEqual(
      items.map(({ success }) => success),
      [true, true],
    );
  });
});

describe("order.cancelBatch", () => {
  const bodyOf = (...items: readonly unknown[]): object => ({ brokerageCode: "PAPER", accountNumber: "A-7", items });

  test("says how many were cancelled; what cannot be cancelled does not stop the rest", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("cancel", ({ orderNo }: { orderNo: string }) =>
      orderNo === "N2" ? no("REJECTED", "completed") : { ok: true, data: { orderNo, orderStatus: 3 } },
    );
    const items = ["N1", "N2", "N3", "N4", "N5"].map((orderNo) => ({ orderNo, symbol: "THYAO" }));
    const reply = await life.command("order.cancelBatch", bodyOf(...items, { orderNo: 6, symbol: "THYAO" }));
    assert.deepEqual(reply, { ok: true, data: true, message: "4 of 6 orders were cancelled" });
    assert.equal(brokerageOf(life).callsOf("cancel").length, 5);
  });

  test("an order that several items name is asked for once and counts once", async () => {
    const life = await startLife();
    const [one, two] = ["N1", "N2"].map((orderNo) => ({ orderNo, symbol: "THYAO" }));
    const reply = await life.command(
      "order.cancelBatch",
      bodyOf(one, one, two, { ...one, symbol: "GARAN" }, null, null),
    );
    assert.deepEqual(reply, { ok: true, data: true, message: "2 of 4 orders were cancelled" });
    assert.equal(brokerageOf(life).callsOf("cancel").length, 2);
    const repeat = await life.command("order.cancelBatch", bodyOf(one, one, one));
    assert.deepEqual(repeat, { ok: true, data: true, message: "1 of 1 order was cancelled" });
  });

  test("is refused whole without items, with too many, and for another's account", async () => {
    const life = await startLife();
    const one = { orderNo: "N1", symbol: "THYAO" };
    refusalOf(await life.command("order.cancelBatch", bodyOf()), "INVALID");
    refusalOf(await life.command("order.cancelBatch", bodyOf(...Array.from({ length: 101 }, () => one))), "INVALID");
    refusalOf(await life.command("order.cancelBatch", { ...bodyOf(one), accountNumber: "A-8" }), "FORBIDDEN");
    assert.deepEqual(brokerageOf(life).callsOf("cancel"), []);
  });

  test("a brokerage that cannot be reached for any of them is a fault, not an answer", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("cancel", () => no("NOT_SENT"));
    const items = ["N1", "N2"].map((orderNo) => ({ orderNo, symbol: "THYAO" }));
    refusalOf(await life.command("order.cancelBatch", bodyOf(...items), { key: "k" }), "UNAVAILABLE");
    brokerageOf(life).answers.clear();
    const reply = await life.command("order.cancelBatch", bodyOf(...items), { key: "k" });
    assert.equal(reply?.ok && reply.message, "2 of 2 orders were cancelled");
  });
});

describe("parts of a command", () => {
  test("a part's id names its command, whatever the command's id looks like, and no command's id is a part's", () => {
    for (const commandId of ["command-1", "i/0000000000000007/part/3/x", "i/0000000000000007/a\nb", "i/7/part/"]) {
      assert.deepEqual(readPartId(partId(commandId, 12)), { commandId, index: 12 });
      assert.equal(readPartId(commandId), undefined);
    }
  });

  test("there is no reply of the whole before every part has one", () => {
    assert.equal(replyOfParts([{ ok: true, data: 1 }, null]), undefined);
    assert.ok(replyOfParts([{ ok: true, data: 1 }]));
  });
});
