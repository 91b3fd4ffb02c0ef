/** The configuration files of connector and feed: every mistake is named, and none takes effect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAlgolabConfig } from "../../../../engine/connector/algolab/config.ts";
import { parseAlgolabFeedConfig } from "../../../../engine/connector/algolab/feed/config.ts";
import { configOf, VARIABLES } from "./support/algolab-world.ts";

const URL = "https://www.algolab.com.tr";

test("orders by hand are assumed, requests are 5.1 s apart, and a lost order is settled after 30 s", () => {
  const { manualTrading: _, ...file } = configOf(URL) as Record<string, unknown>;
  const settings = parseAlgolabConfig(file, "/c", VARIABLES);
  assert.deepEqual(
    [settings.manualTrading, settings.requestIntervalMs, settings.settleMs, settings.folder, settings.sessionFile],
    [true, 5_100, 30_000, "/c/orders", "/c/orders/session"],
  );
});

test("all mistakes are named together", () => {
  const accounts = [1, 2].map(() => ({ accountNumber: "A1", users: [1] }));
  assert.throws(
    () => parseAlgolabConfig(configOf(URL, { accounts }), "/c", { ALGOLAB_KEY: "API-short" }),
    /^UserError: accounts: A1 is listed twice\napiKey: must be API- and the base64 text of 32 bytes/,
  );
  assert.throws(
    () => parseAlgolabConfig(configOf(URL, { settleSeconds: 5, apiKey: "text" }), "/c", VARIABLES),
    (error) => {
      assert.match(String(error), /settleSeconds/);
      assert.match(String(error), /apiKey/);
      return true;
    },
  );
  assert.throws(
    () => parseAlgolabConfig(configOf(URL), "/c", {}),
    /^UserError: apiKey: the variable ALGOLAB_KEY is not set$/,
  );
});

test("a feed takes aliases of symbols and needs the connector's session file", () => {
  const file = {
    name: "ALGOLAB",
    symbols: { THYAO: "THYAO.E" },
    apiKey: { env: "ALGOLAB_KEY" },
    sessionFile: "orders/session",
  };
  const config = parseAlgolabFeedConfig(file, "/c", VARIABLES);
  assert.deepEqual([config.feed.symbols, config.sessionFile], [{ THYAO: "THYAO.E" }, "/c/orders/session"]);
  const { sessionFile: _, ...without } = file;
  assert.throws(() => parseAlgolabFeedConfig(without, "/c", VARIABLES), /sessionFile/);
});
