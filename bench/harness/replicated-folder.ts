/** The folder of a partition of this process whose log is on nats-servers: followed, claimed and led immediately. */
import { randomUUID } from "node:crypto";
import type { NatsConnection } from "nats";
import { StreamLog } from "../../engine/cluster/log/replicated-log.ts";
import { openJetStreamLog } from "../../engine/cluster/log/stream/jetstream-log.ts";
import { ReplicaFolder } from "../../engine/cluster/replica/replica-folder.ts";
import type { DataFolder } from "../../engine/store/folder/data-folder.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import { endNow, quietLog } from "./ending.ts";

const LEASE_MS = 2_000;
const KEPT_LOG_BYTES = 4 * 1024 * 1024 * 1024;
/** Not the place of an engine that runs in parallel: it has a log of its own. */
const PLACE = { partition: 1, partitions: 2 };

export async function openReplicatedFolder(folder: string, connection: NatsConnection): Promise<DataFolder> {
  const shared = { timers: loopTimers, log: quietLog };
  const stream = await openJetStreamLog({
    ...{ ...shared, ...PLACE, connection, replicas: 3, newInstallation: () => "benchmark0" },
  });
  const log = new StreamLog({
    ...{ ...shared, stream, owner: "bench", leaseMs: LEASE_MS, steadyClock },
    ...{ newId: randomUUID, keepBytes: KEPT_LOG_BYTES, heldByOthers: () => undefined },
  });
  const copy = await ReplicaFolder.open({
    ...{ ...shared, folder, place: PLACE, clock: systemClock, fatal: endNow, installation: log.installation },
    life: log.life,
  });
  await log.follow(copy.position, {
    owns: (record) => copy.owns(record),
    onRecord: (record) => copy.follow(record),
    onClaim: () => undefined,
    onHole: (reason) => endNow(reason, undefined),
    onDamage: (reason) => endNow(reason, undefined),
  });
  const leadership = await log.claim(0, new AbortController().signal);
  return copy.lead(leadership.log);
}
