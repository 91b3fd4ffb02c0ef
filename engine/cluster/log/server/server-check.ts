/**
 * Whether the nats-servers can be trusted with the log: one clear line for each fault that would lose acknowledged
 * messages.
 *
 * Owns: the requests to the servers' monitoring addresses, and the judgement. Does not own: what a stream must be
 * (stream-check.ts), the consequences of a fault that is found later.
 *
 * Invariants:
 * 1. Nothing is trusted without evidence. Each server is asked about itself, most servers that hold the log must
 *    answer, and none can have a known fault. One server can be down: that is the reason for three.
 * 2. Only an answer can be a fault. A missing answer, or JetStream that is off, can be temporary.
 */
import { z } from "zod";
import { UserError } from "../../../../src/runtime/user-error.ts";

const SERVERS_MIN = 3;
/** Older versions let two engines append (2.9), or lose streams (2.10.20 to 2.10.22). */
const VERSION_MIN = [2, 10, 27];
/** Older versions can lose a server's vote while the cluster changes. */
const VERSION_GOOD = [2, 12, 3];
const PAYLOAD_BYTES_MIN = 1024 * 1024;

/** A server's answer about itself. */
const serverSchema = z.object({
  server_name: z.string(),
  version: z.string(),
  max_payload: z.number(),
  // Absent if JetStream is off, like `sync_always`.
  jetstream: z.object({ config: z.object({ sync_always: z.boolean().optional() }).optional() }).optional(),
});

export type ServerReport = z.infer<typeof serverSchema>;

/** One server's answers. */
export interface Asked {
  readonly url: string;
  /** Undefined if it does not answer. */
  readonly server: ServerReport | undefined;
  /** Why its JetStream is off, according to the server; undefined if it is on or if the server does not report it. */
  readonly offReason?: string | undefined;
}

interface ServerJudgement {
  /** Each must be fixed before an engine can rely on the log. */
  readonly faults: readonly string[];
  /** Why nothing is known yet about most servers; they are asked again. */
  readonly missing: readonly string[];
  readonly warnings: readonly string[];
}

/** The servers cannot hold a log. Carries a line for each fault. */
export class ServersRefused extends UserError {
  override readonly name = "ServersRefused";
}

/** Most servers did not report their state. No fault is known: they must be asked again. */
export class ServersSilent extends Error {
  override readonly name = "ServersSilent";
}

/** The answer of `/healthz`. */
const healthSchema = z.object({ status: z.string(), error: z.string().optional() });

/** Asks every server for its report. `get` returns the JSON at an address and rejects if it is not available. */
export function askServers(urls: readonly string[], get: (url: string) => Promise<unknown>): Promise<Asked[]> {
  return Promise.all(
    urls.map(async (url) => {
      const base = url.replace(/\/+$/, "");
      const answer = (path: string) => get(`${base}${path}`).catch(() => undefined);
      const [report, health] = await Promise.all([answer("/varz"), answer("/healthz?js-enabled-only=true")]);
      const { status = "ok", error } = healthSchema.safeParse(health).data ?? {};
      const offReason = status === "ok" ? undefined : (error ?? status);
      return { url, server: serverSchema.safeParse(report).data, offReason };
    }),
  );
}

/** Judges the reports. `holders`: the names of the servers that hold the log; empty if the log does not exist yet. */
export function judgeServers(asked: readonly Asked[], holders: readonly string[]): ServerJudgement {
  const away = asked.flatMap((each) => whyAway(each) ?? []);
  const servers = asked.flatMap(({ server }) => (server === undefined ? [] : [server]));
  const present = asked.filter((each) => whyAway(each) === undefined);
  const known = new Set(present.flatMap(({ server }) => server?.server_name ?? []));
  const named = new Set(servers.map(({ server_name }) => server_name));
  const unknown = holders.filter((name) => !named.has(name));
  const silentCount = asked.length - servers.length;
  const count = Math.max(SERVERS_MIN, holders.length);
  const isUnproven = known.size * 2 <= count;
  const faults = [
    asked.length < SERVERS_MIN
      ? `NATS_MONITOR_URLS names ${asked.length} servers, and a replicated log needs ${SERVERS_MIN}`
      : "",
    isUnproven && away.length === 0 && asked.length >= SERVERS_MIN
      ? `no evidence: NATS_MONITOR_URLS names ${[...known].join(" and ")} more than once`
      : "",
    unknown.length > silentCount ? `NATS_MONITOR_URLS does not name ${unknown.join(" and ")}, which hold the log` : "",
    ...asked.flatMap(faultsOf),
  ].filter((fault) => fault !== "");
  const warnings = [
    ...away,
    ...servers
      .filter(({ version }) => isOlder(version, VERSION_GOOD))
      .map(
        ({ server_name, version }) =>
          `nats-server ${server_name} is ${version}: ${VERSION_GOOD.join(".")} or newer is advised`,
      ),
  ];
  return { faults, missing: isUnproven ? away : [], warnings };
}

/** Why a server does not count as a holder of the log now; undefined if it does. */
function whyAway({ url, server, offReason }: Asked): string | undefined {
  if (server === undefined) {
    return `nats-server ${url} does not answer (http_port in its configuration, NATS_MONITOR_URLS here)`;
  }
  return offReason === undefined ? undefined : `JetStream of nats-server ${server.server_name} is off: ${offReason}`;
}

function faultsOf({ server, offReason }: Asked): string[] {
  if (server === undefined) return [];
  const { server_name, version, jetstream, max_payload } = server;
  const name = `nats-server ${server_name}`;
  if (isOlder(version, VERSION_MIN)) {
    return [`${name} is ${version}, and a log needs ${VERSION_MIN.join(".")}: older ones lose what they acknowledged`];
  }
  if (jetstream?.config === undefined) {
    // A server that is starting, or whose disk is full, has no JetStream either.
    return offReason === undefined ? [`${name} has no JetStream (jetstream {} in its configuration)`] : [];
  }
  return [
    jetstream.config.sync_always === true
      ? ""
      : `${name} acknowledges what is not on disk yet: set sync_interval: always in jetstream {} of its configuration`,
    max_payload >= PAYLOAD_BYTES_MIN
      ? ""
      : `${name} takes messages of ${max_payload} bytes: set max_payload to 1 MiB or more`,
  ].filter((fault) => fault !== "");
}

function isOlder(version: string, than: readonly number[]): boolean {
  const numbers = version.split(/[.-]/).slice(0, than.length).map(Number);
  for (const [index, wanted] of than.entries()) {
    const found = numbers[index] ?? 0;
    if (found !== wanted) return !(found > wanted);
  }
  return false;
}
