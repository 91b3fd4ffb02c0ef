// tier: real
/** The command line against everything in one process. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { CommandLineWorld } from "./cli-world.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

describe("the command line", () => {
  let world: CommandLineWorld;
  before(async () => {
    world = await CommandLineWorld.start();
  });
  after(() => world.end());

  const run = (words: readonly string[]) => world.run(words);
  const json = (...words: readonly string[]) => world.json(...words);
  const file = (name: string, text: string) => world.file(name, text);

  test("creates a user and a key, lists and revokes it", async () => {
    const { userId } = (await json("users", "create", "Ayse")) as { userId: number };
    const users = (await json("users", "list")) as { userId: number; name: string }[];
    assert.equal(users.find((user) => user.userId === userId)?.name, "Ayse");
    const created = (await json("keys", "create", String(userId), "backtest", "--scopes", "trade,read")) as {
      keyId: number;
      apiKey: string;
      scopes: string[];
    };
    assert.match(created.apiKey, /^tdk_live_/);
    assert.deepEqual(created.scopes, ["read", "trade"]);
    const table = await run(["keys", "list", String(userId)]);
    assert.match(table.out, /^keyId +name +scopes +createdDate +revokedDate\n/);
    assert.equal(table.out.includes(created.apiKey), false);
    assert.equal((await run(["keys", "revoke", String(userId), String(created.keyId)])).exitCode, 0);
    const [key] = (await json("keys", "list", String(userId))) as { revokedDate: string | null }[];
    assert.notEqual(key?.revokedDate, null);
  });

  test("shows last prices and the history of an account", async () => {
    const [price] = (await json("prices", "THYAO")) as { symbol: string }[];
    assert.equal(price?.symbol, "THYAO");
    assert.deepEqual(await json("history", "PAPER", "PAPER-1"), []);
  });

  test("imports symbols in batches and says how far it is", async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => `N${index},"New, number ${index}",BIST,true`);
    const path = await file("symbols.csv", ["symbol,name,exchange,isActive", ...rows].join("\n"));
    const ended = await run(["symbols", "import", path]);
    assert.equal(ended.exitCode, 0, ended.err);
    assert.match(ended.out, /^written +1200\n$/);
    assert.deepEqual(ended.err.match(/\d+ of 1200 written/g), [
      "500 of 1200 written",
      "1000 of 1200 written",
      "1200 of 1200 written",
    ]);
  });

  test("sends ticks, and shows outbox, quarantine and figures", async () => {
    assert.deepEqual(await json("ticks", "send", "THYAO=401.5", "GARAN=130.001"), { published: 2 });
    assert.match((await run(["outbox"])).out, /^nothing\n$/);
    assert.deepEqual(await json("quarantine", "--partition", "0"), []);
    const metrics = await run(["metrics"]);
    assert.match(metrics.out, /trading_engine_ticks_total\{partition="0",result="accepted"\} 2\n/);
  });

  test("gives a brokerage up, and says what hangs on each", async () => {
    const { code } = ((await json("brokerages", "list")) as { code: string }[]).find(() => true) ?? assert.fail();
    assert.match((await run(["brokerages", "list"])).out, /^code +groups +setups +levelBots +webhookBots +orders/);
    const answer = (await json("brokerages", "retire", code)) as { left: unknown[]; leftCount: number };
    assert.deepEqual([answer.left, answer.leftCount], [[], 0]);
    const unknown = await run(["brokerages", "retire", "NOSUCH"]);
    assert.equal(unknown.exitCode, 65);
    assert.match(unknown.err, /^error: 404: .*NOSUCH was not found: BROKERAGES_FILE does not list it\n$/);
  });

  test("says why in its exit code, and in the service's words, where it refuses or nobody answers", async () => {
    const refused = await run(["release", "order-0-17", "--resend"]);
    assert.deepEqual([refused.exitCode, refused.out], [65, ""]);
    assert.match(refused.err, /^error: 404: .*17.*\n$/);
    for (const decision of [["--filled", "60@89.9"], ["--not-filled"]]) {
      const settled = await run(["release", "doubt-0-42", "--order-no", "R-1", ...decision]);
      assert.deepEqual([settled.exitCode, settled.out], [65, ""]);
      assert.match(settled.err, /^error: 404: .*order R-1 of 42 is not in doubt\n$/);
    }
    const unknown = await run(["ticks", "send", "NOSUCH=1"]);
    assert.match(unknown.err, /^error: 400: ticks\[0\].symbol is not known\n$/);
    const wrongKey = await run(["outbox", "--api-key", "wrong"]);
    assert.match(wrongKey.err, /^error: 401: /);
    assert.equal(wrongKey.exitCode, 77);
    const nobody = await run(["--url", "http://127.0.0.1:9", "outbox"]);
    assert.equal(nobody.exitCode, 69);
    assert.match(nobody.err, /^error: the service cannot be reached: /);
    const keyless = await run(["--data-dir", join(world.folder, "nothing"), "outbox"]);
    assert.match(keyless.err, /^error: no API key: /);
    assert.equal(keyless.exitCode, 66);
  });

  test("is a process that ends with the same codes and keeps data and errors apart", async () => {
    const start = (...words: readonly string[]) =>
      spawnSync(process.execPath, [".scripts/run.mjs", "edge/cli/main.ts", ...words], {
        cwd: ROOT,
        env: { PATH: process.env.PATH ?? "", ...world.environment },
        encoding: "utf8",
      });
    const done = start("--json", "outbox");
    assert.deepEqual([done.status, done.stdout, done.stderr], [0, "[]\n", ""]);
    const refused = start("release", "order-0-17", "--resend");
    assert.deepEqual([refused.status, refused.stdout], [65, ""]);
    assert.match(refused.stderr, /^error: 404: /);
  });

  test("ends with 64 where the command line is wrong, and with 0 where help is asked for", async () => {
    for (const words of [
      ["nothing"],
      ["ticks", "send", "THYAO"],
      ["keys", "list", "first"],
      ["keys", "create", "1", "name", "--scopes", "write"],
      ["release", "order-0-1"],
      ["release", "order-0-1", "--resend", "--placed", "1"],
      ["release", "doubt-0-1", "--filled", "60@89.9"],
      ["release", "doubt-0-1", "--order-no", "R-1", "--filled", "60"],
      ["release", "doubt-0-1", "--order-no", "R-1", "--filled", "60@89.9", "--not-filled"],
    ]) {
      const ended = await run(words);
      assert.deepEqual([ended.exitCode, ended.out], [64, ""], words.join(" "));
      assert.match(ended.err, /^error: /, words.join(" "));
    }
    const help = await run(["--help"]);
    assert.equal(help.exitCode, 0);
    for (const name of [
      "users",
      "keys",
      "ticks",
      "symbols",
      "restrictions",
      "orders",
      "outbox",
      "quarantine",
      "release",
    ]) {
      assert.match(help.out, new RegExp(`^ +${name}\\b`, "m"));
    }
  });
});
