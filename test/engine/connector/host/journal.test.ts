/** The journal of a connector: what a crash, damage, or a lost beginning makes of it. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { openJournal, readRecords, renderRecord } from "../../../../engine/connector/host/state/journal.ts";
import { loopTimers } from "../../../../src/runtime/clock.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";
import { throwing } from "../fix/support/session-world.ts";

const owner = { kind: "owner" };
const records = [owner, { kind: "b", text: "çğ" }, { kind: "c" }];
const whole = Buffer.from(records.map(renderRecord).join(""));
const content = {
  isOwner: (record: unknown) => (record as typeof owner | undefined)?.kind === "owner",
  shorten: (before: readonly unknown[]) => (before.length === 0 ? [owner] : (before as object[])),
};

/** Where a journal may be; it goes with the test. */
function journalPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "journal");
}

async function open(path: string, change: Partial<typeof content> = {}) {
  const opened = await openJournal(path, { ...content, ...change }, { timers: loopTimers, fatal: throwing });
  return { ...opened, close: () => opened.journal.close() };
}

describe("what is read back", () => {
  test("has no torn end, wherever it was cut", () => {
    for (let length = 0; length <= whole.length; length += 1) {
      const read = readRecords(whole.subarray(0, length));
      assert.deepEqual(read.records, records.slice(0, read.records.length));
      assert.ok(read.length <= length);
    }
  });

  test("has no damage before what can be read: that is refused", () => {
    const damaged = Buffer.from(whole);
    damaged[12] = (damaged[12] ?? 0) ^ 1;
    assert.throws(() => readRecords(damaged), /damaged at byte 0/);
  });

  test("is what was appended, also once it was shortened", async (t) => {
    const path = journalPath(t);
    const first = await open(path);
    first.journal.keepShort(200, () => [owner, { kind: "short" }]);
    for (let number = 0; number < 20; number += 1) {
      first.journal.append({ kind: "x", number });
      await new Promise<void>((resolve) => first.journal.afterDurable(resolve));
    }
    await first.close();
    const second = await open(path);
    await second.close();
    assert.deepEqual(second.records.slice(0, 2), [owner, { kind: "short" }]);
    assert.deepEqual(second.records.at(-1), { kind: "x", number: 19 });
  });

  test("contains nothing of after its end, and an answer that arrives then is no fault", async (t) => {
    const path = journalPath(t);
    const first = await open(path);
    first.journal.append(owner);
    await first.close();
    const written = readFileSync(path);
    first.journal.append({ kind: "late" });
    first.journal.afterDurable(() => assert.fail("it is not durable"));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(readFileSync(path), written);
  });

  test("is all before a torn end, which keeps no journal from being opened", async (t) => {
    const path = journalPath(t);
    writeFileSync(path, Buffer.concat([whole, Buffer.from("0000 torn")]));
    const opened = await open(path);
    await opened.close();
    assert.deepEqual(opened.records, records);
    assert.deepEqual(readFileSync(path), whole);
  });
});

describe("the record of the owner", () => {
  test("is not asked of a journal that is not there yet: the first one is begun", async (t) => {
    const path = journalPath(t);
    const opened = await open(path);
    await opened.close();
    assert.deepEqual(opened.records, [owner]);
    assert.deepEqual(readRecords(readFileSync(path)).records, [owner]);
  });

  for (const [name, bytes] of [
    ["is empty", Buffer.alloc(0)],
    ["is cut off in its first record", whole.subarray(0, 10)],
    ["has records and no owner", whole.subarray(whole.indexOf(0x0a) + 1)],
  ] as const) {
    test(`a journal that ${name} is refused, and the evidence stays as it is`, async (t) => {
      const path = journalPath(t);
      writeFileSync(path, bytes);
      await assert.rejects(open(path), (error) => {
        assert.ok(error instanceof UserError);
        const told = "the journal has lost its beginning, so what was sent is not known: put back a copy, or settle";
        assert.ok(error.message.startsWith(`${dirname(path)}: ${told}`), error.message);
        return true;
      });
      assert.deepEqual(readFileSync(path), bytes);
      assert.ok(!existsSync(`${path}.new`));
    });
  }

  test("comes after what its records are: those of another kind are told as that", async (t) => {
    const path = journalPath(t);
    writeFileSync(path, whole.subarray(whole.indexOf(0x0a) + 1));
    const shorten = (): never => {
      throw new UserError("the journal is another's", { reason: "data" });
    };
    await assert.rejects(open(path, { shorten }), /the journal is another's/);
  });
});
