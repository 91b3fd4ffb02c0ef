/** A stop-loss sells no more than its account was just known to hold, over real processes (behaviour 26). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { COMMANDS, QUERIES } from "../../src/contract/command.ts";
import type { OcoRowView } from "../../src/contract/trading/oco.ts";
import type { PlanView } from "../../src/contract/trading/plan.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "LEDGER";
const PLACE = { brokerageCode: CODE, accountNumber: "A1" };
const TERMS = { stopLossPrice: 90, stopLossQuantity: 100, takeProfitItems: [{ price: 110, quantity: 100 }] };

natsSuite("an engine with SELL_LEDGER=refuse", () => {
  let world: ScriptedWorld;

  before(async () => {
    world = await ScriptedWorld.start(
      CODE,
      {},
      (ask) => {
        // Its brokerage reports its fill late.
        if (ask.symbol === "SISE" && ask.quantity === 40) return world.connector.accept(ask, 1, 0);
        const { held } = world.connector;
        const symbol = String(ask.symbol);
        if (held !== undefined) world.connector.held = { ...held, [symbol]: (held[symbol] ?? 0) - ask.quantity };
        return world.connector.accept(ask, 2, ask.quantity);
      },
      { SELL_LEDGER: "refuse" },
    );
    world.connector.held = { THYAO: 100, GARAN: 100 };
  });
  after(async () => {
    await world.close();
  });

  const create = (symbol: string, stopLossQuantity = 100) =>
    world.engines.client.command(COMMANDS.createGroup, { ...PLACE, ...TERMS, symbol, stopLossQuantity });
  const soldOf = (symbol: string) => world.ordersOf(symbol).map(({ quantity }) => quantity);

  test("answers more than is held with OVERCOMMITTED, and takes what is", async () => {
    await world.engines.tick("THYAO", 100);
    const over = await create("THYAO", 101);
    assert.equal(over.code, "OVERCOMMITTED", JSON.stringify(over));
    assert.match(String(over.message), /^stopLossQuantity commits 101 more lots of THYAO than may be sold/);
    assert.ok((await create("THYAO")).ok);
  });

  test("caps the stop-loss at what a sell elsewhere left, after a kill -9, too", async () => {
    world.connector.held = { THYAO: 60, GARAN: 100 };
    // A start reads the positions of accounts with active groups.
    await world.engines.restartEngine();
    const over = () =>
      world.engines.client.command(COMMANDS.placeOrder, {
        ...{ ...PLACE, symbol: "THYAO", quantity: 1, buySell: 2, orderType: 1, price: 0 },
      });
    assert.equal((await over()).code, "OVERCOMMITTED");
    await world.engines.tick("THYAO", 89);
    await world.untilTold("THYAO", "alarm.exitStopped");
    assert.deepEqual(soldOf("THYAO"), [60]);
  });

  test("deducts no fill that the last known holding may contain, as it is reported later", async () => {
    world.connector.held = { THYAO: 0, GARAN: 100, SISE: 100 };
    await world.engines.tick("SISE", 100);
    const takeProfitItems = [40, 60].map((quantity) => ({ price: 70 + quantity, quantity }));
    const group = await world.engines.client.command(COMMANDS.createGroup, {
      ...{ ...PLACE, ...TERMS, symbol: "SISE", takeProfitItems },
    });
    assert.ok(group.ok, JSON.stringify(group));
    await world.engines.tick("SISE", 110);
    await world.untilTold("SISE", "oco.triggered");
    world.connector.held = { THYAO: 0, GARAN: 100, SISE: 60 };
    await world.engines.restartEngine();
    const [takeProfit] = world.ordersOf("SISE");
    assert.ok(takeProfit !== undefined);
    world.tell(takeProfit, { orderStatus: 2, filledQuantity: 40, averagePrice: 110 });
    const plan = await world.engines.client.query(QUERIES.readPlan, { id: (group.data as OcoRowView).groupId });
    const id = plan.ok ? (plan.data as PlanView).rows.find(({ price }) => price === 110)?.id : undefined;
    const receipt = async () => JSON.stringify(await world.engines.client.query(QUERIES.readReceipt, { id }));
    assert.match(await until(receipt, (text) => text.includes('"filledQuantity":40')), /"filledQuantity":40/);
    await world.engines.tick("SISE", 89);
    await until(
      async () => soldOf("SISE").length,
      (count) => count === 2,
    );
    assert.deepEqual(soldOf("SISE"), [40, 60]);
  });

  test("sells the whole stop-loss while positions are not reported", async () => {
    await world.engines.tick("GARAN", 100);
    assert.ok((await create("GARAN")).ok);
    world.connector.held = undefined;
    await world.engines.restartEngine();
    await world.engines.tick("GARAN", 89);
    await world.untilTold("GARAN", "oco.triggered");
    assert.deepEqual(soldOf("GARAN"), [100]);
  });
});
