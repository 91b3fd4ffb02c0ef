/**
 * Full or read-only disks, folders that are in use or another user's, and stores that lost a file, each under a real
 * engine process: it names the cause, ends with the same code running and starting, and changes nothing. Everything
 * acknowledged is there once the cause is removed.
 */
import assert from "node:assert/strict";
import { appendFile, chmod, cp, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { Level } from "level";
import { EXIT_CODES } from "../../../src/runtime/user-error.ts";
import { LossyBrokerage } from "../../support/brokerage/lossy-brokerage.ts";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { runProgram } from "../../support/machine/process.ts";
import { mountSmallDisk, type SmallDisk } from "../../support/store/small-disk.ts";
import { ENGINE_USER, EngineWorld, groupOf, paperBrokerage } from "../../support/world/engine-world.ts";
import { pause, until } from "../../support/world/stack.ts";

const SYMBOLS = ["THYAO", "GARAN", "AKBNK", "ASELS", "EREGL", "KCHOL", "SISE", "TUPRS"];
const ACCOUNT = `PAPER-${ENGINE_USER}`;
const DISK_BYTES = 4 * 1024 * 1024;
const FREE_BYTES = 64 * 1024;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

natsSuite("a data folder", () => {
  describe("on a disk of its own", smallDisk);
  describe("that is in use or not ours", folderOfOthers);
  describe("that was damaged", damagedFolder);
});

/** Starts an engine that must not start; returns its error line. */
async function refusalOf(
  world: EngineWorld,
  dataFolder = world.dataFolder,
  exitCode: number = EXIT_CODES.data,
): Promise<string> {
  const { code, output } = await runProgram("engine/main.ts", world.environment(dataFolder));
  assert.equal(code, exitCode, output);
  assert.doesNotMatch(output, /engine is ready/);
  const [said = "", ...more] = output.split("\n").filter((line) => line.startsWith("engine cannot start"));
  assert.deepEqual(more, []);
  return said;
}

function smallDisk(): void {
  let disk: SmallDisk | undefined;
  let world: EngineWorld;
  let lossy: LossyBrokerage;
  const acknowledged: string[] = [];

  before(async () => {
    disk = mountSmallDisk(DISK_BYTES);
    if (disk === undefined) return;
    const brokerage = { code: "FAR", name: "Far", adapter: "gateway", resend: "idempotent" };
    world = await EngineWorld.open({ brokerages: [brokerage], dataFolder: join(disk.path, "data") });
    lossy = new LossyBrokerage(world.nats, {
      ...{ code: "FAR", promise: "idempotent", lateMs: 0, fate: () => "accept", answersLookUp: () => true },
      accounts: Array.from({ length: 100 }, (_, index) => `A${index}`),
    });
    await world.startEngine();
  });
  after(async () => {
    if (disk === undefined) return;
    lossy.stop();
    await world.close();
    disk.unmount();
  });

  test("that is full ends the engine at the first failed write, and nothing acknowledged is lost", async (context) => {
    if (disk === undefined) return context.skip("mounting is not allowed");
    await disk.fill(FREE_BYTES);
    const groups = SYMBOLS.flatMap((symbol) =>
      Array.from({ length: 100 }, (_, index) => groupOf("FAR", `A${index}`, symbol)),
    );
    for (const [index, group] of groups.entries()) {
      const made = await Promise.race([
        world.client.createGroup({ ...group, notes: "n".repeat(500) }, `group-${index}`),
        until(
          async () => world.engine.hasEnded(),
          (hasEnded) => hasEnded,
        ),
      ]);
      if (typeof made === "boolean") break;
      assert.ok("groupId" in made, JSON.stringify(made));
      acknowledged.push(`${made.groupId}`);
    }
    assert.ok(world.engine.hasEnded(), "the disk was filled");
    assert.equal(await world.engine.end("SIGTERM"), EXIT_CODES.cannotCreate);
    assert.match(
      world.engine.output(),
      /"msg":"the disk is full \([^"]*(No space left on device|ENOSPC)[^"]*\)\. Make room on it: nothing is lost"/,
    );
    assert.ok(acknowledged.length > 0);
    const said = await refusalOf(world, world.dataFolder, EXIT_CODES.cannotCreate);
    assert.match(said, /the disk is full .*Make room on it: nothing is lost/);
    assert.doesNotMatch(said, /backup|damaged/);

    await disk.empty();
    await world.startEngine();
    const rows = await Promise.all(Array.from({ length: 100 }, (_, index) => world.client.rows("FAR", `A${index}`)));
    const groupIds = new Set(rows.flat().map(({ groupId }) => `${groupId}`));
    assert.deepEqual(
      acknowledged.filter((groupId) => !groupIds.has(groupId)),
      [],
    );
    // At most the group that was under way when the disk was full is stored in addition.
    assert.ok(groupIds.size <= acknowledged.length + 1);
  });

  test("that is read-only is refused in plain words", async (context) => {
    if (disk === undefined) return context.skip("mounting is not allowed");
    await world.engine.end("SIGTERM");
    disk.makeReadOnly(true);
    assert.match(await refusalOf(world, world.dataFolder, EXIT_CODES.cannotCreate), /read-only/);
    disk.makeReadOnly(false);
    await world.startEngine();
  });
}

function folderOfOthers(): void {
  let world: EngineWorld;

  before(async () => {
    world = await EngineWorld.open({ brokerages: [paperBrokerage(SYMBOLS)] });
    await world.startEngine();
    assert.ok("groupId" in (await world.client.createGroup(groupOf("PAPER", ACCOUNT, "THYAO"), "first")));
  });
  after(() => world.close());

  test("of a running engine is refused to a second one, and the first goes on", async () => {
    const said = await refusalOf(world, world.dataFolder, EXIT_CODES.unavailable);
    assert.match(said, /partition 0 belongs to another engine, process \d+ on host/);
    assert.ok("groupId" in (await world.client.createGroup(groupOf("PAPER", ACCOUNT, "GARAN"), "second")));
    assert.equal((await world.client.rows("PAPER", ACCOUNT)).length, 6);
  });

  test("that belongs to another user of the machine is refused, and nothing in it is changed", async (context) => {
    if (!isRoot) return context.skip("only root can start a process as somebody else");
    await world.engine.end("SIGTERM");
    await chmod(world.folder, 0o755);
    await chmod(join(world.folder, "brokerages.json"), 0o644);
    const { code, output } = await runProgram("engine/main.ts", world.environment(), { uid: NOBODY });
    assert.equal(code, EXIT_CODES.cannotCreate, output);
    assert.match(output, /engine cannot start: .*this user may not write in/);
    await world.startEngine();
    assert.equal((await world.client.rows("PAPER", ACCOUNT)).length, 6);
  });

  test("of another number of partitions is refused", async () => {
    await world.engine.end("SIGTERM");
    const environment = { ...world.environment(), PARTITIONS: "2", ENGINE_PARTITIONS: "0" };
    const { code, output } = await runProgram("engine/main.ts", environment);
    assert.equal(code, EXIT_CODES.data);
    assert.match(output, /engine cannot start: .*PARTITIONS is fixed/);
    await world.startEngine();
  });

  test("that is taken away while it is open ends the engine", async () => {
    await rename(join(world.dataFolder, "partition-0"), join(world.dataFolder, "elsewhere"));
    await world.client.createGroup(groupOf("PAPER", ACCOUNT, "AKBNK"), "third").catch(() => undefined);
    await until(
      async () => world.engine.hasEnded(),
      (hasEnded) => hasEnded,
    );
    assert.equal(await world.engine.end("SIGTERM"), EXIT_CODES.noInput);
    assert.match(
      world.engine.output(),
      /"during":"the witness cannot be written","msg":"a file or folder of this process was taken away/,
    );
    await rename(join(world.dataFolder, "elsewhere"), join(world.dataFolder, "partition-0"));
    await world.startEngine();
    assert.equal((await world.client.rows("PAPER", ACCOUNT)).length, 9);
  });
}

function damagedFolder(): void {
  let world: EngineWorld;
  let whole: string;
  let partition: string;

  before(async () => {
    world = await EngineWorld.open({ brokerages: [paperBrokerage(SYMBOLS)] });
    partition = join(world.dataFolder, "partition-0");
    whole = join(world.folder, "whole");
    // Rows in tables, and in the log alone: an orderly stop writes all rows, and the next start makes a table of them.
    for (const [index, symbol] of SYMBOLS.entries()) {
      if (index > 0 && index % 3 === 0) await world.engine.end("SIGTERM");
      if (index % 3 === 0) await world.restartEngine();
      assert.ok("groupId" in (await world.client.createGroup(groupOf("PAPER", ACCOUNT, symbol), symbol)));
    }
    // The witness must have caught up: it is written again after the last answer.
    const answeredMs = Date.now();
    const witness = join(partition, "witness.json");
    assert.ok(
      await until(
        async () => (await stat(witness)).mtimeMs > answeredMs,
        (isWritten) => isWritten,
      ),
    );
    await pause(1_500);
    await world.engine.end("SIGKILL");
    await cp(world.dataFolder, whole, { recursive: true });
  });
  after(() => world.close());
  beforeEach(async () => {
    await rm(world.dataFolder, { recursive: true, force: true });
    await cp(whole, world.dataFolder, { recursive: true });
  });

  /** Expects two refusals: the first attempt repaired nothing. */
  async function refusedTwice(reason: RegExp): Promise<void> {
    assert.match(await refusalOf(world), reason);
    assert.match(await refusalOf(world), reason);
  }

  test("as it was before, starts with every row", async () => {
    await world.startEngine();
    assert.equal((await world.client.rows("PAPER", ACCOUNT)).length, 3 * SYMBOLS.length);
    await world.engine.end("SIGKILL");
  });

  /** Expects a whole store or a refusal: the log holds what the store's newest files held, and repairs some damage. */
  async function isWholeOrRefused(): Promise<void> {
    try {
      await world.startEngine();
    } catch {
      assert.match(await refusalOf(world), /backup/);
      return;
    }
    assert.equal((await world.client.rows("PAPER", ACCOUNT)).length, 3 * SYMBOLS.length);
    await world.engine.end("SIGKILL");
  }

  test("by the loss of CURRENT of the store, or of a file of the log, is refused", async () => {
    const logs = (await world.storeFiles(".log", "log")).map((file) => join("log", basename(file)));
    assert.ok(logs.length > 1);
    for (const name of [join("store", "CURRENT"), ...logs]) {
      await rename(join(partition, name), join(partition, "elsewhere"));
      await refusedTwice(/(store|log).*(damaged|cannot be|holds).*backup/);
      await rename(join(partition, "elsewhere"), join(partition, name));
    }
  });

  test("by the loss of a table is refused", async () => {
    const tables = await world.storeFiles(".ldb");
    assert.ok(tables.length > 0);
    await rm(tables[0] ?? "");
    assert.match(await refusalOf(world), /backup/);
  });

  test("by the loss of the newest records is refused", async () => {
    for (const log of await world.storeFiles(".log", "log")) await rm(log);
    assert.match(await refusalOf(world), /old copy or has lost its newest rows|backup/);
  });

  test("by a flipped bit in the newest records is refused", async () => {
    const [log = ""] = await world.storeFiles("0.log", "log");
    const bytes = await readFile(log);
    const at = Math.floor(bytes.lastIndexOf("LOG\r\n", undefined, "latin1") / 2);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
    await writeFile(log, bytes);
    await refusedTwice(/lost or changed rows|old copy|backup/);
  });

  test("by the loss of what the store wrote last is made good from the log, or refused", async () => {
    for (const log of await world.storeFiles(".log")) await rm(log);
    await isWholeOrRefused();
  });

  test("by a torn MANIFEST is made good from the log, or refused", async () => {
    const [manifest = ""] = (await readdir(join(partition, "store"))).filter((name) => name.startsWith("MANIFEST"));
    const file = await open(join(partition, "store", manifest), "r+");
    const { size } = await file.stat();
    await file.truncate(size - 5);
    await file.close();
    await isWholeOrRefused();
  });

  test("in its archive ends a running engine with the code and the words of damage", async () => {
    const store = new Level<string, string>(join(partition, "store"), { createIfMissing: false });
    const [key] = await store.keys({ gte: "v/", lt: "v/\uffff", limit: 1 }).all();
    assert.ok(key !== undefined);
    await store.del(key);
    await store.close();
    const { code, output } = await runProgram("engine/main.ts", world.environment());
    assert.equal(code, EXIT_CODES.data, output);
    assert.match(output, /"level":60.*the archive has lost or changed rows \(archive hash differs\): restore a backup/);
  });

  test("by the loss of the whole store, or of the whole log, is refused", async () => {
    for (const name of ["store", "log"]) {
      await rename(join(partition, name), join(partition, "elsewhere"));
      assert.match(await refusalOf(world), /backup/);
      await rm(join(partition, name), { recursive: true, force: true });
      await rename(join(partition, "elsewhere"), join(partition, name));
    }
  });

  test("by a witness that cannot be read is refused", async () => {
    await appendFile(join(partition, "witness.json"), "}");
    assert.match(await refusalOf(world), /witness\.json is damaged/);
  });

  test("by a signing key that cannot be read is refused, and the key is not shown", async () => {
    await appendFile(join(partition, "signing-key.json"), "}");
    const said = await refusalOf(world);
    assert.match(said, /signing-key\.json is not a signing key/);
    assert.doesNotMatch(said, /"d"|"p"/);
  });
}
