// tier: real
/** Orders by the command line: the followed orders, and one order by its number (behaviour 13). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { CommandLineWorld } from "./cli-world.ts";

const PLACE = ["--brokerage", "PAPER", "--account", "PAPER-1"];
const listed = z.array(
  z.object({ brokerageCode: z.string(), accountNumber: z.string(), orderNo: z.string(), state: z.string() }),
);
const shown = z.object({
  brokerageCode: z.string(),
  orderNo: z.string(),
  followed: z.object({ state: z.string(), owner: z.object({ type: z.string() }) }).nullable(),
});

describe("orders by the command line", () => {
  let world: CommandLineWorld;
  let orderNo = "";
  before(async () => {
    world = await CommandLineWorld.start();
    orderNo = await placeOrder(world);
  });
  after(() => world.end());

  test("are listed with their state, of all accounts or of one", async () => {
    for (const words of [[], ["--brokerage", "PAPER"], ["--account", "PAPER-1"], PLACE]) {
      const [order] = listed.parse(await world.json("orders", "list", ...words));
      assert.deepEqual(order, { brokerageCode: "PAPER", accountNumber: "PAPER-1", orderNo, state: "open" });
    }
    const table = await world.run(["orders", "list"]);
    assert.match(table.out, /^order +account +symbol +side +filled +average +state +since +owner +message\n/);
    assert.match(
      table.out,
      new RegExp(`\n${orderNo} +PAPER PAPER-1 +THYAO +buy +0 of 10 +- +open +\\S+ +client order \\d+ +-\n$`),
    );
  });

  test("are shown one by one: as the brokerage reports it, and what is known of it", async () => {
    for (const words of [[], PLACE]) {
      const order = shown.parse(await world.json("orders", "show", orderNo, ...words));
      assert.deepEqual([order.brokerageCode, order.orderNo], ["PAPER", orderNo]);
      assert.deepEqual([order.followed?.state, order.followed?.owner.type], ["open", "client"]);
    }
    const text = (await world.run(["orders", "show", orderNo])).out;
    for (const line of [
      /^order +\S+$/m,
      /^type +limit 300$/m,
      /^filled +0 of 10$/m,
      /^status +open$/m,
      /^followed +open$/m,
    ]) {
      assert.match(text, line);
    }
  });

  test("have limits, which are set as a whole and shown (behaviour 27)", async () => {
    const limits = { maxDailyLoss: 500.5, maxOrdersPerMinute: null, maxOrderValue: 100_000 };
    const words = ["--daily-loss", "500.5", "--order-value", "100000"];
    assert.equal(await world.json("limits", "set", ...PLACE, ...words), true);
    assert.deepEqual(await world.json("limits", "show", ...PLACE), {
      ...limits,
      realisedToday: 0,
      ordersLastMinute: null,
    });
    assert.equal(await world.json("limits", "set", ...PLACE), true);
    assert.match((await world.run(["limits", "show", ...PLACE])).out, /^maxDailyLoss +-$/m);
    assert.equal((await world.run(["limits", "set", ...PLACE, "--orders-per-minute", "many"])).exitCode, 64);
  });

  test("that do not exist are code 65, and so are accounts of nobody; an account of somebody else is code 77", async () => {
    const absent = await world.run(["orders", "show", "nothing"]);
    assert.deepEqual([absent.exitCode, absent.out], [65, ""]);
    assert.match(absent.err, /^error: 404: order nothing was not found\n$/);
    for (const words of [
      ["list", "--brokerage", "NOSUCH"],
      ["show", orderNo, "--account", "nothing"],
    ]) {
      const refused = await world.run(["orders", ...words]);
      assert.deepEqual([refused.exitCode, refused.out], [65, ""], refused.err);
      assert.match(refused.err, /^error: /);
    }
    const foreign = await world.run(["orders", "list", "--brokerage", "PAPER", "--account", "nothing"]);
    assert.deepEqual([foreign.exitCode, foreign.err], [77, "error: 403: accountNumber is not one of your accounts\n"]);
    assert.equal((await world.run(["orders", "show"])).exitCode, 64);
  });
});

/** A limit buy that no price reaches. */
async function placeOrder(world: CommandLineWorld): Promise<string> {
  const place = { brokerageCode: "PAPER", accountNumber: "PAPER-1", symbol: "THYAO" };
  const placed = await world.post("/api/v1/orders", { ...place, quantity: 10, buySell: 1, orderType: 2, price: 300 });
  return z.object({ orderNo: z.string() }).parse(placed).orderNo;
}
