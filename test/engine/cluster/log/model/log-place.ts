/** A place for the log's conformance suite: a log that is led, left, and led again by the next engine. */
import { randomUUID } from "node:crypto";
import { StreamLog } from "../../../../../engine/cluster/log/replicated-log.ts";
import type { LogStream } from "../../../../../engine/cluster/log/stream/log-stream.ts";
import type { Leadership } from "../../../../../engine/ports/replica.ts";
import { loopTimers, steadyClock } from "../../../../../src/runtime/clock.ts";
import { createLog } from "../../../../../src/runtime/log.ts";
import type { LogPlace } from "../../../store/log/log-conformance.ts";

const LEASE_MS = 300;

/** A log over `stream`, by an engine that is called `owner`. */
function openLog(stream: LogStream, owner: string, leaseMs = LEASE_MS): StreamLog {
  return new StreamLog({
    stream,
    owner,
    leaseMs,
    steadyClock,
    timers: loopTimers,
    log: createLog({ level: "silent" }, "test"),
    newId: randomUUID,
    keepBytes: 0,
    heldByOthers: () => Number.MAX_SAFE_INTEGER,
  });
}

/** Follows the log and leads it as soon as that is allowed. */
async function leadLog(stream: LogStream, owner: string): Promise<Leadership> {
  const log = openLog(stream, owner);
  await log.follow(undefined, {
    owns: () => true,
    onRecord: () => undefined,
    onClaim: () => undefined,
    onHole: () => undefined,
    onDamage: () => undefined,
  });
  return log.claim(0, new AbortController().signal);
}

export function logPlace(openStream: () => Promise<LogStream>): LogPlace {
  let stream: Promise<LogStream> | undefined;
  let engines = 0;
  return {
    open: async () => {
      stream ??= openStream();
      engines += 1;
      const { log } = await leadLog(await stream, `engine-${engines}`);
      return log;
    },
    leave: (log) => log.close(),
    remove: async () => undefined,
  };
}
