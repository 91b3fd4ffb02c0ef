import assert from "node:assert/strict";
import { test } from "node:test";
import { firstHead } from "../../../engine/store/journal/head.ts";
import { decodeLife, OrderNames } from "../../../engine/store/order-names.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import { FakeDisk, FakeJournal } from "../../support/store/fake-journal.ts";

const PLACE = { partition: 2, partitions: 4 };
const disk = new FakeDisk();
const time = new FakeTime();

/** A start of the engine after `ids` ids were given out. */
async function start(life: string, ids: number): Promise<OrderNames> {
  const names = new OrderNames({ ...firstHead("installati", PLACE, 0), ids });
  for (const key of disk.keys("n/")) names.recover(Number(key.slice(2)), disk.rows.get(key) ?? new Uint8Array());
  names.begin(life, new FakeJournal(disk, time));
  await time.turns();
  return names;
}

const idOf = (number: number): number => number * PLACE.partitions + PLACE.partition;

test("a row is called by the life in which it was made, in every later life", async () => {
  await start("aaaaaaaaaa", 0);
  await start("bbbbbbbbbb", 5);
  const names = await start("cccccccccc", 9);
  const lives = [1, 5, 6, 9, 10, 999].map((number) => names.of(idOf(number), `r${number}`));
  assert.deepEqual(lives, [
    ...["aaaaaaaaaa-r1", "aaaaaaaaaa-r5", "bbbbbbbbbb-r6", "bbbbbbbbbb-r9", "cccccccccc-r10", "cccccccccc-r999"],
  ]);
});

test("a life in which nothing was made leaves no trace", async () => {
  const names = await start("dddddddddd", 9);
  assert.equal(names.of(idOf(10), "r10"), "dddddddddd-r10");
  assert.equal(disk.keys("n/").length, 3);
});

test("the name of a life that cannot be read is a fault, not a name", () => {
  for (const text of ["", "short", "UPPERCASE1", "elevenelevn"]) assert.throws(() => decodeLife(Buffer.from(text)));
});
