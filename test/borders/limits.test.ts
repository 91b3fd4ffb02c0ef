/** The limits of an account hold over kill -9, and its loss lets only sells pass (behaviour 27). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { COMMANDS } from "../../src/contract/command.ts";
import { LIMITS_COMMANDS, LIMITS_QUERIES } from "../../src/contract/trading/limits.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "LIMITED";
const PLACE = { brokerageCode: CODE, accountNumber: "A1" };
const LIMITS = { maxDailyLoss: 100, maxOrdersPerMinute: null, maxOrderValue: 5_000 };
const LEVELS = { stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 10 }] };

natsSuite("an account with limits", () => {
  let world: ScriptedWorld;

  before(async () => {
    // The scripted brokerage fills at 90; it reports a cost of 100.
    world = await ScriptedWorld.start(CODE, {}, (ask) => world.connector.accept(ask, 2, ask.quantity));
    world.connector.held = { THYAO: 20 };
  });
  after(async () => {
    await world.close();
  });

  const codeOf = async (quantity: number, buySell: 1 | 2) => {
    const order = { symbol: "THYAO", quantity, buySell, orderType: 2, price: 100 };
    const answer = await world.engines.client.command(COMMANDS.placeOrder, { ...PLACE, ...order });
    return answer.code ?? answer.ok;
  };
  const read = async () => (await world.engines.client.query(LIMITS_QUERIES.read, PLACE)).data;

  test("keeps them once they are answered, and refuses an order above them", async () => {
    await world.engines.tick("THYAO", 100);
    const set = await world.engines.client.command(LIMITS_COMMANDS.set, { ...PLACE, ...LIMITS });
    assert.ok(set.ok, JSON.stringify(set));
    await world.engines.restartEngine();
    assert.deepEqual(await read(), { ...LIMITS, realisedToday: 0, ordersLastMinute: null });
    assert.equal(await codeOf(51, 1), "ACCOUNT_LIMIT");
    assert.equal(world.connector.places.length, 0);
  });

  test("is reducing once a stop-loss has lost the limit, also after a kill -9", async () => {
    await world.engines.tick("THYAO", 100);
    const made = await world.engines.client.command(COMMANDS.createGroup, { ...PLACE, symbol: "THYAO", ...LEVELS });
    assert.ok(made.ok, JSON.stringify(made));
    await world.engines.tick("THYAO", 89);
    await world.untilTold("A1", "alarm.lossLimit");
    assert.equal(await codeOf(1, 1), "TRADING_REDUCING");
    await world.engines.restartEngine();
    assert.deepEqual(
      [await codeOf(1, 1), await read()],
      ["TRADING_REDUCING", { ...LIMITS, realisedToday: -100, ordersLastMinute: null }],
    );
    assert.equal(await codeOf(1, 2), true);
  });
});
