import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTicks, PlainTick, TICK_MESSAGE_BYTES_MAX } from "../../../engine/feed/decode.ts";
import fc from "../../support/property.ts";
import { bytes } from "./support/ports.ts";

interface Decoded {
  readonly malformed: number;
  readonly ticks: readonly (readonly [symbol: string, price: number, timeMs: number])[];
}

function decode(text: string | Uint8Array, symbol?: string): Decoded {
  const ticks: [string, number, number][] = [];
  const data = typeof text === "string" ? bytes(text) : text;
  const malformed = decodeTicks(data, symbol, (...tick) => ticks.push(tick));
  return { malformed, ticks };
}

const NONE = Number.NaN;
const plain = new PlainTick();

/** A message is read among others, whose bytes must not matter. */
function read(message: Uint8Array): boolean {
  const all = Buffer.concat([bytes('{"price":1'), message, bytes('2,"time":3}')]);
  const end = all.length - 11;
  return plain.read(all, end - message.length, end);
}

test("the common shape is read without JSON.parse, in either order and with any spacing", () => {
  for (const [text, price, timeMs] of [
    ['{"price": 101.5, "time": 1732152000000}', 101.5, 1_732_152_000_000],
    ['{"time":1732152000000,"price":101.5}', 101.5, 1_732_152_000_000],
    [' \t\r\n{ "price"\n:\t7 }\r\n', 7, NONE],
    ['{"price":0.1}', 0.1, NONE],
    ['{"price":9999999}', 9_999_999, NONE],
    ['{"price":0}', 0, NONE],
    ['{"price":123456.789012345,"time":0}', 123_456.789012345, 0],
  ] as const) {
    assert.equal(read(bytes(text)), true, text);
    assert.equal(plain.price, price);
    assert.equal(plain.timeMs, timeMs);
    assert.deepEqual(decode(text, "A"), { malformed: 0, ticks: [["A", price, timeMs]] });
  }
});

test("whatever is not the common shape is left to JSON.parse", () => {
  for (const text of [
    "",
    "{}",
    '{"time":1}',
    '{"price":1,"price":2}',
    '{"price":1,}',
    '{"price":1}}',
    '{"price":1} x',
    '{"price":01}',
    '{"price":1.}',
    '{"price":.5}',
    '{"price":-1}',
    '{"price":1e3}',
    '{"price":"1"}',
    '{"price":1,"time":null}',
    '{"price":1,"size":5}',
    '{"pric":1}',
    '{"price:1}',
    '{"\\u0070rice":1}',
    '{"price":1234567890.1234567}',
    '[{"price":1}]',
    '\uFEFF{"price":1}',
  ]) {
    assert.equal(read(bytes(text)), false, text);
  }
});

test("exponents, escapes, further fields and null times are read", () => {
  assert.deepEqual(decode('{"price":1.015e2,"time":1.5e3}', "A").ticks, [["A", 101.5, 1_500]]);
  assert.deepEqual(decode('{"\\u0070rice":3,"time":null,"size":[1]}', "A").ticks, [["A", 3, NONE]]);
  assert.deepEqual(decode('{"price":3,"time":10.75}', "A").ticks, [["A", 3, 10]]);
});

test("a price that is missing or no number is handed on as none", () => {
  for (const text of ["{}", '{"price":"5"}', '{"price":null}', '{"price":true}', '{"price":[5]}']) {
    assert.deepEqual(decode(text, "A"), { malformed: 0, ticks: [["A", NONE, NONE]] }, text);
  }
  assert.deepEqual(decode('{"price":1e400}', "A").ticks, [["A", Number.POSITIVE_INFINITY, NONE]]);
});

test("an array gives its good entries and counts the others", () => {
  const text = '[{"price":1,"time":5},null,7,"x",[],{"price":2,"time":"now"},{"price":3,"time":1e999},{"price":4}]';
  assert.deepEqual(decode(text, "A"), {
    malformed: 6,
    ticks: [
      ["A", 1, 5],
      ["A", 4, NONE],
    ],
  });
  assert.deepEqual(decode("[]", "A"), { malformed: 0, ticks: [] });
});

test("without a symbol in the subject every entry names its own", () => {
  const text = '[{"symbol":"A","price":1},{"price":2},{"symbol":3,"price":3},{"symbol":"B","price":4,"time":9}]';
  assert.deepEqual(decode(text), {
    malformed: 2,
    ticks: [
      ["A", 1, NONE],
      ["B", 4, 9],
    ],
  });
  assert.deepEqual(decode('{"symbol":"A","price":1}').ticks, [["A", 1, NONE]]);
});

test("a tick that names another symbol than its subject is malformed, one that repeats it is not", () => {
  for (const other of ['"B"', '"a"', '""', "5", "{}"]) {
    assert.deepEqual(decode(`{"symbol":${other},"price":1}`, "A"), { malformed: 1, ticks: [] }, other);
  }
  const text = '[{"symbol":"A","price":1},{"symbol":"B","price":2},{"symbol":null,"price":3}]';
  assert.deepEqual(decode(text, "A"), {
    malformed: 1,
    ticks: [
      ["A", 1, NONE],
      ["A", 3, NONE],
    ],
  });
});

test("what is no JSON, no UTF-8 or too long is malformed once", () => {
  const tooLong = `[${"1,".repeat(TICK_MESSAGE_BYTES_MAX / 2)}1]`;
  const notUtf8 = Buffer.concat([bytes('{"price":1,"x":"'), Buffer.from([0xff]), bytes('"}')]);
  const nested = "[".repeat(TICK_MESSAGE_BYTES_MAX);
  for (const message of ["", "{", "price", "NaN", "null", "5", '"x"', tooLong, notUtf8, nested]) {
    assert.deepEqual(decode(message, "A"), { malformed: 1, ticks: [] });
  }
});

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 3 });
const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength });
const numberText = fc.oneof(
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  digits(20),
  fc.tuple(digits(9), digits(9)).map((parts) => parts.join(".")),
  fc.constantFrom("-0", "1e5", "null", "true", '"1"', "1.", ".1", "+1", "{}", "[]", ""),
);
const key = fc.constantFrom('"price"', '"time"', '"price"', '"time"', '"pricf"', '"symbol"', "price");
const field = fc.tuple(space, key, space, space, numberText, space).map(([a, name, b, c, value, d]) => {
  return `${a}${name}${b}:${c}${value}${d}`;
});
const shape = fc
  .tuple(space, fc.array(field, { maxLength: 3 }), space, fc.constantFrom("", "", "", "}", ",", "x"))
  .map(([before, fields, after, rest]) => `${before}{${fields.join(",")}}${after}${rest}`);

test("the scanner finds what JSON.parse finds, or says that it cannot", () => {
  fc.assert(
    fc.property(shape, (text) => {
      if (!read(bytes(text))) return;
      const found: readonly [string, number, number] = ["A", plain.price, plain.timeMs];
      assert.deepEqual(decode(text, "A"), { malformed: 0, ticks: [found] });
    }),
    { numRuns: 5_000 },
  );
});

test("the scanner takes every plain price and time", () => {
  const price = fc.oneof(fc.integer({ min: 0, max: 999_999_900 }).map((hundredths) => hundredths / 100));
  fc.assert(
    fc.property(price, fc.option(fc.nat({ max: 4_000_000_000_000 })), (value, timeMs) => {
      assert.equal(read(bytes(timeMs === null ? { price: value } : { time: timeMs, price: value })), true);
      assert.equal(plain.price, value);
      assert.equal(plain.timeMs, timeMs ?? NONE);
    }),
  );
});

test("random bytes never throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string(), (data, text) => {
      for (const message of [data, bytes(`{"price":${text}}`), bytes(text)]) {
        const isPlain = read(message);
        const { malformed, ticks } = decode(message, "A");
        if (isPlain) assert.deepEqual([malformed, ticks.length], [0, 1]);
      }
    }),
    { numRuns: 2_000 },
  );
});
