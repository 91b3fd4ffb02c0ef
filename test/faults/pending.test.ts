/** Levels from a fill price at the borders of the tick table, and registrations that come twice or too late (catalogue 11, 69). */
import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import { type Answer, type AppUser, FaultApp, type OcoRow, until } from "./support/app.ts";
import { cancelGroup, createGroup, PENDING, pendingOf } from "./support/group.ts";
import { assertLoggedEvent, assertNoFault, assertRefusal, messageOf } from "./support/table.ts";

const app = await FaultApp.start();
after(() => app.stop());
afterEach(() => assertNoFault(app));
const user = await app.newUser();

/** Buys ten at the live price; returns the order's number. */
async function buy(price: number, change: object = {}, buyer: AppUser = user): Promise<string> {
  await app.tick("THYAO", price);
  const json = {
    brokerageCode: "PAPER",
    accountNumber: buyer.accountNumber,
    symbol: "THYAO",
    quantity: 10,
    buySell: 1,
  };
  const order = { ...json, orderType: 1, price: 0, ...change };
  const answer = await app.send("POST", "/api/v1/orders", { token: buyer.token, json: order });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body.data as { orderNo: string }).orderNo;
}

const register = (orderNo: string, change: object = {}, buyer: AppUser = user) =>
  app.send("POST", PENDING, { token: buyer.token, json: pendingOf(buyer, orderNo, change) });

const active = async (): Promise<OcoRow[]> => (await app.rows(user)).filter(({ status }) => status === 1);

describe("percent levels lie on the tick table, a tie away from the fill, at least one tick from it", () => {
  const cases: readonly (readonly [number, number, number, number, number])[] = [
    // fill, stop-loss percent, take-profit percent, and the levels
    [20, 1, 1, 19.8, 20.2],
    [19.99, 0.01, 0.01, 19.98, 20],
    [20, 0.01, 0.01, 19.99, 20.02],
    [49.98, 0.01, 0.01, 49.96, 50],
    [50, 0.02, 0.05, 49.98, 50.05],
    [50, 0.001, 0.001, 49.98, 50.05],
    [99.95, 0.02, 0.03, 99.9, 100],
    [100, 0.05, 0.05, 99.95, 100.1],
    [249.9, 0.01, 0.04, 249.8, 250],
    [250, 0.04, 0.1, 249.9, 250.25],
    [500, 0.05, 0.05, 499.75, 500.5],
    [999.5, 0.01, 0.05, 999, 1000],
    [1000, 0.1, 0.05, 999, 1001],
    [2499, 0.01, 0.02, 2498, 2500],
    [2500, 0.1, 0.1, 2497, 2502.5],
    [0.02, 50, 50, 0.01, 0.03],
    [0.02, 99.99, 10_000, 0.01, 2.02],
    [3, 33.333333333333336, 33.333333333333336, 2, 4],
  ];
  for (const [fill, stopLossPercent, percent, stopLoss, takeProfit] of cases) {
    test(`${fill} less ${stopLossPercent} % is ${stopLoss}, and ${percent} % more is ${takeProfit}`, async () => {
      const orderNo = await buy(fill);
      const answer = await register(orderNo, { stopLossPercent, takeProfitItems: [{ quantity: 5, percent }] });
      assert.equal(answer.status, 200, answer.text);
      await until(async () => (await active()).length === 2);
      const rows = await active();
      assert.deepEqual(
        rows.map(({ price, quantity }) => [price, quantity]),
        [
          [stopLoss, 10],
          [takeProfit, 5],
        ],
      );
      await cancelGroup(app, user, rows[0]?.id ?? 0);
    });
  }
});

describe("a fill from which no group can come", () => {
  const NO_PRICE = "gives no price on the tick table";
  const NOT_IN_ORDER = "takeProfitItems[0].price must be higher than stopLossPrice";
  const failing: readonly (readonly [string, number, object, string])[] = [
    ["no price lies under the lowest one", 0.01, {}, NO_PRICE],
    [
      "the fixed stop-loss lies over the take-profit",
      100,
      { stopLossPercent: undefined, stopLossPrice: 110 },
      NOT_IN_ORDER,
    ],
    [
      "the fixed stop-loss lies at the take-profit",
      100,
      { stopLossPercent: undefined, stopLossPrice: 105 },
      NOT_IN_ORDER,
    ],
    [
      "the fixed take-profit lies under the stop-loss",
      100,
      { takeProfitItems: [{ quantity: 5, price: 50 }] },
      NOT_IN_ORDER,
    ],
  ];
  /** Expects an accepted registration whose setup ended without a group, for this logged reason. */
  async function assertFails({ status, body, text }: Answer, reason: string): Promise<void> {
    assert.equal(status, 200, text);
    await assertLoggedEvent(app, "setup.conversionFailed", `"setupId":${body.data},`, reason);
  }

  for (const [name, fill, change, reason] of failing) {
    test(`${name}: the setup ends, no group is made, and the order may be registered again`, async () => {
      const orderNo = await buy(fill);
      await assertFails(await register(orderNo, change), reason);
      assert.deepEqual(await active(), []);
      const again = await register(orderNo, { stopLossPercent: 50, takeProfitItems: [{ quantity: 5, percent: 100 }] });
      // From the lowest price no percentage gives a stop-loss.
      if (reason === NO_PRICE) await assertFails(again, reason);
      else await until(async () => (await active()).length === 2);
      assert.equal(again.status, 200, again.text);
      for (const { id, orderType } of await active()) if (orderType === 2) await cancelGroup(app, user, id);
    });
  }

  test("an active group of the symbol: that one stands, and no second is made", async () => {
    const orderNo = await buy(100);
    const standing = await createGroup(app, user);
    await assertFails(await register(orderNo), "an active OCO group already exists for symbol THYAO");
    await app.settle();
    assert.ok((await active()).every(({ groupId }) => groupId === standing.groupId));
    await cancelGroup(app, user, standing.id);
  });
});

describe("a registration", () => {
  const refused = async (orderNo: string, change: object, message: RegExp): Promise<void> => {
    const answer = await register(orderNo, change);
    assert.equal(answer.status, 400, answer.text);
    assertRefusal(answer, 0);
    assert.match(messageOf(answer), message);
  };

  test("of the same order comes once, also when it comes ten times at once", async () => {
    await app.tick("THYAO", 100);
    const orderNo = await buy(100, { orderType: 2, price: 90 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => register(orderNo)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    await refused(orderNo, {}, /^a pending record already exists for this brokerOrderNo$/);
    const cancel = { brokerageCode: "PAPER", accountNumber: user.accountNumber, orderNo, symbol: "THYAO" };
    assert.equal((await app.send("POST", "/api/v1/orders/cancel", { token: user.token, json: cancel })).status, 200);
    await app.settle();
    await refused(orderNo, {}, /cancelled or rejected/);
    assert.deepEqual(await active(), []);
  });

  test("of a sell, of another symbol, or of nothing is refused", async () => {
    const bought = await buy(100);
    const sold = await buy(100, { buySell: 2 });
    await refused(sold, {}, /is not a buy order/);
    await refused(bought, { symbol: "GARAN" }, /another symbol than GARAN/);
    for (const orderNo of ["0", "-1", "__proto__", "a/b", "*", "😀", "x".repeat(100)]) {
      await refused(orderNo, {}, /^brokerOrderNo is not an order of the account$/);
    }
    await refused("x".repeat(101), {}, /^brokerOrderNo must be at most 100 characters$/);
    assert.deepEqual(await active(), []);
  });

  test("waits for its order's fill, and its group is watched from then on", async () => {
    const orderNo = await buy(100, { orderType: 2, price: 90 });
    assert.equal((await register(orderNo)).status, 200);
    for (const price of [95, 90.1, 200]) await app.tick("THYAO", price);
    assert.deepEqual(await active(), []);
    await app.tick("THYAO", 90);
    await until(async () => (await active()).length === 2);
    assert.deepEqual(
      (await active()).map(({ price }) => price),
      [87.3, 94.5],
    );
    await app.tick("THYAO", 87.3);
    await until(async () => (await active()).length === 0);
    assertNoFault(app);
  });
});
