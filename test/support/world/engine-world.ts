/** One engine as a process on a real nats-server, without an edge: asked and fed by plain NATS clients. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { EngineClient } from "../client/engine-client.ts";
import { type NatsServer, type NatsServerOptions, startNatsServer } from "../machine/nats-server.ts";
import { type Program, startProgram, temporaryFolder } from "../machine/process.ts";

export const ENGINE_USER = 7;
const READY = /engine is ready/;

interface EngineWorldOptions {
  readonly brokerages: readonly object[];
  readonly server?: NatsServerOptions;
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: a temporary one. */
  readonly dataFolder?: string;
}

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

export class EngineWorld {
  readonly server: NatsServer;
  readonly nats: NatsConnection;
  readonly client: EngineClient;
  readonly folder: string;
  readonly dataFolder: string;
  readonly #options: EngineWorldOptions;
  readonly #removeFolder: () => Promise<void>;
  #engine: Program | undefined;

  private constructor(options: EngineWorldOptions, folder: Folder, server: NatsServer, nats: NatsConnection) {
    this.#options = options;
    this.#removeFolder = () => folder.remove();
    this.folder = folder.path;
    this.dataFolder = options.dataFolder ?? join(folder.path, "data");
    this.server = server;
    this.nats = nats;
    this.client = new EngineClient(nats, ENGINE_USER);
  }

  /** Server and clients; the engine is started by {@link startEngine}. */
  static async open(options: EngineWorldOptions): Promise<EngineWorld> {
    const folder = await temporaryFolder();
    await writeFile(join(folder.path, "brokerages.json"), JSON.stringify(options.brokerages));
    const server = await startNatsServer({ jetStream: true, ...options.server });
    const nats = await connect({ servers: server.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    return new EngineWorld(options, folder, server, nats);
  }

  get engine(): Program {
    if (this.#engine === undefined) throw new Error("no engine was started");
    return this.#engine;
  }

  /** Returns the environment of an engine of this world, over another folder if one is given. */
  environment(dataFolder = this.dataFolder): Record<string, string> {
    return {
      NATS_URL: this.server.url,
      BROKERAGES_FILE: join(this.folder, "brokerages.json"),
      DATA_DIR: dataFolder,
      ...this.#options.environment,
    };
  }

  async startEngine(ready: RegExp = READY, dataFolder?: string): Promise<Program> {
    this.#engine = await startProgram("engine/main.ts", this.environment(dataFolder), ready);
    return this.#engine;
  }

  async restartEngine(): Promise<void> {
    await this.#engine?.end("SIGKILL");
    await this.startEngine();
  }

  async tick(symbol: string, price: number): Promise<void> {
    this.nats.publish(`ticks.${symbol}`, JSON.stringify({ price, time: Date.now() }));
    await this.nats.flush();
  }

  /** The files of partition 0's store, or of its log, by the end of their names. */
  async storeFiles(ending: string, of: "store" | "log" = "store"): Promise<string[]> {
    const folder = join(this.dataFolder, "partition-0", of);
    return (await readdir(folder)).filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
  }

  async close(): Promise<void> {
    await this.nats.close();
    await this.#engine?.end("SIGKILL");
    await this.server.stop();
    await this.#removeFolder();
  }
}

/** A paper brokerage inside the engine that holds enough of every symbol. */
export function paperBrokerage(symbols: readonly string[]): object {
  return {
    ...{ code: "PAPER", name: "Paper", adapter: "paper", resend: "idempotent", ordersPerMinute: 1_000_000 },
    paper: {
      startingCash: 1_000_000_000,
      startingPositions: Object.fromEntries(symbols.map((symbol) => [symbol, 1_000_000])),
    },
  };
}

/** A group of a stop-loss at 90 and two take-profits at 110 and 120. */
export function groupOf(brokerageCode: string, accountNumber: string, symbol: string): object {
  return {
    ...{ brokerageCode, accountNumber, symbol, stopLossPrice: 90, stopLossQuantity: 10 },
    takeProfitItems: [
      { price: 110, quantity: 3 },
      { price: 120, quantity: 4 },
    ],
  };
}
