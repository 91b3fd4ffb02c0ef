/** The orders of a webhook bot over real processes: every lot that was bought is sold, and none twice. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { natsSuite } from "../support/machine/nats-server.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "PAIRS";
const ALGO = { algoName: "cross", period: "1H" };

natsSuite("the orders of a webhook bot", () => {
  let world: ScriptedWorld;

  before(async () => {
    world = await ScriptedWorld.start(CODE, {}, (ask) => {
      const taken = world.connector.accept(ask, 1, 0);
      const isRefused = ask.symbol === "TUPRS" && ask.buySell === 2;
      return isRefused ? { ok: false, code: "REJECTED", message: "no lots" } : taken;
    });
  });
  after(() => world.close());

  type Order = ReturnType<ScriptedWorld["ordersOf"]>[number];

  /** Creates a bot for a symbol and returns the function that sends its signals. */
  async function makeBot(symbol: string) {
    const details = [{ symbol, quantity: 10, ...ALGO }];
    const body = { brokerageCode: CODE, accountNumber: "A1", name: symbol, isActive: true, webhookBotDetails: details };
    const reply = await world.engines.client.command("webhookBots.create", body, `bot-${symbol}`);
    assert.equal(reply.ok, true, JSON.stringify(reply));
    const { webhookPath } = reply.data as { webhookPath: string };
    const webhookSecret = webhookPath.replace("/webhooks/", "");
    let count = 0;
    return async (side: "buy" | "sell"): Promise<void> => {
      count += 1;
      const signal = { ...ALGO, symbol, side, price: 100, id: `${symbol}-${count}` };
      const heard = await world.engines.client.command("webhook.signal", {
        webhookSecret,
        signal,
        bodyHash: `${count}`,
      });
      assert.equal(heard.ok, true, JSON.stringify(heard));
    };
  }

  const untilOrders = (symbol: string, count: number): Promise<Order> =>
    until(
      async () => world.ordersOf(symbol)[count - 1],
      (order) => order !== undefined,
    ).then((order) => order ?? assert.fail());

  /** Signals a buy of ten lots, which the brokerage then reports with `change`. */
  async function buy(symbol: string, change: Partial<Order>) {
    const signal = await makeBot(symbol);
    await signal("buy");
    world.tell(await untilOrders(symbol, 1), change);
    return signal;
  }

  const BOUGHT = { orderStatus: 2, filledQuantity: 10, averagePrice: 100 };

  test("a sell that ended with 6 of 10 and no price leaves 4 to be sold at the next signal (behaviour 13.2)", async () => {
    const signal = await buy("THYAO", BOUGHT);
    await world.untilTold("THYAO", "pair.bought");
    await signal("sell");
    world.tell(await untilOrders("THYAO", 2), { orderStatus: 3, filledQuantity: 6, averagePrice: 0 });
    await world.untilTold("THYAO", "pair.sellFailed");
    await signal("sell");
    const rest = await untilOrders("THYAO", 3);
    assert.equal(rest.quantity, 4);
    world.tell(rest, { orderStatus: 2, filledQuantity: 4, averagePrice: 101 });
    await world.untilTold("THYAO", "pair.sold");
  });

  test("a buy of 10 that was filled 15 sells 15, and its owner is told (behaviour 13.3)", async () => {
    const signal = await buy("GARAN", { ...BOUGHT, filledQuantity: 15 });
    await world.untilTold("GARAN", "order.overfilled");
    await signal("sell");
    assert.equal((await untilOrders("GARAN", 2)).quantity, 15);
  });

  test("a buy that was cancelled and filled after that is held by a pair, and sold at its signal (13.7)", async () => {
    const signal = await buy("ASELS", { orderStatus: 3, filledQuantity: 0 });
    await world.untilTold("ASELS", "pair.buyFailed");
    world.tell(await untilOrders("ASELS", 1), BOUGHT);
    await world.untilTold("ASELS", "alarm.filledAfterEnd");
    await world.untilTold("ASELS", "pair.bought");
    await signal("sell");
    assert.equal((await untilOrders("ASELS", 2)).quantity, 10);
  });

  test("a sell that was cancelled and filled after that is not sold again (behaviour 13.7)", async () => {
    const signal = await buy("SISE", BOUGHT);
    await world.untilTold("SISE", "pair.bought");
    await signal("sell");
    world.tell(await untilOrders("SISE", 2), { orderStatus: 3, filledQuantity: 0 });
    await world.untilTold("SISE", "pair.sellFailed");
    world.tell(await untilOrders("SISE", 2), { orderStatus: 3, filledQuantity: 10, averagePrice: 101 });
    await world.untilTold("SISE", "pair.sold");
    await signal("sell");
    await world.untilTold("SISE", "signal.ignored");
    assert.equal(world.ordersOf("SISE").length, 2);
  });

  test("a fill that the brokerage takes back is told, and changes nothing (behaviour 13.2)", async () => {
    const signal = await buy("AKBNK", { orderStatus: 1, filledQuantity: 4, averagePrice: 100 });
    const order = await untilOrders("AKBNK", 1);
    // A quantity that is reported before the answer to the order is not yet a fill that can be taken back.
    await until(
      () => world.engines.client.records("orders.list", { brokerageCode: CODE, accountNumber: "A1" }),
      (rows) => rows.some(({ symbol, filledQuantity }) => symbol === "AKBNK" && filledQuantity === 4),
    );
    world.tell(order, { orderStatus: 3, filledQuantity: 3, averagePrice: 100 });
    await world.untilTold("AKBNK", "order.corrected");
    await world.untilTold("AKBNK", "pair.bought");
    await signal("sell");
    assert.equal((await untilOrders("AKBNK", 2)).quantity, 4);
  });

  test("a sell that was refused and filled nevertheless is told to its owner (behaviour 13.7)", async () => {
    const signal = await buy("TUPRS", BOUGHT);
    await world.untilTold("TUPRS", "pair.bought");
    await signal("sell");
    await world.untilTold("TUPRS", "pair.sellFailed");
    world.tell(await untilOrders("TUPRS", 2), { orderStatus: 2, filledQuantity: 10, averagePrice: 101 });
    await world.untilTold("TUPRS", "alarm.filledAfterEnd");
  });
});
