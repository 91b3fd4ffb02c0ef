/**
 * Several engines over one replicated log, as processes on three real nats-servers, and a brokerage that counts. It
 * takes every request, also one with a known name, behind the connector's own fence or without it.
 */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { openJetStreamLog } from "../../../engine/cluster/log/stream/jetstream-log.ts";
import { frameAt } from "../../../engine/cluster/log/stream/record-location.ts";
import { serveConnector } from "../../../engine/connector/host/serve.ts";
import { connectNatsBus, type NatsBus } from "../../../src/bus/nats/bus.ts";
import type { Bus } from "../../../src/bus/port.ts";
import type { OrderRecord } from "../../../src/contract/trading/order.ts";
import { loopTimers, steadyClock } from "../../../src/runtime/clock.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { CountingConnector } from "../brokerage/counting-connector.ts";
import { EngineClient } from "../client/engine-client.ts";
import { LateLink } from "../machine/late-link.ts";
import { type ClusterOptions, type NatsCluster, startNatsCluster } from "../machine/nats-cluster.ts";
import { type Program, runProgram, startProgram, temporaryFolder } from "../machine/process.ts";
import { ENGINE_USER, groupOf } from "./engine-world.ts";
import { until } from "./stack.ts";

const CODE = "FAR";
/** A user has one group of a symbol in each. */
export const ACCOUNTS = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"];
const READY = /engine is ready/;
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A bus that removes the fence from every request, as for a connector without one. */
function unfenced(bus: Bus): Bus {
  const respond: Bus["respond"] = (subject, handler, options) =>
    bus.respond(
      subject,
      (message) => {
        const { fence: _fence, ...rest } = JSON.parse(Buffer.from(message.data).toString());
        return handler({ ...message, data: Buffer.from(JSON.stringify(rest)) });
      },
      options,
    );
  return new Proxy(bus, {
    get: (target, name) => {
      if (name === "respond") return respond;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

interface FailoverOptions extends ClusterOptions {
  /** Default: a brokerage that fills every order immediately. */
  readonly connector?: CountingConnector;
  /** Default: true. */
  readonly isFenced?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

export class FailoverWorld {
  readonly cluster: NatsCluster;
  readonly nats: NatsConnection;
  readonly client: EngineClient;
  readonly folder: string;
  readonly connector: CountingConnector;
  readonly engines = new Map<string, Program>();
  /** Every start of every engine. */
  readonly #starts: { readonly name: string; readonly program: Program }[] = [];
  /** From each engine to all servers. */
  readonly #links = new Map<string, LateLink>();
  readonly #options: FailoverOptions;
  readonly #bus: NatsBus;
  readonly #removeFolder: () => Promise<void>;
  #refusedCount = 0;

  private constructor(
    options: FailoverOptions,
    cluster: NatsCluster,
    connections: { readonly nats: NatsConnection; readonly bus: NatsBus },
    folder: Awaited<ReturnType<typeof temporaryFolder>>,
  ) {
    this.#options = options;
    this.cluster = cluster;
    this.nats = connections.nats;
    this.#bus = connections.bus;
    this.folder = folder.path;
    this.#removeFolder = () => folder.remove();
    this.client = new EngineClient(this.nats, ENGINE_USER);
    this.connector = options.connector ?? new CountingConnector(ACCOUNTS);
    const bus = options.isFenced === false ? unfenced(this.#bus) : this.#bus;
    serveConnector(this.connector, { code: CODE, bus, log: this.#counting(), steadyClock });
  }

  /** Requests that the gateway refused: from an engine that no longer leads, or for an attempt that has its answer. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Servers and brokerage; engines are started by {@link startEngine}. */
  static async open(options: FailoverOptions = {}): Promise<FailoverWorld> {
    const folder = await temporaryFolder();
    const brokerage = {
      code: CODE,
      name: "Far",
      adapter: "gateway",
      resend: "query",
      timeoutMs: 1_000,
      ordersPerMinute: 1_000_000,
    };
    await writeFile(join(folder.path, "brokerages.json"), JSON.stringify([brokerage]));
    const key = join(folder.path, "signing-key.json");
    const made = await runProgram("engine/entry/signing-key.ts", {}, { arguments: [key] });
    assert.equal(made.code, 0, made.output);
    const cluster = await startNatsCluster(options);
    const servers = cluster.urls.split(",");
    const nats = await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    const bus = await connectNatsBus({ servers: cluster.urls, name: "brokerage" });
    return new FailoverWorld(options, cluster, { nats, bus }, folder);
  }

  environment(name: string): Record<string, string> {
    return {
      NATS_URL: this.link(name).urls,
      NATS_MONITOR_URLS: this.cluster.monitorUrls,
      REPLICATION: "on",
      LEASE_MS: "2000",
      ENGINE_NAME: name,
      SIGNING_KEY_FILE: join(this.folder, "signing-key.json"),
      BROKERAGES_FILE: join(this.folder, "brokerages.json"),
      DATA_DIR: join(this.folder, name),
      ...this.#options.environment,
    };
  }

  async startEngine(name: string, environment: Readonly<Record<string, string>> = {}): Promise<Program> {
    if (!this.#links.has(name)) this.#links.set(name, await LateLink.open(this.cluster.servers));
    const program = await startProgram("engine/main.ts", { ...this.environment(name), ...environment }, READY);
    this.engines.set(name, program);
    this.#starts.push({ name, program });
    return program;
  }

  /** Writes the output of every engine, each start to a file of its own. */
  async keepOutputs(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (const [index, { name, program }] of this.#starts.entries()) {
      await writeFile(join(folder, `${String(index + 1).padStart(3, "0")}-${name}.log`), program.output());
    }
  }

  engine(name: string): Program {
    const found = this.engines.get(name);
    assert.ok(found !== undefined, `no engine ${name}`);
    return found;
  }

  link(name: string): LateLink {
    const found = this.#links.get(name);
    assert.ok(found !== undefined, `no engine ${name}`);
    return found;
  }

  /** Returns the engine that made the last claim of partition 0; undefined while it is released. */
  async leader(): Promise<string | undefined> {
    const options = { connection: this.nats, timers: loopTimers, partition: 0, partitions: 1, replicas: 3 };
    const stream = await openJetStreamLog({ ...options, newInstallation: () => assert.fail("there is a log") });
    const { lastSequence } = await stream.state();
    const last = lastSequence === 0 ? undefined : await frameAt(stream, lastSequence);
    if (last === undefined || last.kind === "release") return undefined;
    const claim = await frameAt(stream, last.epoch);
    // Each start adds a name of its own.
    return claim?.kind === "claim" ? claim.owner.split(".")[0] : undefined;
  }

  /** Waits until an engine leads that is not one of `others`. */
  async untilLed(...others: readonly string[]): Promise<string> {
    const leader = await until(
      () => this.leader().catch(() => undefined),
      (name) => name !== undefined && !others.includes(name),
    );
    assert.ok(leader !== undefined && !others.includes(leader), `${leader} leads`);
    return leader;
  }

  async create(symbol: string, key = symbol, accountNumber = "A1"): Promise<void> {
    const made = await this.client.createGroup(groupOf(CODE, accountNumber, symbol), key);
    assert.ok("groupId" in made, JSON.stringify(made));
  }

  /**
   * Resolves to false if the group before still counts as active: the brokerage has its order, and the engine does not
   * know it yet.
   */
  async tryCreate(symbol: string, key: string, accountNumber: string): Promise<boolean> {
    const made = await this.client.createGroup(groupOf(CODE, accountNumber, symbol), key);
    if ("groupId" in made) return true;
    assert.match(made.refusal, /^an active OCO group already exists/);
    return false;
  }

  async tick(symbol: string, price: number): Promise<void> {
    this.nats.publish(`ticks.${symbol}`, JSON.stringify({ price, time: Date.now() }));
    await this.nats.flush();
  }

  ordersOf(symbol: string, accountNumber = "A1"): OrderRecord[] {
    return this.connector.orders.filter((order) => order.symbol === symbol && order.accountNumber === accountNumber);
  }

  async untilOrders(symbol: string, count: number): Promise<void> {
    const found = await until(
      async () => this.ordersOf(symbol).length,
      (now) => now >= count,
    );
    assert.equal(found, count, `orders of ${symbol}`);
  }

  /** Names that were sold more than once. */
  doubled(): string[] {
    const counts = new Map<string, number>();
    for (const { clientOrderId } of this.connector.orders) {
      counts.set(clientOrderId ?? "", (counts.get(clientOrderId ?? "") ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  }

  async close(): Promise<void> {
    for (const engine of this.engines.values()) await engine.end("SIGKILL");
    for (const link of this.#links.values()) link.close();
    await this.#bus.drain();
    await this.nats.close();
    await this.cluster.stop();
    await this.#removeFolder();
  }

  /** The gateway's own log, of which only its refusals are counted. */
  #counting(): Log {
    const warn = (_fields: object, message: string): void => {
      if (message.startsWith("a request was not passed on")) this.#refusedCount += 1;
    };
    return { ...SILENT, warn };
  }
}
