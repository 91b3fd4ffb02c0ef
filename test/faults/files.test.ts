/** Settings, files and folders that are not what they should be: the start is refused in one readable line (catalogue 97). */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { readEdgeConfig } from "../../edge/config.ts";
import { readEngineConfig } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { readBrokeragesFile } from "../../engine/order/registry.ts";
import { createMemoryBus } from "../../src/bus/memory/bus.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import fc from "../support/property.ts";
import { FaultApp, PAPER, until } from "./support/app.ts";
import { cancelGroup, createGroup, rowsOf } from "./support/group.ts";
import { LogCapture } from "./support/log-capture.ts";
import { assertNoFault } from "./support/table.ts";

const folder = await mkdtemp(join(tmpdir(), "trading-faults-"));
after(() => rm(folder, { recursive: true, force: true }));
let fileCount = 0;

async function fileOf(content: string | Uint8Array): Promise<string> {
  fileCount += 1;
  const path = join(folder, `file-${fileCount}`);
  await writeFile(path, content);
  return path;
}

/** One line, for an operator: no stack, no dump. */
function assertReadable(error: unknown, about: RegExp): true {
  assert.ok(error instanceof Error);
  assert.match(error.message, about);
  assert.ok(error.message.length < 500, error.message);
  return true;
}

describe("an environment variable that is wrong stops the start, and is named", () => {
  const engine: readonly (readonly [string, readonly string[]])[] = [
    ["PARTITIONS", ["0", "-1", "1.5", "1e3", "1025", "eight", " 8", "0x8", "9".repeat(400)]],
    ["ENGINE_PARTITIONS", ["1", "-1", "0,", ",0", "0;0", "a", "0-3", "9".repeat(400)]],
    ["CATCH_UP_SECONDS", ["0", "-5", "86401", "5m", "Infinity"]],
    ["FEED", ["simulated", "SIM", "replay", "replay:", "file:x", "none "]],
    ["FEED_SPEED", ["-1", "fast", "1e9", "Infinity", "NaN", "1,5", "10001", "9".repeat(400)]],
    ["MAX_TICK_AGE_SECONDS", ["-1", "1.5", "86401", "off"]],
    ["MAX_TICK_MOVE_PERCENT", ["0", "-10", "10%", "off", "NaN", "1e1"]],
    ["OCO_OVERSELL_GUARD", ["yes", "2", "on,off", "on "]],
    ["LOG_LEVEL", ["verbose", "INFO", "5"]],
  ];
  for (const [name, values] of engine) {
    for (const value of values) {
      test(`${name}=${value.slice(0, 20)}`, () => {
        assert.throws(
          () => readEngineConfig({ [name]: value }),
          (error) => error instanceof UserError && assertReadable(error, new RegExp(`^${name}: `)),
        );
      });
    }
  }
  const edge: readonly (readonly [string, readonly string[]])[] = [
    ["PORT", ["-1", "65536", "80a", "8080.5", "0x50", "1e3", " 80", "9".repeat(20)]],
    ["HOST", ["0.0.0.0", "::", "192.168.1.1", "example.com", "127.0.0.1.evil.example"]],
    ["PARTITIONS", ["0", "1025", "x"]],
    ["TRUST_PROXY", ["yes", "-1", "10", "on,off", "10.0.0.0/40"]],
    ["NATS_URL", ["http://127.0.0.1", "nats://", "nats://a:b:c", ":4222"]],
    ["RATE_LIMIT_REDIS_URL", ["127.0.0.1:6379", "http://127.0.0.1", "redis"]],
    ["LOG_LEVEL", ["loud", "Warn"]],
    ["TLS_CERT_FILE", ["cert.pem"]],
  ];
  for (const [name, values] of edge) {
    for (const value of values) {
      test(`${name}=${value}`, () => {
        assert.throws(
          () => readEdgeConfig({ [name]: value }),
          (error) => error instanceof UserError && assertReadable(error, new RegExp(name)),
        );
      });
    }
  }

  test("whatever it is, it is taken or refused, never more", () => {
    const names = [...engine, ...edge].map(([name]) => name).filter((name) => name !== "NATS_URL");
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string(), (name, value) => {
        for (const read of [readEngineConfig, readEdgeConfig]) {
          try {
            read({ [name]: value });
          } catch (error) {
            assert.ok(error instanceof UserError);
          }
        }
      }),
    );
  });
});

describe("BROKERAGES_FILE that is wrong stops the start, and is named", () => {
  const one = { code: "X", name: "X", adapter: "paper" };
  const texts: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
    ["nothing", "", /is not JSON/],
    ["no JSON", "code: X", /is not JSON/],
    ["JSON cut short", '[{"code":"X"', /is not JSON/],
    ["bytes that are no text", Buffer.from([0xff, 0x00]), /is UTF-16 or no text: save the file as UTF-8$/],
    ["UTF-16", Buffer.from(JSON.stringify([one]), "utf16le"), /is UTF-16 or no text: save the file as UTF-8$/],
    ["letters of another encoding", Buffer.from('[{"code":"\xdd"}]', "latin1"), / line 1: byte 11 is not UTF-8/],
    ["null", "null", /: the file must be an array/],
    ["an object", JSON.stringify(one), /: the file must be an array/],
    ["an empty list", "[]", /: the file must not be empty/],
    ["a list of nothing", "[null]", /: \[0\]: must be an object/],
  ];
  const wrongs: readonly (readonly [object, RegExp])[] = [
    [{ code: undefined }, /: \[0\]\.code/],
    [{ code: "" }, /: \[0\]\.code/],
    [{ code: "A B" }, /: \[0\]\.code/],
    [{ code: "a.b" }, /: \[0\]\.code/],
    [{ code: "*" }, /: \[0\]\.code/],
    [{ code: "../x" }, /: \[0\]\.code/],
    [{ code: "X".repeat(33) }, /: \[0\]\.code/],
    [{ name: "" }, /: \[0\]\.name/],
    [{ adapter: "real" }, /: \[0\]\.adapter/],
    [{ adapter: undefined }, /: \[0\]\.adapter/],
    [{ ordersPerMinute: 0 }, /: \[0\]\.ordersPerMinute/],
    [{ ordersPerMinute: -5 }, /: \[0\]\.ordersPerMinute/],
    [{ ordersPerMinute: "60" }, /: \[0\]\.ordersPerMinute/],
    [{ ordersPerMinute: 1.5 }, /: \[0\]\.ordersPerMinute/],
    [{ portfolioIntervalSeconds: 0 }, /: \[0\]\.portfolioIntervalSeconds/],
    [{ portfolioIntervalSeconds: 1e9 }, /: \[0\]\.portfolioIntervalSeconds/],
    [{ timeoutMs: 0 }, /: \[0\]\.timeoutMs/],
    [{ timeoutMs: 60_000 }, /: \[0\]\.timeoutMs/],
    [{ settleMs: -1 }, /: \[0\]\.settleMs/],
    [{ settleMs: 1e12 }, /: \[0\]\.settleMs/],
    [{ expiryMs: 1e15 }, /: \[0\]\.expiryMs/],
    [{ resend: "always" }, /: \[0\]\.resend/],
    [{ resend: "QUERY" }, /: \[0\]\.resend/],
    [{ orderPerMinute: 500 }, /: \[0\]\.orderPerMinute: unknown field/],
    [{ resent: "none" }, /: \[0\]\.resent: unknown field/],
    [{ paper: { startingCash: -1 } }, /: \[0\]\.paper\.startingCash/],
    [{ paper: { startingPositions: { THYAO: 1.5 } } }, /: \[0\]\.paper\.startingPositions\.THYAO/],
    [{ paper: { fillShareMax: 2 } }, /: \[0\]\.paper\.fillShareMax/],
    [{ paper: { startPositions: {} } }, /: \[0\]\.paper\.startPositions: unknown field/],
  ];
  for (const [name, content, about] of [
    ...texts,
    ...wrongs.map(
      ([change, about]) => [JSON.stringify(change), JSON.stringify([{ ...one, ...change }]), about] as const,
    ),
  ]) {
    test(name, async () => {
      const path = await fileOf(content);
      assert.throws(
        () => readBrokeragesFile(path),
        (error) => assertReadable(error, /^BROKERAGES_FILE: /) && assertReadable(error, about),
      );
    });
  }

  test("one code twice, a folder, no file", async () => {
    const twice = await fileOf(JSON.stringify([one, { ...one, name: "Y" }]));
    for (const path of [twice, folder, join(folder, "nowhere")]) {
      assert.throws(
        () => readBrokeragesFile(path),
        (error) => assertReadable(error, /^BROKERAGES_FILE: /),
      );
    }
  });

  test("the one that comes with the project is right, wherever the project lies", () => {
    const { brokeragesFile } = readEngineConfig({});
    assert.ok(!brokeragesFile.includes("%"), brokeragesFile);
    assert.ok(readBrokeragesFile(brokeragesFile).length >= 1);
  });
});

describe("a data folder that is not what it should be", () => {
  async function startOver(dataFolder: string, environment: object = {}): Promise<Engine> {
    const log = new LogCapture();
    const brokerages = await fileOf(JSON.stringify([PAPER]));
    const config = readEngineConfig({
      DATA_DIR: dataFolder,
      BROKERAGES_FILE: brokerages,
      FEED: "none",
      ...environment,
    });
    const lines = log.of("engine");
    const bus = createMemoryBus();
    return Engine.start({
      config,
      bus,
      connection: undefined,
      ownerBus: undefined,
      log: lines,
      smsLog: lines,
      fatal: log.fatal,
    });
  }
  const made = async (): Promise<string> => {
    const path = await mkdtemp(join(folder, "data-"));
    await (await startOver(path)).stop();
    return path;
  };

  test("a signing key that is none", async () => {
    for (const text of ["", '{"kty":"RSA"}', '{"kty":"oct","k":"AAAA"}']) {
      const path = await made();
      await writeFile(join(path, "partition-0", "signing-key.json"), text);
      await assert.rejects(startOver(path), (error) => assertReadable(error, /signing-key\.json/), text);
    }
  });

  test("a first key that is none: refused, and never put in the place of what somebody wrote", async () => {
    const path = await mkdtemp(join(folder, "data-"));
    await writeFile(join(path, "bootstrap-api-key"), "hunter2\n");
    await assert.rejects(startOver(path), (error) => assertReadable(error, /bootstrap-api-key/));
    assert.equal(await readFile(join(path, "bootstrap-api-key"), "utf8"), "hunter2\n");
  });

  test("another number of partitions than it was made with", async () => {
    const path = await made();
    await assert.rejects(startOver(path, { PARTITIONS: "2", ENGINE_PARTITIONS: "0" }), (error) =>
      assertReadable(error, /partition/i),
    );
    await (await startOver(path)).stop();
  });

  test("a file where the folder should be, and a folder nobody may write to", async () => {
    const file = await fileOf("x");
    await assert.rejects(startOver(file), Error);
    const path = await mkdtemp(join(folder, "data-"));
    await chmod(path, 0o500);
    // Who runs as root may write everywhere.
    if (process.getuid?.() !== 0) await assert.rejects(startOver(path), Error);
    await chmod(path, 0o700);
  });

  test("one that another engine has open", async () => {
    const path = await mkdtemp(join(folder, "data-"));
    const first = await startOver(path);
    await assert.rejects(startOver(path), (error) => assertReadable(error, /./));
    await first.stop();
    await (await startOver(path)).stop();
  });

  test("one with files of strangers in it starts all the same", async () => {
    const path = await made();
    await writeFile(join(path, "notes.txt"), "x");
    await mkdir(join(path, "partition-7"));
    await (await startOver(path)).stop();
  });
});

describe("a recording to be replayed", () => {
  test("that cannot be read stops the start with its name", async () => {
    for (const path of [join(folder, "nowhere.csv"), folder]) {
      await assert.rejects(FaultApp.start({ environment: { FEED: `replay:${path}` } }), (error) =>
        assertReadable(error, /^FEED: replay /),
      );
    }
  });

  test("of junk, long lines and wrong ticks gives its good ticks in order, and none of the others", async () => {
    const lines = [
      "symbol,price,time",
      "THYAO,100",
      "",
      "THYAO,0",
      "THYAO,-5",
      "THYAO,abc",
      "THYAO,1e999",
      "THYAO,80,yesterday",
      "thyao,80",
      "NOSUCH,80",
      ",80",
      "THYAO",
      "THYAO;80",
      '{"symbol":"THYAO","price":"80x"}',
      '{"symbol":"THYAO"',
      "[]",
      "null",
      "x".repeat(200_000),
      `THYAO,80${" ".repeat(100_000)}`,
      '"GARAN","111"',
      '{"symbol":"GARAN","price":112,"volume":5}',
      "GARAN,100\r",
    ];
    const binary = Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80, 0x0a]);
    const path = await fileOf(Buffer.concat([Buffer.from(`\uFEFF${lines.join("\n")}\n`), binary]));
    const environment = { FEED: `replay:${path}`, FEED_SPEED: "0" };
    const app = await FaultApp.start({ environment });
    try {
      await until(() => app.log.lines.some((line) => line.includes("replayed")));
      await app.arrived();
      assert.equal(app.engine.feed?.prices.last("THYAO")?.price.value, 100);
      assert.equal(app.engine.feed?.prices.last("GARAN")?.price.value, 100);
      assert.equal(app.engine.feed?.stats()?.ticks.accepted, 4);
      assertNoFault(app);
      // And it is a price source like any other: the next tick counts.
      const user = await app.newUser();
      const { groupId } = await createGroup(app, user, { symbol: "THYAO" });
      await app.tick("THYAO", 111);
      await until(async () => (await rowsOf(app, user, groupId))[1]?.status === 2);
      await cancelGroup(app, user, groupId);
    } finally {
      await app.stop();
    }
  });
});
