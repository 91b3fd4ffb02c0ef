/**
 * The whole application in this process, as `npm start` assembles it: engine, edge, paper brokerage, one bus. Its
 * folder is temporary, its port free, and its prices come from the test alone.
 */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readEdgeConfig } from "../../../edge/config.ts";
import { type RunningEdge, startEdge } from "../../../edge/start.ts";
import { readEngineConfig } from "../../../engine/config.ts";
import { Engine } from "../../../engine/engine.ts";
import type { Partition } from "../../../engine/partition/partition.ts";
import { readSharedRows } from "../../../engine/reference/shared-rows.ts";
import { EVENT_PUBLISHED_KEY, eventRowsFrom } from "../../../engine/table/keys.ts";
import { TABLES } from "../../../engine/table/tables.ts";
import { createMemoryBusServer } from "../../../src/bus/memory/bus.ts";
import { connectNatsBus } from "../../../src/bus/nats/bus.ts";
import type { Bus, BusErrorListener } from "../../../src/bus/port.ts";
import { storedMeasuresSchema } from "../../../src/contract/operator/measure.ts";
import {
  REFERENCE_QUERIES,
  type SymbolMeasures,
  symbolMeasuresSchema,
} from "../../../src/contract/operator/reference.ts";
import { temporaryFolder } from "../../support/machine/process.ts";
import { LogCapture } from "./log-capture.ts";

/** Enough lots of each symbol for every sell of a test. */
const LOTS = 1_000_000_000;
/** The demo user of the first start. */
const OPERATOR_ID = 1;
export const SYMBOLS = ["THYAO", "GARAN", "AKBNK", "ASELS", "ISCTR", "YKBNK", "HALKB", "VAKBN"] as const;

/** A paper brokerage without a quota that a test could meet. */
export const PAPER = {
  code: "PAPER",
  name: "Paper",
  adapter: "paper",
  resend: "idempotent",
  ordersPerMinute: 1_000_000,
  paper: {
    startingCash: 1_000_000_000,
    startingPositions: Object.fromEntries(SYMBOLS.map((symbol) => [symbol, LOTS])),
  },
};

interface FaultAppOptions {
  readonly brokerages?: readonly object[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: a bus in the process. */
  readonly natsUrl?: string;
}

export interface AppUser {
  readonly userId: number;
  readonly accountNumber: string;
  readonly apiKey: string;
  readonly token: string;
  readonly refreshToken: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface SendOptions {
  readonly token?: string;
  /** Sent unchanged, with the media type JSON unless the headers name another. */
  readonly body?: string | Uint8Array;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Connections {
  readonly engine: Awaited<ReturnType<typeof connectNatsBus>> | Bus;
  readonly edge: Bus;
  readonly stranger: Bus;
}

export class FaultApp {
  readonly log = new LogCapture();
  readonly users: AppUser[] = [];
  readonly #options: FaultAppOptions;
  readonly #folder: { readonly path: string; remove(): Promise<void> };
  #connections: Connections | undefined;
  #engine: Engine | undefined;
  #edge: RunningEdge | undefined;
  #addresses = 0;

  private constructor(options: FaultAppOptions, folder: { readonly path: string; remove(): Promise<void> }) {
    this.#options = options;
    this.#folder = folder;
  }

  static async start(options: FaultAppOptions = {}): Promise<FaultApp> {
    const app = new FaultApp(options, await temporaryFolder());
    await writeFile(join(app.#folder.path, "brokerages.json"), JSON.stringify(options.brokerages ?? [PAPER]));
    try {
      await app.begin();
    } catch (error) {
      await app.stop();
      throw error;
    }
    return app;
  }

  get url(): string {
    assert.ok(this.#edge !== undefined);
    return this.#edge.url;
  }

  get engine(): Engine {
    assert.ok(this.#engine !== undefined);
    return this.#engine;
  }

  get partition(): Partition {
    const [partition] = this.engine.partitions;
    assert.ok(partition !== undefined);
    return partition;
  }

  /** A connection that belongs to neither the engine nor the edge. */
  get bus(): Bus {
    assert.ok(this.#connections !== undefined);
    return this.#connections.stranger;
  }

  /** Starts over the folder in its current state: after `end`, a restart. */
  async begin(): Promise<void> {
    const environment = {
      DATA_DIR: join(this.#folder.path, "data"),
      BROKERAGES_FILE: join(this.#folder.path, "brokerages.json"),
      FEED: "none",
      CALENDARS: "off",
      PORT: "0",
      TRUST_PROXY: "on",
      LOG_LEVEL: "silent",
      ...(this.#options.natsUrl === undefined ? {} : { NATS_URL: this.#options.natsUrl }),
      ...this.#options.environment,
    };
    const config = readEngineConfig(environment);
    const connections = await connect(this.#options.natsUrl, this.log.onBusError);
    this.#connections = connections;
    this.#engine = await Engine.start({
      config,
      bus: connections.engine,
      connection: "connection" in connections.engine ? connections.engine.connection : undefined,
      ownerBus: undefined,
      log: this.log.of("engine"),
      smsLog: this.log.of("sms"),
      fatal: this.log.fatal,
    });
    this.#edge = await startEdge(readEdgeConfig(environment), connections.edge, this.log.of("edge"));
    await until(async () => (await fetch(`${this.url}/ready`)).status === 200);
    await this.engine.startSource();
    await this.#untilMeasuresAreKnown();
  }

  /** Waits until the partition has read the measures from the shared one after its start, and stored them. */
  async #untilMeasuresAreKnown(): Promise<void> {
    const all = z
      .array(symbolMeasuresSchema)
      .parse(await readSharedRows(this.bus, REFERENCE_QUERIES.listMeasures, "test"));
    const { store } = this.partition.context;
    const isKnown = ({ symbol }: SymbolMeasures): boolean => {
      const row = store.read(TABLES.measures.key(symbol));
      return row !== undefined && storedMeasuresSchema.parse(JSON.parse(Buffer.from(row).toString())).isTold;
    };
    await until(() => all.every(isKnown));
  }

  /** Stops in order; the folder remains. */
  async end(): Promise<void> {
    await this.#edge?.stop();
    await this.#engine?.stop();
    const { edge, engine, stranger } = this.#connections ?? {};
    // This is not awaited: a scripted brokerage on it may never answer.
    void stranger?.drain();
    for (const bus of [edge, engine]) await bus?.drain();
    this.#edge = undefined;
    this.#engine = undefined;
  }

  async stop(): Promise<void> {
    await this.end();
    await this.#folder.remove();
  }

  /** Creates a user with its own key and token. */
  async newUser(scopes: readonly string[] = ["read", "trade"]): Promise<AppUser> {
    const { userId } = (await this.ask("command", "users.create", { name: "somebody" })) as { userId: number };
    const key = await this.ask("command", "keys.create", { userId, name: "key", scopes });
    const { apiKey } = key as { apiKey: string };
    const { body } = await this.exchange({ grant_type: "api_key" }, { "x-api-key": apiKey });
    const user = {
      userId,
      accountNumber: `PAPER-${userId}`,
      apiKey,
      token: String(body.access_token),
      refreshToken: String(body.refresh_token),
    };
    this.users.push(user);
    return user;
  }

  /** Requests a token from its own address, so that the limit of an address is not met. */
  exchange(json: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    this.#addresses += 1;
    const address = `10.0.${this.#addresses >> 8}.${this.#addresses & 255}`;
    return this.send("POST", "/oauth/token", { json, headers: { "x-forwarded-for": address, ...headers } });
  }

  /** Asks the engine on the bus, past the edge; returns the data. */
  async ask(kind: "command" | "query", type: string, body: object, userId = OPERATOR_ID): Promise<unknown> {
    const envelope = { type, userId, requestId: "test", body };
    const bytes = await this.bus.request(`engine.0.${kind}`, Buffer.from(JSON.stringify(envelope)), 10_000);
    const text = Buffer.from(bytes).toString();
    const end = text.indexOf("\n");
    if (end >= 0) return JSON.parse(`[${text.slice(end + 1)}]`);
    const reply = JSON.parse(text) as { ok: boolean; data: unknown };
    assert.ok(reply.ok, `${type}: ${text}`);
    return reply.data;
  }

  async send(method: string, path: string, { token, body, json, headers }: SendOptions = {}): Promise<Answer> {
    const bytes = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(bytes === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: bytes ?? null,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: readObject(text) };
  }

  /** Publishes a tick as any publisher would, and waits until the engine has done what immediately follows from it. */
  async tick(symbol: string, price: number, time?: number): Promise<void> {
    await this.publish(`ticks.${symbol}`, JSON.stringify(time === undefined ? { price } : { price, time }));
  }

  async publish(subject: string, data: string | Uint8Array): Promise<void> {
    this.bus.publish(subject, Buffer.from(data));
    await this.bus.flush();
    await this.arrived();
  }

  /** Waits until the engine has received all messages of the server, and done what immediately follows from them. */
  async arrived(): Promise<void> {
    await this.#connections?.engine.flush();
    await this.settle();
  }

  /** Waits until the engine has nothing left to decide, write or send. */
  async settle(): Promise<void> {
    for (let calmTurns = 0; calmTurns < 3; ) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      const { inbox, journal } = this.partition;
      calmTurns = inbox.isIdle && !journal.isDirty ? calmTurns + 1 : 0;
    }
  }

  /** Returns the rows of a user's groups, as the engine stores them. */
  async rows(user: AppUser, brokerageCode = "PAPER"): Promise<OcoRow[]> {
    const { accountNumber } = user;
    return (await this.ask("query", "oco.list", { brokerageCode, accountNumber }, user.userId)) as OcoRow[];
  }

  async orders({ userId, accountNumber }: AppUser): Promise<OrderRow[]> {
    const body = { brokerageCode: "PAPER", accountNumber };
    return (await this.ask("query", "accounts.dailyOrders", body, userId)) as OrderRow[];
  }

  /** Returns all that a fault must not change: groups, positions, orders, issued ids, and the hash of all live data. */
  async fingerprint(): Promise<string> {
    const { liveHash, ids } = await this.#calmHead();
    const all = this.users.map(async (user) => {
      const body = { brokerageCode: "PAPER", accountNumber: user.accountNumber };
      const positions = (await this.ask("query", "accounts.positions", body, user.userId)) as PositionRow[];
      const held = positions.map(({ symbol, quantity, availableQuantity }) => [symbol, quantity, availableQuantity]);
      return { rows: await this.rows(user), orders: await this.orders(user), held };
    });
    return JSON.stringify({ liveHash, ids, users: await Promise.all(all) });
  }

  /** Returns the head record once every stored event was published and the store has recorded it. */
  async #calmHead(): Promise<{ readonly liveHash: string; readonly ids: number }> {
    const { store } = this.partition.context;
    await until(async () => {
      await this.settle();
      const stored = store.read(EVENT_PUBLISHED_KEY);
      const published = stored === undefined ? 0 : Number(Buffer.from(stored).toString());
      for await (const page of store.scan(eventRowsFrom(published + 1))) if (page.length > 0) return false;
      return true;
    });
    return this.partition.journal.head;
  }

  /** Reads a file of the data folder. */
  readFile(...path: readonly string[]): Promise<Buffer> {
    return readFile(join(this.#folder.path, "data", ...path));
  }

  /** Reads every file of the data folder, subfolders included, by its path. */
  async files(): Promise<ReadonlyMap<string, Buffer>> {
    const folder = join(this.#folder.path, "data");
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const paths = names.map(({ parentPath, name }) => join(parentPath, name));
    return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
  }

  /** Returns the key of the demo user that the first start made. */
  async bootstrapKey(): Promise<string> {
    return (await this.readFile("bootstrap-api-key")).toString().trim();
  }
}

export interface OcoRow {
  readonly id: number;
  readonly groupId: number;
  readonly userId: number;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly orderType: number;
  readonly quantity: number;
  readonly price: number;
  readonly status: number;
  readonly triggeredPrice: number | null;
  readonly triggeredDate: string | null;
  readonly dueDate: string | null;
  readonly notes: string | null;
  readonly triggerErrorMessage: string | null;
  readonly createdDate: string;
  readonly updatedDate: string | null;
}

interface OrderRow {
  readonly orderNo: string;
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: number;
  readonly orderType: number;
  readonly orderStatus: number;
  readonly clientOrderId: string | null;
}

interface PositionRow {
  readonly symbol: string;
  readonly quantity: number;
  readonly availableQuantity: number;
}

async function connect(natsUrl: string | undefined, onError: BusErrorListener): Promise<Connections> {
  if (natsUrl === undefined) {
    const server = createMemoryBusServer({ onError });
    return { engine: server.connect(), edge: server.connect(), stranger: server.connect() };
  }
  const shared = { servers: natsUrl, onError };
  const engine = await connectNatsBus({ ...shared, name: "engine" });
  const edge = await connectNatsBus({ ...shared, name: "edge" });
  return { engine, edge, stranger: await connectNatsBus({ ...shared, name: "stranger" }) };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Waits for a condition; gives up after a minute or more. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 6_000; attempt += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail("what was waited for did not come");
}
