/** All mistakes of a start are named at once, each with what is right. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { OperatorMistake } from "../../src/operator-mistake.ts";
import { readSettings, SETTING_NAMES, type Variables } from "../../src/runtime/settings.ts";

function mistakesOf(variables: Variables): readonly string[] {
  try {
    readSettings(variables, ["engine", "edge"]);
    return [];
  } catch (error) {
    assert.ok(error instanceof OperatorMistake);
    assert.equal(error.reason, "configuration");
    return error.message.split("\n");
  }
}

/** Forty wrong starts and the line that their user sees. */
const WRONG: readonly (readonly [Variables, string])[] = [
  [
    { HOST: "0.0.0.0" },
    "HOST: 0.0.0.0 is not a loopback address and transport is HTTPS only; set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY=on behind a proxy that ends TLS",
  ],
  [{ PORT: "80a" }, "PORT: must be a whole number from 0 to 65535"],
  [{ PORT: "65536" }, "PORT: must be a whole number from 0 to 65535"],
  [{ NATS_URL: "http://127.0.0.1" }, "NATS_URL: must be a NATS address like nats://127.0.0.1:4222"],
  [{ NATS_URL: "nats://" }, "NATS_URL: must be a NATS address like nats://127.0.0.1:4222"],
  [{ FEED: "simulated" }, "FEED: must be sim, none or replay:<file>"],
  [{ FEED: "replay:" }, "FEED: must be sim, none or replay:<file>"],
  [{ FEED_SPEED: "fast" }, "FEED_SPEED: must be a number from 0 to 10000"],
  [{ FEED_SPEED: "-1" }, "FEED_SPEED: must be a number from 0 to 10000"],
  [{ FEED_SPEED: "10001" }, "FEED_SPEED: must be a number from 0 to 10000"],
  [{ PARTITIONS: "0" }, "PARTITIONS: must be a whole number from 1 to 1024"],
  [{ PARTITIONS: "many" }, "PARTITIONS: must be a whole number from 1 to 1024"],
  [{ ENGINE_PARTITIONS: "0-3" }, "ENGINE_PARTITIONS: must be partition numbers separated by commas, like 0,2"],
  [{ ENGINE_PARTITIONS: "1" }, "ENGINE_PARTITIONS: names partition 1, but PARTITIONS is 1"],
  [{ PARTITIONS: "4", ENGINE_PARTITIONS: "0,4" }, "ENGINE_PARTITIONS: names partition 4, but PARTITIONS is 4"],
  [{ CATCH_UP_SECONDS: "5m" }, "CATCH_UP_SECONDS: must be a whole number from 1 to 86400"],
  [{ CATCH_UP_SECONDS: "0" }, "CATCH_UP_SECONDS: must be a whole number from 1 to 86400"],
  [{ OCO_OVERSELL_GUARD: "yes" }, "OCO_OVERSELL_GUARD: must be on or off"],
  [{ MAX_TICK_MOVE_PERCENT: "10%" }, "MAX_TICK_MOVE_PERCENT: must be a number above 0"],
  [{ MAX_TICK_MOVE_PERCENT: "0" }, "MAX_TICK_MOVE_PERCENT: must be a number above 0"],
  [
    { RATE_LIMIT_REDIS_URL: "127.0.0.1:6379" },
    "RATE_LIMIT_REDIS_URL: must be a URL that starts with redis:// or rediss://",
  ],
  [{ TLS_CERT_FILE: "cert.pem" }, "TLS_CERT_FILE and TLS_KEY_FILE: set both or neither"],
  [{ TLS_KEY_FILE: "key.pem" }, "TLS_CERT_FILE and TLS_KEY_FILE: set both or neither"],
  [{ TRUST_PROXY: "maybe" }, "TRUST_PROXY: must be on or off"],
  [{ PUBLIC_URL: "api.example.com" }, "PUBLIC_URL: must be an address like https://api.example.com, without a path"],
  [
    { PUBLIC_URL: "http://api.example.com" },
    "PUBLIC_URL: must be an address like https://api.example.com, without a path",
  ],
  [
    { PUBLIC_URL: "https://a.example/v2" },
    "PUBLIC_URL: must be an address like https://api.example.com, without a path",
  ],
  [{ LOG_LEVEL: "loud" }, "LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent"],
  [{ OCO_OVERSEL_GUARD: "on" }, "OCO_OVERSEL_GUARD is not a setting; did you mean OCO_OVERSELL_GUARD?"],
  [
    { OVERSELL_GUARD: "on", OCO_OVERSELL_GARD: "on" },
    "OCO_OVERSELL_GARD is not a setting; did you mean OCO_OVERSELL_GUARD?",
  ],
  [{ NATSURL: "nats://127.0.0.1:4222" }, "NATSURL is not a setting; did you mean NATS_URL?"],
  [{ NATS_URI: "nats://127.0.0.1:4222" }, "NATS_URI is not a setting; did you mean NATS_URL?"],
  [{ nats_url: "nats://127.0.0.1:4222" }, "nats_url is not a setting; did you mean NATS_URL?"],
  [{ PARTITION: "4" }, "PARTITION is not a setting; did you mean PARTITIONS?"],
  [{ ENGINE_PARTITION: "0" }, "ENGINE_PARTITION is not a setting; did you mean ENGINE_PARTITIONS?"],
  [{ BROKERAGE_FILE: "b.json" }, "BROKERAGE_FILE is not a setting; did you mean BROKERAGES_FILE?"],
  [{ LOGLEVEL: "debug" }, "LOGLEVEL is not a setting; did you mean LOG_LEVEL?"],
  [{ DATADIR: "/tmp/x" }, "DATADIR is not a setting; did you mean DATA_DIR?"],
  [{ CATCHUP_SECONDS: "10" }, "CATCHUP_SECONDS is not a setting; did you mean CATCH_UP_SECONDS?"],
  [{ TLS_CERTFILE: "cert.pem" }, "TLS_CERTFILE is not a setting; did you mean TLS_CERT_FILE?"],
];

describe("a wrong start says in one line what is wrong", () => {
  for (const [variables, line] of WRONG) {
    test(JSON.stringify(variables), () => assert.deepEqual(mistakesOf(variables), [line]));
  }
});

test("several mistakes are named at once, those of engine and edge together", () => {
  const lines = mistakesOf({ PORT: "x", FEED: "y", LOG_LEVL: "info", TRUST_PROXY: "z" });
  assert.deepEqual(
    lines.map((line) => line.split(/[: ]/)[0]),
    ["LOG_LEVL", "PORT", "FEED", "TRUST_PROXY"],
  );
});

test("what a machine's environment usually holds is no mistake", () => {
  const usual = ["HOME", "PATH", "HOSTNAME", "HOSTTYPE", "LANG", "PWD", "SHELL", "TERM", "USER", "LOGNAME", "EDITOR"];
  const more = ["NODE_ENV", "NODE_OPTIONS", "HTTP_PROXY", "NO_PROXY", "DATABASE_URL", "REDIS_URL", "KUBERNETES_PORT"];
  assert.deepEqual(mistakesOf(Object.fromEntries([...usual, ...more].map((name) => [name, "x"]))), []);
});

test("no setting is taken for a misspelling of another", () => {
  for (const name of SETTING_NAMES) assert.deepEqual(mistakesOf({ [name]: "" }), [], name);
});

test("a switch is on or off in any usual spelling", () => {
  for (const on of ["on", "ON", "true", "1"])
    assert.equal(readSettings({ TRUST_PROXY: on }, ["edge"]).TRUST_PROXY, true);
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
