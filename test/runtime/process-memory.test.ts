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
  const before = readProcessMemory();
  const buffer = Buffer.alloc(64 * MEBIBYTE, 1);
  const after = readProcessMemory();
  assert.ok(after.external - before.external >= buffer.length);
  if (before.anonymous !== undefined) assert.ok((after.anonymous ?? 0) - before.anonymous > buffer.length / 2);
});
