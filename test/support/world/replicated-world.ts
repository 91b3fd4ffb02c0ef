/**
 * An installation whose partitions are shared, as real processes: three nats-servers, engines, and the paper brokerage.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { type ClusterView, clusterSchema } from "../../../src/contract/operator/cluster.ts";
import { OPERATOR_QUERIES } from "../../../src/contract/operator/operator.ts";
import { CLUSTER_SUBJECT } from "../../../src/contract/subject.ts";
import { partitionOf } from "../../../src/domain/partition.ts";
import { EngineClient } from "../client/engine-client.ts";
import { type ClusterOptions, type NatsCluster, startNatsCluster } from "../machine/nats-cluster.ts";
import { type Program, runProgram, startProgram, temporaryFolder } from "../machine/process.ts";
import { pause } from "./stack.ts";

const CODE = "PAPER";
/** A bound for what never comes, not a measure: engines that are kept from the processor take their time. */
const WAIT_MS = 120_000;

interface ReplicatedOptions extends ClusterOptions {
  readonly partitions: number;
  /** Servers that run already; they end with the world. */
  readonly cluster?: NatsCluster;
  readonly environment?: Readonly<Record<string, string>>;
}

export class ReplicatedWorld {
  readonly cluster: NatsCluster;
  readonly nats: NatsConnection;
  readonly engines = new Map<string, Program>();
  readonly #options: ReplicatedOptions;
  readonly #folder: { path: string; remove(): Promise<void> };
  #paper: Program | undefined;

  private constructor(
    options: ReplicatedOptions,
    cluster: NatsCluster,
    nats: NatsConnection,
    folder: { path: string; remove(): Promise<void> },
  ) {
    this.#options = options;
    this.cluster = cluster;
    this.nats = nats;
    this.#folder = folder;
  }

  /** The servers and the brokerage; engines are started one by one. */
  static async start(options: ReplicatedOptions): Promise<ReplicatedWorld> {
    const cluster = options.cluster ?? (await startNatsCluster(options));
    const nats = await connect({ servers: cluster.urls.split(",") });
    const world = new ReplicatedWorld(options, cluster, nats, await temporaryFolder());
    try {
      await world.#prepare();
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  get environment(): Record<string, string> {
    return {
      NATS_URL: this.cluster.urls,
      NATS_MONITOR_URLS: this.cluster.monitorUrls,
      BROKERAGES_FILE: join(this.#folder.path, "brokerages.json"),
      SIGNING_KEY_FILE: join(this.#folder.path, "signing-key.json"),
      PARTITIONS: String(this.#options.partitions),
      REPLICATION: "on",
      ...this.#options.environment,
    };
  }

  engine(name: string): Program {
    const found = this.engines.get(name);
    assert.ok(found !== undefined, `there is no engine ${name}`);
    return found;
  }

  async startEngine(name: string, own: Readonly<Record<string, string>> = {}): Promise<Program> {
    const environment = { ...this.environment, ENGINE_NAME: name, DATA_DIR: this.dataFolder(name), ...own };
    const engine = await startProgram("engine/main.ts", environment, /engine is ready/);
    this.engines.set(name, engine);
    return engine;
  }

  /** Returns the folder of the copies of an engine of this name. */
  dataFolder(name: string): string {
    return join(this.#folder.path, name);
  }

  /** Ends the process; `SIGTERM` hands over. */
  async endEngine(name: string, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    await this.engine(name).end(signal);
    this.engines.delete(name);
  }

  /** Waits until this engine has logged `count` times that it leads a partition. */
  async whenLed(name: string, count: number): Promise<void> {
    const counted = (): number => this.engine(name).output().split("this engine leads the partition").length - 1;
    await this.until(`${name} leads ${count} partitions`, () => counted() >= count);
  }

  /** Returns the state of the partitions from the first engine that answers; asks until one does. */
  async view(): Promise<ClusterView> {
    const envelope = { type: OPERATOR_QUERIES.readCluster, userId: null, requestId: "test", body: {} };
    const { data } = await this.#untilAnswered<{ data: unknown }>(CLUSTER_SUBJECT, envelope);
    return clusterSchema.parse(data);
  }

  /** Returns the view once it is so: an engine learns of a change at the others a moment later. */
  async viewOnce(what: string, isSo: (view: ClusterView) => boolean): Promise<ClusterView> {
    let view = await this.view();
    await this.until(what, async () => {
      if (isSo(view)) return true;
      view = await this.view();
      return isSo(view);
    });
    return view;
  }

  /** Waits until every partition answers. */
  async whenAllAnswer(): Promise<void> {
    for (let partition = 0; partition < this.#options.partitions; partition += 1) {
      await new EngineClient(this.nats, this.userOf(partition), partition).query("health", {});
    }
  }

  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const endMs = Date.now() + WAIT_MS;
    while (!(await isSo())) {
      if (Date.now() > endMs) throw new Error(`not in time: ${what}\n${this.#outputs()}`);
      await pause(20);
    }
  }

  /** Returns a user who lives on the partition. */
  userOf(partition: number): number {
    const users = Array.from({ length: 1_000 }, (_, index) => index + 1);
    return users.find((user) => partitionOf(user, this.#options.partitions) === partition) ?? 0;
  }

  clientOf(partition: number): EngineClient {
    return new EngineClient(this.nats, this.userOf(partition), partition);
  }

  /**
   * Creates a group whose stop-loss sells ten below 90. Repeats while the group before still counts as active: its
   * leader was killed between its order and the brokerage's answer, and the next leader settles it.
   */
  async createGroup(partition: number, key: string): Promise<number> {
    const group = {
      ...{ brokerageCode: CODE, accountNumber: this.accountOf(partition), symbol: "THYAO" },
      ...{ stopLossPrice: 90, stopLossQuantity: 10, takeProfitItems: [{ price: 110, quantity: 10 }] },
    };
    for (const endMs = Date.now() + WAIT_MS; ; await pause(50)) {
      const created = await this.clientOf(partition).createGroup(group, `${key}-${randomUUID()}`);
      if ("groupId" in created) return created.groupId;
      assert.match(created.refusal, /^an active OCO group already exists/);
      assert.ok(Date.now() < endMs, created.refusal);
    }
  }

  accountOf(partition: number): string {
    return `PAPER-${this.userOf(partition)}`;
  }

  /** A price between all levels, known to every engine before this resolves. */
  async calm(): Promise<void> {
    const isCalm = async (partition: number): Promise<boolean> => {
      const answer = await this.clientOf(partition).query("prices.last", { symbols: ["THYAO"] });
      return JSON.stringify(answer).includes(`"price":100`);
    };
    this.publishTick(100);
    for (let partition = 0; partition < this.#options.partitions; partition += 1) {
      await this.until("a calm price", () => isCalm(partition));
    }
  }

  publishTick(price: number): void {
    this.nats.publish("ticks.THYAO", JSON.stringify({ price }));
  }

  /** Returns the name of every order that the brokerage knows of the partition's user. */
  async orders(partition: number): Promise<readonly string[]> {
    const request = { userId: this.userOf(partition), accountNumber: this.accountOf(partition) };
    const reply = await this.#untilAnswered<{ ok: boolean; data?: readonly { clientOrderId: string }[] }>(
      `broker.${CODE}.dailyOrders`,
      request,
    );
    assert.ok(reply.ok && reply.data !== undefined, JSON.stringify(reply));
    return reply.data.map(({ clientOrderId }) => clientOrderId);
  }

  /** Asks until an engine answers: the one in charge may be busy, or hand over just now. */
  async #untilAnswered<Reply>(subject: string, request: object): Promise<Reply> {
    for (const endMs = Date.now() + WAIT_MS; ; await pause(50)) {
      try {
        return (await this.nats.request(subject, JSON.stringify(request), { timeout: 5_000 })).json<Reply>();
      } catch (error) {
        if (Date.now() > endMs) throw error;
      }
    }
  }

  async stop(): Promise<void> {
    for (const engine of this.engines.values()) await engine.end("SIGKILL");
    await this.#paper?.end("SIGKILL");
    await this.nats.close();
    await this.cluster.stop();
    await this.#folder.remove();
  }

  async #prepare(): Promise<void> {
    const paper = { startingPositions: { THYAO: 1_000_000 }, requiresLogin: false };
    const gateway = {
      code: CODE,
      name: "Paper",
      adapter: "gateway",
      resend: "query",
      settleMs: 300,
      ordersPerMinute: 10_000,
      paper,
    };
    await writeFile(join(this.#folder.path, "brokerages.json"), JSON.stringify([gateway]));
    const made = await runProgram(
      "engine/entry/signing-key.ts",
      {},
      { arguments: [this.environment.SIGNING_KEY_FILE ?? ""] },
    );
    assert.equal(made.code, 0, made.output);
    const folder = join(this.#folder.path, "paper");
    await mkdir(folder);
    this.#paper = await startProgram(
      "engine/entry/paper.ts",
      { NATS_URL: this.cluster.urls, BROKERAGES_FILE: this.environment.BROKERAGES_FILE ?? "", DATA_DIR: folder },
      /paper brokerage is ready/,
    );
  }

  #outputs(): string {
    return [...this.engines].map(([name, engine]) => `--- ${name}\n${engine.output().slice(-6_000)}`).join("\n");
  }
}
