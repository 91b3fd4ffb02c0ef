// tier: real
/** The files that deploy the service: units that systemd accepts, and a compose file whose paths exist. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { EXIT_CODES } from "../src/runtime/user-error.ts";
import { temporaryFolder } from "./support/machine/process.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const UNITS = join(ROOT, "docs/deploy");
const NODE_OF_UNITS = "/usr/bin/node";

const hasAnalyzer = spawnSync("systemd-analyze", ["--version"]).status === 0;

function needsAnalyzer(context: TestContext): boolean {
  if (!hasAnalyzer && process.env.CI === "true") assert.fail("systemd-analyze not found");
  if (!hasAnalyzer) context.skip("systemd-analyze not found");
  return hasAnalyzer;
}

/** Returns the findings of systemd for a unit; empty if it is valid. Node may be elsewhere on this machine. */
async function verify(context: TestContext, name: string, unit: string): Promise<string> {
  const { path, remove } = await temporaryFolder();
  context.after(remove);
  await writeFile(join(path, name), unit.replaceAll(NODE_OF_UNITS, process.execPath));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", join(path, name)], {
    encoding: "utf8",
  });
  const told = `${stdout}${stderr}`;
  return status === 0 ? told : `ended with ${status}: ${told}`;
}

describe("systemd units", async () => {
  const names = (await readdir(UNITS)).filter((name) => name.endsWith(".service"));
  assert.deepEqual(names.toSorted(), [
    ...["trading-connector@.service", "trading-edge.service", "trading-engine.service"],
    ...["trading-feed@.service", "trading-paper.service"],
  ]);
  for (const name of names) {
    const unit = await readFile(join(UNITS, name), "utf8");

    test(`${name} is what systemd takes`, async (context) => {
      if (needsAnalyzer(context)) assert.equal(await verify(context, name, unit), "");
    });

    test(`${name} with a misspelt setting is not`, async (context) => {
      if (!needsAnalyzer(context)) return;
      const misspelt = unit.replace("TimeoutStopSec", "TimeoutStopSecs");
      assert.match(await verify(context, name, misspelt), /TimeoutStopSecs/);
    });

    test(`${name} starts what there is, and not again what a person must mend`, () => {
      // A unit that runs as an instance passes its kind and its configuration.
      const given = name.includes("@") ? " %i /etc/trading/(?:connector|feed)-%i.json" : "";
      const entry = new RegExp(`^ExecStart=/usr/bin/node \\.scripts/run\\.mjs (\\S+)${given}$`, "m").exec(unit)?.[1];
      assert.ok(entry !== undefined && existsSync(join(ROOT, entry)), entry);
      const prevented = /^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]?.split(" ").map(Number);
      const { usage, data, noInput, notAllowed, configuration } = EXIT_CODES;
      assert.deepEqual(prevented, [usage, data, noInput, notAllowed, configuration]);
    });

    test(`${name} goes on trying while a disk is full, or whatever else it needs is away`, () => {
      const [section = ""] = unit.split("[Service]");
      assert.match(section, /^StartLimitIntervalSec=0$/m);
    });

    test(`${name} is started after a NATS server of the machine`, () => {
      assert.match(unit, /^After=network-online.target nats-server.service$/m);
    });
  }
});

describe("compose.yaml", async () => {
  const text = await readFile(join(ROOT, "compose.yaml"), "utf8");

  test("mounts and starts what there is", () => {
    const mounted = [...text.matchAll(/^ +- \.\/(\S+?):\//gm)].map(([, path = ""]) => path);
    // Secrets are the operator's own.
    for (const path of mounted) assert.ok(path === "secrets" || existsSync(join(ROOT, path)), path);
    const entries = [...text.matchAll(/"\.scripts\/run\.mjs", "(\S+?)"/g)].map(([, entry = ""]) => entry);
    assert.deepEqual(entries, ["engine/main.ts", "edge/main.ts"]);
    for (const entry of entries) assert.ok(existsSync(join(ROOT, entry)), entry);
  });

  test("starts what needs NATS once that is healthy, and NATS syncs each message to the disk", async () => {
    const services = new Map(
      [...text.matchAll(/^ {2}(\w+):\n((?: {4}.*\n)+)/gm)].map(([, name, body]) => [name, body]),
    );
    for (const name of ["engine", "edge"]) {
      assert.match(services.get(name) ?? "", /depends_on: \{ nats: \{ condition: service_healthy \} \}/, name);
    }
    for (const name of ["nats", "edge"]) assert.match(services.get(name) ?? "", /healthcheck:/, name);
    assert.match(await readFile(join(UNITS, "nats.conf"), "utf8"), /^ {2}sync_interval: always$/m);
  });

  test("alerts go from Prometheus over Alertmanager to one place, and Grafana has a password of its own", async () => {
    const prometheus = await readFile(join(ROOT, "docs/monitoring/prometheus.yml"), "utf8");
    assert.match(prometheus, /alertmanagers:\n.*\n +- targets: \["alertmanager:9093"\]/);
    const alertmanager = await readFile(join(ROOT, "docs/monitoring/alertmanager.yml"), "utf8");
    const receivers = [...alertmanager.matchAll(/^ *- name: (\w+)$/gm)].map(([, name]) => name);
    const routed = [...alertmanager.matchAll(/^ *receiver: (\w+)$/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(routed)], receivers);
    assert.match(text, /GF_SECURITY_ADMIN_PASSWORD__FILE: \/run\/secrets\/grafana-password/);
  });

  test("Grafana finds its figures and its dashboard", async () => {
    const provisioning = join(ROOT, "docs/monitoring/grafana");
    const source = await readFile(join(provisioning, "datasources/prometheus.yml"), "utf8");
    const address = /^ +url: http:\/\/(\w+):(\d+)$/m.exec(source);
    assert.match(
      text,
      new RegExp(`^ {2}${address?.[1]}:\\n(?: {4}.*\\n)*? {4}ports: \\["127\\.0\\.0\\.1:\\d+:${address?.[2]}"\\]`, "m"),
    );
    const provider = await readFile(join(provisioning, "dashboards/trading.yml"), "utf8");
    const folder = /^ +path: (\S+)$/m.exec(provider)?.[1];
    assert.match(text, new RegExp(`^ +- \\./docs/monitoring/dashboard\\.json:${folder}/\\S+\\.json:ro$`, "m"));
    const dashboard = JSON.parse(await readFile(join(ROOT, "docs/monitoring/dashboard.json"), "utf8"));
    assert.ok(z.object({ uid: z.string(), title: z.string() }).safeParse(dashboard).success);
  });
});
