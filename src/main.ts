/**
 * Everything in one process: engine, edge, paper brokerage and, unless configured otherwise, a simulated market.
 * `npm start`. With NATS_URL the parts meet on that server, else on a bus in the process.
 */
import { existsSync } from "node:fs";
import { startEdge } from "../edge/start.ts";
import { Engine } from "../engine/engine.ts";
import { type Bootstrap, bootstrapKeyPath } from "../engine/identity/bootstrap.ts";
import { type Buses, connectBuses } from "./bus/bus-ends.ts";
import { checkStart } from "./preflight.ts";
import { collectSeldom } from "./runtime/gc-flags.ts";
import { createLog } from "./runtime/log.ts";
import { endPolitely, exitFatally, explainFailedStart, tellBusErrors } from "./runtime/process.ts";
import { isLoopback } from "./runtime/settings.ts";
import { refuseArguments } from "./runtime/user-error.ts";

async function main(): Promise<void> {
  collectSeldom();
  refuseArguments();
  // 1. Configuration of both, checked before any data is made.
  const { config, edgeConfig } = await checkStart(process.env);
  const log = createLog(config.log, "engine");
  const whenStopped = endPolitely(log);
  // 2. The bus.
  const buses: Buses = await connectBuses(config.natsUrl, tellBusErrors(log));
  // 3. The engine, then the edge in front of it, then prices.
  const engine = await Engine.start({
    config,
    bus: buses.engine,
    connection: buses.connection,
    ownerBus: buses.owner,
    log,
    smsLog: log.child({ part: "paper-sms" }),
    fatal: exitFatally(log),
  });
  const edge = await startEdge(edgeConfig, buses.edge, createLog(edgeConfig.log, "edge"));
  await engine.startSource();
  const keyPath = bootstrapKeyPath(config.dataFolder);
  if (existsSync(keyPath) && !isLoopback(edgeConfig.host)) {
    log.warn(
      { event: "demo.keyReachable", path: keyPath },
      "others reach this address, and the demo user's API key exists: make keys of your own, remove it",
    );
  }
  greet(engine.bootstrap, edge.url, keyPath);
  whenStopped(
    async () => {
      await edge.stop();
      await engine.stop();
    },
    () => buses.close(),
  );
}

/** The first thing a newcomer reads. The key is shown at the very first start only, and later where it is kept. */
function greet(bootstrap: Bootstrap | undefined, url: string, keyPath: string): void {
  const lines = [`\nTrading Developer API listens on ${url}`, `Dashboard: ${url}/`];
  if (bootstrap !== undefined) {
    lines.push(
      `Demo API key (kept in ${bootstrap.path}): ${bootstrap.apiKey}`,
      "Next: exchange it for an access token:",
      `  curl -s ${url}/oauth/token -H 'X-API-Key: ${bootstrap.apiKey}' -H 'Content-Type: application/json' -d '{"grant_type":"api_key"}'`,
    );
  } else if (existsSync(keyPath)) lines.push(`The demo API key is kept in ${keyPath}`);
  process.stdout.write(`${lines.join("\n")}\n\n`);
}

main().catch(explainFailedStart("trading-developer-api"));
