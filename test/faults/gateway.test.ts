/** A brokerage that answers late, wrongly, twice, about others, or with no sense at all (catalogue 58 to 69). */
import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import fc from "fast-check";
import { FaultApp, type OcoRow, PAPER, until } from "./support/app.ts";
import { type Placed, ScriptedGateway } from "./support/gateway.ts";
import { GROUPS, groupOf, PENDING, pendingOf } from "./support/group.ts";
import { assertNoFault, assertRefusal, messageOf } from "./support/table.ts";

const gatewayOf = (code: string, resend: string) => ({
  ...{ code, name: code, adapter: "gateway", resend, ordersPerMinute: 1_000_000 },
  ...{ timeoutMs: 150, settleMs: 60, expiryMs: 100 },
});
const app = await FaultApp.start({
  brokerages: [
    PAPER,
    gatewayOf("NAMED", "idempotent"),
    gatewayOf("ASKED", "query"),
    gatewayOf("TIMED", "expiry"),
    gatewayOf("BLIND", "none"),
    gatewayOf("NOBODY", "query"),
  ],
});
after(() => app.stop());
const user = await app.newUser();
const gateways = new Map(
  ["NAMED", "ASKED", "TIMED", "BLIND"].map((code) => [code, new ScriptedGateway(app.bus, code)]),
);

function gateway(code: string): ScriptedGateway {
  const found = gateways.get(code);
  assert.ok(found !== undefined);
  return found;
}

const rowsAt = (code: string): Promise<OcoRow[]> =>
  app.rows({ ...user, accountNumber: `${code}-${user.userId}` }, code);

/** A group of one take-profit at a brokerage, its symbol at 100. */
async function arm(code: string, change: object = {}): Promise<OcoRow> {
  await app.tick("THYAO", 100);
  const accountNumber = `${code}-${user.userId}`;
  const takeProfitItems = [{ price: 110, quantity: 4 }];
  const json = groupOf(user, { brokerageCode: code, accountNumber, takeProfitItems, ...change });
  const answer = await app.send("POST", GROUPS, { token: user.token, json });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data as OcoRow;
}

const cancelAt = (code: string, id: number) =>
  app.send("DELETE", `${GROUPS}/${id}?brokerageCode=${code}`, { token: user.token });

async function group(code: string, groupId: number): Promise<OcoRow[]> {
  return (await rowsAt(code)).filter((row) => row.groupId === groupId);
}

async function statuses(code: string, groupId: number): Promise<number[]> {
  return (await group(code, groupId)).map(({ status }) => status);
}

const untilStatuses = (code: string, groupId: number, expected: readonly number[]) =>
  until(async () => String(await statuses(code, groupId)) === String(expected));

afterEach(async () => {
  for (const [code, one] of gateways) {
    for (const operation of ["place", "findOrder", "accounts", "cancel", "login", "positions", "dailyOrders"])
      one.on(operation, undefined);
    for (const { id, status } of await rowsAt(code)) if (status === 1) await cancelAt(code, id);
    one.sends.length = 0;
  }
  assertNoFault(app);
});

const BREAKS = "a failure of its own";
/** Answers to `place` that say nothing about whether an order exists. */
const SENSELESS: readonly (readonly [string, (request: Placed) => unknown])[] = [
  ["nothing at all", () => ""],
  ["a page of HTML", () => "<html><body>502 Bad Gateway</body></html>"],
  ["JSON cut short", () => '{"ok":true,"data":{"orderNo":"N1"'],
  ["null", () => null],
  ["a number", () => 200],
  ["a list", () => [{ ok: true }]],
  ["ok as a text", () => ({ ok: "true", data: { orderNo: "N1", orderStatus: 2 } })],
  ["no data", () => ({ ok: true })],
  ["no order number", () => ({ ok: true, data: { orderStatus: 2 } })],
  ["an empty order number", () => ({ ok: true, data: { orderNo: "", orderStatus: 2 } })],
  ["a number for an order number", () => ({ ok: true, data: { orderNo: 5, orderStatus: 2 } })],
  ["an endless order number", () => ({ ok: true, data: { orderNo: "N".repeat(101), orderStatus: 2 } })],
  ["a status nobody knows", () => ({ ok: true, data: { orderNo: "N1", orderStatus: 9 } })],
  ["a refusal without a code", () => ({ ok: false, message: "no" })],
  ["a refusal with a code nobody knows", () => ({ ok: false, code: "BUSY", message: "no" })],
  ["a megabyte", () => Buffer.alloc(1_000_000, "[")],
  ["bytes that are no text", () => Buffer.from([0xff, 0xfe, 0x00, 0x7b])],
  ["silence", () => undefined],
  [
    BREAKS,
    () => {
      throw new Error("the connector broke");
    },
  ],
];

describe("an answer that makes no sense is no refusal: the order exists once, and the row is Triggered", () => {
  for (const [name, answer] of SENSELESS) {
    test(`asked after it: ${name}`, async () => {
      const one = gateway("ASKED");
      one.on("place", (request) => {
        one.accept(request);
        return answer(request);
      });
      const { groupId } = await arm("ASKED");
      await app.tick("THYAO", 111);
      await untilStatuses("ASKED", groupId, [1, 2]);
      assert.equal(one.sends.length, 1);
      if (name === BREAKS) app.log.forgive("the connector broke");
    });
  }

  for (const [name, answer] of SENSELESS.slice(0, 6)) {
    test(`sent again by its name: ${name}`, async () => {
      const one = gateway("NAMED");
      const before = one.book.size;
      one.on("place", (request, attempt) => {
        const truth = one.accept(request);
        return attempt === 1 ? answer(request) : truth;
      });
      const { groupId } = await arm("NAMED");
      await app.tick("THYAO", 111);
      await untilStatuses("NAMED", groupId, [1, 2]);
      assert.equal(new Set(one.sends.map(({ clientOrderId }) => clientOrderId)).size, 1);
      assert.equal(one.book.size, before + 1);
    });
  }

  test("looked up once it has expired", async () => {
    const one = gateway("TIMED");
    one.on("place", (request) => {
      one.accept(request);
      return "";
    });
    const { groupId } = await arm("TIMED");
    await app.tick("THYAO", 111);
    await untilStatuses("TIMED", groupId, [1, 2]);
    assert.equal(one.sends.length, 1);
  });

  test("never arrived, and the brokerage says so: it is sent anew, once", async () => {
    const one = gateway("ASKED");
    one.on("place", (request, attempt) => (attempt === 1 ? "" : one.accept(request)));
    const { groupId } = await arm("ASKED");
    await app.tick("THYAO", 111);
    await untilStatuses("ASKED", groupId, [1, 2]);
    assert.equal(one.sends.length, 2);
  });

  test("where nothing can be found out a person must decide: the row stays Active, no second order leaves", async () => {
    const one = gateway("BLIND");
    one.on("place", () => "");
    const { groupId } = await arm("BLIND", { symbol: "YKBNK" });
    await app.tick("YKBNK", 111);
    await until(() => app.log.faults.some((line) => line.includes("a person must decide")));
    await app.tick("YKBNK", 112);
    assert.deepEqual(await statuses("BLIND", groupId), [1, 1]);
    assert.equal(one.sends.length, 1);
    // This alone is rightly told as an error: somebody must look.
    app.log.forgive("a person must decide");
  });
});

describe("a refusal is final", () => {
  const refusals: readonly (readonly [string, object, RegExp])[] = [
    [
      "position sold by hand",
      { ok: false, code: "REJECTED", message: "insufficient position" },
      /^insufficient position$/,
    ],
    ["halted", { ok: false, code: "REJECTED", message: "IslemSirasiKapatma" }, /^IslemSirasiKapatma$/],
    ["no word of why", { ok: false, code: "REJECTED" }, /./],
    ["a word that is none", { ok: false, code: "REJECTED", message: { toString: 1 } }, /./],
    ["ten thousand letters", { ok: false, code: "REJECTED", message: "x".repeat(10_000) }, /^x{1,2000}$/],
    ["placed, and rejected", { ok: true, data: { orderNo: "R1", orderStatus: 4 } }, /rejected/],
  ];
  for (const [name, reply, message] of refusals) {
    test(`${name}: TriggerFailed once, and no later tick fires it`, async () => {
      const one = gateway("ASKED");
      one.on("place", () => reply);
      const { groupId } = await arm("ASKED");
      await app.tick("THYAO", 111);
      await untilStatuses("ASKED", groupId, [1, 3]);
      for (const price of [100, 111, 120]) await app.tick("THYAO", price);
      assert.equal(one.sends.length, 1);
      const failed = (await group("ASKED", groupId))[1];
      assert.match(failed?.triggerErrorMessage ?? "", message);
      assert.equal(failed?.triggeredPrice, 111);
    });
  }

  test("of a stop-loss: TriggerFailed, and the take-profits go back under watch", async () => {
    const one = gateway("ASKED");
    one.on("place", ({ quantity }) => (quantity === 10 ? { ok: false, code: "REJECTED", message: "no" } : undefined));
    const { groupId } = await arm("ASKED");
    await app.tick("THYAO", 89);
    await untilStatuses("ASKED", groupId, [3, 1]);
    one.on("place", undefined);
    await app.tick("THYAO", 111);
    await untilStatuses("ASKED", groupId, [3, 2]);
  });
});

describe("a brokerage that cannot take it now", () => {
  for (const code of ["UNAVAILABLE", "UNAUTHORIZED"]) {
    test(`${code}, three times: the same order is sent again until it is taken`, async () => {
      const one = gateway("ASKED");
      one.on("place", (request, attempt) =>
        attempt <= 3 ? { ok: false, code, message: "later" } : one.accept(request),
      );
      const { groupId } = await arm("ASKED");
      await app.tick("THYAO", 111);
      await untilStatuses("ASKED", groupId, [1, 2]);
      assert.equal(one.sends.length, 4);
      assert.equal(new Set(one.sends.map(({ clientOrderId }) => clientOrderId)).size, 1);
    });
  }

  test("nobody answers for the brokerage: requests are 503 and change nothing", async () => {
    const body = { brokerageCode: "NOBODY", accountNumber: "NOBODY-1" };
    const before = await app.fingerprint();
    for (const [path, json] of [
      [GROUPS, groupOf(user, body)],
      [PENDING, pendingOf(user, "1", body)],
      ["/api/v1/accounts/positions", body],
      ["/api/v1/orders/cancel", { ...body, orderNo: "1", symbol: "THYAO" }],
    ] as const) {
      const answer = await app.send("POST", path, { token: user.token, json });
      assert.equal(answer.status, 503, answer.text);
      assert.equal((answer.body.error as { code: string }).code, "UNAVAILABLE");
    }
    const { body: accounts } = await app.send("GET", "/api/v1/accounts", { token: user.token });
    const codes = (accounts.data as { brokerageCode: string }[]).map(({ brokerageCode }) => brokerageCode);
    assert.deepEqual(codes, ["PAPER", "NAMED", "ASKED", "TIMED", "BLIND"], "the others' accounts are there");
    assert.equal(await app.fingerprint(), before);
  });
});

describe("what is on its way", () => {
  test("a stop-loss in flight is Active and cannot be cancelled; its take-profits can, and fire no more", async () => {
    const one = gateway("NAMED");
    let answer: (reply: unknown) => void = () => undefined;
    one.on("place", (request) => new Promise((resolve) => (answer = () => resolve(one.accept(request)))));
    const { groupId } = await arm("NAMED");
    await app.tick("THYAO", 89);
    await app.tick("THYAO", 130);
    assert.deepEqual(await statuses("NAMED", groupId), [1, 1]);
    assert.equal((await cancelAt("NAMED", groupId)).status, 200);
    assert.deepEqual(await statuses("NAMED", groupId), [1, 4]);
    for (const { id } of await group("NAMED", groupId)) {
      const refused = await cancelAt("NAMED", id);
      assertRefusal(refused);
      assert.match(messageOf(refused), /no Active row that can be cancelled/);
    }
    one.on("place", undefined);
    answer(undefined);
    await untilStatuses("NAMED", groupId, [2, 4]);
    assert.equal(new Set(one.sends.map(({ clientOrderId }) => clientOrderId)).size, 1);
  });

  test("a stop-loss fires while a take-profit is in flight: both are sent, each once", async () => {
    const one = gateway("ASKED");
    const before = one.book.size;
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    one.on("place", async (request) => {
      await isReleased;
      return one.accept(request);
    });
    const items = [110, 120].map((price) => ({ price, quantity: 4 }));
    const { groupId } = await arm("ASKED", { takeProfitItems: items });
    await app.tick("THYAO", 111);
    await app.tick("THYAO", 89);
    release();
    await untilStatuses("ASKED", groupId, [2, 2, 4]);
    assert.equal(one.book.size, before + 2);
  });

  test("an update that comes before the answer, and answers that repeat, change nothing", async () => {
    const one = gateway("ASKED");
    one.on("place", async (request) => {
      const reply = one.accept(request);
      for (let time = 0; time < 3; time += 1) await one.update(one.book.get(request.clientOrderId));
      return reply;
    });
    const { groupId } = await arm("ASKED");
    await app.tick("THYAO", 111);
    await untilStatuses("ASKED", groupId, [1, 2]);
    const order = { ...one.book.get(one.sends[0]?.clientOrderId ?? "") };
    for (const change of [
      {},
      { orderStatus: 3 },
      { orderStatus: 1, filledQuantity: 1 },
      { filledQuantity: 999 },
      { orderNo: "other" },
    ]) {
      await one.update({ ...order, ...change });
    }
    await app.settle();
    assert.deepEqual(await statuses("ASKED", groupId), [1, 2]);
    assert.equal(one.sends.length, 1);
  });

  test("two orders that are given the same number: the second is found out, not believed", async () => {
    const one = gateway("ASKED");
    one.on("place", (request) => {
      one.accept(request);
      return { ok: true, data: { orderNo: "SAME", orderStatus: 2 } };
    });
    const first = await arm("ASKED");
    const second = await arm("ASKED", { symbol: "AKBNK" });
    await app.tick("THYAO", 111);
    await untilStatuses("ASKED", first.groupId, [1, 2]);
    await app.tick("AKBNK", 111);
    await untilStatuses("ASKED", second.groupId, [1, 2]);
    assert.equal(one.sends.length, 2);
    app.log.forgive("number of another order");
  });
});

describe("updates that are none", () => {
  const record = {
    orderNo: "N1",
    clientOrderId: null,
    accountNumber: "ASKED-1",
    symbol: "THYAO",
    buySell: 1,
    orderType: 1,
  };
  const whole = {
    ...record,
    quantity: 1,
    price: 0,
    orderStatus: 2,
    filledQuantity: 1,
    averagePrice: 5,
    createdDate: "x",
    updatedDate: null,
  };
  const updates: readonly unknown[] = [
    ...["", "{", "null", "[]", "5", "<html>", "undefined", Buffer.alloc(100_000, "["), Buffer.from([0xff])],
    ...[{}, record, whole, { ...whole, orderNo: "" }, { ...whole, orderNo: 5 }, { ...whole, quantity: -1 }],
    ...[
      { ...whole, averagePrice: -1 },
      { ...whole, averagePrice: "5" },
      { ...whole, orderStatus: 7 },
      { ...whole, symbol: null },
    ],
    { ...whole, __proto__: { orderNo: "N2" }, constructor: 1 },
  ];

  test("change nothing, whatever they say of whomever", async () => {
    await arm("ASKED");
    const before = await app.fingerprint();
    for (const update of updates) await gateway("ASKED").update(update);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), (text) => gateway("ASKED").update(text)),
      { numRuns: 200 },
    );
    assert.equal(await app.fingerprint(), before);
  });
});

describe("a pending setup's order", () => {
  const BUY = {
    buySell: 1,
    orderType: 2,
    price: 100,
    quantity: 10,
    orderStatus: 1,
    filledQuantity: 0,
    averagePrice: 0,
  };
  let count = 0;

  async function register(change: object = {}): Promise<{ readonly orderNo: string; readonly record: object }> {
    const one = gateway("ASKED");
    count += 1;
    const orderNo = `BUY-${count}`;
    const accountNumber = `ASKED-${user.userId}`;
    const asked = { ...BUY, userId: user.userId, accountNumber, clientOrderId: `hand-${count}`, symbol: "HALKB" };
    const record = one.recordOf(asked, orderNo, { ...BUY, clientOrderId: null, ...change });
    one.book.set(`hand-${count}`, record);
    const json = pendingOf(user, orderNo, { brokerageCode: "ASKED", accountNumber, symbol: "HALKB" });
    const answer = await app.send("POST", PENDING, { token: user.token, json });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(Number.isSafeInteger(answer.body.data));
    return { orderNo, record };
  }

  const made = async (): Promise<OcoRow[]> =>
    (await rowsAt("ASKED")).filter((row) => row.symbol === "HALKB" && row.status === 1);
  const tell = async (record: object, change: object): Promise<void> => {
    const told = { ...record, ...change };
    gateway("ASKED").book.set(`hand-${count}`, told);
    await gateway("ASKED").update(told);
    await app.settle();
  };
  const completed = { orderStatus: 2, filledQuantity: 10, averagePrice: 100 };

  test("that completes three times becomes one group, at the levels of the fill", async () => {
    const { record } = await register();
    for (let time = 0; time < 3; time += 1) await tell(record, completed);
    assert.deepEqual(
      (await made()).map(({ price, quantity }) => [price, quantity]),
      [
        [97, 10],
        [105, 5],
      ],
    );
  });

  test("that completes after it was cancelled, even after a part fill, becomes none", async () => {
    const { record, orderNo } = await register();
    await tell(record, { orderStatus: 1, filledQuantity: 4, averagePrice: 100 });
    await tell(record, { orderStatus: 3, filledQuantity: 4, averagePrice: 100 });
    await tell(record, completed);
    assert.deepEqual(await made(), []);
    const json = pendingOf(user, orderNo, {
      brokerageCode: "ASKED",
      accountNumber: `ASKED-${user.userId}`,
      symbol: "HALKB",
    });
    assert.equal((await app.send("POST", PENDING, { token: user.token, json })).status, 200, "the record is gone");
    await until(async () => (await made()).length === 2);
  });

  for (const averagePrice of [0, 0.001, 1e300, 20_000_000]) {
    test(`that completes at ${averagePrice}: no group, and the setup has ended`, async () => {
      const { record, orderNo } = await register();
      await tell(record, { ...completed, averagePrice });
      await tell(record, completed);
      assert.deepEqual(await made(), []);
      assert.ok(orderNo.length > 0);
    });
  }

  test("whose update names another symbol, account, side or quantity does not turn into somebody else's group", async () => {
    const { record } = await register();
    for (const change of [{ symbol: "GARAN" }, { buySell: 2 }, { accountNumber: "ASKED-999" }]) {
      await gateway("ASKED").update({ ...record, ...completed, ...change });
      await app.settle();
      assert.deepEqual(
        (await rowsAt("ASKED")).filter((row) => row.symbol === "GARAN"),
        [],
      );
    }
  });
});

describe("answers to questions that make no sense", () => {
  test("are 503 in the envelope, with nothing of them in it", async () => {
    const one = gateway("ASKED");
    const body = { brokerageCode: "ASKED", accountNumber: `ASKED-${user.userId}` };
    const junk = [
      "",
      "<html>secret</html>",
      "null",
      '{"ok":true}',
      '{"ok":true,"data":[{"symbol":"secret"}]}',
      '{"ok":true,"data":{}}',
    ];
    for (const reply of junk) {
      for (const operation of ["dailyOrders", "cancel", "login"]) one.on(operation, () => reply);
      for (const [path, json] of [
        ["/api/v1/orders/cancel", { ...body, orderNo: "N1", symbol: "THYAO" }],
        ["/api/v1/accounts/login", { ...body, username: "u", password: "p" }],
      ] as const) {
        const answer = await app.send("POST", path, { token: user.token, json });
        assert.equal(answer.status, 503, `${path} ${reply} ${answer.text}`);
        assert.ok(!answer.text.includes("secret"));
      }
    }
    const answer = await app.send("POST", "/api/v1/accounts/daily-orders", { token: user.token, json: body });
    assert.equal(answer.status, 503);
  });

  test("accounts that make no sense hide no other brokerage's", async () => {
    for (const reply of ["<html>", { ok: true, data: [{ accountNumber: 5 }] }, { ok: true, data: null }, undefined]) {
      gateway("NAMED").on("accounts", () => reply);
      const { status, body } = await app.send("GET", "/api/v1/accounts", { token: user.token });
      assert.equal(status, 200);
      const codes = (body.data as { brokerageCode: string }[]).map(({ brokerageCode }) => brokerageCode);
      assert.deepEqual(codes, ["PAPER", "ASKED", "TIMED", "BLIND"]);
    }
  });
});
