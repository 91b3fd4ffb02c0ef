/** A copy leads with what it remembers, and is read again if its memory cannot be trusted. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ReplicaFolder } from "../../../../engine/cluster/replica/replica-folder.ts";
import { WarmStandby } from "../../../../engine/cluster/replica/warm-standby.ts";
import type { CommitLog, LogRecord } from "../../../../engine/ports/log.ts";
import type { DataFolder } from "../../../../engine/store/folder/data-folder.ts";
import { PartitionJournal } from "../../../../engine/store/journal/journal.ts";
import { openFileLog } from "../../../../engine/store/log/file-log.ts";
import { StoreRefused } from "../../../../engine/store/refused.ts";
import { claimKey, lifeKey } from "../../../../engine/table/keys.ts";
import { loopTimers, steadyClock, systemClock } from "../../../../src/runtime/clock.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { lentLog } from "../../store/log/lent-log.ts";

const fatal = (reason: string, cause: unknown): never => {
  throw new Error(reason, { cause });
};

class World {
  readonly #folder: string;
  readonly #own: CommitLog;
  readonly errors: string[] = [];
  readonly #log = {
    debug() {},
    info() {},
    warn() {},
    error: (_fields: object, text: string) => this.errors.push(text),
  };

  constructor(folder: string, own: CommitLog) {
    this.#folder = folder;
    this.#own = own;
  }

  async open(name: string): Promise<{ readonly copy: ReplicaFolder; readonly ready: WarmStandby }> {
    const copy = await ReplicaFolder.open({
      ...{
        folder: join(this.#folder, name),
        place: { partition: 0, partitions: 1 },
        installation: "abcdefghij",
        life: 0,
      },
      ...{ clock: systemClock, timers: loopTimers, log: this.#log, fatal },
    });
    return { copy, ready: new WarmStandby({ partition: 0, copy, steadyClock, log: this.#log }) };
  }

  /** The log, whose end does not end with one engine. */
  get log(): CommitLog {
    return lentLog(this.#own);
  }

  async records(from = 0): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    for await (const page of this.#own.readFrom(from)) records.push(...page);
    return records;
  }
}

async function inWorld(run: (world: World) => Promise<void>): Promise<void> {
  const folder = await temporaryFolder();
  const own = await openFileLog(join(folder.path, "servers"), true);
  try {
    await run(new World(folder.path, own));
  } finally {
    await own.close();
    await folder.remove();
  }
}

/** A leader that puts rows. */
function leading({ store, head }: DataFolder): (key: string, value: string) => Promise<void> {
  const journal = new PartitionJournal({
    ...{ store, head, clock: systemClock, timers: loopTimers, fatal, tickPosition: () => null },
  });
  return async (key, value) => {
    journal.put(key, value);
    await journal.settled();
  };
}

test("what comes before, while and after the copy is read is remembered when it leads", async () => {
  await inWorld(async (world) => {
    const first = await (await world.open("a")).copy.lead(world.log);
    const put = leading(first);
    await put(claimKey("one"), "1");
    const { copy, ready } = await world.open("b");
    for (const record of await world.records()) await ready.follow(record);
    await put(claimKey("two"), "2");
    const reading = ready.read();
    assert.ok(ready.isReading);
    const [next] = await world.records((copy.position ?? 0) + 1);
    assert.ok(next !== undefined);
    const followed = ready.follow(next);
    assert.ok((copy.position ?? 0) < next.sequence, "a record waits while the copy is read");
    await Promise.all([reading, followed]);
    await put(lifeKey(3), "lifelifeli");
    for (const record of await world.records((copy.position ?? 0) + 1)) await ready.follow(record);
    const led = await copy.lead(world.log);
    const memory = await ready.take(led.head);
    assert.ok(memory !== undefined);
    assert.deepEqual(memory.fewKeys(), [lifeKey(3)]);
    for (const claim of ["one", "two"]) assert.ok(memory.claims.mayHold(claim));
    assert.equal(memory.liveHash, led.head.liveHash);
    assert.equal(await ready.take(led.head), undefined, "it goes over to one partition");
    await led.close();
    await first.close();
  });
});

test("a copy that was not read yet, and one whose memory differs, is read when it leads", async () => {
  await inWorld(async (world) => {
    const first = await (await world.open("a")).copy.lead(world.log);
    await leading(first)(claimKey("one"), "1");
    const { copy, ready } = await world.open("b");
    const records = await world.records();
    for (const record of records) await ready.follow(record);
    assert.ok(copy.head !== undefined);
    assert.equal(await ready.take(copy.head), undefined);
    await ready.read();
    assert.equal(await ready.take({ ...copy.head, liveHash: "0123456789abcdef" }), undefined);
    assert.deepEqual(world.errors.length, 1);
    await copy.close();
    await first.close();
  });
});

test("a copy that lost a row is refused before it claims anything", async () => {
  await inWorld(async (world) => {
    const first = await (await world.open("a")).copy.lead(world.log);
    const put = leading(first);
    await put(claimKey("one"), "1");
    await put(claimKey("two"), "2");
    const { copy, ready } = await world.open("b");
    const [genesis, , last] = await world.records();
    assert.ok(genesis !== undefined && last !== undefined);
    await ready.follow(genesis);
    await ready.follow({ ...last, sequence: genesis.sequence + 1 });
    await assert.rejects(ready.read(), StoreRefused);
    await copy.close();
    await first.close();
  });
});
