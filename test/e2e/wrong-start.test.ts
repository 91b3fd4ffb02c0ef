/**
 * What a user sees of a start that cannot be, with files, addresses and folders that are not as they should be: one
 * line, the exit code that says what kind it is, and no data made. Wrong settings alone: test/runtime/settings.test.ts.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type Program, runProgram, startProgram, temporaryFolder } from "../support/process.ts";

const folder = await temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const GATEWAY = { code: "FAR", name: "Far away", adapter: "gateway" };
await writeFile(at("text.pem"), "no certificate");
await writeFile(at("text.json"), "no JSON");
await writeFile(at("nameless.json"), '[{"code":"X"}]');
await writeFile(at("gateway.json"), JSON.stringify([GATEWAY]));
await writeFile(at("file"), "");
await mkdir(at("folder"));

const WRONG: readonly (readonly [Readonly<Record<string, string>>, number, RegExp])[] = [
  [{ TLS_CERT_FILE: at("none"), TLS_KEY_FILE: at("none") }, 66, /TLS_CERT_FILE: \S+none cannot be read/],
  [{ TLS_CERT_FILE: at("text.pem"), TLS_KEY_FILE: at("none") }, 66, /TLS_KEY_FILE: \S+none cannot be read/],
  [
    { TLS_CERT_FILE: at("text.pem"), TLS_KEY_FILE: at("text.pem") },
    65,
    /are not a certificate and its key in PEM form/,
  ],
  [{ FEED: `replay:${at("none.csv")}` }, 66, /FEED: replay cannot read \S+none\.csv/],
  [{ FEED: `replay:${at("folder")}` }, 66, /FEED: replay cannot read \S+folder: it is not a file/],
  [{ BROKERAGES_FILE: at("none.json") }, 66, /BROKERAGES_FILE: \S+none\.json cannot be read as JSON/],
  [{ BROKERAGES_FILE: at("text.json") }, 66, /BROKERAGES_FILE: \S+text\.json cannot be read as JSON/],
  [{ BROKERAGES_FILE: at("nameless.json") }, 65, /BROKERAGES_FILE: \S+nameless\.json: 0\.name /],
  [{ BROKERAGES_FILE: at("gateway.json") }, 78, /NATS_URL: is not set, and BROKERAGES_FILE names .*\(FAR\)/],
  [{ DATA_DIR: at("file") }, 65, /DATA_DIR: .*file\/partition-0/],
];

describe("a start that cannot be", () => {
  for (const [variables, exitCode, line] of WRONG) {
    const [name = ""] = Object.keys(variables);
    test(`${name}: ${line.source} (${exitCode})`, async () => {
      const data = at("data-of-none");
      const environment = { PORT: "0", FEED: "none", LOG_LEVEL: "error", DATA_DIR: data, ...variables };
      const { code, output } = await runProgram("src/main.ts", environment);
      assert.match(output, /^trading-developer-api cannot start: /);
      assert.match(output, line);
      assert.equal(code, exitCode);
      assert.equal(existsSync(data), false, "no data was made");
    });
  }
});

describe("beside a program that runs", () => {
  const data = at("data");
  const environment = { PORT: "0", FEED: "none", LOG_LEVEL: "error" };
  let running: Program | undefined;

  test("its address is taken, its folder is in use, and its data cannot be looked through", async (context) => {
    running = await startProgram("src/main.ts", { ...environment, DATA_DIR: data }, /listens on/);
    context.after(() => running?.end("SIGKILL"));
    const { port } = new URL(/listens on (\S+)/.exec(running.output())?.[1] ?? "");
    const taken = await runProgram("src/main.ts", { ...environment, PORT: port, DATA_DIR: at("other") });
    assert.match(taken.output, new RegExp(`cannot start: \\S*:${port} is taken by another process`));
    assert.equal(taken.code, 69);
    const inUse = await runProgram("src/main.ts", { ...environment, DATA_DIR: data });
    assert.match(inUse.output, /cannot start: \S+partition-0\S* is in use by another engine process/);
    assert.equal(inUse.code, 69);
    const looked = await runProgram("engine/entry/check-data.ts", {}, { arguments: [data] });
    assert.match(looked.output, /^check-data: \S+ is in use by another engine process: stop the engine first/);
    assert.doesNotMatch(looked.output, /restore/);
    assert.equal(looked.code, 69);
    assert.equal(await running.end("SIGTERM"), 0);
    const stopped = await runProgram("engine/entry/check-data.ts", {}, { arguments: [data] });
    assert.match(stopped.output, /all is well/);
  });

  test("an address that another program holds is told as taken", async (context) => {
    const server = createServer().listen(0, "127.0.0.1");
    context.after(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const { code, output } = await runProgram("src/main.ts", {
      ...environment,
      PORT: String(address.port),
      DATA_DIR: at("third"),
    });
    assert.match(output, /is taken by another process: stop it, or set PORT to another/);
    assert.equal(code, 69);
  });
});

describe("check-data", () => {
  const check = (name: string) => runProgram("engine/entry/check-data.ts", {}, { arguments: [at(name)] });

  test("says of a mistyped folder that there is none", async () => {
    const { code, output } = await check("dta");
    assert.equal(output, `check-data: there is no folder ${at("dta")}\n`);
    assert.equal(code, 66);
  });

  test("says of another folder that it is no engine's", async () => {
    const { code, output } = await check("folder");
    assert.match(output, /folder is neither the data folder of an engine nor a backup: it holds no folder partition-/);
    assert.equal(code, 66);
  });

  test("ends with the folder of these tests", () => folder.remove());
});
