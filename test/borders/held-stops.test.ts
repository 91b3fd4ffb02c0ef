/** A stop-loss sells no more than its account was just known to hold, over real processes (behaviour 26). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { COMMANDS } from "../../src/contract/command.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
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
