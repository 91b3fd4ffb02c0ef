import assert from "node:assert/strict";
import { test } from "node:test";
import { readProcessMemory } from "../../src/runtime/process-memory.ts";

const MEBIBYTE = 1024 * 1024;

test("the kinds of memory are parts of what is resident", () => {
  const { resident, anonymous, fileBacked, heapUsed, heapReserved } = readProcessMemory();
  assert.ok(heapUsed > 0 && heapUsed <= heapReserved);
  if (process.platform !== "linux") return;
  assert.ok(anonymous !== undefined && fileBacked !== undefined);
  assert.ok(anonymous > MEBIBYTE && fileBacked > MEBIBYTE);
  // The system counts pages of each processor apart and adds them up seldom.
  assert.ok(Math.abs(anonymous + fileBacked - resident) < 16 * MEBIBYTE);
});

test("buffers show as external memory that no file backs", () => {
  const buffer = Buffer.alloc(64 * MEBIBYTE, 1);
  // Not compared with a reading of before: a collection in between gives other memory of the process back.
  const { external, anonymous } = readProcessMemory();
  assert.ok(external >= buffer.length);
  if (anonymous !== undefined) assert.ok(anonymous > buffer.length);
  assert.equal(buffer.at(-1), 1);
});
