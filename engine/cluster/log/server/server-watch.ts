/**
 * The nats-servers that hold the log, asked at the start and now and then: what each is, and what is wrong with them.
 *
 * Owns: asking, what they said last. Does not own: the judgement (server-check.ts), what follows from a fault.
 */
import type { NatsConnection } from "nats";
import type { ClusterView, LogServerView } from "../../../../src/contract/operator/cluster.ts";
import type { Log } from "../../../../src/runtime/ports.ts";
import { logName, newestLife } from "../stream/jetstream-log.ts";
import { type Asked, askServers, judgeServers, ServersRefused } from "./server-check.ts";

const TIMEOUT_MS = 2_000;
/** The log of this partition is there in every installation. */
const ANY_PARTITION = 0;

type ServersView = Pick<ClusterView, "servers" | "faults">;

interface ServerWatchOptions {
  readonly monitorUrls: readonly string[];
  readonly connection: NatsConnection;
  readonly log: Log;
}

export class ServerWatch {
  readonly #options: ServerWatchOptions;
  #view: ServersView = { servers: [], faults: [] };

  constructor(options: ServerWatchOptions) {
    this.#options = options;
  }

  /** As they were when they were asked last. */
  get view(): ServersView {
    return this.#view;
  }

  /** Rejects with a line for each thing that would lose what the servers acknowledge. */
  async ask(): Promise<void> {
    const { monitorUrls, connection, log } = this.#options;
    const asked = await askServers(monitorUrls, async (url) => {
      const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      return answer.json();
    });
    const { faults, warnings } = judgeServers(asked, await holdersOf(connection));
    this.#view = { servers: asked.map(viewOfServer), faults: [...faults] };
    for (const warning of warnings) log.warn({}, warning);
    if (faults.length > 0) throw new ServersRefused(faults.join("\n"));
  }
}

function viewOfServer({ url, server }: Asked): LogServerView {
  if (server === undefined) return { url, name: null, version: null, isSynced: null };
  const { server_name: name, version, jetstream } = server;
  return { url, name, version, isSynced: jetstream?.config?.sync_always === true };
}

/** The names of the servers that hold the first log; none where it is not made yet. */
async function holdersOf(connection: NatsConnection): Promise<string[]> {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  const life = await newestLife(manager).catch(() => 0);
  const info = await manager.streams.info(logName(ANY_PARTITION, life)).catch(() => undefined);
  const { leader, replicas = [] } = info?.cluster ?? {};
  return [leader, ...replicas.map(({ name }) => name)].filter((name) => name !== undefined);
}
