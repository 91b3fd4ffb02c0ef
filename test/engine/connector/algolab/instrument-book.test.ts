/** The band of the day: requested again on each day of the exchange, and never kept over midnight or the opening. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { InstrumentBook } from "../../../../engine/connector/algolab/market-data.ts";
import { URGENCY } from "../../../../engine/connector/algolab/request-queue.ts";

/** `hours` of 2 March 2026 in Istanbul; more than 24 are of the next day. */
const istanbul = (hours: number, minutes = 0): number => Date.UTC(2026, 2, 2, hours - 3, minutes);

function makeBook() {
  const clock = { timeMs: istanbul(10), nowMs: () => clock.timeMs };
  const band = { name: "THYAO", flr: 81, clg: 99, lst: 90 };
  let askedCount = 0;
  const book = new InstrumentBook();
  const api = {
    equity: async () => {
      askedCount += 1;
      return { kind: "ok" as const, value: { ...band } };
    },
  };
  const readAt = async (timeMs: number) => {
    clock.timeMs = timeMs;
    const reply = await book.read(api, (asked) => asked, "THYAO", clock, URGENCY.band);
    assert(reply.ok);
    const { floorPrice, ceilingPrice, basePrice } = reply.data;
    return [floorPrice, ceilingPrice, basePrice];
  };
  return { book, band, readAt, asked: () => askedCount };
}

test("each moment of the day asks as often as it must", async () => {
  const cases: readonly (readonly [string, number, number, number])[] = [
    ["both in the session", istanbul(9, 40), istanbul(23, 59), 1],
    ["both before the opening, at once", istanbul(8), istanbul(8, 4), 1],
    ["both before the opening, later", istanbul(8), istanbul(8, 5), 2],
    ["over the opening", istanbul(9, 39), istanbul(9, 40), 2],
    ["over midnight, early", istanbul(23, 59), istanbul(24), 2],
    ["over midnight, in the session", istanbul(18), istanbul(34), 2],
    ["over midnight of UTC, which is none of Istanbul", istanbul(3) - 1, istanbul(3), 1],
  ];
  for (const [name, firstMs, secondMs, times] of cases) {
    const { readAt, asked } = makeBook();
    await readAt(firstMs);
    await readAt(secondMs);
    assert.equal(asked(), times, name);
  }
});

test("a band of yesterday that AlgoLab still told at night is replaced at the opening", async () => {
  const { band, readAt } = makeBook();
  assert.deepEqual(await readAt(istanbul(24, 5)), [81, 99, undefined]);
  Object.assign(band, { flr: 90, clg: 110 });
  assert.deepEqual(await readAt(istanbul(33, 45)), [90, 110, undefined]);
});

test("a band of which AlgoLab leaves a side out is told as far as it is known, and asked for again", async () => {
  const { band, readAt, asked } = makeBook();
  Object.assign(band, { flr: undefined });
  assert.deepEqual(await readAt(istanbul(10)), [undefined, 99, undefined]);
  Object.assign(band, { flr: 81 });
  assert.deepEqual(await readAt(istanbul(10, 1)), [81, 99, undefined]);
  await readAt(istanbul(10, 2));
  assert.equal(asked(), 2);
});

test("a band that the day's base price contradicts is asked for again, every five minutes", async () => {
  const { book, band, readAt, asked } = makeBook();
  await readAt(istanbul(9, 40));
  book.noteBasePrice("THYAO", 120, istanbul(9, 56));
  Object.assign(band, { flr: 108, clg: 132 });
  assert.deepEqual(await readAt(istanbul(9, 44)), [81, 99, undefined]);
  assert.deepEqual(await readAt(istanbul(9, 57)), [108, 132, 120]);
  assert.equal(asked(), 2);
});

test("the base price is that of a trade of the day, within the band, also if it comes after the band", async () => {
  const { book, readAt, asked } = makeBook();
  assert.deepEqual(await readAt(istanbul(10)), [81, 99, undefined]);
  book.noteBasePrice("THYAO", 90, istanbul(10, 1));
  assert.deepEqual(await readAt(istanbul(10, 2)), [81, 99, 90]);
  assert.equal(asked(), 1);
  book.noteBasePrice("THYAO", 70, istanbul(10, 3));
  assert.deepEqual(await readAt(istanbul(10, 4)), [81, 99, undefined]);
  book.noteBasePrice("THYAO", 91, istanbul(10, 5));
  book.noteBasePrice("THYAO", 85, istanbul(-4));
  assert.deepEqual(await readAt(istanbul(10, 6)), [81, 99, 91]);
  assert.deepEqual(await readAt(istanbul(34)), [81, 99, undefined]);
});
