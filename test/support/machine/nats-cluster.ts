/**
 * Three real nats-servers as one JetStream cluster, on loopback, new enough for the replicated log: programs that
 * `npm test` fetches (`.scripts/nats-servers.mjs`), never the installed one.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { connect, type JetStreamManager, StorageType } from "nats";
import { z } from "zod";
import { freePorts } from "./free-ports.ts";
import { suiteThatNeeds } from "./installed.ts";
import { type NatsServer, startNatsServer } from "./nats-server.ts";
import type { RouteLinks } from "./route-links.ts";

export interface ServerProgram {
  /** The Debian suite whose package it is. */
  readonly suite: string;
  readonly program: string;
}

const scripts = z.object({
  fetchedServers: z.function({ output: z.array(z.object({ suite: z.string(), program: z.string() })) }),
});
const path = fileURLToPath(new URL("../../../.scripts/nats-servers.mjs", import.meta.url));
const programs: readonly ServerProgram[] = scripts.parse(await import(path)).fetchedServers();

/** The newest of them. */
export function newestServer(): ServerProgram {
  const newest = programs.at(-1);
  assert.ok(newest !== undefined, "no nats-server is new enough: npm test fetches one");
  return newest;
}

/**
 * A group of tests that need servers which are new enough. Without them it is reported as skipped, by its name; under
 * `CI=true` it fails instead.
 */
export const clusterSuite = suiteThatNeeds(programs.length > 0, "a nats-server that is new enough");

/** The same group once for each installed server version that `isChosen`, by default every one. */
export function eachServerSuite(
  name: string,
  body: (server: ServerProgram) => void,
  isChosen: (server: ServerProgram) => boolean = () => true,
): void {
  if (programs.length === 0) clusterSuite(name, () => undefined);
  for (const server of programs.filter(isChosen)) clusterSuite(`${name} (${server.suite})`, () => body(server));
}

interface ClusterServer extends NatsServer {
  readonly name: string;
  readonly monitorUrl: string;
}

export interface NatsCluster {
  readonly servers: readonly ClusterServer[];
  /** Addresses of all servers, joined with commas. */
  readonly urls: string;
  readonly monitorUrls: string;
  /** The server with this name. */
  server(name: string): ClusterServer;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Default: the newest. */
  readonly server?: ServerProgram;
  /** Default: true. False leaves the servers' own interval of two minutes. */
  readonly isSynced?: boolean;
  /** Limit for all streams of each server; default: the disk's. */
  readonly fileStoreBytes?: number;
  /** Ways between the servers that can be cut. */
  readonly routes?: RouteLinks;
  /** Further lines of every server's configuration file. */
  readonly configuration?: string;
}

const SIZE = 3;
const nameOf = (index: number): string => `n${index + 1}`;
/**
 * Servers that start together sometimes settle on a cluster of two for good; after this time they are started again.
 */
const READY_WITHIN_MS = 20_000;
/** A server can count as online, and as offline again a moment later. */
const STEADY_TIMES = 4;
/** An address at which nothing listens: port 1 belongs to a service that no machine runs. */
const NOWHERE = "127.0.0.1:1";
const TRIES_MAX = 5;

/** Starts the servers and resolves once they take streams. */
export async function startNatsCluster(options: ClusterOptions = {}): Promise<NatsCluster> {
  for (let tries = 1; ; tries += 1) {
    const cluster = await startServers(options).catch((error: unknown) => {
      // Another process may have taken a port that was free.
      if (tries >= TRIES_MAX) throw error;
      return undefined;
    });
    if (cluster === undefined) continue;
    const isReady = await whenReady(cluster.servers).catch(async (error: unknown) => {
      await cluster.stop();
      throw error;
    });
    if (isReady) return cluster;
    await cluster.stop();
    assert.ok(tries < TRIES_MAX, "the nats-servers do not become one cluster");
  }
}

async function startServers(options: ClusterOptions): Promise<NatsCluster> {
  const ports = await freePorts(3 * SIZE);
  const numbers = Array.from({ length: SIZE }, (_, index) => index);
  const routesOf = (from: number): Promise<string[]> =>
    Promise.all(
      numbers.map(async (to) => {
        const port = ports[2 * SIZE + to] ?? 0;
        return (await options.routes?.url(nameOf(from), nameOf(to), port)) ?? `nats://127.0.0.1:${port}`;
      }),
    );
  const starts = await Promise.allSettled(
    numbers.map(async (index) => startMember(index, ports, await routesOf(index), options)),
  );
  const servers = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const failed = starts.find((start) => start.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(servers.map((server) => server.stop()));
    throw failed.reason;
  }
  const urls = servers.map(({ url }) => url).join(",");
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
  };
  return {
    servers,
    urls,
    monitorUrls: servers.map(({ monitorUrl }) => monitorUrl).join(","),
    server: (name) => {
      const found = servers.find((server) => server.name === name);
      assert.ok(found !== undefined, `no server ${name}`);
      return found;
    },
    stop,
  };
}

async function startMember(
  index: number,
  ports: readonly number[],
  routes: readonly string[],
  { server = newestServer(), isSynced = true, fileStoreBytes, configuration = "", routes: links }: ClusterOptions,
): Promise<ClusterServer> {
  const name = nameOf(index);
  const monitorPort = ports[SIZE + index];
  const lines = [
    `server_name: ${name}`,
    `http: "127.0.0.1:${monitorPort}"`,
    `cluster { ${[
      `name: test, no_advertise: true, listen: "127.0.0.1:${ports[2 * SIZE + index]}", routes: ${JSON.stringify(routes)}`,
      // Servers announce to each other where a third one listens: without this they find a way around a cut route.
      links === undefined ? "" : `advertise: "${NOWHERE}"`,
    ].join("\n")} }`,
    `jetstream { ${[
      isSynced ? "sync_interval: always" : "",
      fileStoreBytes === undefined ? "" : `max_file_store: ${fileStoreBytes}`,
    ].join("\n")} }`,
    configuration,
  ];
  const started = await startNatsServer({
    program: server.program,
    port: ports[index] ?? 0,
    jetStream: true,
    configuration: lines.join("\n"),
  });
  const own = { name, monitorUrl: `http://127.0.0.1:${monitorPort}` };
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(started)) as ClusterServer;
}

/**
 * Waits until the servers have found each other and chosen a leader: then the cluster takes streams. Resolves to false
 * if that takes too long.
 */
async function whenReady(servers: readonly ClusterServer[]): Promise<boolean> {
  const untilMs = performance.now() + READY_WITHIN_MS;
  const connection = await connect({ servers: servers.map(({ url }) => url) });
  try {
    const manager = await connection.jetstreamManager({ checkAPI: false, timeout: 1_000 });
    for (let isReady = false; !isReady && performance.now() < untilMs; ) {
      isReady = await manager.getAccountInfo().then(
        () => true,
        () => false,
      );
    }
    for (const server of servers) {
      while (!(await isWhole(server))) {
        if (performance.now() > untilMs) return false;
        await pause();
      }
    }
    for (let timesInARow = 0; timesInARow < STEADY_TIMES; ) {
      timesInARow = (await takesStreams(manager)) ? timesInARow + 1 : 0;
      if (performance.now() > untilMs) return false;
      await pause();
    }
    return true;
  } finally {
    await connection.close();
  }
}

const pause = (): Promise<void> => new Promise((go) => setTimeout(go, 50));

/** A server that is in the cluster still counts as offline until it has reported itself. */
async function takesStreams({ streams }: JetStreamManager): Promise<boolean> {
  try {
    await streams.add({ name: "WHOLE", subjects: ["whole"], storage: StorageType.Memory, num_replicas: SIZE });
    return await streams.delete("WHOLE");
  } catch {
    return false;
  }
}

const standing = z.object({
  meta_cluster: z.object({
    leader: z.string().optional(),
    cluster_size: z.number(),
    replicas: z.array(z.object({ current: z.boolean() })).optional(),
  }),
});

/** Only the leader knows the state of the others. */
async function isWhole({ name, monitorUrl }: ClusterServer): Promise<boolean> {
  const found = standing.safeParse(await (await fetch(`${monitorUrl}/jsz`)).json());
  if (!found.success) return false;
  const { leader = "", cluster_size, replicas = [] } = found.data.meta_cluster;
  return leader !== "" && cluster_size === SIZE && (leader !== name || replicas.every(({ current }) => current));
}
