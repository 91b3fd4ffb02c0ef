/** A long reading reports every second how far it is; a short one reports nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadingProgress } from "../../../engine/store/reading-progress.ts";

function startReading(): { readonly read: (rowCount: number, tookMs: number) => void; readonly told: object[] } {
  let nowMs = 5_000;
  const told: object[] = [];
  const log = { info: (fields: object, message: string): void => void told.push({ ...fields, message }) };
  const progress = new ReadingProgress({ nowMs: () => nowMs }, log, 2);
  const read = (rowCount: number, tookMs: number): void => {
    nowMs += tookMs;
    progress.add(rowCount);
  };
  return { read, told };
}

test("a reading of less than a second is not told of", () => {
  const { read, told } = startReading();
  read(1_000, 500);
  read(1_000, 499);
  assert.deepEqual(told, []);
});

test("a longer one tells once a second how many rows of the partition were read", () => {
  const { read, told } = startReading();
  for (let page = 0; page < 50; page += 1) read(1_000, 100);
  const line = { event: "store.reading", partition: 2, message: "reading the store back" };
  assert.deepEqual(
    told,
    [1, 2, 3, 4, 5].map((seconds) => ({ ...line, rowCount: seconds * 10_000, seconds })),
  );
});
