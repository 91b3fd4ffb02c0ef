/**
 * Stop-losses that follow the price while their engine is killed: each sells once, at the price that a twin determines
 * from every tick (behaviour 19.4).
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { planTrailing, type TrailingRequest } from "../../src/domain/oco/trailing.ts";
import type { OcoRow } from "../support/client/engine-client.ts";
import { randomOf } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { endOf } from "../support/trailing-twin.ts";
import { until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "TRAIL";
const SEED = Number(process.env.TRAILING_SEED ?? Date.now() % 100_000);
const STOP_LOSS = 90;
const TICKS = 60;
const KILL_EVERY = 12;
/** The number of ticks after each kill that arrive while no engine runs. */
const MISSED = 5;
const TERMS: Readonly<Record<string, TrailingRequest>> = {
  THYAO: { distance: 2.5, confirmTicks: 1 },
  GARAN: { distance: 1.5 },
  AKBNK: { distancePercent: 3, step: 1 },
  SISE: { distance: 2, activationPrice: 103, confirmTicks: 1 },
};

natsSuite("stop-losses that trail beside kill -9 of their engine", () => {
  let world: ScriptedWorld;

  before(async () => {
    world = await ScriptedWorld.start(CODE, { timeoutMs: 300, settleMs: 1_000 }, (ask) =>
      world.connector.accept(ask, 2, ask.quantity),
    );
  });
  after(() => world.close());

  async function stopOf(symbol: string): Promise<OcoRow> {
    const rows = await world.engines.client.rows(CODE, "A1");
    const stop = rows.find((row) => row.symbol === symbol && row.orderType === 2);
    assert.ok(stop !== undefined, symbol);
    return stop;
  }

  test(`each sells once, by the price that its twin names (seed ${SEED})`, async () => {
    const random = randomOf(SEED);
    const { client } = world.engines;
    const walks = new Map<string, number[]>();
    for (const [symbol, stopLossTrailing] of Object.entries(TERMS)) {
      const terms = { stopLossPrice: STOP_LOSS, stopLossQuantity: 100, takeProfitItems: [{ price: 200, quantity: 1 }] };
      const group = { brokerageCode: CODE, accountNumber: "A1", symbol, ...terms, stopLossTrailing };
      const made = await client.createGroup(group, symbol);
      assert.ok("groupId" in made, JSON.stringify(made));
      walks.set(symbol, []);
    }
    let price = 100;
    let isDown = false;
    for (let tick = 1; tick <= TICKS; tick += 1) {
      // Up for two thirds of the way, then down past every stop-loss.
      price += (random() - (tick < TICKS * 0.65 ? 0.35 : 0.7)) * 1.2;
      const value = Math.round(price * 100) / 100;
      for (const [symbol, walk] of walks) {
        walk.push(value);
        await world.engines.tick(symbol, value);
      }
      if (tick % KILL_EVERY === 0) {
        await world.engines.engine.end("SIGKILL");
        isDown = true;
      } else if (isDown && tick % KILL_EVERY === MISSED) {
        await world.engines.startEngine();
        isDown = false;
      }
    }
    if (isDown) await world.engines.startEngine();
    for (const [symbol, walk] of walks) {
      const request = TERMS[symbol];
      const terms = request === undefined ? undefined : planTrailing(request, "BIST");
      assert.ok(terms?.ok === true);
      const wanted = endOf(STOP_LOSS, terms.value, walk);
      const isThere = (row: OcoRow): boolean =>
        wanted.firedAt === null ? row.price === wanted.stop : row.triggeredPrice !== null;
      const row = await until(() => stopOf(symbol), isThere);
      assert.deepEqual({ stop: row.price, firedAt: row.triggeredPrice }, wanted, `${symbol}: ${walk.join(", ")}`);
      const sells = world.ordersOf(symbol).map(({ quantity }) => quantity);
      assert.deepEqual(sells, wanted.firedAt === null ? [] : [100], symbol);
    }
  });
});
