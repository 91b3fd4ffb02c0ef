/**
 * Alpaca from end to end, as processes: an engine over NATS, the connector, the feed, and a server that plays Alpaca
 * behind both.
 */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { QUERIES } from "../../src/contract/command.ts";
import { configOf } from "../engine/connector/alpaca/support/alpaca-world.ts";
import { AlpacaServer, KEY } from "../engine/connector/alpaca/support/server.ts";
import { natsSuite } from "../support/machine/nats-server.ts";
import { runProgram, startProgram } from "../support/machine/process.ts";
import { ENGINE_USER, EngineWorld } from "../support/world/engine-world.ts";
import { until } from "../support/world/stack.ts";

const brokerages = [{ code: "ALPACA", name: "Alpaca", adapter: "gateway", resend: "idempotent", timeoutMs: 15_000 }];
const SECRETS = { KEY_ID: KEY.keyId, SECRET: KEY.secret };

natsSuite("Alpaca from end to end", () => {
  test("a price of Alpaca's fires a stop-loss, Alpaca fills it, and the receipt shows Alpaca's order number", async () => {
    const world = await EngineWorld.open({ brokerages });
    const server = await AlpacaServer.start();
    const config = join(world.folder, "alpaca.json");
    const account = {
      accountNumber: "PAPER1",
      users: [ENGINE_USER],
      keyId: { env: "KEY_ID" },
      secret: { env: "SECRET" },
    };
    await writeFile(config, JSON.stringify(configOf(server.url, { accounts: [account] })));
    const feed = join(world.folder, "feed.json");
    const url = `ws://127.0.0.1:${server.port}/v2/iex`;
    const keys = { keyId: { env: "KEY_ID" }, secret: { env: "SECRET" } };
    await writeFile(feed, JSON.stringify({ name: "US", symbols: { AAPL: "AAPL" }, url, lagMsMax: 60_000, ...keys }));
    for (const [what, told] of [
      ["new", /orders is made\n$/],
      ["check", /^ALPACA: the counterparty accepted the logon\n$/],
    ] as const) {
      const run = await runProgram("engine/entry/connector.ts", SECRETS, { arguments: [what, config] });
      assert.equal(run.code, 0, run.output);
      assert.match(run.output, told);
    }
    const environment = { NATS_URL: world.server.url, ...SECRETS };
    const programs = [
      await startProgram("engine/entry/connector.ts", environment, /the session is up/, ["alpaca", config]),
      await startProgram("engine/entry/feed.ts", environment, /the feed is ready/, ["alpaca", feed]),
    ];
    try {
      await world.startEngine();
      const symbol = { symbol: "AAPL", name: "Apple", exchange: "NASDAQ", isActive: true };
      assert.equal((await world.client.command("symbols.write", { symbols: [symbol] })).ok, true);
      server.price = 227.29;
      const trade = (price: number): void => server.trade("AAPL", price, Date.now());
      await until(
        () => world.client.query("prices.last", { symbols: ["AAPL"] }),
        (answer) => {
          trade(230);
          return JSON.stringify(answer).includes("230");
        },
      );
      const conditions = await until(
        () => world.client.query(QUERIES.readConditions, {}),
        (answer) => JSON.stringify(answer).includes('"connected"'),
      );
      assert.match(JSON.stringify(conditions), /"publishers":\[\{"name":"US".*"state":"connected"/);
      // An odd cent above 20: legal in the US, not in Istanbul.
      const made = await world.client.createGroup(
        {
          ...{ brokerageCode: "ALPACA", accountNumber: "PAPER1", symbol: "AAPL" },
          ...{ stopLossPrice: 227.31, stopLossQuantity: 10 },
          takeProfitItems: [{ price: 240.07, quantity: 10 }],
        },
        "g1",
      );
      assert.ok("groupId" in made, JSON.stringify(made));
      trade(227.3);
      const rows = await until(
        () => world.client.rows("ALPACA", "PAPER1"),
        (all) => all.some((row) => row.orderType === 2 && row.status === 2),
      );
      const stopLoss = rows.find((row) => row.orderType === 2);
      assert.equal(server.orders.length, 1);
      const [sold] = server.orders;
      assert.deepEqual([sold?.side, sold?.symbol, sold?.qty, sold?.type], ["sell", "AAPL", "10", "market"]);
      const receipt = await until(
        () => world.client.query("oco.receipt", { id: stopLoss?.id }),
        (answer) => JSON.stringify(answer).includes(String(sold?.id)),
      );
      assert.match(JSON.stringify(receipt), new RegExp(String(sold?.id)));
    } finally {
      for (const program of programs) await program.end("SIGTERM");
      await server.stop();
      await world.close();
    }
  });
});
