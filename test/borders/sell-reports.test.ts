/**
 * The reports of a brokerage about the sell of a stop-loss, over real processes that are killed in between: its
 * quantities count, not its status words; every lot is sold, and none twice (behaviour 13).
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { untilTrue } from "../support/machine/until-true.ts";
import { pause, until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "SELLS";
const PLACE = { brokerageCode: CODE, accountNumber: "A1" };
/** The symbol whose placement is answered with `completed`, with 40 of 100 filled. */
const COMPLETED_AT_ONCE = "TUPRS";
/** Long enough for an unwanted order to appear. */
const QUIET_MS = 2_500;

natsSuite("the sell of a stop-loss", () => {
  let world: ScriptedWorld;

  before(async () => {
    world = await ScriptedWorld.start(CODE, { timeoutMs: 300, settleMs: 1_000 }, (ask) => {
      const isFirst = !/-n\d+$/.test(ask.clientOrderId);
      if (!isFirst) return world.connector.accept(ask, 2, ask.quantity);
      return ask.symbol === COMPLETED_AT_ONCE ? world.connector.accept(ask, 2, 40) : world.connector.accept(ask, 1, 0);
    });
  });
  after(() => world.close());

  type Order = ReturnType<ScriptedWorld["ordersOf"]>[number];

  /** A stop-loss of 100 lots at 90 that a price reaches, and take-profits of 40 at 110 and 60 at 120. */
  async function stop(symbol: string, stopLoss: "untilSold" | "once" = "untilSold"): Promise<Order> {
    const takeProfitItems = [
      { price: 110, quantity: 40 },
      { price: 120, quantity: 60 },
    ];
    const terms = { symbol, stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems, exit: { stopLoss } };
    const made = await world.engines.client.createGroup({ ...PLACE, ...terms }, symbol);
    assert.ok("groupId" in made, JSON.stringify(made));
    await world.engines.tick(symbol, 89);
    await untilStatuses(symbol, "2,4,4");
    return world.ordersOf(symbol)[0] ?? assert.fail();
  }

  const rowsOf = async (symbol: string): Promise<OcoRow[]> =>
    (await world.engines.client.rows(CODE, "A1")).filter((row) => row.symbol === symbol);

  async function untilStatuses(symbol: string, expected: string): Promise<OcoRow[]> {
    const rows = await until(
      () => rowsOf(symbol),
      (found) => found.map(({ status }) => status).join() === expected,
    );
    assert.equal(rows.map(({ status }) => status).join(), expected);
    return rows;
  }

  const sellsOf = (symbol: string): number[] =>
    world.connector.places.filter((ask) => ask.symbol === symbol).map(({ quantity }) => quantity);

  /** The exit of a symbol's stop-loss has sold its 100 lots. */
  async function untilSold(symbol: string): Promise<void> {
    const [stopLoss] = await rowsOf(symbol);
    const { data } = await until(
      () => world.engines.client.query("oco.plan", { id: stopLoss?.id }),
      (reply) => JSON.stringify(reply).includes('"soldQuantity":100'),
    );
    assert.match(JSON.stringify(data), /"soldQuantity":100,"leftQuantity":0/);
  }

  /** Prices on both sides of every level, a kill -9, and the same again. */
  async function tempt(symbol: string): Promise<void> {
    for (const price of [121, 88]) await world.engines.tick(symbol, price);
    await world.engines.restartEngine();
    for (const price of [122, 87]) await world.engines.tick(symbol, price);
    await pause(QUIET_MS);
  }

  test("completed with its quantity cut to 40 of 100: the other 60 are sold, once (behaviour 13.2)", async () => {
    const order = await stop("THYAO");
    world.tell(order, { orderStatus: 2, quantity: 40, filledQuantity: 40, averagePrice: 89 });
    await world.untilTold("THYAO", "oco.exitCompleted");
    await tempt("THYAO");
    assert.deepEqual(sellsOf("THYAO"), [100, 60]);
    await untilStatuses("THYAO", "2,4,4");
  });

  test("answered as completed, with a record of 40 of 100: the other 60 are sold, once (behaviour 13.2)", async () => {
    await stop(COMPLETED_AT_ONCE);
    await world.untilTold(COMPLETED_AT_ONCE, "oco.exitCompleted");
    await tempt(COMPLETED_AT_ONCE);
    assert.deepEqual(sellsOf(COMPLETED_AT_ONCE), [100, 60]);
  });

  test("cancelled with nothing filled, and filled whole after that: no take-profit sells its lots again (13.7)", async () => {
    const order = await stop("GARAN", "once");
    world.tell(order, { orderStatus: 3, filledQuantity: 0 });
    await untilStatuses("GARAN", "3,1,1");
    await world.engines.restartEngine();
    world.tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 89 });
    await world.untilTold("GARAN", "alarm.filledAfterEnd");
    await until(
      () => rowsOf("GARAN"),
      ([, ...takeProfits]) => takeProfits.every(({ status }) => status === 4),
    );
    await tempt("GARAN");
    assert.deepEqual(sellsOf("GARAN"), [100]);
  });

  test("not known to its brokerage for long: in doubt over a kill -9, never sent again, and found again (13.6)", async () => {
    const order = await stop("AKBNK");
    const place = world.connector.orders.indexOf(order);
    world.connector.orders.splice(place, 1);
    // The round of a start asks immediately, and again after 30 s.
    await world.engines.restartEngine();
    await untilTrue(() => world.typesOf("AKBNK").includes("order.inDoubt"));
    const [stopLoss] = await rowsOf("AKBNK");
    assert.match(
      stopLoss?.triggerErrorMessage ?? "",
      /in doubt, 0 of 100 known as filled: the brokerage does not know it/,
    );
    await tempt("AKBNK");
    assert.deepEqual(sellsOf("AKBNK"), [100]);
    world.connector.orders.push(order);
    world.tell(order, { orderStatus: 2, filledQuantity: 100, averagePrice: 89 });
    await world.untilTold("AKBNK", "order.found");
    const [found] = await until(
      () => rowsOf("AKBNK"),
      ([row]) => row?.triggerErrorMessage === null,
    );
    assert.deepEqual([found?.status, found?.triggerErrorMessage], [2, null]);
  });

  test("replaced at its brokerage under another number: followed there, and not sold again (behaviour 13.1)", async () => {
    const order = await stop("ASELS");
    const replacement = { ...order, orderNo: `${CODE}-R1` };
    world.connector.orders.unshift(replacement);
    world.tell(order, { orderStatus: 3, filledQuantity: 0 });
    world.tell(replacement, { orderStatus: 1, filledQuantity: 0 });
    await world.untilTold("ASELS", "order.replaced");
    await tempt("ASELS");
    assert.deepEqual(sellsOf("ASELS"), [100], "the replacement works");
    world.tell(replacement, { orderStatus: 2, filledQuantity: 100, averagePrice: 89 });
    await untilSold("ASELS");
    await tempt("ASELS");
    assert.deepEqual(sellsOf("ASELS"), [100]);
    await untilStatuses("ASELS", "2,4,4");
  });

  test("filled with 150 of 100: kept as it is, its owner is told, and nothing more is sold (behaviour 13.3)", async () => {
    const order = await stop("SISE");
    world.tell(order, { orderStatus: 2, filledQuantity: 150, averagePrice: 89 });
    await world.untilTold("SISE", "order.overfilled");
    const told = world.events.find((event) => event.type === "order.overfilled") as
      | { overQuantity?: number }
      | undefined;
    assert.equal(told?.overQuantity, 50);
    await tempt("SISE");
    assert.deepEqual(sellsOf("SISE"), [100]);
    await untilStatuses("SISE", "2,4,4");
  });
});
