/**
 * `npm run restore-cluster`: every partition of engines that share them (REPLICATION=on) continues from the folders in
 * DATA_DIR, backups or copies of a stopped engine. It needs the settings of that engine, and no engine may run.
 *
 * Each partition gets a log of its own life; other engines set aside their data and are seeded.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { connectNatsBus, type NatsBus } from "../../src/bus/nats/bus.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import { explainFailedStart, tellBusErrors } from "../../src/runtime/process.ts";
import { refuseArguments, UserError } from "../../src/runtime/user-error.ts";
import { beginLife } from "../cluster/log/restore-cluster.ts";
import { makeJetStreamLog, newestLife } from "../cluster/log/stream/jetstream-log.ts";
import { heardEngines } from "../cluster/placement/listen.ts";
import { Presence } from "../cluster/placement/presence.ts";
import { type EngineConfig, readEngineConfig } from "../config.ts";
import { partitionFolder } from "../host/names.ts";
import { RestoredCopy } from "../store/backup/restored-copy.ts";
import { readLife } from "../store/folder/life.ts";

const NAME = "restore-cluster";
const REPLICAS = 3;
const LEASE_MS = 1_000;
const TIMEOUT_MS = 60_000;
/** More messages than the log of one life ever contains. */
const MESSAGES_MAX = 1e9;

async function main(): Promise<void> {
  refuseArguments();
  const config = readEngineConfig(process.env);
  if (config.replication === undefined || config.natsUrl === undefined) {
    throw new UserError("REPLICATION: is off; npm run restore-cluster is for engines that share partitions");
  }
  const log = createLog(config.log, NAME);
  const bus = await connectNatsBus({ servers: config.natsUrl, name: NAME, onError: tellBusErrors(log) });
  const copies: RestoredCopy[] = [];
  try {
    await refuseWhileEnginesRun(bus, config);
    for (let partition = 0; partition < config.partitions; partition += 1) {
      const place = { partition, partitions: config.partitions };
      copies.push(await RestoredCopy.open(partitionFolder(config.dataFolder, partition), place, systemClock.nowMs()));
    }
    await begin(bus, config, copies);
  } finally {
    for (const copy of copies) await copy.close();
    await bus.drain();
  }
}

async function refuseWhileEnginesRun(bus: NatsBus, { partitions }: EngineConfig): Promise<void> {
  const told = () => ({ lags: {}, leads: {}, positions: {}, takeovers: {}, heldTo: {} });
  const presence = Presence.start({
    bus,
    steadyClock,
    timers: loopTimers,
    engine: NAME,
    machine: NAME,
    partitions,
    told,
  });
  presence.beginEnd();
  const running = await heardEngines(presence, NAME, loopTimers);
  presence.stop();
  if (running.length === 0) return;
  throw new UserError(`stop every engine first: ${running.join(" and ")} run`, { reason: "temporary" });
}

/**
 * Returns the next life in microseconds: more than any sequence that an earlier life reached. This machine's clock may
 * be behind the clock of the machine on which the last life began: then the last life decides.
 */
async function lifeAfter(bus: NatsBus, { partitions, dataFolder }: EngineConfig): Promise<number> {
  const ofLog = await newestLife(await bus.connection.jetstreamManager());
  const ofCopies = Array.from({ length: partitions }, (_, partition) =>
    readLife(partitionFolder(dataFolder, partition)),
  );
  return Math.max(systemClock.nowMs() * 1_000, Math.max(ofLog, ...ofCopies) + MESSAGES_MAX);
}

async function begin(bus: NatsBus, config: EngineConfig, copies: readonly RestoredCopy[]): Promise<void> {
  const log = createLog(config.log, NAME);
  const life = await lifeAfter(bus, config);
  for (const { head, firstRecord } of copies) {
    const { partition, partitions, installation } = head;
    const place = { connection: bus.connection, timers: loopTimers, partition, partitions, replicas: REPLICAS };
    const stream = await makeJetStreamLog({ ...place, newInstallation: () => installation }, life);
    const options = { stream, owner: `${NAME}.${hostname()}`, leaseMs: LEASE_MS, steadyClock, timers: loopTimers, log };
    await beginLife({ ...options, newId: randomUUID }, firstRecord, AbortSignal.timeout(TIMEOUT_MS));
  }
  for (const copy of copies) {
    await copy.keep(life);
    const { partition, batch } = copy.head;
    process.stdout.write(`partition ${partition} continues from batch ${batch}, in life ${life}\n`);
  }
  process.stdout.write("start this engine first, then the others: they set aside what they have and are seeded\n");
}

main().catch(explainFailedStart(NAME));
