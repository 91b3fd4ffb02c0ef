/**
 * The parts of a scenario on real processes: a NATS server, an engine on a data folder, a brokerage behind the gateway
 * protocol, and a client of the engine's commands.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNatsBus } from "../../src/bus/nats/bus.ts";
import type { Bus } from "../../src/bus/port.ts";
import { type Envelope, replySchema } from "../../src/contract/command.ts";
import { clusterSchema } from "../../src/contract/operator/cluster.ts";
import { OPERATOR_QUERIES } from "../../src/contract/operator/operator.ts";
import { REFERENCE_COMMANDS } from "../../src/contract/operator/reference.ts";
import { brokerSubject, CLUSTER_SUBJECT, commandSubject } from "../../src/contract/subject.ts";
import { type NatsCluster, startNatsCluster } from "../../test/support/machine/nats-cluster.ts";
import { type NatsServer, startNatsServer } from "../../test/support/machine/nats-server.ts";
import { runProgram } from "../../test/support/machine/process.ts";
import { sleep } from "./figure/timing.ts";
import { eachInFlight } from "./load/in-flight.ts";
import { BROKERAGE, creationOf, type OwnedGroup, SYMBOLS, symbolOf } from "./load/owned-group.ts";
import { nodeOptionsOf } from "./node-options.ts";
import { type BenchProgram, ROOT, startBenchProgram } from "./program.ts";

const SYMBOLS_PER_WRITE = 100;
const TIMEOUT_MS = 60_000;
/** The engine that is started first, and another that can take over from it. */
const [FIRST, SECOND] = ["first", "second"] as const;
const LOOK_AGAIN_MS = 100;
/** Partitions are handed over once a second to their preferred engines. */
const SETTLED_MS = 3_000;
/** A subscriber that falls behind must show as slow, not be cut off. */
const NATS_CONFIGURATION = 'max_pending: 1073741824\nwrite_deadline: "60s"\n';

/** All symbols as they are written, a page a request. */
export function symbolPages(): { symbol: string; name: string; exchange: string; isActive: boolean }[][] {
  return Array.from({ length: SYMBOLS / SYMBOLS_PER_WRITE }, (_, page) =>
    Array.from({ length: SYMBOLS_PER_WRITE }, (_, index) => {
      const symbol = symbolOf(page * SYMBOLS_PER_WRITE + index);
      return { symbol, name: symbol, exchange: "BENCH", isActive: true };
    }),
  );
}

/** Starts a server that never cuts a slow subscriber off. */
export function startServer(): Promise<NatsServer> {
  return startNatsServer({ configuration: NATS_CONFIGURATION });
}

interface EngineOptions {
  readonly readyWithinMs?: number;
  readonly preloads?: readonly string[];
  /** The checkout whose engine it is; default: this one. */
  readonly root?: string;
  /** Settings of the engine in addition to the settings of every bench, by the names of their variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

export class World {
  readonly folder = mkdtempSync(join(tmpdir(), "trading-bench-"));
  readonly server: NatsServer;
  readonly bus: Bus;
  engine: BenchProgram | undefined;
  readonly #cluster: NatsCluster | undefined;
  #copy: BenchProgram | undefined;

  private constructor(server: NatsServer, bus: Bus, cluster: NatsCluster | undefined) {
    this.server = server;
    this.bus = bus;
    this.#cluster = cluster;
  }

  /** `isReplicated`: three servers hold the engine's log, and each engine keeps a copy. */
  static async open({ isReplicated = false } = {}): Promise<World> {
    const cluster = isReplicated ? await startNatsCluster({ configuration: NATS_CONFIGURATION }) : undefined;
    const server = cluster?.servers[0] ?? (await startServer());
    const bus = await connectNatsBus({ servers: server.url, name: "bench" });
    const world = new World(server, bus, cluster);
    const brokerages = [{ code: BROKERAGE, name: "Benchmark", adapter: "gateway", ordersPerMinute: 1_000_000_000 }];
    writeFileSync(world.brokeragesFile, JSON.stringify(brokerages));
    bus.respond(brokerSubject(BROKERAGE, "accounts"), async ({ data }) => {
      const { userId } = JSON.parse(Buffer.from(data).toString()) as { userId: number };
      const account = { accountNumber: `A${userId}`, number: `N${userId}`, name: "", isActive: true, isDefault: true };
      return Buffer.from(JSON.stringify({ ok: true, data: [account] }));
    });
    bus.respond(brokerSubject(BROKERAGE, "fence"), async ({ data }) => {
      const { partition, epoch } = JSON.parse(Buffer.from(data).toString()) as { partition: number; epoch: number };
      return Buffer.from(JSON.stringify({ ok: true, data: { partition, epoch } }));
    });
    if (isReplicated) await runProgram("engine/entry/signing-key.ts", {}, { arguments: [world.#signingKeyFile] });
    return world;
  }

  /** The URLs of all servers, joined with commas. */
  get urls(): string {
    return this.#cluster?.urls ?? this.server.url;
  }

  get serverPids(): number[] {
    return (this.#cluster?.servers ?? [this.server]).map(({ pid }) => pid);
  }

  get brokeragesFile(): string {
    return join(this.folder, "brokerages.json");
  }

  /** Starts the engine's own program on this world's data folder. */
  async startEngine({
    readyWithinMs = 120_000,
    preloads = [],
    root = ROOT,
    settings = {},
  }: EngineOptions = {}): Promise<BenchProgram> {
    this.engine = await startBenchProgram({
      entry: "engine/main.ts",
      root,
      nodeOptions: nodeOptionsOf(root),
      preloads,
      ready: this.#cluster === undefined ? /engine is ready/ : /this engine leads the partition/,
      readyWithinMs,
      environment: { ...this.#environment(FIRST), ...settings },
    });
    return this.engine;
  }

  /** Starts another engine of a replicated world: it keeps a copy of the partitions that the first one leads. */
  async startCopy(): Promise<BenchProgram> {
    const environment = this.#environment(SECOND);
    this.#copy = await startBenchProgram({ entry: "engine/main.ts", ready: /engine is ready/, environment });
    return this.#copy;
  }

  /** Returns which of the two engines leads, once the partition was handed to its preferred engine. */
  async settledRoles(): Promise<{ readonly leader: BenchProgram; readonly copy: BenchProgram }> {
    const [first, second] = [this.engine, this.#copy];
    if (first === undefined || second === undefined) throw new Error("both engines are started before");
    const envelope = { type: OPERATOR_QUERIES.readCluster, userId: null, requestId: "bench", body: {} };
    for (let leader = "", sinceMs = performance.now(); ; await sleep(LOOK_AGAIN_MS)) {
      const bytes = await this.bus.request(CLUSTER_SUBJECT, Buffer.from(JSON.stringify(envelope)), TIMEOUT_MS);
      const reply = replySchema.parse(JSON.parse(Buffer.from(bytes).toString()));
      const [partition] = reply.ok ? clusterSchema.parse(reply.data).partitions : [];
      const isWhole = partition?.copies[0]?.lagRecords === 0;
      if (!isWhole || partition.leader !== leader) sinceMs = performance.now();
      else if (performance.now() - sinceMs > SETTLED_MS) {
        return leader === FIRST ? { leader: first, copy: second } : { leader: second, copy: first };
      }
      leader = partition?.leader ?? "";
    }
  }

  get #signingKeyFile(): string {
    return join(this.folder, "signing-key.json");
  }

  #environment(name: string): Record<string, string> {
    const { NODE_OPTIONS } = process.env;
    const replicated = {
      REPLICATION: "on",
      ENGINE_NAME: name,
      NATS_MONITOR_URLS: this.#cluster?.monitorUrls ?? "",
      SIGNING_KEY_FILE: this.#signingKeyFile,
    };
    return {
      NATS_URL: this.urls,
      FEED: "none",
      DATA_DIR: join(this.folder, name),
      BROKERAGES_FILE: this.brokeragesFile,
      LOG_LEVEL: "info",
      ...(this.#cluster === undefined ? {} : replicated),
      ...(NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }),
    };
  }

  /** Makes the engine know `SYMBOLS` symbols in addition to its own. */
  async writeSymbols(): Promise<void> {
    for (const symbols of symbolPages()) await this.command(REFERENCE_COMMANDS.writeSymbols, 1, { symbols });
  }

  /** One command over the bus; throws when it is refused. */
  async command(type: string, userId: number, body: object): Promise<unknown> {
    const envelope: Envelope = { type, userId, requestId: "bench", body };
    const bytes = await this.bus.request(commandSubject(0), Buffer.from(JSON.stringify(envelope)), TIMEOUT_MS);
    const reply = replySchema.parse(JSON.parse(Buffer.from(bytes).toString()));
    if (!reply.ok) throw new Error(`${type} was refused: ${reply.message}`);
    return reply.data;
  }

  /**
   * Creates `count` groups, `inFlight` at a time; `groupAt` returns each group. Resolves with how long it took, in ms.
   */
  createGroups(count: number, inFlight: number, groupAt: (index: number) => OwnedGroup): Promise<number> {
    return requestAll(this.bus, commandSubject(0), count, inFlight, groupAt);
  }

  async close(): Promise<void> {
    await this.engine?.end("SIGKILL");
    await this.#copy?.end("SIGKILL");
    await this.bus.drain();
    await (this.#cluster ?? this.server).stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const ACCEPTED = Buffer.from('{"ok":true');

/** Sends `count` commands to create groups, `inFlight` at a time. Rejects at the first refused one. */
export async function requestAll(
  bus: Bus,
  subject: string,
  count: number,
  inFlight: number,
  groupAt: (index: number) => OwnedGroup,
): Promise<number> {
  const startedMs = performance.now();
  await eachInFlight(count, inFlight, async (index) => {
    const envelope = creationOf(groupAt(index));
    const reply = await bus.request(subject, Buffer.from(JSON.stringify(envelope)), TIMEOUT_MS);
    // Parsing every reply would measure the client.
    if (ACCEPTED.compare(reply, 0, ACCEPTED.length) !== 0) throw new Error(Buffer.from(reply).toString());
  });
  return performance.now() - startedMs;
}
