/** The circle of one shared partition where something goes wrong: it leads only what it may, and says why it does not. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { readEngineConfig } from "../../../../engine/config.ts";
import { HostFeed } from "../../../../engine/partition/hosting/feed.ts";
import type { HostedPartition } from "../../../../engine/partition/hosting/hosted.ts";
import { newName } from "../../../../engine/partition/hosting/place.ts";
import { PartitionReplica } from "../../../../engine/partition/hosting/replica.ts";
import { SymbolDirectory } from "../../../../engine/reference/symbol-directory.ts";
import { StreamLog } from "../../../../engine/replica/replicated-log.ts";
import { decodeFrame, encodeFrame } from "../../../../engine/replica/stream/frame.ts";
import type { Appended } from "../../../../engine/replica/stream/log-stream.ts";
import { frameAt, lastRecord, sequenceOf } from "../../../../engine/replica/stream/place.ts";
import { writeWitness } from "../../../../engine/store/folder/witness.ts";
import { BytePace } from "../../../../engine/store/seed/byte-pace.ts";
import { createMemoryBusServer, type MemoryBusServer } from "../../../../src/bus/memory/bus.ts";
import { loopTimers, steadyClock } from "../../../../src/runtime/clock.ts";
import type { Log } from "../../../../src/runtime/ports.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { until } from "../../../support/world/stack.ts";
import { ModelStream } from "../../replica/model/model-stream.ts";

/** Longer than this process may be kept from the processor: engines would claim from one that is only late. */
const LEASE_MS = 1_500;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: MemoryBusServer;
let engines: Engine[];

class Engine {
  readonly lines: string[] = [];
  readonly fatals: string[] = [];
  readonly replica: PartitionReplica;
  hosted: HostedPartition | undefined;
  /** Why it cannot move in. */
  trouble: string | undefined;
  /** It moves in, or cannot, once what this gives is settled. */
  whenMovingIn: () => Promise<void> = async () => undefined;

  constructor(name: string, stream: ModelStream, feed: HostFeed) {
    const log = this.#log();
    const config = readEngineConfig({ DATA_DIR: join(folder.path, name) });
    const symbols = new SymbolDirectory();
    const world = { config, bus: server.connect(), log, smsLog: silent, symbols, settings: [], life: newName() };
    const shared = { stream, owner: name, leaseMs: LEASE_MS, steadyClock, timers: loopTimers, log, keepBytes: 0 };
    this.replica = new PartitionReplica({
      ...{ number: 0, folder: folderOf(name), world, feed, timers: loopTimers, log },
      openLog: async () => new StreamLog({ ...shared, newId: randomUUID, heldByOthers: () => undefined }),
      moveIn: async (hosted) => {
        if (this.trouble !== undefined) throw new Error(this.trouble);
        await this.whenMovingIn();
        this.hosted = hosted;
        return { answers: () => undefined, leave: () => undefined };
      },
      claimDelayMs: () => 0,
      seedPace: new BytePace({ bytesPerSecond: 1e9, steadyClock, timers: loopTimers }),
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

const folderOf = (name: string): string => join(folder.path, name, "partition-0");

async function start(name: string, stream: ModelStream): Promise<Engine> {
  const config = readEngineConfig({ DATA_DIR: join(folder.path, name) });
  const feed = await HostFeed.create({
    ...{ config, bus: server.connect(), connection: undefined, log: silent },
    ...{ symbols: new SymbolDirectory(), priceFiles: [] },
  });
  await feed.start([]);
  const engine = new Engine(name, stream, feed);
  engines.push(engine);
  return engine;
}

async function stop(engine: Engine): Promise<void> {
  engines = engines.filter((each) => each !== engine);
  await engine.replica.stop();
}

/** The number of the log's last record: what is written at a start may go with the first row, or before it. */
async function lastOf(stream: ModelStream): Promise<number> {
  const frame = await frameAt(stream, (await stream.state()).lastSequence);
  return (frame === undefined ? undefined : lastRecord(frame)) ?? assert.fail("the log holds no record");
}

/** Leads, puts rows under `keys`, and ends. */
async function leadOnce(name: string, stream: ModelStream, ...keys: string[]): Promise<void> {
  const engine = await start(name, stream);
  await engine.untilLeads();
  for (const key of keys) await engine.put(key, name);
  await stop(engine);
}

/** Another engine claims instead of the next append that `isMeant`, which is lost. */
function claimInstead(stream: ModelStream, isMeant: (append: Appended) => boolean): void {
  const append = stream.append.bind(stream);
  stream.append = async (one) => {
    if (!isMeant(one)) return append(one);
    stream.append = append;
    const { expectedSequence } = one;
    const meant = decodeFrame(one.data);
    const number = meant.kind === "part" ? meant.number - 1 : meant.number;
    const claim = { kind: "claim", epoch: expectedSequence + 1, leaseMs: LEASE_MS, number, owner: "x" } as const;
    await append({ expectedSequence, id: `x-${expectedSequence}`, data: encodeFrame(claim) });
    throw new Error("no answer");
  };
}

beforeEach(async () => {
  folder = await temporaryFolder();
  server = createMemoryBusServer({ onError: () => undefined });
  engines = [];
});

afterEach(async () => {
  for (const { replica } of engines) await replica.stop();
  for (const { fatals } of engines) assert.deepEqual(fatals, []);
  await folder.remove();
});

describe("an engine that leads a shared partition", () => {
  test("claims again where another engine was first, once that one is silent", async () => {
    const stream = new ModelStream();
    claimInstead(stream, ({ id }) => id.startsWith("claim-"));
    const engine = await start("a", stream);
    await engine.untilLeads();
    assert.equal(engine.replica.standing?.epoch, 2);
    await engine.untilSaid(/an engine claims the partition .*"owner":"x"/);
    await engine.untilSaid(/its leader fell silent.*"from":"x"/);
  });

  test("goes on after an append without an answer that was stored, once", async () => {
    let isUnanswered = false;
    const stream = new ModelStream(() => {
      if (!isUnanswered) return "stored";
      isUnanswered = false;
      return "unanswered";
    });
    const engine = await start("a", stream);
    await engine.untilLeads();
    isUnanswered = true;
    await engine.put("v/row", "one");
    await engine.put("v/row", "two");
    assert.equal(engine.read("v/row"), "two");
    assert.equal(engine.replica.standing?.epoch, 1);
    assert.equal(engine.replica.takeoverCount, 0, "nobody led before");
  });

  test("drops the partition where another engine's record is in its append's place, and follows it again", async () => {
    const stream = new ModelStream();
    const engine = await start("a", stream);
    await engine.untilLeads();
    await engine.put("v/row", "one");
    const { hosted } = engine;
    claimInstead(stream, () => true);
    hosted?.partition.journal.put("v/row", "two");
    await engine.untilSaid(/another engine leads the partition: it is dropped here/);
    await until(
      async () => engine.hosted,
      (now) => now !== hosted,
    );
    await engine.untilLeads();
    assert.equal(engine.read("v/row"), "one", "what was not in the log never was");
  });

  test("gives the log up where it cannot move in, and tries again", async () => {
    const stream = new ModelStream();
    const engine = await start("a", stream);
    engine.trouble = "no room";
    await engine.untilSaid(/trying again .*no room/);
    assert.equal(engine.replica.isLeading, false);
    engine.trouble = undefined;
    await engine.untilLeads();
  });

  test("loses the partition while it moves in: what fails there afterwards ends nothing", async () => {
    const stream = new ModelStream();
    const engine = await start("a", stream);
    let fail: (reason: Error) => void = () => undefined;
    engine.whenMovingIn = () => {
      engine.whenMovingIn = async () => undefined;
      claimInstead(stream, () => true);
      return new Promise((_resolve, reject) => {
        fail = reject;
      });
    };
    await engine.untilSaid(/another engine leads the partition: it is dropped here/);
    fail(new Error("the store is closed"));
    await engine.untilLeads();
  });

  test("gives the log up where its copy cannot be led, so that another engine can", async () => {
    const stream = new ModelStream();
    await leadOnce("a", stream, "v/row");
    await writeWitness(join(folderOf("a"), "witness.json"), {
      ...{ installation: stream.installation, batch: 99, tickPosition: null },
    });
    const engine = await start("a", stream);
    await engine.untilSaid(/cannot be used: do what the reason says, then restart.*ends at \d+ but had reached 99/);
    const other = await start("b", stream);
    await other.untilLeads();
    assert.equal(other.read("v/row"), "a");
    assert.equal(engine.replica.isLeading, false);
  });
});

describe("a copy that is not of the log that it finds", () => {
  test("does not follow that of another installation", async () => {
    await leadOnce("a", new ModelStream());
    const engine = await start("a", new ModelStream(undefined, { installation: "otherother" }));
    await engine.untilSaid(
      /cannot be used: do what the reason says.* belongs to installation modelmodel, and the log to otherother/,
    );
  });

  test("does not follow one with another record in the place of its last", async () => {
    const own = new ModelStream();
    await leadOnce("a", own, "v/one");
    const other = new ModelStream();
    await leadOnce("b", other, "v/two", "v/three", "v/four", "v/five");
    const engine = await start("a", other);
    const last = await lastOf(own);
    await engine.untilSaid(
      new RegExp(`cannot be used: do what.*record ${last} of the log is not the one that this copy holds`),
    );
  });

  test("does not follow one that ends before it, and says both numbers", async () => {
    const stream = new ModelStream();
    await leadOnce("a", stream, "v/one", "v/two");
    const last = await lastOf(stream);
    stream.lose(await sequenceOf(stream, last));
    const engine = await start("a", stream);
    await engine.untilSaid(new RegExp(`this copy holds record ${last}, and the log ends at ${last - 1}`));
    assert.equal(engine.replica.isLeading, false);
  });

  test("of a later life is set aside; nobody begins that life's log", async () => {
    await leadOnce("a", new ModelStream(), "v/one");
    const engine = await start("a", new ModelStream(undefined, { life: 7 }));
    await engine.untilSaid(/the copy is of the life before a restore: set aside/);
    await engine.untilSaid(/the log of life 7 holds nothing/);
    assert.equal(engine.replica.isLeading, false);
  });
});

describe("a copy that the log cannot fill", () => {
  /** A log that begins with its last record, and its leader. */
  const cutLog = async (stream: ModelStream): Promise<Engine> => {
    const leader = await start("a", stream);
    await leader.untilLeads();
    for (const key of ["v/one", "v/two", "v/three"]) await leader.put(key, "a");
    await stream.purge(await sequenceOf(stream, await lastOf(stream)));
    return leader;
  };

  test("is seeded by the leader, empty or with a hole, and leads with all of it", async () => {
    const stream = new ModelStream();
    await leadOnce("b", stream);
    const leader = await cutLog(stream);
    const [behind, empty] = [await start("b", stream), await start("c", stream)];
    for (const engine of [behind, empty]) {
      await engine.untilSaid(/the copy of the partition was seeded/);
      assert.equal(
        engine.replica.syncedTo,
        leader.replica.standing?.position,
        "the log is cut behind that, no further",
      );
    }
    await leader.put("v/four", "a");
    await stop(leader);
    const next = await until(
      async () => [behind, empty].find(({ replica }) => replica.isLeading),
      (found) => found !== undefined,
    );
    assert.equal(next?.read("v/one"), "a");
    assert.equal(next?.read("v/four"), "a");
  });

  test("waits where nobody leads, claims nothing, and is seeded by whoever leads next", async () => {
    const stream = new ModelStream();
    await stop(await cutLog(stream));
    const { lastSequence } = await stream.state();
    const empty = await start("c", stream);
    await empty.untilSaid(/trying again .*must be seeded, and no engine leads the partition now/);
    assert.equal((await stream.state()).lastSequence, lastSequence);
    const leader = await start("a", stream);
    await leader.untilLeads();
    await empty.untilSaid(/the copy of the partition was seeded/);
  });
});
