/**
 * Every kind of wrong start as its user sees it: all lines, the exit code, and no data made. The processes print it so:
 * test/e2e/wrong-start.test.ts.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { checkStart } from "../src/preflight.ts";
import type { Variables } from "../src/runtime/settings.ts";
import { exitCodeOf, tellFailure } from "../src/runtime/user-error.ts";
import { temporaryFolder } from "./support/machine/process.ts";

const folder = await temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port: taken } = server.address() as AddressInfo;
after(async () => {
  server.close();
  await folder.remove();
});

const GATEWAY = { code: "FAR", name: "Far away", adapter: "gateway" };
const PAPER = { code: "NEAR", name: "Near", adapter: "paper" };
await writeFile(at("text.pem"), "no certificate");
await writeFile(at("text.json"), "no JSON");
await writeFile(at("wrong.json"), '[{"code":"X"},{"code":"A B","name":"Y","adapter":"real","papier":{}}]');
await writeFile(at("twice.json"), JSON.stringify([PAPER, PAPER]));
await writeFile(at("gateway.json"), JSON.stringify([GATEWAY]));
await writeFile(at("file"), "");
await mkdir(at("folder"));

const CONFIGURATION = 78;

/** Wrong values, names and combinations: the settings, and the line. */
const SETTINGS: readonly (readonly [Variables, string])[] = [
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
  [{ MCP_TRADING: "maybe" }, "MCP_TRADING: must be on or off"],
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

/** Files, folders and addresses, and several mistakes together: the settings, the exit code, all lines. */
const PLACES: readonly (readonly [Variables, number, readonly (string | RegExp)[]])[] = [
  [{ TLS_CERT_FILE: at("none"), TLS_KEY_FILE: at("none") }, 66, [`TLS_CERT_FILE: ${at("none")} cannot be read`]],
  [{ TLS_CERT_FILE: at("text.pem"), TLS_KEY_FILE: at("none") }, 66, [`TLS_KEY_FILE: ${at("none")} cannot be read`]],
  [
    { TLS_CERT_FILE: at("text.pem"), TLS_KEY_FILE: at("text.pem") },
    65,
    [/^TLS_CERT_FILE, TLS_KEY_FILE: \S+ and \S+ are not a certificate and its key in PEM form/],
  ],
  [{ FEED: `replay:${at("none.csv")}` }, 66, [/^FEED: replay cannot read \S+none\.csv: /]],
  [{ FEED: `replay:${at("folder")}` }, 66, [`FEED: replay cannot read ${at("folder")}: it is not a file`]],
  [{ BROKERAGES_FILE: at("none.json") }, 66, [`BROKERAGES_FILE: ${at("none.json")} is not there`]],
  [{ BROKERAGES_FILE: at("folder") }, 66, [/^BROKERAGES_FILE: .* is a folder, not a file$/]],
  [{ BROKERAGES_FILE: at("text.json") }, 65, [/^BROKERAGES_FILE: \S+text\.json is not JSON: /]],
  [
    { BROKERAGES_FILE: at("wrong.json") },
    65,
    [
      `BROKERAGES_FILE: ${at("wrong.json")}: [0].name: is required`,
      `BROKERAGES_FILE: ${at("wrong.json")}: [0].adapter: must be "paper" or "gateway"`,
      `BROKERAGES_FILE: ${at("wrong.json")}: [1].code: must be 1 to 32 letters, digits and _`,
      `BROKERAGES_FILE: ${at("wrong.json")}: [1].adapter: must be "paper" or "gateway"`,
      `BROKERAGES_FILE: ${at("wrong.json")}: [1].papier: unknown field`,
    ],
  ],
  [{ BROKERAGES_FILE: at("twice.json") }, 65, [`BROKERAGES_FILE: ${at("twice.json")}: code NEAR is listed twice`]],
  [
    { BROKERAGES_FILE: at("gateway.json") },
    CONFIGURATION,
    [/^NATS_URL: is not set, and BROKERAGES_FILE names brokerages with the adapter "gateway" \(FAR\)/],
  ],
  [
    { DATA_DIR: "/proc/data" },
    73,
    [/^DATA_DIR: \/proc\/data cannot be used: no folder can be made in \/proc \(ENOENT/],
  ],
  [{ DATA_DIR: at("file") }, 73, [`DATA_DIR: ${at("file")} cannot be used: ${at("file")} is a file, not a folder`]],
  [
    { DATA_DIR: at("file/data") },
    73,
    [`DATA_DIR: ${at("file/data")} cannot be used: ${at("file")} is a file, not a folder`],
  ],
  [
    { BACKUP_DIR: at("file/backups") },
    73,
    [`BACKUP_DIR: ${at("file/backups")} cannot be used: ${at("file")} is a file, not a folder`],
  ],
  [{ SIGNING_KEY_FILE: at("none") }, CONFIGURATION, [/^SIGNING_KEY_FILE: \S+none does not exist; npm run signing-key/]],
  [{ SIGNING_KEY_FILE: at("text.json") }, 65, [/text\.json is not a signing key/]],
  [{ PORT: String(taken) }, 69, [`127.0.0.1:${taken} is taken by another process: stop it, or set PORT to another`]],
  [{ HOST: "192.0.2.1", TRUST_PROXY: "on" }, 69, ["192.0.2.1 is not an address of this machine now: see HOST"]],
  [
    { HOST: "nowhere.invalid", TRUST_PROXY: "on" },
    CONFIGURATION,
    ["nowhere.invalid is not an address of this machine: see HOST"],
  ],
  [
    { REPLICATION: "on" },
    CONFIGURATION,
    ["REPLICATION: npm start runs all in one process; start engines with npm run engine"],
  ],
  [
    {
      ...{ FEED: "x", LOG_LEVL: "info", TLS_CERT_FILE: at("none"), PORT: String(taken) },
      ...{ BROKERAGES_FILE: at("twice.json"), DATA_DIR: at("file") },
    },
    CONFIGURATION,
    [
      "LOG_LEVL is not a setting; did you mean LOG_LEVEL?",
      "FEED: must be sim, none or replay:<file>",
      "TLS_CERT_FILE and TLS_KEY_FILE: set both or neither",
      `127.0.0.1:${taken} is taken by another process: stop it, or set PORT to another`,
      `DATA_DIR: ${at("file")} cannot be used: ${at("file")} is a file, not a folder`,
      `BROKERAGES_FILE: ${at("twice.json")}: code NEAR is listed twice`,
    ],
  ],
];

const WRONG = [...SETTINGS.map(([variables, line]) => [variables, CONFIGURATION, [line]] as const), ...PLACES];

describe("a wrong start tells all that is wrong, each in a line", () => {
  for (const [variables, exitCode, lines] of WRONG) {
    test(`${Object.entries(variables).join(" ")} (${exitCode})`, async () => {
      const data = at("data-of-none");
      const told = await checkStart({ PORT: "0", FEED: "none", DATA_DIR: data, ...variables }).then(
        () => assert.fail("it would start"),
        (error: unknown) => ({ lines: tellFailure(error).split("\n"), exitCode: exitCodeOf(error) }),
      );
      assert.equal(told.lines.length, lines.length, told.lines.join("\n"));
      for (const [index, line] of lines.entries()) {
        if (typeof line === "string") assert.equal(told.lines[index], line);
        else assert.match(told.lines[index] ?? "", line);
      }
      assert.equal(told.exitCode, exitCode);
      assert.equal(existsSync(data), false, "no data was made");
    });
  }

  test("of more than forty kinds", () => assert.ok(WRONG.length >= 40));
});
