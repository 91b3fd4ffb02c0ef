import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { ACCOUNT, brokerageOf, FakeBrokerage, no, orderBody, refusalOf, startLife } from "../harness.ts";

describe("order.place", () => {
  test("answers with the placement result of the specification and nothing else", async () => {
    const life = await startLife();
    const reply = await life.command("order.place", orderBody());
    assert.deepEqual(reply, {
      ok: true,
      data: { symbol: "THYAO", quantity: 10, buySell: 1, orderNo: "N1", orderStatus: 1 },
    });
  });

  test("sends the account's own number, also when the order named it by its number at the brokerage", async () => {
    const life = await startLife();
    await life.command("order.place", orderBody({ accountNumber: ACCOUNT.number }));
    const [sent] = brokerageOf(life).callsOf("place") as PlaceRequest[];
    assert.equal(sent?.accountNumber, ACCOUNT.accountNumber);
  });

  test("every order gets a name of its own, also after a restart", async () => {
    const life = await startLife();
    await life.command("order.place", orderBody());
    await life.command("order.place", orderBody());
    await life.crashAndStart();
    await life.command("order.place", orderBody());
    const names = (brokerageOf(life).callsOf("place") as PlaceRequest[]).map((request) => request.clientOrderId);
    assert.equal(new Set(names).size, 3);
    for (const name of names) assert.match(name, /^abcdefghij-c\d+$/);
  });

  const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, string, RegExp])[] = [
    ["a market order with a price", { price: 10 }, "INVALID", /price 10 of a market order must be 0/],
    ["a limit order without a price", { orderType: 2, price: undefined }, "INVALID", /price is required/],
    ["a limit price off the tick table", { orderType: 2, price: 20.01 }, "INVALID", /price 20.01 is not a multiple/],
    ["a quantity of 0", { quantity: 0 }, "INVALID", /quantity must be at least 1/],
    ["buySell 3", { buySell: 3 }, "INVALID", /buySell must be 1/],
    ["orderType 3", { orderType: 3 }, "INVALID", /orderType must be 1/],
    ["an unknown symbol", { symbol: "NOPE" }, "INVALID", /symbol NOPE is not known/],
    ["a missing symbol", { symbol: undefined }, "INVALID", /^symbol is required$/],
    ["a price as text", { price: "0" }, "INVALID", /^price must be a number$/],
    ["an unknown brokerage", { brokerageCode: "paper" }, "INVALID", /brokerageCode is not known/],
    ["another's account", { accountNumber: "A-8" }, "FORBIDDEN", /not one of your accounts/],
  ];
  for (const [name, fields, code, message] of refused) {
    test(`refuses ${name} and sends nothing`, async () => {
      const life = await startLife();
      assert.match(refusalOf(await life.command("order.place", orderBody(fields)), code), message);
      assert.deepEqual(brokerageOf(life).callsOf("place"), []);
    });
  }

  const answers = [
    ["REJECTED", "INVALID", /refused the order: no cash/],
    ["UNAUTHORIZED", "FORBIDDEN", /log in/],
  ] as const;
  for (const [code, expected, message] of answers) {
    test(`${code} from the brokerage is ${expected} to the client`, async () => {
      const life = await startLife();
      brokerageOf(life).answers.set("place", () => no(code, "no cash"));
      assert.match(refusalOf(await life.command("order.place", orderBody()), expected), message);
    });
  }

  test("a chain order names its reference order to the brokerage", async () => {
    const life = await startLife();
    const reply = await life.command("order.chain", orderBody({ referenceOrderNo: "N0" }));
    assert.equal(reply?.ok, true);
    const [sent] = brokerageOf(life).callsOf("chain") as { referenceOrderNo?: string }[];
    assert.equal(sent?.referenceOrderNo, "N0");
    assert.deepEqual(brokerageOf(life).callsOf("place"), []);
  });

  test("a brokerage that does not answer leaves the outcome open: 503 in words that say so, before 30 s", async () => {
    const life = await startLife();
    brokerageOf(life).isMute = true;
    const reply = await life.command("order.place", orderBody(), { forMs: 29_000 });
    assert.match(refusalOf(reply, "UNAVAILABLE"), /not answered yet.*Idempotency-Key.*daily orders/);
  });
});

describe("an order that was not sent while its client waited", () => {
  const life1 = () => startLife(new FakeBrokerage("PAPER", { ordersPerMinute: 1 }));

  test("is taken back and told so: it never leaves, and its key is free", async () => {
    const life = await life1();
    assert.equal((await life.command("order.place", orderBody()))?.ok, true);
    const reply = await life.command("order.place", orderBody(), { key: "k", forMs: 28_000 });
    assert.match(refusalOf(reply, "UNAVAILABLE"), /was not sent.*no order exists/);
    await life.time.advance(120_000);
    assert.equal(brokerageOf(life).orders.size, 1);
    assert.equal((await life.command("order.place", orderBody(), { key: "k" }))?.ok, true);
    assert.equal(brokerageOf(life).orders.size, 2);
  });

  test("of a batch is taken back alone: the others keep their answers", async () => {
    const life = await life1();
    const item = { symbol: "THYAO", quantity: 10, buySell: 1, orderType: 2, price: 100 };
    const body = { brokerageCode: "PAPER", accountNumber: "A-7", items: [item, item] };
    const reply = await life.command("order.batch", body, { forMs: 28_000 });
    assert.ok(reply?.ok);
    assert.equal(reply.message, "1 of 2 orders were placed");
    await life.time.advance(120_000);
    assert.equal(brokerageOf(life).orders.size, 1);
  });
});

test("pruning keeps a key that was used again since its page was read", async () => {
  const life = await startLife();
  assert.equal((await life.command("order.place", orderBody(), { key: "k" }))?.ok, true);
  // A minute after the last hourly pruning that found it too young.
  await life.time.advance(24 * 3_600_000 + 60_000);
  // The accounts are known now, so that the next command is decided in the very next turn.
  assert.equal((await life.command("order.place", orderBody()))?.ok, true);
  brokerageOf(life).isMute = true;
  const again = life.begin("order.place", orderBody(), { key: "k" });
  for (let index = 0; index < 20; index += 1) await Promise.resolve();
  void life.partition.commands.prune();
  await life.time.advance(30_000);
  refusalOf(again(), "UNAVAILABLE");
  refusalOf(await life.command("order.place", orderBody(), { key: "k" }), "CONFLICT");
});

describe("Idempotency-Key on orders", () => {
  test("a repeat gets the first answer and no second order; another body is refused", async () => {
    const life = await startLife();
    const first = await life.command("order.place", orderBody(), { key: "k" });
    assert.deepEqual(await life.command("order.place", orderBody(), { key: "k" }), first);
    refusalOf(await life.command("order.place", orderBody(), { key: "k", fingerprint: "other" }), "UNPROCESSABLE");
    assert.equal(brokerageOf(life).orders.size, 1);
  });

  test("while the first is under way a repeat is refused, also when the first client was told to wait", async () => {
    const life = await startLife();
    brokerageOf(life).isMute = true;
    refusalOf(await life.command("order.place", orderBody(), { key: "k", forMs: 28_000 }), "UNAVAILABLE");
    refusalOf(await life.command("order.place", orderBody(), { key: "k" }), "CONFLICT");
  });

  test("an outcome that came late is the answer to the repeat", async () => {
    const life = await startLife();
    let answer: (() => void) | undefined;
    brokerageOf(life).answers.set(
      "place",
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ ok: true, data: { orderNo: "LATE", orderStatus: 1 } });
        }),
    );
    refusalOf(await life.command("order.place", orderBody(), { key: "k", forMs: 28_000 }), "UNAVAILABLE");
    answer?.();
    await life.time.advance(100);
    const reply = await life.command("order.place", orderBody(), { key: "k" });
    assert.ok(reply?.ok);
    assert.equal((reply.data as { orderNo: string }).orderNo, "LATE");
    assert.equal(brokerageOf(life).callsOf("place").length, 1);
  });

  test("a crash between sending and answering: after it the repeat gets the answer, and no second order is made", async () => {
    const life = await startLife();
    brokerageOf(life).isMute = true;
    assert.equal(await life.command("order.place", orderBody(), { key: "k", forMs: 1_000 }), undefined);
    assert.equal(brokerageOf(life).orders.size, 1);
    brokerageOf(life).isMute = false;
    await life.crashAndStart();
    await life.time.advance(60_000);
    const reply = await life.command("order.place", orderBody(), { key: "k" });
    assert.deepEqual(reply, {
      ok: true,
      data: { symbol: "THYAO", quantity: 10, buySell: 1, orderNo: "N1", orderStatus: 1 },
    });
    assert.equal(brokerageOf(life).orders.size, 1);
  });

  test("what came to nothing by a fault may be tried again under its key", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("place", () => no("NOT_SENT"));
    refusalOf(await life.command("order.place", orderBody(), { key: "k", forMs: 29_000 }), "UNAVAILABLE");
    await life.time.advance(60_000);
    brokerageOf(life).answers.clear();
    assert.equal((await life.command("order.place", orderBody(), { key: "k", forMs: 5_000 }))?.ok, true);
    assert.equal(brokerageOf(life).orders.size, 1);
  });

  test("a brokerage's refusal is final under its key", async () => {
    const life = await startLife();
    brokerageOf(life).answers.set("place", () => no("REJECTED", "no cash"));
    refusalOf(await life.command("order.place", orderBody(), { key: "k" }), "INVALID");
    brokerageOf(life).answers.clear();
    refusalOf(await life.command("order.place", orderBody(), { key: "k" }), "INVALID");
    assert.equal(brokerageOf(life).orders.size, 0);
  });
});

describe("order.cancel", () => {
  const body = { brokerageCode: "PAPER", accountNumber: "0007", orderNo: "N1", symbol: "THYAO" };

  test("goes to the brokerage with the account's own number and answers true", async () => {
    const life = await startLife();
    assert.deepEqual(await life.command("order.cancel", body), { ok: true, data: true });
    const fence = { partition: 0, epoch: 0, attempt: 0 };
    const sent = { userId: 7, accountNumber: "A-7", orderNo: "N1", symbol: "THYAO", fence };
    assert.deepEqual(brokerageOf(life).callsOf("cancel"), [sent]);
  });

  const answers = [
    ["REJECTED", "INVALID", /it is completed/],
    ["NOT_FOUND", "NOT_FOUND", /does not know/],
    ["UNAUTHORIZED", "FORBIDDEN", /log in/],
    ["NOT_SENT", "UNAVAILABLE", /nothing was cancelled/],
    ["FENCED", "UNAVAILABLE", /nothing was cancelled/],
    ["UNAVAILABLE", "UNAVAILABLE", /may have been cancelled/],
    ["UNKNOWN", "UNAVAILABLE", /may have been cancelled/],
  ] as const;
  for (const [code, expected, message] of answers) {
    test(`${code} from the brokerage is ${expected} to the client`, async () => {
      const life = await startLife();
      brokerageOf(life).answers.set("cancel", () => no(code, "it is completed"));
      assert.match(refusalOf(await life.command("order.cancel", body), expected), message);
    });
  }

  for (const [orderStatus, code, message] of [
    [1, "UNAVAILABLE", /may have been cancelled/],
    [2, "INVALID", /it is completed or rejected/],
    [4, "INVALID", /it is completed or rejected/],
  ] as const) {
    test(`an answer with status ${orderStatus} is no cancellation, alone or in a batch`, async () => {
      const life = await startLife();
      brokerageOf(life).answers.set("cancel", () => ({ ok: true, data: { orderNo: "N1", orderStatus } }));
      assert.match(refusalOf(await life.command("order.cancel", body), code), message);
      const items = [{ orderNo: "N1", symbol: "THYAO" }];
      const { brokerageCode, accountNumber } = body;
      const batch = await life.command("order.cancelBatch", { brokerageCode, accountNumber, items });
      assert.ok(batch?.ok === false || /0 of 1/.test(JSON.stringify(batch)), JSON.stringify(batch));
      assert.ok(life.log.every(({ fields }) => !("type" in fields && fields.type === "order.cancelled")));
    });
  }

  test("another's account is refused and nothing is sent", async () => {
    const life = await startLife();
    refusalOf(await life.command("order.cancel", { ...body, accountNumber: "A-8" }), "FORBIDDEN");
    assert.deepEqual(brokerageOf(life).callsOf("cancel"), []);
  });

  test("a keyed repeat gets the first answer without asking the brokerage again", async () => {
    const life = await startLife(new FakeBrokerage());
    const first = await life.command("order.cancel", body, { key: "k" });
    await life.crashAndStart();
    assert.deepEqual(await life.command("order.cancel", body, { key: "k" }), first);
    assert.equal(brokerageOf(life).callsOf("cancel").length, 1);
  });
});
