/** Orders on their way, updates about others, a pending setup's order, questions answered with nonsense (catalogue 62, 63, 68, 69). */
import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import fc from "../../support/property.ts";
import { type OcoRow, until } from "../support/app.ts";
import { GatewayWorld } from "../support/gateway-world.ts";
import { PENDING, pendingOf } from "../support/group.ts";
import { assertLoggedEvent, assertNoFault, assertRefusal, messageOf } from "../support/table.ts";

const world = await GatewayWorld.start();
const { app, user } = world;
after(() => app.stop());
afterEach(async () => {
  await world.clear();
  assertNoFault(app);
});

describe("what is on its way", () => {
  test("a stop-loss in flight is Active and cannot be cancelled; its take-profits can, and fire no more", async () => {
    const one = world.gateway("NAMED");
    let answer: (reply: unknown) => void = () => undefined;
    one.on("place", (request) => new Promise((resolve) => (answer = () => resolve(one.accept(request)))));
    const { groupId } = await world.arm("NAMED");
    await app.tick("THYAO", 89);
    await app.tick("THYAO", 130);
    assert.deepEqual(await world.statuses("NAMED", groupId), [1, 1]);
    assert.equal((await world.cancelAt("NAMED", groupId)).status, 200);
    assert.deepEqual(await world.statuses("NAMED", groupId), [1, 4]);
    for (const { id } of await world.group("NAMED", groupId)) {
      const refused = await world.cancelAt("NAMED", id);
      assertRefusal(refused);
      assert.match(messageOf(refused), /no Active row that can be cancelled/);
    }
    one.on("place", undefined);
    answer(undefined);
    await world.untilStatuses("NAMED", groupId, [2, 4]);
    assert.equal(new Set(one.sends.map(({ clientOrderId }) => clientOrderId)).size, 1);
  });

  test("a stop-loss fires while a take-profit is in flight: both are sent, each once", async () => {
    const one = world.gateway("ASKED");
    const before = one.orders.size;
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    one.on("place", async (request) => {
      await isReleased;
      return one.accept(request);
    });
    const items = [110, 120].map((price) => ({ price, quantity: 4 }));
    const { groupId } = await world.arm("ASKED", { takeProfitItems: items });
    await app.tick("THYAO", 111);
    await app.tick("THYAO", 89);
    release();
    await world.untilStatuses("ASKED", groupId, [2, 2, 4]);
    assert.equal(one.orders.size, before + 2);
  });

  test("an update that comes before the answer, and answers that repeat, change nothing", async () => {
    const one = world.gateway("ASKED");
    one.on("place", async (request) => {
      const reply = one.accept(request);
      for (let time = 0; time < 3; time += 1) await one.update(one.orders.get(request.clientOrderId));
      return reply;
    });
    const { groupId } = await world.arm("ASKED");
    await app.tick("THYAO", 111);
    await world.untilStatuses("ASKED", groupId, [1, 2]);
    const order = { ...one.orders.get(one.sends[0]?.clientOrderId ?? "") };
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
    assert.deepEqual(await world.statuses("ASKED", groupId), [1, 2]);
    assert.equal(one.sends.length, 1);
  });

  test("two orders that are given the same number: the second is found out, not believed", async () => {
    const one = world.gateway("ASKED");
    one.on("place", (request) => {
      one.accept(request);
      return { ok: true, data: { orderNo: "SAME", orderStatus: 2 } };
    });
    const first = await world.arm("ASKED");
    const second = await world.arm("ASKED", { symbol: "AKBNK" });
    await app.tick("THYAO", 111);
    await world.untilStatuses("ASKED", first.groupId, [1, 2]);
    await app.tick("AKBNK", 111);
    await world.untilStatuses("ASKED", second.groupId, [1, 2]);
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
    await world.arm("ASKED");
    const before = await app.fingerprint();
    for (const update of updates) await world.gateway("ASKED").update(update);
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), (text) => world.gateway("ASKED").update(text)),
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
  } as const;
  let count = 0;

  async function register(
    change: object = {},
  ): Promise<{ readonly orderNo: string; readonly record: object; readonly setup: string }> {
    const one = world.gateway("ASKED");
    count += 1;
    const orderNo = `BUY-${count}`;
    const accountNumber = `ASKED-${user.userId}`;
    const asked = { ...BUY, userId: user.userId, accountNumber, clientOrderId: `hand-${count}`, symbol: "HALKB" };
    const record = one.recordOf(asked, orderNo, { ...BUY, clientOrderId: null, ...change });
    one.orders.set(`hand-${count}`, record);
    const json = pendingOf(user, orderNo, { brokerageCode: "ASKED", accountNumber, symbol: "HALKB" });
    const answer = await app.send("POST", PENDING, { token: user.token, json });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(Number.isSafeInteger(answer.body.data));
    return { orderNo, record, setup: `"setupId":${answer.body.data},` };
  }

  const activeRows = async (): Promise<OcoRow[]> => (await world.rowsAt("ASKED")).filter(({ status }) => status === 1);
  const made = async (): Promise<OcoRow[]> => (await activeRows()).filter(({ symbol }) => symbol === "HALKB");
  const tell = async (record: object, change: object): Promise<void> => {
    const told = { ...record, ...change };
    world.gateway("ASKED").orders.set(`hand-${count}`, told);
    await world.gateway("ASKED").update(told);
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

  test("that completes after it was cancelled, even after a part fill, becomes its group after all (behaviour 5.7)", async () => {
    const { record } = await register();
    await tell(record, { orderStatus: 1, filledQuantity: 4, averagePrice: 100 });
    await tell(record, { orderStatus: 3, filledQuantity: 4, averagePrice: 100 });
    assert.deepEqual(await made(), []);
    for (let time = 0; time < 2; time += 1) await tell(record, completed);
    await until(async () => (await made()).length > 0);
    assert.deepEqual(
      (await made()).map(({ price, quantity }) => [price, quantity]),
      [
        [97, 10],
        [105, 5],
      ],
    );
  });

  test("that completes at 0.001, too little for its levels: no group, and the setup has ended", async () => {
    const { record, setup } = await register();
    await tell(record, { ...completed, averagePrice: 0.001 });
    await assertLoggedEvent(app, "setup.conversionFailed", setup, "gives no price on the tick table");
    await tell(record, completed);
    assert.deepEqual(await made(), []);
  });

  for (const averagePrice of [0, 1e300, 20_000_000]) {
    test(`that completes at ${averagePrice}, which is no price: waits for a record with one, and becomes one group`, async () => {
      const { record } = await register();
      await tell(record, { ...completed, averagePrice });
      assert.deepEqual(await made(), []);
      for (let time = 0; time < 2; time += 1) await tell(record, completed);
      await until(async () => (await made()).length > 0);
      assert.deepEqual(
        (await made()).map(({ price, quantity }) => [price, quantity]),
        [
          [97, 10],
          [105, 5],
        ],
      );
    });
  }

  const otherBuys = [
    ["symbol", { symbol: "GARAN" }],
    ["side", { buySell: 2 }],
  ] as const;
  for (const [field, change] of otherBuys) {
    test(`whose update names another ${field}: that is another order, and the order's own fill makes the group`, async () => {
      const { record } = await register();
      await world.gateway("ASKED").update({ ...record, ...completed, ...change });
      await app.settle();
      assert.deepEqual(await activeRows(), []);
      await tell(record, completed);
      await until(async () => (await activeRows()).length === 2);
      assert.deepEqual(await made(), await activeRows());
    });
  }

  test("whose update names another account: that one changes nothing, and the order's own fill makes the group", async () => {
    const { record } = await register();
    await world.gateway("ASKED").update({ ...record, ...completed, accountNumber: "ASKED-999" });
    await app.settle();
    assert.deepEqual(await activeRows(), []);
    await tell(record, completed);
    await until(async () => (await activeRows()).length === 2);
    assert.deepEqual(await made(), await activeRows());
  });
});

describe("answers to questions that make no sense", () => {
  test("are 503 in the envelope, with nothing of them in it", async () => {
    const one = world.gateway("ASKED");
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
      world.gateway("NAMED").on("accounts", () => reply);
      const { status, body } = await app.send("GET", "/api/v1/accounts", { token: user.token });
      assert.equal(status, 200);
      const codes = (body.data as { brokerageCode: string }[]).map(({ brokerageCode }) => brokerageCode);
      assert.deepEqual(codes, ["PAPER", "ASKED", "TIMED", "BLIND"]);
    }
  });
});
