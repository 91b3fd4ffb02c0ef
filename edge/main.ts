/**
 * The edge as a process of its own: configuration -> NATS -> app -> server.
 */
import { setTimeout as delay } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import { assert } from "../src/assert.ts";
import { connectNatsBus } from "../src/bus/nats/bus.ts";
import { createLog } from "../src/runtime/log.ts";
import { endingSignals, explainFailedStart, logUnexpectedFault, tellBusErrors } from "../src/runtime/process.ts";
import { examineSettings, needsNats } from "../src/runtime/settings.ts";
import { refuseArguments, refuseTogether } from "../src/runtime/user-error.ts";
import { edgeConfigOf } from "./config.ts";
import { yieldToEngine } from "./priority.ts";
import { readTls } from "./server/certificate.ts";
import { checkAddress } from "./server/server.ts";
import { startEdge } from "./start.ts";

const WHY_NATS = "an edge alone reaches the engine over NATS; npm start runs both in one process";
const STOP_DEADLINE_MS = 9_000;
/** Once no request is open no client waits for anything; a bus that hangs must not fail the end. */
const DRAIN_WITHIN_MS = 1_000;

async function main(): Promise<void> {
  refuseArguments();
  const { settings, isSound, refuse } = examineSettings(process.env, ["edge"], [needsNats(WHY_NATS)]);
  const config = edgeConfigOf(settings);
  await refuseTogether([
    refuse,
    () => config.tls !== undefined && readTls(config.tls),
    () => isSound("HOST") && isSound("PORT") && checkAddress(config),
  ]);
  assert(config.natsUrl !== undefined, "the edge alone demands it");
  const log = createLog(config.log, "edge");
  if (!yieldToEngine())
    log.info(
      { event: "process.notYielding" },
      "the operating system refuses a lower priority for the edge, which continues without it",
    );
  const waiting = new AbortController();
  let stop = async (): Promise<void> => waiting.abort();
  closeWithGrace({ ...endingSignals(log), delay: STOP_DEADLINE_MS, logger: false }, async ({ err, signal }) => {
    if (err === undefined) log.info({ event: "process.stopping", signal }, "stopping");
    const exitCode = err === undefined ? 0 : logUnexpectedFault(log, err);
    await stop();
    if (err !== undefined) process.exit(exitCode);
  });
  const bus = await connectNatsBus({
    servers: config.natsUrl,
    name: "edge",
    waitOnFirstConnect: true,
    signal: waiting.signal,
    onError: tellBusErrors(log),
  });
  const edge = await startEdge(config, bus, log);
  stop = async () => {
    await edge.stop();
    await Promise.race([bus.drain(), delay(DRAIN_WITHIN_MS)]);
  };
}

main().catch(explainFailedStart("edge"));
