/**
 * The nats-servers that hold the log, checked at the start and periodically: what each server is, and its faults.
 *
 * Owns: asking, the last answers. Does not own: the judgement (server-check.ts), the consequences of a fault.
 *
 * Invariant: a faulty answer ends a start; a missing answer is asked for again. After a power cut, servers start at
 * different times.
 */
import type { NatsConnection } from "nats";
import type { ClusterView, LogServerView } from "../../../../src/contract/operator/cluster.ts";
import type { Clock, Log, Timers } from "../../../../src/runtime/ports.ts";
import { isLogName, logName, newestLife } from "../stream/jetstream-log.ts";
import { type Asked, askServers, judgeServers, ServersRefused, ServersSilent } from "./server-check.ts";

const TIMEOUT_MS = 2_000;
const ASK_AGAIN_MS = 1_000;
const LOG_AGAIN_MS = 60_000;
/** The log of this partition exists in every installation. */
const ANY_PARTITION = 0;

type ServersView = Pick<ClusterView, "servers" | "streams" | "faults">;

interface ServerWatchOptions {
  readonly monitorUrls: readonly string[];
  readonly connection: NatsConnection;
  /** The name of the stream of ticks. */
  readonly tickStream: string;
  readonly log: Log;
  readonly steadyClock: Clock;
  readonly timers: Pick<Timers, "after">;
}

export class ServerWatch {
  readonly #options: ServerWatchOptions;
  #view: ServersView = { servers: [], streams: [], faults: [] };

  constructor(options: ServerWatchOptions) {
    this.#options = options;
  }

  /** The servers as of the last check. */
  get view(): ServersView {
    return this.#view;
  }

  /**
   * Asks until most servers have reported their state, and logs a line every minute until then. Rejects with {@link
   * ServersRefused} if their answers show that they would lose acknowledged messages.
   */
  async askUntilKnown(): Promise<void> {
    const { log, steadyClock, timers } = this.#options;
    for (let logAtMs = Number.NEGATIVE_INFINITY; ; ) {
      const silence = await this.ask().then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ServersSilent) return error;
          throw error;
        },
      );
      if (silence === undefined) return;
      if (steadyClock.nowMs() >= logAtMs) {
        log.warn({ event: "servers.silent", reason: silence.message }, "waiting for the nats-servers of the log");
        logAtMs = steadyClock.nowMs() + LOG_AGAIN_MS;
      }
      await new Promise<void>((resolve) => void timers.after(ASK_AGAIN_MS, resolve));
    }
  }

  /**
   * Asks once. Rejects with {@link ServersRefused}, a line for each fault that would lose acknowledged messages, or
   * with {@link ServersSilent} if most servers do not report their state.
   */
  async ask(): Promise<void> {
    const { monitorUrls, connection, tickStream, log } = this.#options;
    const asked = await askServers(monitorUrls, async (url) => {
      const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      return answer.json();
    });
    const { faults, missing, warnings } = judgeServers(asked, await holdersOf(connection));
    this.#view = {
      servers: asked.map(viewOfServer),
      streams: await currentReplicas(connection, tickStream),
      faults: [...faults, ...missing],
    };
    if (faults.length > 0) throw new ServersRefused(faults.join("\n"));
    if (missing.length > 0) throw new ServersSilent(missing.join("; "));
    for (const warning of warnings) log.warn({ event: "servers.warning" }, warning);
  }
}

function viewOfServer({ url, server, offReason }: Asked): LogServerView {
  if (server === undefined) return { url, name: null, version: null, isSynced: null };
  const { server_name: name, version, jetstream } = server;
  return { url, name, version, isSynced: offReason === undefined && jetstream?.config?.sync_always === true };
}

/** The replicas of every log and of the stream of ticks; empty while no server answers for them. */
async function currentReplicas(connection: NatsConnection, tickStream: string): Promise<ClusterView["streams"]> {
  const manager = await connection.jetstreamManager({ checkAPI: false, timeout: TIMEOUT_MS });
  const names: string[] = [];
  try {
    for await (const name of manager.streams.names()) if (name === tickStream || isLogName(name)) names.push(name);
  } catch {
    return [];
  }
  return Promise.all(
    names.map(async (stream) => {
      const info = await manager.streams.info(stream).catch(() => undefined);
      const { leader, replicas = [] } = info?.cluster ?? {};
      const following = replicas.filter(({ current, offline }) => current && offline !== true).length;
      return { stream, currentReplicas: (leader === undefined ? 0 : 1) + following };
    }),
  );
}

/** The names of the servers that hold the first log; empty if it does not exist yet. */
async function holdersOf(connection: NatsConnection): Promise<string[]> {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  const life = await newestLife(manager).catch(() => 0);
  const info = await manager.streams.info(logName(ANY_PARTITION, life)).catch(() => undefined);
  const { leader, replicas = [] } = info?.cluster ?? {};
  return [leader, ...replicas.map(({ name }) => name)].filter((name) => name !== undefined);
}
