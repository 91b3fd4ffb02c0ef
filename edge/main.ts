/**
 * The edge as a process of its own: configuration -> NATS -> app -> server.
 */
import { setTimeout as delay } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import { connectNatsBus } from "../src/bus/nats/bus.ts";
import { OperatorMistake } from "../src/operator-mistake.ts";
import { createLog } from "../src/runtime/log.ts";
import { explainFailedStart, tellBusErrors } from "../src/runtime/process.ts";
import { type EdgeConfig, readEdgeConfig } from "./config.ts";
import { readTls } from "./server/server.ts";
import { startEdge } from "./start.ts";

const STOP_DEADLINE_MS = 9_000;
/** Once no request is open there is nothing left that somebody waits for; a bus that hangs must not fail the end. */
const DRAIN_WITHIN_MS = 1_000;

async function main(): Promise<void> {
  const config = readEdgeConfig(process.env);
  if (config.tls !== undefined) readTls(config.tls);
  const log = createLog(config.logLevel, "edge");
  const waiting = new AbortController();
  let stop = async (): Promise<void> => waiting.abort();
  closeWithGrace({ delay: STOP_DEADLINE_MS, logger: false }, async ({ err, signal }) => {
    if (err === undefined) log.info({ signal }, "stopping");
    else log.error({ error: err }, "stopping: an uncaught error");
    await stop();
  });
  const bus = await connectNatsBus({
    servers: natsUrlOf(config),
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

function natsUrlOf({ natsUrl }: EdgeConfig): string {
  if (natsUrl !== undefined) return natsUrl;
  throw new OperatorMistake(
    "NATS_URL: is not set, and an edge alone reaches the engine over NATS; npm start runs both in one process",
  );
}

main().catch(explainFailedStart("edge"));
