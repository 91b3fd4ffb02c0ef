/** A running group is changed while its engine is killed: the whole change holds, or none of it (behaviour 15.4). */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { OcoRow } from "../support/client/engine-client.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { pause, until } from "../support/world/stack.ts";
import { ScriptedWorld } from "./support/scripted-world.ts";

const CODE = "MOVES";
const SYMBOLS = ["AKBNK", "SISE", "EREGL", "KCHOL", "TUPRS", "BIMAS"];

natsSuite("a group that is changed beside a kill -9 of its engine", () => {
  let world: ScriptedWorld;

  before(async () => {
    world = await ScriptedWorld.start(CODE, { timeoutMs: 300, settleMs: 1_000 }, (ask) =>
      world.connector.accept(ask, 2, ask.quantity),
    );
  });
  after(() => world.close());

  /** A stop-loss of 100 lots at 90 and two take-profits, far from the price. */
  async function open(symbol: string): Promise<number> {
    await world.engines.tick(symbol, 100);
    return world.createGroup(symbol);
  }

  const rowsOf = async (symbol: string): Promise<OcoRow[]> =>
    (await world.engines.client.rows(CODE, "A1")).filter((row) => row.symbol === symbol);

  const untilRows = (symbol: string, isMet: (rows: OcoRow[]) => boolean): Promise<OcoRow[]> =>
    until(() => rowsOf(symbol), isMet);

  const sellsOf = (symbol: string): number[] => world.ordersOf(symbol).map(({ quantity }) => quantity);

  const isSold = ([stopLoss]: readonly OcoRow[]): boolean => stopLoss?.status === 2;

  test("right after its answer: the new level sells once, also by a price that came while no engine ran", async () => {
    for (const [symbol, isMissed] of [
      ["THYAO", false],
      ["GARAN", true],
    ] as const) {
      const id = await open(symbol);
      const reply = await world.engines.client.command("oco.change", { id, change: { stopLossPrice: 95 } });
      assert.equal(reply.ok, true, JSON.stringify(reply));
      await world.engines.engine.end("SIGKILL");
      if (isMissed) await world.engines.tick(symbol, 94.9);
      await world.engines.startEngine();
      assert.deepEqual((await rowsOf(symbol))[0]?.price, 95);
      if (!isMissed) await world.engines.tick(symbol, 94.9);
      await untilRows(symbol, isSold);
      await world.engines.restartEngine();
      await untilRows(symbol, isSold);
      assert.deepEqual(sellsOf(symbol), [100], symbol);
    }
  });

  test("without waiting for its answer: old levels or new ones, never a part, and each sells once", async () => {
    for (const [round, symbol] of SYMBOLS.entries()) {
      const id = await open(symbol);
      const takeProfitItems = [{ id: id + 1, price: 105, quantity: 100 }];
      const change = { stopLossPrice: 95, takeProfitItems };
      void world.engines.client.command("oco.change", { id, change }).catch(() => undefined);
      await pause(round * 4);
      await world.engines.engine.end("SIGKILL");
      await world.engines.startEngine();
      // The client asks again until it is answered: from then on the change holds.
      const rows = await untilRows(symbol, ([stopLoss]) => stopLoss?.price === 95);
      const shape = rows.map(({ price, status }) => `${price} ${status}`).sort();
      assert.deepEqual(shape, ["105 1", "120 4", "95 1"], "all of the change");
      await world.engines.tick(symbol, 94.9);
      await untilRows(symbol, isSold);
      assert.deepEqual(sellsOf(symbol), [100]);
    }
  });

  test("of a hundred clients that name one version one changes it, and the others are told the version of now", async () => {
    const id = await open("ASELS");
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        world.engines.client.command("oco.change", { id, change: { stopLossPrice: 91 + (index % 8) }, versions: [1] }),
      ),
    );
    const codes = replies.map(({ ok, code }) => (ok === true ? "done" : String(code)));
    assert.deepEqual(
      [codes.filter((code) => code === "done").length, codes.filter((code) => code === "PRECONDITION_FAILED").length],
      [1, 99],
    );
  });
});
