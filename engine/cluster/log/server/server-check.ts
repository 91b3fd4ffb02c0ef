/**
 * Whether the nats-servers can be trusted with the log: one clear line for whatever would lose what they acknowledged.
 *
 * Owns: what is asked of the servers' monitoring addresses, and the judgement. Does not own: what a stream must be
 * (stream-check.ts), what follows from a fault that is found later.
 *
 * Invariant: without evidence nothing is believed. What a server is worth is asked of itself, of most that hold the log,
 * and of none of them is anything bad known. One may be away: that is what there are three for.
 */
import { z } from "zod";
import { UserError } from "../../../../src/runtime/user-error.ts";

const SERVERS_MIN = 3;
/** Older ones let two engines append (2.9), or lose streams (2.10.20 to 2.10.22). */
const VERSION_MIN = [2, 10, 27];
/** Older ones may lose a server's vote while the cluster changes. */
const VERSION_GOOD = [2, 12, 3];
const PAYLOAD_BYTES_MIN = 1024 * 1024;

/** What a server says of itself. */
const serverSchema = z.object({
  server_name: z.string(),
  version: z.string(),
  max_payload: z.number(),
  // Absent where it is off, as `sync_always` is.
  jetstream: z.object({ config: z.object({ sync_always: z.boolean().optional() }).optional() }).optional(),
});

export type ServerReport = z.infer<typeof serverSchema>;

/** `server`: undefined where it does not answer. */
export interface Asked {
  readonly url: string;
  readonly server: ServerReport | undefined;
}

interface ServerJudgement {
  /** Each must be mended before an engine may rely on the log. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** The servers cannot hold a log. Carries a line for each fault. */
export class ServersRefused extends UserError {
  override readonly name = "ServersRefused";
}

/** Asks every server for its report. `get` gives the JSON of an address and rejects where it cannot be had. */
export function askServers(urls: readonly string[], get: (url: string) => Promise<unknown>): Promise<Asked[]> {
  return Promise.all(
    urls.map(async (url) => {
      const found = await get(`${url.replace(/\/+$/, "")}/varz`).catch(() => undefined);
      return { url, server: serverSchema.safeParse(found).data };
    }),
  );
}

/** `holders`: the names of the servers that hold the log; empty where it is not made yet. */
export function judgeServers(asked: readonly Asked[], holders: readonly string[]): ServerJudgement {
  const silent = asked.filter(({ server }) => server === undefined).map(({ url }) => url);
  const servers = asked.flatMap(({ server }) => (server === undefined ? [] : [server]));
  const known = new Set(servers.map(({ server_name }) => server_name));
  const unknown = holders.filter((name) => !known.has(name));
  const count = Math.max(SERVERS_MIN, holders.length);
  const faults = [
    asked.length < SERVERS_MIN
      ? `NATS_MONITOR_URLS names ${asked.length} servers, and a replicated log needs ${SERVERS_MIN}`
      : "",
    known.size * 2 <= count
      ? `no evidence: ${silent.join(" and ") || "too few servers"} did not say what they are (http_port in the configuration of nats-server, NATS_MONITOR_URLS here)`
      : "",
    unknown.length > silent.length
      ? `NATS_MONITOR_URLS does not name ${unknown.join(" and ")}, which hold the log`
      : "",
    ...servers.flatMap(faultsOf),
  ];
  const warnings = [
    ...silent.map((url) => `nats-server ${url} does not answer`),
    ...servers
      .filter(({ version }) => isOlder(version, VERSION_GOOD))
      .map(
        ({ server_name, version }) =>
          `nats-server ${server_name} is ${version}: ${VERSION_GOOD.join(".")} or newer is advised`,
      ),
  ];
  return { faults: faults.filter((fault) => fault !== ""), warnings };
}

function faultsOf({ server_name, version, jetstream, max_payload }: ServerReport): string[] {
  const server = `nats-server ${server_name}`;
  if (isOlder(version, VERSION_MIN)) {
    return [
      `${server} is ${version}, and a log needs ${VERSION_MIN.join(".")}: older ones lose what they acknowledged`,
    ];
  }
  if (jetstream?.config === undefined) return [`${server} has no JetStream (jetstream {} in its configuration)`];
  return [
    jetstream.config.sync_always === true
      ? ""
      : `${server} acknowledges what is not on disk yet: set sync_interval: always in jetstream {} of its configuration`,
    max_payload >= PAYLOAD_BYTES_MIN
      ? ""
      : `${server} takes messages of ${max_payload} bytes: set max_payload to 1 MiB or more`,
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
