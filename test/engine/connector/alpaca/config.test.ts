/** The configuration files of connector and feed: every mistake is named in one message, and they contain no secret. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { parseAlpacaConfig } from "../../../../engine/connector/alpaca/config.ts";
import { parseAlpacaFeedConfig } from "../../../../engine/connector/alpaca/feed/config.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { configOf, VARIABLES } from "./support/alpaca-world.ts";

const URL = "http://127.0.0.1:1";
const parse = (change: object = {}) => parseAlpacaConfig(configOf(URL, change), "/somewhere", VARIABLES);

test("paper money unless something else is said, and the keys from the environment or a file", async () => {
  const { path, remove } = await temporaryFolder();
  await writeFile(join(path, "secret"), "  of a file\n");
  const account = { accountNumber: "A", users: [1], keyId: { env: "KEY_ID" }, secret: { file: "secret" } };
  const value = { type: "alpaca", code: "ALPACA", folder: "orders", accounts: [account] };
  const config = parseAlpacaConfig(value, path, VARIABLES);
  assert.equal(config.url, "https://paper-api.alpaca.markets");
  assert.equal(parseAlpacaConfig({ ...value, environment: "live" }, path, VARIABLES).url, "https://api.alpaca.markets");
  assert.deepEqual([config.accounts[0]?.secret(), config.folder], ["of a file", join(path, "orders")]);
  await remove();
});

test("every mistake is named at once", () => {
  const bad = { code: "no code", environment: "real", url: "ftp://x", reconnectSeconds: 0, tpyo: 1 };
  assert.throws(
    () => parse(bad),
    (error: Error) => {
      for (const field of ["code", "environment", "url", "reconnectSeconds", "tpyo"])
        assert.match(error.message, new RegExp(field));
      return true;
    },
  );
});

test("a secret in the file is refused, one that is nowhere is named", () => {
  const account = { accountNumber: "A", users: [1], keyId: { env: "NOWHERE" }, secret: { file: "nowhere" } };
  assert.throws(() => parse({ accounts: [{ ...account, secret: "PKABC" }] }), /a secret must not be in this file/);
  assert.throws(() => parse({ accounts: [account] }), /NOWHERE is not set\n.*nowhere cannot be read/);
});

test("an account, a key or a symbol that is listed twice is refused", () => {
  const account = { accountNumber: "A", users: [1], keyId: { env: "KEY_ID" }, secret: { env: "SECRET" } };
  assert.throws(() => parse({ accounts: [account, account] }), /accounts: A is listed twice/);
  assert.throws(
    () => parse({ accounts: [account, { ...account, accountNumber: "B" }] }),
    /A and B have the same keyId/,
  );
  assert.throws(() => parse({ symbols: { A: "X", B: "X" } }), /symbols: X is listed twice/);
});

test("a feed of delayed prices is refused", () => {
  const feed = { name: "US", symbols: ["AAPL"], keyId: { env: "KEY_ID" }, secret: { env: "SECRET" } };
  assert.throws(
    () => parseAlpacaFeedConfig({ ...feed, feed: "delayed_sip" }, "/", VARIABLES),
    /delayed prices must not/,
  );
  assert.equal(parseAlpacaFeedConfig(feed, "/", VARIABLES).url, "wss://stream.data.alpaca.markets/v2/iex");
  assert.throws(() => parseAlpacaFeedConfig({ ...feed, symbols: {} }, "/", VARIABLES), /at least one is needed/);
});
