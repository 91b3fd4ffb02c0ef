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

test("two accounts never share a sub-account: the orders of one would be taken for those of the other", () => {
  const accountsOf = (...names: readonly (string | undefined)[]) =>
    names.map((subAccount, index) => ({
      ...{ accountNumber: `A${index}`, users: [index + 1] },
      ...(subAccount === undefined ? {} : { subAccount }),
    }));
  const parse = (...names: readonly (string | undefined)[]) =>
    parseAlgolabConfig(configOf(URL, { accounts: accountsOf(...names) }), "/c", VARIABLES);
  assert.equal(parse("100", "101").accounts.length, 2);
  assert.equal(parse(undefined).accounts.length, 1);
  assert.throws(() => parse("100", "100"), /accounts: subAccount: 100 is listed twice/);
  assert.throws(() => parse("100", undefined), /accounts: each of several must name its subAccount/);
});

test("all mistakes are named together", () => {
  const accounts = ["100", "101"].map((subAccount) => ({ accountNumber: "A1", users: [1], subAccount }));
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
    () => parseAlgolabConfig(configOf(URL, { settleSeconds: 5, symbols: { A: "X", B: "X" }, accounts }), "/c", {}),
    (error) => {
      for (const mistake of ["settleSeconds", "A1 is listed twice", "X is listed twice", "ALGOLAB_KEY is not set"])
        assert(String(error).includes(mistake), mistake);
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
  assert.throws(() => parseAlgolabFeedConfig(without, "/c", {}), /sessionFile[\s\S]*ALGOLAB_KEY is not set/);
  for (const parse of [parseAlgolabConfig, parseAlgolabFeedConfig])
    assert.throws(() => parse(null, "/c", VARIABLES), /^UserError: /);
});
