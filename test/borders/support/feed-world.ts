/** An engine with the paper brokerage and a real nats-server, both as processes, for tests of the feed. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { EngineClient, type OcoRow } from "../../support/client/engine-client.ts";
import { type NatsServer, type NatsServerOptions, startNatsServer } from "../../support/machine/nats-server.ts";
import { type Program, startProgram, temporaryFolder } from "../../support/machine/process.ts";
import { pause, until } from "../../support/world/stack.ts";

const USER = 7;
const ACCOUNT = `PAPER-${USER}`;
export const SYMBOL = "THYAO";

const brokerages = [
  {
    ...{ code: "PAPER", name: "Paper", adapter: "paper", resend: "idempotent", ordersPerMinute: 100_000 },
    paper: { startingPositions: { [SYMBOL]: 1_000_000 } },
  },
];

export class FeedWorld {
  readonly server: NatsServer;
  readonly nats: NatsConnection;
  readonly client: EngineClient;
  readonly #folder: { readonly path: string; remove(): Promise<void> };
  readonly #environment: Readonly<Record<string, string>>;
  #engine: Program | undefined;
  /** Whether the engine is alive and not frozen. */
  #isRunning = false;
  #groups = 0;

  private constructor(
    server: NatsServer,
    nats: NatsConnection,
    folder: FeedWorld["folder"],
    environment: Readonly<Record<string, string>>,
  ) {
    this.server = server;
    this.nats = nats;
    this.client = new EngineClient(nats, USER);
    this.#folder = folder;
    this.#environment = environment;
  }

  get folder(): { readonly path: string; remove(): Promise<void> } {
    return this.#folder;
  }

  static async start(
    options: NatsServerOptions,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<FeedWorld> {
    const folder = await temporaryFolder();
    const server = await startNatsServer(options);
    const file = join(folder.path, "brokerages.json");
    await writeFile(file, JSON.stringify(brokerages));
    const world = new FeedWorld(server, await connect({ servers: server.url }), folder, {
      NATS_URL: server.url,
      BROKERAGES_FILE: file,
      DATA_DIR: join(folder.path, "engine"),
      ...environment,
    });
    await world.startEngine();
    return world;
  }

  async stop(): Promise<void> {
    await this.#engine?.end("SIGKILL");
    await this.nats.close();
    await this.server.stop();
    await this.#folder.remove();
  }

  async startEngine(): Promise<void> {
    this.#engine = await startProgram("engine/main.ts", { ...this.#environment }, /engine is ready/);
    this.#isRunning = true;
  }

  async kill(): Promise<void> {
    this.#isRunning = false;
    await this.#engine?.end("SIGKILL");
  }

  /** Freezes the engine, or resumes it. */
  signal(name: "SIGSTOP" | "SIGCONT"): void {
    process.kill(this.#engine?.pid ?? 0, name);
    this.#isRunning = name === "SIGCONT";
  }

  /** The output of the current engine. */
  get output(): string {
    return this.#engine?.output() ?? "";
  }

  /** Publishes a price. Resolves once the engine, if it runs, has seen and stored it. */
  async tick(price: number): Promise<void> {
    this.nats.publish(`ticks.${SYMBOL}`, JSON.stringify({ price }));
    await this.nats.flush();
    if (!this.#isRunning) return pause(100);
    const seen = await until(
      () => this.client.query("prices.last", { symbols: [SYMBOL] }),
      (answer) => JSON.stringify(answer).includes(`"price":${price},`),
    );
    assert.match(JSON.stringify(seen), new RegExp(`"price":${price},`));
    assert.ok(await until(() => this.#isKept(price), Boolean), `the price ${price} is kept`);
  }

  async #isKept(price: number): Promise<boolean> {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(price);
    return (await readFile(join(this.#folder.path, "engine", "partition-0", "last-prices"))).includes(bytes);
  }

  /** Resolves once the engine has seen every tick that the stream holds now. */
  async untilRead(): Promise<void> {
    const manager = await this.nats.jetstreamManager();
    const { last_seq: last } = (await manager.streams.info("TICKS")).state;
    const position = async (): Promise<number> => Number((await this.stats()).tickPosition ?? 0);
    assert.ok((await until(position, (now) => now >= last)) >= last, "the tick stream is read");
  }

  /** Creates a group of the symbol; returns the message of the answer, if any. Throws if it is refused. */
  async createGroup(
    stopLossPrice: number,
    takeProfitPrice: number,
    terms: { readonly dueDate?: string } = {},
  ): Promise<string | undefined> {
    this.#groups += 1;
    const answer = await this.client.command(
      "oco.create",
      {
        ...{ brokerageCode: "PAPER", accountNumber: ACCOUNT, symbol: SYMBOL },
        ...{ stopLossPrice, stopLossQuantity: 10, takeProfitItems: [{ price: takeProfitPrice, quantity: 10 }] },
        ...terms,
      },
      `create-${this.#groups}`,
    );
    if (answer.ok !== true) throw new Error(String(answer.message));
    return answer.message === undefined ? undefined : String(answer.message);
  }

  /** Returns the partition's figures once it answers: a catch-up can keep it busy. */
  async stats(): Promise<Record<string, unknown>> {
    const ask = () => this.client.query("operator.stats", {});
    const { data } = await until(ask, (answer) => answer.data !== undefined);
    return data as Record<string, unknown>;
  }

  /** The rows as clients see them, e.g. `stop 2, take 4` for a sold stop-loss and a cancelled take-profit. */
  async rows(): Promise<string> {
    const rows = await this.client.rows("PAPER", ACCOUNT);
    return rows.map(({ orderType, status }: OcoRow) => `${orderType === 2 ? "stop" : "take"} ${status}`).join(", ");
  }

  /** Returns the rows once they are as expected, or after the time limit. */
  settledRows(expected: string): Promise<string> {
    return until(
      () => this.rows(),
      (rows) => rows === expected,
    );
  }
}
