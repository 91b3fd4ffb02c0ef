/** Ticks that are read in place are the ticks of their messages, independently of the bytes around them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TickAcceptance } from "../../../engine/feed/acceptance.ts";
import { TickIntake } from "../../../engine/feed/tick-intake.ts";
import type { BusMessage } from "../../../src/bus/port.ts";
import { TICK_BATCH_SUBJECT, tickSubject } from "../../../src/contract/subject.ts";
import fc from "../../support/property.ts";
import { NO_LIMITS } from "./support/ports.ts";

/** One begins with the other, and there are more than the table has room for at first. */
const SYMBOLS = ["A", "AC", "ACM", "ACME", "ŞİŞE", "ŞİŞ", ...Array.from({ length: 300 }, (_, index) => `S${index}`)];

class Reader {
  readonly ticks: (readonly [symbol: string, price: number, timeMs: number])[] = [];
  readonly acceptance = new TickAcceptance({
    symbols: { isKnown: (symbol) => SYMBOLS.includes(symbol) },
    clock: { nowMs: () => 0 },
    ...NO_LIMITS,
    onTick: ({ symbol, price }, ownTimeMs) => void this.ticks.push([symbol, price.value, ownTimeMs]),
  });
  readonly #intake = new TickIntake(this.acceptance);

  take(message: BusMessage, atMs: number): void {
    this.#intake.take(message, atMs);
  }
}

/** Takes the message among bytes that would make another one of it; they are gone once it was taken. */
function takeInPlace(reader: Reader, subject: string, data: Uint8Array, atMs: number): void {
  const before = Buffer.from('{"price":9MSG ');
  const name = Buffer.from(subject);
  const between = Buffer.from('E 7 {"price":1');
  const after = Buffer.from('0,"time":5}\r\n');
  const bytes = Buffer.concat([before, name, between, data, after]);
  const subjectStart = before.length;
  const dataStart = subjectStart + name.length + between.length;
  const frame = {
    bytes,
    subjectStart,
    subjectEnd: subjectStart + name.length,
    dataStart,
    dataEnd: dataStart + data.length,
  };
  reader.take({ subject, data: bytes.subarray(dataStart, frame.dataEnd), frame }, atMs);
  bytes.fill("A");
}

const subject = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...SYMBOLS).map((symbol) => tickSubject(symbol)) },
  { weight: 1, arbitrary: fc.constantFrom(tickSubject("NONE"), tickSubject(""), TICK_BATCH_SUBJECT) },
);
const price = fc.integer({ min: 0, max: 20_000 }).map((hundredths) => hundredths / 100);
const text = fc.oneof(
  { weight: 5, arbitrary: price.map((value) => `{"price":${value}}`) },
  { weight: 2, arbitrary: fc.tuple(price, fc.nat(20)).map(([value, time]) => `{"time":${time},"price":${value}}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"price":1', '{"price":', "{", "", "1", '{"price":1.}', '{"price":01}', '{"price":2},'),
  },
  { weight: 1, arbitrary: price.map((value) => `[{"symbol":"ACM","price":${value}}]`) },
);

test("a tick read in place is the tick of its message, and of its symbol", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(subject, text), { maxLength: 900, size: "max" }), (messages) => {
      const plain = new Reader();
      const inPlace = new Reader();
      for (const [index, [name, content]] of messages.entries()) {
        const data = Buffer.from(content);
        plain.take({ subject: name, data }, index);
        takeInPlace(inPlace, name, data, index);
      }
      assert.deepEqual(inPlace.ticks, plain.ticks);
      assert.deepEqual(inPlace.acceptance.counters, plain.acceptance.counters);
    }),
    { numRuns: 60 },
  );
});

test("every symbol is told by its own subject, from its first tick on", () => {
  const reader = new Reader();
  for (const round of [1, 2]) {
    for (const symbol of SYMBOLS) takeInPlace(reader, tickSubject(symbol), Buffer.from('{"price":7}'), round);
  }
  assert.deepEqual(
    reader.ticks.map(([symbol]) => symbol),
    [...SYMBOLS, ...SYMBOLS],
  );
});
