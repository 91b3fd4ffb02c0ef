/** Engines of one shared partition over a modelled log, each with a folder of its own. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach } from "node:test";
import { StreamLog } from "../../../../engine/cluster/log/replicated-log.ts";
import { frameAt, lastRecord } from "../../../../engine/cluster/log/stream/record-location.ts";
import { PartitionReplica } from "../../../../engine/cluster/replica/replica.ts";
import { BytePace } from "../../../../engine/cluster/seed/byte-pace.ts";
import { readEngineConfig } from "../../../../engine/config.ts";
import type { HostedPartition } from "../../../../engine/host/hosted-partition.ts";
import { newName } from "../../../../engine/host/names.ts";
import { HostFeed } from "../../../../engine/host/partition-feed.ts";
import { SymbolDirectory } from "../../../../engine/reference/symbol-directory.ts";
import { createMemoryBusServer, type MemoryBusServer } from "../../../../src/bus/memory/bus.ts";
import { loopTimers, steadyClock } from "../../../../src/runtime/clock.ts";
import type { Log } from "../../../../src/runtime/ports.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { until } from "../../../support/world/stack.ts";
import type { ModelStream } from "../log/model/model-stream.ts";

/**
 * Longer than the processor may be withheld from this process: else engines would claim from a leader that is only
 * late.
 */
export const LEASE_MS = 1_500;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: MemoryBusServer;
let engines: Engine[];

interface EngineOptions {
  readonly seedBytesPerSecond: number;
  /** After its first term that fails. */
  readonly heldBackMs: number;
}

export class Engine {
  readonly lines: string[] = [];
  readonly fatals: string[] = [];
  readonly replica: PartitionReplica;
  readonly feed: HostFeed;
  hosted: HostedPartition | undefined;
  /** Whether other engines report that they can lead. */
  canOthersLead = false;
  /** The reason why it cannot move in. */
  trouble: string | undefined;
  /** It moves in, or cannot, once the returned promise is settled. */
  whenMovingIn: () => Promise<void> = async () => undefined;

  constructor(name: string, stream: ModelStream, feed: HostFeed, { seedBytesPerSecond, heldBackMs }: EngineOptions) {
    this.feed = feed;
    const log = this.#log();
    const config = readEngineConfig({ DATA_DIR: join(folder.path, name) });
    const symbols = new SymbolDirectory();
    const world = { config, bus: server.connect(), log, smsLog: silent, symbols, settings: [], life: newName() };
    const shared = { stream, owner: name, leaseMs: LEASE_MS, steadyClock, timers: loopTimers, log, keepBytes: 0 };
    this.replica = new PartitionReplica({
      ...{ number: 0, folder: folderOf(name), world, feed, timers: loopTimers, log, isKept: true },
      openLog: async () => new StreamLog({ ...shared, newId: randomUUID, heldByOthers: () => undefined }),
      moveIn: async (hosted) => {
        if (this.trouble !== undefined) throw new Error(this.trouble);
        await this.whenMovingIn();
        this.hosted = hosted;
        return { answers: () => undefined, leave: () => undefined };
      },
      claimDelayMs: () => 0,
      canOthersLead: () => this.canOthersLead,
      leaseMs: heldBackMs,
      seedPace: new BytePace({ bytesPerSecond: seedBytesPerSecond, steadyClock, timers: loopTimers }),
      fatal: (reason) => void this.fatals.push(reason),
    });
    this.replica.start();
  }

  async untilLeads(): Promise<void> {
    assert.ok(
      await until(
        async () => this.replica.isLeading,
        (isLeading) => isLeading,
      ),
      this.lines.join("\n"),
    );
  }

  /** Waits until this copy holds all that the log does. */
  async untilCopied(): Promise<void> {
    const lag = await until(
      async () => this.replica.lagMessages,
      (count) => count === 0,
    );
    assert.equal(lag, 0, this.lines.join("\n"));
  }

  async untilSaid(what: RegExp): Promise<void> {
    const said = await until(
      async () => this.lines.join("\n"),
      (lines) => what.test(lines),
    );
    assert.match(said, what);
  }

  /** Resolves once the row is durable. */
  async put(key: string, value: string): Promise<void> {
    const { hosted } = this;
    assert.ok(hosted !== undefined);
    hosted.partition.journal.put(key, value);
    await new Promise<void>((resolve) => hosted.partition.journal.afterDurable(resolve));
  }

  read(key: string): string {
    return Buffer.from(this.hosted?.folder.store.read(key) ?? []).toString();
  }

  #log(): Log {
    const keep = (fields: object, message: string): void => {
      const [, cause] = Object.entries(fields).find(([name]) => name === "err") ?? [];
      this.lines.push(`${message} ${JSON.stringify(fields)} ${cause instanceof Error ? cause.message : ""}`);
    };
    return { debug: keep, info: keep, warn: keep, error: keep };
  }
}

export const folderOf = (name: string): string => join(folder.path, name, "partition-0");

export async function start(name: string, stream: ModelStream, options: Partial<EngineOptions> = {}): Promise<Engine> {
  const config = readEngineConfig({ DATA_DIR: join(folder.path, name) });
  const feed = await HostFeed.create({
    ...{ config, bus: server.connect(), connection: undefined, log: silent },
    ...{ symbols: new SymbolDirectory(), priceFiles: [] },
  });
  await feed.start([]);
  const engine = new Engine(name, stream, feed, { seedBytesPerSecond: 1e9, heldBackMs: LEASE_MS, ...options });
  engines.push(engine);
  return engine;
}

export async function stop(engine: Engine): Promise<void> {
  engines = engines.filter((each) => each !== engine);
  await engine.replica.stop();
  await engine.feed.stop();
}

/** Returns the number of the log's last record: the writes of a start may go with the first row, or before it. */
export async function lastOf(stream: ModelStream): Promise<number> {
  const frame = await frameAt(stream, (await stream.state()).lastSequence);
  return (frame === undefined ? undefined : lastRecord(frame)) ?? assert.fail("the log holds no record");
}

/** Leads, puts rows under `keys`, and ends. */
export async function leadOnce(name: string, stream: ModelStream, ...keys: string[]): Promise<void> {
  const engine = await start(name, stream);
  await engine.untilLeads();
  for (const key of keys) await engine.put(key, name);
  await stop(engine);
}

/** Each test of the file begins without engines; none of them may have met a fault at its end. */
export function eachWithoutEngines(): void {
  beforeEach(async () => {
    folder = await temporaryFolder();
    server = createMemoryBusServer({ onError: () => undefined });
    engines = [];
  });

  afterEach(async () => {
    const left = engines;
    for (const engine of left) await stop(engine);
    for (const { fatals } of left) assert.deepEqual(fatals, []);
    await folder.remove();
  });
}
