/**
 * A whole installation as real processes on a real nats-server: engines, edge, and clients that are not ours.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { partitionOf } from "../../../src/domain/partition.ts";
import { type NatsServer, startNatsServer } from "../machine/nats-server.ts";
import { type Program, startProgram, temporaryFolder } from "../machine/process.ts";

/** The user who asks what only operators may ask. */
const OPERATOR_ID = 1;

export interface StackOptions {
  readonly partitions?: number;
  readonly jetStream?: boolean;
  readonly brokeragesFile?: string;
  /** Content of the brokerages' file, unless `brokeragesFile` names one. */
  readonly brokerages?: readonly object[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** A user of the installation with an access token. */
export interface StackUser {
  readonly userId: number;
  readonly apiKey: string;
  readonly token: string;
}

export class Stack {
  readonly server: NatsServer;
  readonly nats: NatsConnection;
  readonly folder: string;
  readonly engines = new Map<number, Program>();
  readonly #options: StackOptions;
  readonly #removeFolder: () => Promise<void>;
  edge: Program | undefined;
  url = "";

  private constructor(
    options: StackOptions,
    server: NatsServer,
    nats: NatsConnection,
    folder: { path: string; remove(): Promise<void> },
  ) {
    this.#options = options;
    this.server = server;
    this.nats = nats;
    this.folder = folder.path;
    this.#removeFolder = () => folder.remove();
  }

  /** A nats-server and one engine for each partition, then the edge. */
  static async start(options: StackOptions = {}): Promise<Stack> {
    const server = await startNatsServer({ jetStream: options.jetStream ?? true });
    const nats = await connect({ servers: server.url });
    const stack = new Stack(options, server, nats, await temporaryFolder());
    try {
      if (options.brokerages !== undefined) {
        await writeFile(stack.brokeragesFile, JSON.stringify(options.brokerages));
      }
      for (let partition = 0; partition < stack.partitions; partition += 1) await stack.startEngine(partition);
      await stack.startEdge();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  get partitions(): number {
    return this.#options.partitions ?? 1;
  }

  /** Exists if the options have brokerages. */
  get brokeragesFile(): string {
    return this.#options.brokeragesFile ?? join(this.folder, "brokerages.json");
  }

  get #environment(): Record<string, string> {
    const { brokerages, brokeragesFile, environment } = this.#options;
    const isOwnFile = brokerages !== undefined || brokeragesFile !== undefined;
    return {
      NATS_URL: this.server.url,
      PARTITIONS: String(this.partitions),
      BACKUP_DIR: join(this.folder, "backups"),
      ...(isOwnFile ? { BROKERAGES_FILE: this.brokeragesFile } : {}),
      ...environment,
    };
  }

  async startEngine(partition: number): Promise<void> {
    const environment = {
      ...this.#environment,
      DATA_DIR: join(this.folder, `data-${partition}`),
      ENGINE_PARTITIONS: String(partition),
    };
    this.engines.set(partition, await startProgram("engine/main.ts", environment, /engine is ready/));
  }

  /** `environment` adds to what the edge is started with, e.g. the PORT that it had before. */
  async startEdge(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = { ...this.#environment, PORT: "0", ...environment };
    this.edge = await startProgram("edge/main.ts", all, /the edge listens/);
    const port = /"url":"(http:\/\/[^"]+)"/.exec(this.edge.output());
    this.url = port?.[1] ?? "";
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if ((await fetch(`${this.url}/ready`)).status === 200) return;
      await pause(100);
    }
    throw new Error(`the edge is not ready:\n${this.edge.output()}`);
  }

  engine(partition: number): Program {
    const program = this.engines.get(partition);
    if (program === undefined) throw new Error(`no engine of partition ${partition}`);
    return program;
  }

  /** The demo user of the first start. */
  async demoUser(): Promise<StackUser> {
    const apiKey = (await readFile(join(this.folder, "data-0", "bootstrap-api-key"), "utf8")).trim();
    const token = await this.tokenOf(apiKey);
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub: string };
    return { userId: Number(claims.sub), apiKey, token };
  }

  /** Makes users until one lives on `partition`. */
  async userOn(partition: number, scopes: readonly string[] = ["read", "trade"]): Promise<StackUser> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const { userId } = (await this.#ask("users.create", { name: "somebody" })) as { userId: number };
      if (partitionOf(userId, this.partitions) !== partition) continue;
      return this.tokenFor(userId, scopes);
    }
    throw new Error(`no user on partition ${partition}`);
  }

  /** A new key of a user, with a token. */
  async tokenFor(userId: number, scopes: readonly string[]): Promise<StackUser> {
    const { apiKey } = (await this.#ask("keys.create", { userId, name: "key", scopes })) as { apiKey: string };
    return { userId, apiKey, token: await this.tokenOf(apiKey) };
  }

  async tokenOf(apiKey: string): Promise<string> {
    const answer = await this.http("POST", "/oauth/token", {
      headers: { "X-API-Key": apiKey },
      json: { grant_type: "api_key" },
    });
    return String(answer.body.access_token);
  }

  async http(
    method: string,
    path: string,
    options: { readonly token?: string; readonly json?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<HttpAnswer> {
    const headers: Record<string, string> = { ...options.headers };
    if (options.token !== undefined) headers.Authorization = `Bearer ${options.token}`;
    if (options.json !== undefined) headers["Content-Type"] = "application/json";
    const body = options.json === undefined ? null : JSON.stringify(options.json);
    const response = await fetch(this.url + path, { method, headers, body });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  /** A tick of a publisher that is not ours. */
  async tick(symbol: string, price: number, time?: number): Promise<void> {
    this.nats.publish(`ticks.${symbol}`, JSON.stringify(time === undefined ? { price } : { price, time }));
    await this.nats.flush();
  }

  async stop(): Promise<void> {
    await this.edge?.end("SIGKILL");
    for (const engine of this.engines.values()) await engine.end("SIGKILL");
    await this.nats.close();
    await this.server.stop();
    await this.#removeFolder();
  }

  async #ask(type: string, body: object): Promise<unknown> {
    const envelope = JSON.stringify({ type, userId: OPERATOR_ID, requestId: "test", body });
    const reply = await this.nats.request("engine.0.command", envelope, { timeout: 30_000 });
    return reply.json<{ data: unknown }>().data;
  }
}

export const pause = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs));

/** Asks again until `isDone` of the answer, for a minute or more; gives the last answer. */
export async function until<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  let answer = await ask();
  for (let attempt = 0; attempt < 600 && !isDone(answer); attempt += 1) {
    await pause(100);
    answer = await ask();
  }
  return answer;
}
