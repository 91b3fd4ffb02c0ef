/**
 * The user's view of a program that cannot start: the lines, an exit code for the kind of fault, and no data made.
 * Every kind of wrong setting and file of `npm start`: test/preflight.test.ts.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type Program, runProgram, startProgram, temporaryFolder } from "../support/machine/process.ts";

const folder = await temporaryFolder();
const at = (name: string): string => join(folder.path, name);
await writeFile(at("acme.json"), JSON.stringify({ code: "AC ME", session: { pasword: "x" }, accounts: [] }));
await writeFile(at("text.json"), "no JSON");
await writeFile(at("file"), "");
await mkdir(at("folder"));

/** The program, its arguments, its environment; the exit code and the output. */
const WRONG: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>, number, RegExp])[] = [
  [
    "src/main.ts",
    [],
    { PORT: "x", TLS_KEY_FILE: "key.pem" },
    78,
    /^trading-developer-api cannot start: PORT: must be [^\n]+\n {2}TLS_CERT_FILE and TLS_KEY_FILE: set both or neither\n$/,
  ],
  [
    "src/main.ts",
    [],
    { DATA_DIR: at("file") },
    73,
    /^trading-developer-api cannot start: DATA_DIR: \S+ cannot be used/,
  ],
  ["engine/main.ts", [], { FEED: "x" }, 78, /^engine cannot start: FEED: must be [^\n]+\n {2}NATS_URL: is not set/],
  [
    "engine/main.ts",
    [],
    { REPLICATION: "on", FEED: "sim" },
    78,
    /^engine cannot start: FEED: sim would [^\n]+\n {2}NATS_URL: [^\n]+\n {2}NATS_MONITOR_URLS: [^\n]+\n {2}SIGNING_KEY_FILE: [^\n]+\n$/,
  ],
  ["edge/main.ts", [], { HOST: "0.0.0.0" }, 78, /^edge cannot start: HOST: [^\n]+\n {2}NATS_URL: is not set/],
  ...["src/main.ts", "engine/main.ts", "edge/main.ts", "engine/entry/paper.ts", "engine/entry/restore-cluster.ts"].map(
    (entry) =>
      [entry, ["--port", "9000"], {}, 64, /cannot start: takes no arguments, and was given --port 9000: set /] as const,
  ),
  [
    "src/main.ts",
    [],
    { DATA_DIR: "/proc/data" },
    73,
    /^trading-developer-api cannot start: DATA_DIR: \/proc\/data cannot be used/,
  ],
  ["engine/entry/paper.ts", [], {}, 78, /^paper cannot start: NATS_URL: is not set/],
  ["engine/entry/connector.ts", [], {}, 64, /^connector cannot start: usage: npm run connector -- /],
  [
    "engine/entry/connector.ts",
    ["fix", at("none.json")],
    {},
    66,
    /^connector cannot start: \S+none\.json is not there\n$/,
  ],
  [
    "engine/entry/connector.ts",
    ["fix", at("text.json")],
    {},
    65,
    /^connector cannot start: \S+text\.json is not JSON: /,
  ],
  [
    "engine/entry/connector.ts",
    ["fix", at("acme.json")],
    {},
    78,
    /acme\.json: code: must be a brokerage code [^\n]+\n.*acme\.json: folder: is required\n(.*\n)*.*acme\.json: session\.pasword: unknown field\n.*acme\.json: accounts: must not be empty\n$/,
  ],
  ["engine/entry/feed.ts", ["fix"], {}, 64, /^feed cannot start: usage: npm run feed -- /],
  ["engine/entry/conformance.ts", [], {}, 64, /^conformance: give the CODE of one brokerage\n/],
  ["engine/entry/conformance.ts", ["ACME"], {}, 78, /^conformance: NATS_URL: is not set/],
  ["engine/entry/signing-key.ts", [], {}, 64, /^signing-key cannot start: usage: /],
  ["engine/entry/signing-key.ts", [at("file")], {}, 73, /^signing-key cannot start: \S+file exists: it is kept/],
];

describe("a program that cannot start says why", () => {
  for (const [entry, words, variables, exitCode, lines] of WRONG) {
    test(`${entry}: ${lines.source} (${exitCode})`, async () => {
      const data = at("data-of-none");
      const environment = { PORT: "0", LOG_LEVEL: "error", DATA_DIR: data, ...variables };
      const { code, output } = await runProgram(entry, environment, { arguments: words });
      assert.match(output, lines);
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
    assert.equal(output, `check-data: the folder ${at("dta")} does not exist\n`);
    assert.equal(code, 66);
  });

  test("says of another folder that it is no engine's", async () => {
    const { code, output } = await check("folder");
    assert.match(output, /folder is neither the data folder of an engine nor a backup: it holds no folder partition-/);
    assert.equal(code, 66);
  });

  test("ends with the folder of these tests", () => folder.remove());
});
