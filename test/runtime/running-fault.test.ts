/** A fault while running is reported like a fault at the start, so that a supervisor reacts the same way to both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { explainFileFault, explainRunningFault } from "../../src/runtime/running-fault.ts";
import { EXIT_CODES, exitCodeOf, UserError } from "../../src/runtime/user-error.ts";

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const FAULTS: readonly (readonly [string, Error, number, RegExp])[] = [
  [
    "a full disk",
    coded("ENOSPC", "ENOSPC: no space left on device, write"),
    73,
    /^the disk is full \(ENOSPC.*Make room/,
  ],
  [
    "a full disk, as LevelDB says it",
    coded("LEVEL_IO_ERROR", "IO error: /data/store/000012.log: No space left on device"),
    73,
    /^the disk is full /,
  ],
  ["a read-only disk", coded("EROFS", "EROFS"), 73, /^the disk is read-only /],
  ["a file of another user", coded("EACCES", "EACCES"), 73, /^this user may not use it /],
  ["too many open files", coded("EMFILE", "EMFILE"), 75, /^this process has too many files open /],
  ["a failing disk", coded("EIO", "EIO"), 75, /^the disk or the way to it failed /],
  [
    "damage, as LevelDB says it",
    coded("LEVEL_CORRUPTION", "Corruption: bad block"),
    65,
    /is damaged .*restore a backup/,
  ],
  ["a refusal", new UserError("rows were lost", { reason: "data" }), 65, /^rows were lost$/],
];

for (const [name, error, code, words] of FAULTS) {
  test(`${name} ends with ${code}, also where it is only a cause`, () => {
    for (const fault of [error, new Error("outer", { cause: new Error("inner", { cause: error }) })]) {
      const explained = explainRunningFault(fault);
      assert.equal(exitCodeOf(explained), code);
      assert.match(explained?.message ?? "", words);
    }
  });
}

test("a fault of ours has no words of an operator, and ends with 70", () => {
  for (const fault of [
    new RangeError("odd"),
    coded("ECONNRESET", "reset"),
    coded("ENOTFOUND", "no host"),
    "text",
    undefined,
  ]) {
    assert.equal(explainRunningFault(fault), undefined);
    assert.equal(exitCodeOf(explainRunningFault(fault)), EXIT_CODES.software);
  }
});

test("a missing file is a file taken away only for a part that uses its own files alone", () => {
  const missing = coded("ENOENT", "ENOENT: /data/witness.json.new");
  assert.equal(explainRunningFault(missing), undefined);
  assert.equal(exitCodeOf(explainFileFault(missing)), EXIT_CODES.noInput);
});
