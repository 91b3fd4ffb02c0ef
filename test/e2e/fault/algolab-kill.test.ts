/**
 * An AlgoLab connector that is killed between its journal, its request and the answer: what the engine counts as sold is
 * what the server sold, and no order is doubled. `npm run test:long -- algolab` kills more often.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ReceiptView } from "../../../src/contract/trading/receipt.ts";
import { configOf, VARIABLES } from "../../engine/connector/algolab/support/algolab-world.ts";
import { AlgolabServer } from "../../engine/connector/algolab/support/server.ts";
import type { OcoRow } from "../../support/client/engine-client.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { type Program, runProgram, startProgram } from "../../support/machine/process.ts";
import { untilTrue } from "../../support/machine/until-true.ts";
import { ENGINE_USER, EngineWorld } from "../../support/world/engine-world.ts";

const KILLS = Number(process.env.ALGOLAB_KILLS ?? "5");
const POINTS = ["flight", "request", "answer", "journal", "known"] as const;
const ORDERS_A_KILL = 2;
/** Triggered: the brokerage has the order. */
const SOLD = 2;
/** The engine looks an order up when the connector can prove that it does not exist. */
const brokerages = [
  {
    ...{ code: "ALGOLAB", name: "AlgoLab", adapter: "gateway", resend: "query" },
    ...{ timeoutMs: 3_000, settleMs: 31_000, ordersPerMinute: 1_000 },
  },
];

natsSuite("an AlgoLab connector that is killed", () => {
  let world: EngineWorld;
  let server: AlgolabServer;
  let connector: Program;
  let config: string;
  let killFile: string;
  let symbols: readonly string[];

  before(async () => {
    world = await EngineWorld.open({ brokerages });
    server = await AlgolabServer.start();
    config = join(world.folder, "connector.json");
    killFile = join(world.folder, "kill");
    const accounts = [{ accountNumber: "A1", users: [ENGINE_USER], subAccount: "100" }];
    const own = { accounts, sessionFile: "session", requestIntervalSeconds: 1, requestTimeoutSeconds: 2 };
    await writeFile(config, JSON.stringify(configOf(server.url, own)));
    await writeFile(join(world.folder, "session"), server.hash);
    const made = await runProgram("engine/entry/connector.ts", VARIABLES, { arguments: ["new", config] });
    assert.equal(made.code, 0, made.output);
    const known = JSON.parse(await readFile("fixtures/symbols.json", "utf8")) as { readonly symbol: string }[];
    symbols = known.slice(0, 40).map(({ symbol }) => symbol);
    await startConnector();
    await world.startEngine();
  });
  after(async () => {
    await connector.end("SIGKILL");
    await server.stop();
    await world.close();
  });

  async function startConnector(): Promise<void> {
    const loaded = new URL("../../support/machine/kill-connector-at.ts", import.meta.url).href;
    const environment = {
      ...{ NATS_URL: world.server.url, KILL_FILE: killFile, ...VARIABLES },
      NODE_OPTIONS: `--import=tsx --import=${loaded}`,
    };
    connector = await startProgram("engine/entry/connector.ts", environment, /the session is up/, ["algolab", config]);
  }

  const stopLosses = async (): Promise<OcoRow[]> =>
    (await world.client.rows("ALGOLAB", "A1")).filter(({ orderType }) => orderType === 2);

  async function filledOf({ id }: OcoRow): Promise<number> {
    const receipt = (await world.client.query("oco.receipt", { id })).data as ReceiptView | null;
    return (receipt?.orders ?? []).reduce((sum, { filledQuantity }) => sum + (filledQuantity ?? 0), 0);
  }

  /** A stop-loss of `quantity` lots that a price reaches. */
  async function stop(symbol: string, quantity: number): Promise<void> {
    await world.tick(symbol, 100);
    const levels = { stopLossPrice: 90, stopLossQuantity: quantity, takeProfitItems: [{ price: 110, quantity }] };
    const terms = { brokerageCode: "ALGOLAB", accountNumber: "A1", symbol, ...levels };
    const made = await world.client.createGroup(terms, `${symbol}-${quantity}`);
    assert.ok("groupId" in made, JSON.stringify(made));
    await world.tick(symbol, 89);
  }

  test(`loses and doubles no order, and the engine counts what was sold (${KILLS} kills)`, async () => {
    let quantity = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const ofRound = Array.from({ length: ORDERS_A_KILL }, (_, index) => quantity + index + 1);
      const symbolOf = (lots: number): string => symbols[lots % symbols.length] ?? "";
      // Before a kill is asked for: an order that is sent again could take it.
      const used = new Set(ofRound.map(symbolOf));
      await untilTrue(async () => (await stopLosses()).every((row) => !used.has(row.symbol) || row.status === SOLD));
      await writeFile(killFile, POINTS[kill % POINTS.length] ?? "");
      for (const lots of ofRound) await stop(symbolOf(lots), lots);
      quantity += ORDERS_A_KILL;
      await untilTrue(() => connector.hasEnded());
      assert.equal(existsSync(killFile), false);
      await startConnector();
      // The order that was killed is settled later; the others are sold while the next ones fire.
      await untilTrue(async () => {
        const rows = (await stopLosses()).filter((row) => ofRound.includes(row.quantity));
        return rows.filter(({ status }) => status === SOLD).length >= ORDERS_A_KILL - 1;
      });
    }
    const expected = (quantity * (quantity + 1)) / 2;
    const filled = async (): Promise<number> => {
      let sum = 0;
      for (const row of await stopLosses()) sum += await filledOf(row);
      return sum;
    };
    await untilTrue(async () => (await filled()) === expected);
    assert.equal(server.soldQuantity, expected);
    assert.equal(server.orders.length, quantity, "one order for each stop-loss");
    for (const row of await stopLosses()) assert.equal(await filledOf(row), row.quantity, row.symbol);
  });
});
