/** The orders of a webhook bot over real processes: every lot that was bought is sold, and none twice. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { natsSuite } from "../support/machine/nats-server.ts";
import { EngineWorld } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedConnector } from "./support/connector.ts";

const CODE = "PAIRS";
const ALGO = { algoName: "cross", period: "1H" };

natsSuite("the orders of a webhook bot", () => {
  let world: EngineWorld;
  let connector: ScriptedConnector;
  const events: { readonly type: string }[] = [];

  before(async () => {
    const settings = { code: CODE, name: CODE, adapter: "gateway", resend: "query", ordersPerMinute: 100_000 };
    world = await EngineWorld.open({ brokerages: [settings] });
    connector = new ScriptedConnector(world.nats, {
      code: CODE,
      resend: "query",
      place: (ask) => connector.accept(ask, 1, 0),
    });
    world.nats.subscribe("events.*.>", { callback: (_, message) => void events.push(message.json()) });
    await world.startEngine();
  });
  after(async () => {
    connector.stop();
    await world.close();
  });

  type Order = (typeof connector.orders)[number];

  /** A bot for a symbol, and how it is signalled. */
  async function makeBot(symbol: string) {
    const details = [{ symbol, quantity: 10, ...ALGO }];
    const body = { brokerageCode: CODE, accountNumber: "A1", name: symbol, isActive: true, webhookBotDetails: details };
    const reply = await world.client.command("webhookBots.create", body, `bot-${symbol}`);
    assert.equal(reply.ok, true, JSON.stringify(reply));
    const { webhookPath } = reply.data as { webhookPath: string };
    const webhookSecret = webhookPath.replace("/webhooks/", "");
    let count = 0;
    return async (side: "buy" | "sell"): Promise<void> => {
      count += 1;
      const signal = { ...ALGO, symbol, side, price: 100, id: `${symbol}-${count}` };
      const heard = await world.client.command("webhook.signal", { webhookSecret, signal, bodyHash: `${count}` });
      assert.equal(heard.ok, true, JSON.stringify(heard));
    };
  }

  function tell(order: Order, change: Partial<Order>): void {
    Object.assign(order, change);
    world.nats.publish(`broker.${CODE}.updates`, JSON.stringify(order));
  }

  const ordersOf = (symbol: string): Order[] => connector.orders.filter((order) => order.symbol === symbol);

  const untilOrders = (symbol: string, count: number): Promise<Order> =>
    until(
      async () => ordersOf(symbol)[count - 1],
      (order) => order !== undefined,
    ).then((order) => order ?? assert.fail());

  const untilTold = (symbol: string, type: string, count = 1): Promise<unknown> =>
    until(
      async () => events.filter((event) => event.type === type && JSON.stringify(event).includes(`"${symbol}"`)).length,
      (told) => told >= count,
    );

  /** The bot has bought what `change` says of ten lots. */
  async function buy(symbol: string, change: Partial<Order>) {
    const signal = await makeBot(symbol);
    await signal("buy");
    tell(await untilOrders(symbol, 1), change);
    return signal;
  }

  const BOUGHT = { orderStatus: 2, filledQuantity: 10, averagePrice: 100 };

  test("a sell that ended with 6 of 10 and no price leaves 4 to be sold at the next signal (behaviour 13.2)", async () => {
    const signal = await buy("THYAO", BOUGHT);
    await untilTold("THYAO", "pair.bought");
    await signal("sell");
    tell(await untilOrders("THYAO", 2), { orderStatus: 3, filledQuantity: 6, averagePrice: 0 });
    await untilTold("THYAO", "pair.sellFailed");
    await signal("sell");
    const rest = await untilOrders("THYAO", 3);
    assert.equal(rest.quantity, 4);
    tell(rest, { orderStatus: 2, filledQuantity: 4, averagePrice: 101 });
    await untilTold("THYAO", "pair.sold");
  });

  test("a buy of 10 that was filled 15 sells 15, and its owner is told (behaviour 13.3)", async () => {
    const signal = await buy("GARAN", { ...BOUGHT, filledQuantity: 15 });
    await untilTold("GARAN", "order.overfilled");
    await signal("sell");
    assert.equal((await untilOrders("GARAN", 2)).quantity, 15);
  });

  test("a buy that was cancelled and filled after that is held by a pair, and sold at its signal (13.7)", async () => {
    const signal = await buy("ASELS", { orderStatus: 3, filledQuantity: 0 });
    await untilTold("ASELS", "pair.buyFailed");
    tell(await untilOrders("ASELS", 1), BOUGHT);
    await untilTold("ASELS", "alarm.filledAfterEnd");
    await untilTold("ASELS", "pair.bought");
    await signal("sell");
    assert.equal((await untilOrders("ASELS", 2)).quantity, 10);
  });

  test("a sell that was cancelled and filled after that is not sold again (behaviour 13.7)", async () => {
    const signal = await buy("SISE", BOUGHT);
    await untilTold("SISE", "pair.bought");
    await signal("sell");
    tell(await untilOrders("SISE", 2), { orderStatus: 3, filledQuantity: 0 });
    await untilTold("SISE", "pair.sellFailed");
    tell(await untilOrders("SISE", 2), { orderStatus: 3, filledQuantity: 10, averagePrice: 101 });
    await untilTold("SISE", "pair.sold");
    await signal("sell");
    await untilTold("SISE", "signal.ignored");
    assert.equal(ordersOf("SISE").length, 2);
  });

  test("a fill that the brokerage takes back is told, and changes nothing (behaviour 13.2)", async () => {
    await buy("AKBNK", { orderStatus: 1, filledQuantity: 4, averagePrice: 100 });
    const order = await untilOrders("AKBNK", 1);
    tell(order, { orderStatus: 3, filledQuantity: 3, averagePrice: 100 });
    await untilTold("AKBNK", "order.corrected");
    await untilTold("AKBNK", "pair.bought");
  });
});
