/** The rules of every log, in any place. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { CommitLog } from "../../../../engine/ports/log.ts";

/** A place where a log lives: it is opened, left as by a process that dies, and opened again. */
export interface LogPlace {
  open(): Promise<CommitLog>;
  /** The process ends abruptly: unacknowledged appends may be there or not. */
  leave(log: CommitLog): Promise<void>;
  remove(): Promise<void>;
}

const record = (number: number): Uint8Array => Buffer.from(`record ${number}`);

/** Declares the suite. */
export function describeLog(name: string, makePlace: () => LogPlace): void {
  describe(`a log, ${name}`, () => {
    let place: LogPlace;
    let log: CommitLog;

    beforeEach(async () => {
      place = makePlace();
      log = await place.open();
    });
    afterEach(async () => {
      await log.close();
      await place.remove();
    });

    async function reopen(): Promise<void> {
      await place.leave(log);
      log = await place.open();
    }

    async function held(from = 0): Promise<string[]> {
      const found: string[] = [];
      for await (const page of log.readFrom(from)) {
        for (const { sequence, bytes } of page) found.push(`${sequence}: ${Buffer.from(bytes).toString()}`);
      }
      return found;
    }

    async function fill(first: number, last: number): Promise<void> {
      for (let number = first; number <= last; number += 1) await log.append(number - 1, [record(number)]);
    }

    test("holds nothing at first, and takes its first record at whatever place is named", async () => {
      assert.equal(log.firstSequence, undefined);
      assert.equal(log.lastSequence, undefined);
      assert.deepEqual(await held(), []);
      await log.append(41, [record(42)]);
      assert.equal(log.firstSequence, 42);
      assert.equal(log.lastSequence, 42);
      await reopen();
      assert.deepEqual(await held(), ["42: record 42"]);
    });

    test("begins at nought, too", async () => {
      await log.append(-1, [record(0)]);
      await log.append(0, [record(1)]);
      await reopen();
      assert.deepEqual(await held(), ["0: record 0", "1: record 1"]);
    });

    test("keeps what it acknowledged, in order, however the process ends", async () => {
      await fill(1, 30);
      await log.append(30, [record(31), record(32), record(33)]);
      await reopen();
      assert.equal(log.lastSequence, 33);
      assert.deepEqual(
        await held(),
        Array.from({ length: 33 }, (_, index) => `${index + 1}: record ${index + 1}`),
      );
      assert.deepEqual(await held(32), ["32: record 32", "33: record 33"]);
      assert.deepEqual(await held(34), []);
    });

    test("refuses an append that names another place than its end, and goes on", async () => {
      await fill(1, 3);
      for (const wrong of [0, 2, 4]) await assert.rejects(log.append(wrong, [record(9)]));
      await fill(4, 4);
      assert.deepEqual(await held(3), ["3: record 3", "4: record 4"]);
    });

    test("refuses the same place a second time, also while the first append is on its way", async () => {
      await fill(1, 1);
      const first = log.append(1, [record(2)]);
      await assert.rejects(log.append(1, [Buffer.from("another")]));
      await first;
      await assert.rejects(log.append(1, [Buffer.from("another")]));
      assert.deepEqual(await held(2), ["2: record 2"]);
    });

    test("has its last record told only once it is durable", async () => {
      await fill(1, 1);
      const appended = log.append(1, [record(2)]);
      assert.equal(log.lastSequence, 1);
      await appended;
      assert.equal(log.lastSequence, 2);
    });

    test("forgets what is trimmed but never its last record, and knows its end after that", async () => {
      await fill(1, 10);
      await log.trim(4);
      assert.equal(log.firstSequence, 5);
      assert.deepEqual((await held()).length, 6);
      await log.trim(2);
      assert.equal(log.firstSequence, 5);
      await log.trim(99);
      assert.deepEqual(await held(), ["10: record 10"]);
      await reopen();
      assert.equal(log.lastSequence, 10);
      await fill(11, 12);
      assert.deepEqual((await held()).slice(-2), ["11: record 11", "12: record 12"]);
    });

    test("holds large records and an empty one", async () => {
      const large = Buffer.alloc(3 * 1024 * 1024, 7);
      await log.append(0, [large, new Uint8Array()]);
      await reopen();
      const found: number[] = [];
      for await (const page of log.readFrom(1)) found.push(...page.map(({ bytes }) => bytes.byteLength));
      assert.deepEqual(found, [large.byteLength, 0]);
    });
  });
}
