/** A brokerage may name an account by its `number`, regardless of the name in the request (behaviour 1.8). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS } from "../../../src/contract/command.ts";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { ACCOUNT, brokerageOf, type Life, startLife } from "./harness.ts";

const order: OrderRecord = {
  orderNo: "X1",
  clientOrderId: null,
  accountNumber: ACCOUNT.number,
  symbol: "THYAO",
  buySell: 1,
  orderType: 2,
  quantity: 10,
  price: 100,
  orderStatus: 1,
  filledQuantity: 0,
  averagePrice: 0,
  createdDate: "2026-01-05T09:00:00.000Z",
  updatedDate: null,
};
const completed: OrderRecord = { ...order, orderStatus: 2, filledQuantity: 10, averagePrice: 100 };

/** A life with a setup that waits for the order, in the state that the brokerage reports. */
async function setUp() {
  const life = await startLife();
  const brokerage = brokerageOf(life);
  let standing = order;
  brokerage.answers.set("findOrder", () => ({ ok: true, data: standing }));
  const reply = await life.command(COMMANDS.registerSetup, {
    brokerageCode: "PAPER",
    accountNumber: ACCOUNT.accountNumber,
    brokerOrderNo: "X1",
    symbol: "THYAO",
    stopLossQuantity: 10,
    stopLossPercent: 3,
    takeProfitItems: [{ quantity: 10, percent: 5 }],
  });
  assert.equal(reply?.ok, true);
  const complete = (): void => {
    standing = completed;
  };
  return { life, brokerage, complete };
}

async function rowCount(life: Life): Promise<number> {
  const page = await life.query("oco.list", { brokerageCode: "PAPER", accountNumber: ACCOUNT.accountNumber });
  assert.ok("rows" in page);
  return page.rows.length;
}

describe("a record that names the account by its number", () => {
  test("reaches who follows the order when it was asked for", async () => {
    const { life, complete } = await setUp();
    complete();
    await life.time.advance(60_000);
    assert.equal(await rowCount(life), 2);
  });

  test("has the order asked for at once when it is pushed", async () => {
    const { life, brokerage, complete } = await setUp();
    complete();
    brokerage.tell(completed);
    await life.time.advance(100);
    assert.equal(await rowCount(life), 2);
  });

  test("of another account is believed only when the order is asked for", async () => {
    const { life, brokerage } = await setUp();
    brokerage.tell({ ...completed, accountNumber: "A-8" });
    await life.time.advance(100);
    assert.equal(await rowCount(life), 0);
  });
});
