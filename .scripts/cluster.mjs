// npm run cluster: the replicated form on one machine, ready to be killed at. Three nats-servers that sync, two engines, a
// connector (the paper brokerage), a market and an edge, each a process of its own. What ends is started again a little
// later, as a service manager would.
// Owns: which processes there are and with what they are started. Does not own: what they do.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, projectRoot, runChild } from "./install.mjs";
import { ensureNewNatsServers, fetchedServers } from "./nats-servers.mjs";
import { endWithShell } from "./shell.mjs";

if (process.argv.length > 2) {
  process.stderr.write(`npm run cluster takes no arguments, and was given ${process.argv.slice(2).join(" ")}\n`);
  process.exit(64);
}

const AGAIN_MS = 10_000;
const END_WITHIN_MS = 15_000;
const folder = join(process.env.DATA_DIR ?? join(projectRoot, "data"), "cluster");
const servers = [1, 2, 3].map((number) => ({
  name: `nats-${number}`,
  port: 4300 + number,
  monitorPort: 8300 + number,
  routePort: 6300 + number,
}));
const BROKERAGE = {
  ...{ code: "PAPER", name: "Paper Brokerage", adapter: "gateway", resend: "idempotent", ordersPerMinute: 500 },
  paper: { startingCash: 1_000_000, startingPositions: { THYAO: 1000, GARAN: 1000, AKBNK: 1000, ASELS: 1000 } },
};

const environment = {
  ...process.env,
  NATS_URL: servers.map(({ port }) => `nats://127.0.0.1:${port}`).join(","),
  NATS_MONITOR_URLS: servers.map(({ monitorPort }) => `http://127.0.0.1:${monitorPort}`).join(","),
  REPLICATION: "on",
  FEED: "none",
  BROKERAGES_FILE: join(folder, "brokerages.json"),
  SIGNING_KEY_FILE: join(folder, "signing-key.json"),
};

function writeOnce(name, content) {
  const path = join(folder, name);
  if (!existsSync(path)) writeFileSync(path, content, { mode: 0o600 });
}

function serverConfiguration({ name, port, monitorPort, routePort }) {
  const routes = servers.map((server) => `"nats://127.0.0.1:${server.routePort}"`).join(", ");
  return [
    `server_name: ${name}`,
    `listen: "127.0.0.1:${port}"`,
    `http: "127.0.0.1:${monitorPort}"`,
    `cluster { name: trading, listen: "127.0.0.1:${routePort}", routes: [${routes}] }`,
    `jetstream { store_dir: ${JSON.stringify(join(folder, name))}, sync_interval: always }`,
    "",
  ].join("\n");
}

function programs(natsServer) {
  const entry = (name, path, own = {}, ...more) => ({
    ...{ name, command: process.execPath, args: [".scripts/run.mjs", path, ...more] },
    environment: { ...environment, ...own },
  });
  const engine = (name) => entry(name, "engine/main.ts", { ENGINE_NAME: name, DATA_DIR: join(folder, name) });
  return [
    ...servers.map(({ name }) => ({
      ...{ name, command: natsServer, args: ["--config", join(folder, `${name}.conf`)], environment },
    })),
    entry("paper", "engine/entry/paper.ts", { DATA_DIR: join(folder, "paper") }),
    entry("market", "engine/entry/feed.ts", {}, "sim", join(projectRoot, "fixtures/symbols.json")),
    engine("engine-1"),
    engine("engine-2"),
    entry("edge", "edge/main.ts"),
  ];
}

const running = new Map();
let isEnding = false;

function start(program) {
  const log = openSync(join(folder, `${program.name}.log`), "a");
  const { command, args, environment: env } = program;
  const child = spawn(command, args, { cwd: projectRoot, env, stdio: ["ignore", log, log] });
  running.set(program.name, child);
  process.stdout.write(`${program.name.padEnd(9)} process ${child.pid}\n`);
  child.once("exit", (code, signal) => {
    running.delete(program.name);
    if (isEnding) return;
    const again = `It is started again in ${AGAIN_MS / 1_000} s.`;
    process.stdout.write(`${program.name} ended (${signal ?? `exit code ${code}`}). ${again}\n`);
    setTimeout(() => isEnding || start(program), AGAIN_MS);
  });
}

async function end() {
  if (isEnding) return;
  isEnding = true;
  process.stdout.write("Ending.\n");
  for (const names of [/^edge/, /^engine|^paper|^market/, /^nats/]) {
    const ended = [...running].filter(([name]) => names.test(name)).map(([, child]) => endChild(child));
    await Promise.all(ended);
  }
  process.exit(0);
}

function endChild(child) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

endWithShell();
await ensureInstalled({ development: false });
await ensureNewNatsServers();
const natsServer = fetchedServers().at(-1)?.program;
if (natsServer === undefined) {
  process.stderr.write(
    "No nats-server of 2.10.27 or newer can be had here: docs/cluster.md says how to install one.\n",
  );
  process.exit(69);
}
mkdirSync(folder, { recursive: true, mode: 0o700 });
for (const server of servers) writeFileSync(join(folder, `${server.name}.conf`), serverConfiguration(server));
writeOnce("brokerages.json", JSON.stringify([BROKERAGE]));
if (!existsSync(environment.SIGNING_KEY_FILE)) {
  const args = [".scripts/run.mjs", "engine/entry/signing-key.ts", environment.SIGNING_KEY_FILE];
  const exitCode = await runChild(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (exitCode !== 0) process.exit(exitCode);
}
process.on("SIGINT", end).on("SIGTERM", end);
for (const program of programs(natsServer)) start(program);
process.stdout.write(`
Logs: ${folder}/*.log. The edge listens on http://127.0.0.1:${process.env.PORT || 8080}.
Who leads: grep "leads the partition" ${folder}/engine-*.log. The key of the demo user is in one of them, too.
Kill an engine with kill -9 <process>: the other one goes on about two seconds later.
`);
