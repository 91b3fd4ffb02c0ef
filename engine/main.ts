/**
 * The engine as a process of its own: `npm run engine`. Needs NATS_URL.
 */
import { assert } from "../src/assert.ts";
import { connectNatsBus } from "../src/bus/nats/bus.ts";
import { collectSeldom } from "../src/runtime/gc-flags.ts";
import { createLog } from "../src/runtime/log.ts";
import { endPolitely, exitFatally, explainFailedStart, tellBusErrors } from "../src/runtime/process.ts";
import { examineSettings, needsNats } from "../src/runtime/settings.ts";
import { refuseArguments, refuseTogether } from "../src/runtime/user-error.ts";
import { replicationDemand } from "./cluster/log/server/preflight.ts";
import { engineConfigOf } from "./config.ts";
import { Engine } from "./engine.ts";
import { preflight } from "./host/preflight.ts";
import type { Bootstrap } from "./identity/bootstrap.ts";
import { readBrokeragesFile } from "./order/registry.ts";

const WHY_NATS = "an engine of its own needs NATS; npm start runs all in one process";

async function main(): Promise<void> {
  collectSeldom();
  refuseArguments();
  // 1. Configuration, and the files that it names.
  const { settings, refuse } = examineSettings(process.env, ["engine"], [needsNats(WHY_NATS), replicationDemand]);
  const config = engineConfigOf(settings);
  await refuseTogether([refuse, ...preflight(config), () => readBrokeragesFile(config.brokeragesFile)]);
  assert(config.natsUrl !== undefined, "an engine of its own demands it");
  const log = createLog(config.log, "engine");
  const whenStopped = endPolitely(log);
  // 2. The bus.
  const shared = {
    servers: config.natsUrl,
    waitOnFirstConnect: true,
    onError: tellBusErrors(log),
  };
  const bus = await connectNatsBus({ ...shared, name: "engine" });
  const smsLog = log.child({ part: "paper-sms" });
  const fatal = exitFatally(log);
  const isShared = config.replication !== undefined;
  const ownerBus = isShared ? undefined : await connectNatsBus({ ...shared, name: "engine-owner", isEchoed: false });
  // 3. Partitions, feed, answers.
  const buses = { bus, connection: bus.connection, ownerBus };
  const engine = await Engine.start({ config, ...buses, log, smsLog, fatal, onBootstrap: greet });
  if (engine.bootstrap !== undefined) greet(engine.bootstrap);
  // 4. A price source of our own, if one is configured.
  await engine.startSource();
  const place = isShared ? { engine: engine.name } : { partitions: config.ownPartitions };
  log.info({ event: "engine.ready", ...place }, "engine is ready");
  whenStopped(
    () => engine.stop(),
    async () => {
      await bus.drain();
      await ownerBus?.drain();
    },
  );
}

/** Printed at the very first start only. The key is shown to a person at a terminal; a log is kept and sent on. */
function greet({ path, apiKey }: Bootstrap): void {
  process.stdout.write(`\nDemo API key (kept in ${path})${process.stdout.isTTY ? `: ${apiKey}` : ""}\n\n`);
}

main().catch(explainFailedStart("engine"));
