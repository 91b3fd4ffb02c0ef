/**
 * Both logs keep the rules of a log; and the files of one: how a start handles a torn end, damage and files that were
 * used again.
 */
import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { CommitLog } from "../../../../engine/ports/log.ts";
import { openFileLog } from "../../../../engine/store/log/file-log.ts";
import { encodeFrame, runsOf } from "../../../../engine/store/log/frame.ts";
import { StoreRefused } from "../../../../engine/store/refused.ts";
import { loopTimers } from "../../../../src/runtime/clock.ts";
import { temporaryFolder } from "../../../support/machine/process.ts";
import { LoggedDisk } from "../../../support/store/logged-disk.ts";
import { describeLog, type LogPlace } from "./log-conformance.ts";

/** So that some frames make a file full. */
const FILE_BYTES = 1_024;
const RECORD_BYTES = 100;

async function heldBy(log: CommitLog): Promise<number[]> {
  const held: number[] = [];
  for await (const page of log.readFrom(0)) {
    for (const { sequence, bytes } of page) {
      assert.ok(
        bytes.every((byte) => byte === sequence % 251),
        `record ${sequence} is what was appended`,
      );
      held.push(sequence);
    }
  }
  return held;
}

const recordOf = (sequence: number, byteCount = RECORD_BYTES): Uint8Array => Buffer.alloc(byteCount, sequence % 251);

for (const fileBytes of [undefined, 256]) {
  describeLog(`in files of ${fileBytes ?? "the usual"} bytes`, () => filesOf(fileBytes));
}

function filesOf(fileBytes: number | undefined): LogPlace {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  let life = 0;
  return {
    open: () => openFileLog(join(folder, `${life}`), true, fileBytes),
    // The files as they are at this moment are what a killed process leaves.
    leave: async (log) => {
      cpSync(join(folder, `${life}`), join(folder, `${life + 1}`), { recursive: true });
      life += 1;
      await log.close();
    },
    remove: async () => rmSync(folder, { recursive: true }),
  };
}

describeLog("in memory", (): LogPlace => {
  const disk = new LoggedDisk(() => []);
  const pace = { timers: loopTimers, tookMs: () => 0, failsNow: () => false };
  return {
    open: async () => disk.openLog(pace),
    leave: async () => disk.leave({ isPowerCut: true, isKept: () => false, keptOf: (count) => count }),
    remove: async () => {},
  };
});

describe("a log in files", () => {
  let root: Awaited<ReturnType<typeof temporaryFolder>>;
  let made = 0;

  before(async () => {
    root = await temporaryFolder();
  });
  after(() => root.remove());

  /** The folder of a log of so many records, trimmed up to `trimmedTo`, as a process that dies leaves it. */
  async function left(records: number, trimmedTo = 0): Promise<string> {
    made += 1;
    const folder = join(root.path, `${made}`);
    const log = await openFileLog(folder, true, FILE_BYTES);
    for (let sequence = 1; sequence <= records; sequence += 1) {
      await log.append(sequence - 1, [recordOf(sequence)]);
      if (sequence === trimmedTo + 1) await log.trim(trimmedTo);
    }
    await log.close();
    return folder;
  }

  async function opened(folder: string): Promise<number[]> {
    const log = await openFileLog(folder, false, FILE_BYTES);
    const held = await heldBy(log);
    await log.close();
    return held;
  }

  /** The file in which a record begins, and where. */
  function placeOf(folder: string, sequence: number): { readonly file: string; readonly at: number } {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      const at = readFileSync(file).indexOf(recordOf(sequence));
      if (at >= 0) return { file, at };
    }
    throw new Error(`no record ${sequence}`);
  }

  function change(file: string, act: (bytes: Buffer) => void): void {
    const bytes = readFileSync(file);
    act(bytes);
    writeFileSync(file, bytes);
  }

  const upTo = (last: number, first = 1): number[] =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);

  test("that was not begun may not be opened without leave, nor one of an earlier build", async () => {
    const none = join(root.path, "none");
    await assert.rejects(openFileLog(none, false), /holds no log: restore a backup/);
    assert.ok(!existsSync(none));
    mkdirSync(none);
    writeFileSync(join(none, "CURRENT"), "MANIFEST-000001\n");
    await assert.rejects(openFileLog(none, true), /earlier build/);
  });

  test("is not changed by looking", async () => {
    const folder = await left(30, 12);
    const stateOf = (): unknown => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "hex")]);
    const before = stateOf();
    await opened(folder);
    assert.deepEqual(stateOf(), before);
  });

  test("is the same once its last frame was written again, and goes on behind it", async () => {
    const folder = await left(3);
    const { file } = placeOf(folder, 3);
    const before = readFileSync(file);
    const log = await openFileLog(folder, false, FILE_BYTES);
    await log.settle();
    assert.ok(readFileSync(file).equals(before));
    await log.append(3, [recordOf(4)]);
    await log.close();
    assert.deepEqual(await opened(folder), upTo(4));
  });

  test("goes on where a reader looks though the file ended within what fills its last frame up", async () => {
    const folder = await left(0);
    const whole = encodeFrame(1, [Buffer.alloc(5, "r")], 2);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "0.log"), whole.subarray(0, whole.byteLength - 2));
    writeFileSync(join(folder, "1.log"), "");
    const log = await openFileLog(folder, false, FILE_BYTES);
    assert.equal(log.lastSequence, 1, "the frame is whole");
    await log.settle();
    await log.append(1, [recordOf(2)]);
    await log.close();
    assert.equal((await openFileLog(folder, false, FILE_BYTES)).lastSequence, 2);
  });

  test("goes on in files whose records were all trimmed, so that it does not grow", async () => {
    const folder = await left(0);
    const log = await openFileLog(folder, true, FILE_BYTES);
    for (let sequence = 1; sequence <= 500; sequence += 1) {
      await log.append(sequence - 1, [recordOf(sequence)]);
      await log.trim(sequence - 5);
    }
    await log.close();
    assert.ok(readdirSync(folder).length <= 3, readdirSync(folder).join());
    const held = await opened(folder);
    assert.deepEqual(held, upTo(500, held[0]));
    assert.ok((held[0] ?? 500) <= 496);
  });

  test("takes a frame that is longer than a file, and is short again after it was trimmed", async () => {
    const folder = await left(3);
    const log = await openFileLog(folder, false, FILE_BYTES);
    await log.append(3, [recordOf(4, 10 * FILE_BYTES), recordOf(5)]);
    await log.append(5, [recordOf(6)]);
    await log.trim(5);
    for (let sequence = 7; sequence < 40; sequence += 1) await log.append(sequence - 1, [recordOf(sequence)]);
    await log.close();
    const held = await opened(folder);
    assert.deepEqual(held, upTo(39, held[0]));
    for (const name of readdirSync(folder)) assert.ok(statSync(join(folder, name)).size <= FILE_BYTES);
  });

  test("whose last frame was torn ends with the one before it, wherever it was torn, and goes on from there", async () => {
    const folder = await left(21);
    const { file, at } = placeOf(folder, 21);
    for (const from of [-40, -30, -10, -1, 0, 1, RECORD_BYTES - 1]) {
      const torn = join(root.path, `torn-${from}`);
      cpSync(folder, torn, { recursive: true });
      change(file.replace(folder, torn), (bytes) => bytes.fill(0, at + from));
      assert.deepEqual(await opened(torn), upTo(20), `torn at ${from}`);
      const log = await openFileLog(torn, false, FILE_BYTES);
      await log.append(20, [recordOf(21, 7)]);
      await log.append(21, [recordOf(22)]);
      await log.close();
      assert.deepEqual(await opened(torn), upTo(22));
      const shorter = join(root.path, `shorter-${from}`);
      cpSync(folder, shorter, { recursive: true });
      truncateSync(file.replace(folder, shorter), at + Math.max(from, -40));
      assert.deepEqual(await opened(shorter), upTo(20));
    }
  });

  test("whose first frame in a file used again was torn ends in the file before", async () => {
    const folder = await left(24);
    const { file, at } = placeOf(folder, 1);
    const log = await openFileLog(folder, false, FILE_BYTES);
    await log.trim(20);
    let sequence = 24;
    while (readFileSync(file).indexOf(recordOf(1)) === at) {
      sequence += 1;
      await log.append(sequence - 1, [recordOf(sequence)]);
    }
    await log.close();
    change(file, (bytes) => bytes.fill(0, at - 10, at + 50));
    const held = await opened(folder);
    assert.deepEqual(held, upTo(sequence - 1, held[0]));
  });

  test("of which any frame but the last was changed, or any file is gone, is refused or lacks only what was oldest", async () => {
    const folder = await left(40, 11);
    const sound = await opened(folder);
    const [first = 0] = sound;
    assert.ok(first > 1 && first <= 12, `${first}`);
    for (const sequence of sound.slice(0, -1)) {
      const damaged = join(root.path, `damaged-${sequence}`);
      cpSync(folder, damaged, { recursive: true });
      const { file, at } = placeOf(damaged, sequence);
      change(file, (bytes) => bytes.writeUInt8(bytes.readUInt8(at + 50) ^ 0x10, at + 50));
      const held = await opened(damaged).catch((error: unknown) => {
        assert.ok(error instanceof StoreRefused && /restore a backup/.test(error.message), String(error));
        return undefined;
      });
      if (held !== undefined) assert.ok(held[0] !== undefined && held[0] > sequence && held.at(-1) === 40, `${held}`);
    }
    for (const name of readdirSync(folder)) {
      const lacking = join(root.path, `lacking-${name}`);
      cpSync(folder, lacking, { recursive: true });
      rmSync(join(lacking, name));
      await assert.rejects(opened(lacking), /restore a backup/);
    }
  });

  test("holds the same as a list, whatever is appended, trimmed, torn and opened again", async () => {
    const act = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          act: fc.constant("append" as const),
          sizes: fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 4 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ act: fc.constant("trim" as const), behind: fc.nat(12) }) },
      { weight: 1, arbitrary: fc.record({ act: fc.constant("reopen" as const), tornBytes: fc.nat(80) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 60 }), async (acts) => {
        made += 1;
        const folder = join(root.path, `twin-${made}`);
        let log = await openFileLog(folder, true, FILE_BYTES);
        let [last, firstAtMost] = [0, 1];
        for (const one of acts) {
          if (one.act === "append") {
            await log.append(
              last,
              one.sizes.map((size, index) => recordOf(last + 1 + index, size)),
            );
            last += one.sizes.length;
          } else if (one.act === "trim") {
            await log.trim(last - one.behind);
            firstAtMost = Math.max(firstAtMost, Math.min(last, last - one.behind + 1));
          } else {
            await log.close();
            if (last > 0) tearNext(folder, last, one.tornBytes);
            log = await openFileLog(folder, last === 0, FILE_BYTES);
          }
          const held = await heldBy(log);
          assert.deepEqual(held, last === 0 ? [] : upTo(last, held[0]));
          assert.ok(last === 0 || (held[0] ?? last) <= Math.max(1, firstAtMost));
        }
        await log.close();
      }),
      { numRuns: 60 },
    );
  });
});

/** Writes what an unacknowledged append may leave behind: a part of its frame, behind the last record's. */
function tearNext(folder: string, last: number, byteCount: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const bytes = readFileSync(file);
    const run = runsOf(bytes).find(({ lastSequence }) => lastSequence === last);
    if (run === undefined) continue;
    const part = encodeFrame(last + 1, [recordOf(last + 1)], 1).subarray(0, byteCount);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, run.end), part, bytes.subarray(run.end + part.byteLength)]));
  }
}
