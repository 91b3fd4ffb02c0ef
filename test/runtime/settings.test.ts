/** The allowed settings; all mistakes are named together. Each line of a wrong start: test/preflight.test.ts. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { examineSettings, needsNats, readSettings, SETTING_NAMES, type Variables } from "../../src/runtime/settings.ts";
import { UserError } from "../../src/runtime/user-error.ts";

function mistakesOf(variables: Variables): readonly string[] {
  try {
    readSettings(variables, ["engine", "edge"]);
    return [];
  } catch (error) {
    assert.ok(error instanceof UserError);
    assert.equal(error.reason, "configuration");
    return error.message.split("\n");
  }
}

test("several mistakes are named at once, those of engine and edge together", () => {
  const lines = mistakesOf({ PORT: "x", FEED: "y", LOG_LEVL: "info", TRUST_PROXY: "z" });
  assert.deepEqual(
    lines.map((line) => line.split(/[: ]/)[0]),
    ["LOG_LEVL", "PORT", "FEED", "TRUST_PROXY"],
  );
});

test("contradictions are named beside wrong values, but for those that follow from a wrong value", () => {
  const also = { TLS_CERT_FILE: "cert.pem", ENGINE_PARTITIONS: "3" };
  const halfTls = "TLS_CERT_FILE and TLS_KEY_FILE: set both or neither";
  const absent = "ENGINE_PARTITIONS: names partition 3, but PARTITIONS is 1";
  const wrongFeed = "FEED: must be sim, none or replay:<file>";
  assert.deepEqual(mistakesOf({ ...also, FEED: "y" }), [wrongFeed, absent, halfTls]);
  assert.deepEqual(mistakesOf({ ...also, PARTITIONS: "many" }), [
    "PARTITIONS: must be a whole number from 1 to 1024",
    halfTls,
  ]);
  assert.deepEqual(mistakesOf({ ...also, TLS_KEYFILE: "key.pem" }), [
    "TLS_KEYFILE is not a setting; did you mean TLS_KEY_FILE?",
    absent,
  ]);
});

test("a program that meets others on NATS says so, whatever else is wrong", () => {
  const examine = (variables: Variables) => () =>
    examineSettings(variables, ["engine"], [needsNats("an engine needs it")]).refuse();
  const wrongLog = "LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent";
  assert.throws(examine({ LOG_LEVEL: "loud" }), {
    message: `${wrongLog}\nNATS_URL: is not set, and an engine needs it`,
  });
  assert.throws(examine({ NATS_URL: "x:y:z" }), {
    message: "NATS_URL: must be a NATS address like nats://127.0.0.1:4222",
  });
  assert.doesNotThrow(examine({ NATS_URL: "nats://127.0.0.1" }));
});

test("what a machine's environment usually holds is no mistake", () => {
  const usual = ["HOME", "PATH", "HOSTNAME", "HOSTTYPE", "LANG", "PWD", "SHELL", "TERM", "USER", "LOGNAME", "EDITOR"];
  const more = ["NODE_ENV", "NODE_OPTIONS", "HTTP_PROXY", "NO_PROXY", "DATABASE_URL", "REDIS_URL", "KUBERNETES_PORT"];
  assert.deepEqual(mistakesOf(Object.fromEntries([...usual, ...more].map((name) => [name, "x"]))), []);
});

test("a slip within a short name is a mistake: a letter too many or too few, or two that changed places", () => {
  const slips = { FEED: ["FEEED", "FFEED", "FEEDD", "FED", "FEDE", "FREED"], HOST: ["HOOST", "HHOST", "HST", "HSOT"] };
  for (const [meant, names] of Object.entries({ ...slips, PORT: ["POORT", "PORTT", "PRT", "PROT", "prot"] })) {
    for (const name of names) {
      assert.deepEqual(mistakesOf({ [name]: "x" }), [`${name} is not a setting; did you mean ${meant}?`]);
    }
  }
});

test("a name next to FEED is a mistake where it has a value that FEED takes, and a stranger's otherwise", () => {
  for (const name of ["FEEDS", "FEE", "FEWD", "MFEED", "feed"]) {
    for (const value of ["sim", "none", "replay:ticks.csv"]) {
      assert.deepEqual(mistakesOf({ [name]: value }), [`${name} is not a setting; did you mean FEED?`]);
    }
    assert.deepEqual(mistakesOf({ [name]: "42" }), [], name);
  }
});

test("what is near a short name but another tool's is no mistake", () => {
  const hosts = ["HOSTS", "VHOST", "GHOST", "POST", "COST", "DBHOST", "DB_HOST", "HOST_IP", "HOST1", "host"];
  const ports = ["PORTS", "SPORT", "SORT", "PORT1", "PORT_", "DB_PORT", "SSH_PORT", "WEB_PORT", "port"];
  const more = [
    "SEED",
    "NEED",
    "FEEL",
    "MAIL",
    "TMPDIR",
    "SHLVL",
    "OLDPWD",
    "DISPLAY",
    "PS1",
    "TZ",
    "LC_ALL",
    "CI",
    "_",
  ];
  const tools = [
    "npm_config_registry",
    "npm_package_name",
    "npm_lifecycle_event",
    "NODE_PORT",
    "KUBERNETES_SERVICE_HOST",
  ];
  const names = [...hosts, ...ports, ...more, ...tools, "KUBERNETES_SERVICE_PORT", "INVOCATION_ID", "JOURNAL_STREAM"];
  assert.deepEqual(mistakesOf(Object.fromEntries(names.map((name) => [name, "x"]))), []);
});

test("no setting is taken for a misspelling of another", () => {
  for (const name of SETTING_NAMES) assert.deepEqual(mistakesOf({ [name]: "" }), [], name);
});

test("a switch is on or off in any usual spelling", () => {
  for (const on of ["on", "ON", "true", "1"])
    assert.equal(readSettings({ MCP_TRADING: on }, ["edge"]).MCP_TRADING, true);
  for (const off of ["off", "False", "0"])
    assert.equal(readSettings({ OCO_OVERSELL_GUARD: off }, ["engine"]).OCO_OVERSELL_GUARD, false);
});

test("engines that share partitions are given none of their own, and no market of their own", () => {
  const shared = { REPLICATION: "on", NATS_URL: "nats://127.0.0.1:4222" };
  assert.deepEqual(mistakesOf({ ...shared, ENGINE_PARTITIONS: "0", FEED: "sim" }), [
    "ENGINE_PARTITIONS: leave it out, REPLICATION=on gives out the partitions",
    "FEED: sim would run in every engine, and the market with it; publish prices with npm run feed",
  ]);
  assert.equal(readSettings(shared, ["engine"]).LEASE_MS, 2_000);
});

test("no message repeats a value that may hold a secret", () => {
  const [line = ""] = mistakesOf({ NATS_URL: "http://user:hunter2@127.0.0.1", RATE_LIMIT_REDIS_URL: "x://:hunter2@h" });
  assert.doesNotMatch(line, /hunter2/);
});

test("every setting is told in docs/operating.md and in .env.example, and nothing else is", () => {
  const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
  const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  assert.deepEqual(named.toSorted(), SETTING_NAMES.toSorted());
  const table = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  for (const name of SETTING_NAMES) assert.match(table, new RegExp(`^\\|.*\`${name}\``, "m"), name);
});

test("what .env.example sets is what a start without settings uses", () => {
  const example = readFileSync(new URL("../../.env.example", import.meta.url), "utf8");
  const variables = Object.fromEntries(
    [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  assert.deepEqual(readSettings(variables, ["engine", "edge"]), readSettings({}, ["engine", "edge"]));
});

test("a blank variable counts as not set, in every form of setting", () => {
  const blank = Object.fromEntries(SETTING_NAMES.map((name) => [name, " \t "]));
  assert.deepEqual(readSettings(blank, ["engine", "edge"]), readSettings({}, ["engine", "edge"]));
});

test("an option that npm took for its own is named, not ignored", () => {
  assert.deepEqual(mistakesOf({ npm_config_port: "9000", npm_config_data_dir: "/x", npm_config_loglevel: "warn" }), [
    "PORT: npm took --port for an option of its own; set PORT in the environment",
    "DATA_DIR: npm took --data-dir for an option of its own; set DATA_DIR in the environment",
  ]);
});

test("a setting is taken under its name of before, unless it is given under both", async () => {
  const warned: string[] = [];
  const onWarning = ({ message }: Error): void => void warned.push(message);
  process.on("warning", onWarning);
  const settings = readSettings({ COPIES: "2", KEPT_LOG_MIB: "7" }, ["engine"]);
  // Node emits a warning in the next turn.
  await new Promise(setImmediate);
  process.off("warning", onWarning);
  assert.deepEqual([settings.REPLICAS, settings.LOG_RETENTION_MIB], [2, 7]);
  assert.match(warned.join("\n"), /^COPIES is called REPLICAS now.*\nKEPT_LOG_MIB is called LOG_RETENTION_MIB now/);
  assert.deepEqual(mistakesOf({ COPIES: "2", REPLICAS: "3" }), [
    "COPIES: is the former name of REPLICAS, which is set as well; leave COPIES out",
  ]);
  assert.equal(mistakesOf({ COPIES: "many" }).length, 1, "told under the name of today");
});
