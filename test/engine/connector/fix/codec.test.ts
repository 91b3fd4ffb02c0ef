import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { type Frame, FrameReader } from "../../../../engine/connector/fix/wire/framing.ts";
import { showMasked } from "../../../../engine/connector/fix/wire/mask.ts";
import { encode, type Field, FixMessage, parseFields } from "../../../../engine/connector/fix/wire/message.ts";
import { Tag } from "../../../../engine/connector/fix/wire/tag.ts";
import fc from "../../../support/property.ts";

const value = fc.string({ unit: fc.constantFrom(..."abc=|8FIX.10 \xe9"), minLength: 1, maxLength: 12 });
const fields = fc
  .array(fc.tuple(fc.integer({ min: 5_000, max: 5_100 }), value), { maxLength: 8 })
  .map((list): Field[] => [[Tag.MsgType, "D"], ...list]);

function read(chunks: readonly Buffer[], bodyLengthMax = 10_000): { frames: Frame[]; garbled: string[] } {
  const garbled: string[] = [];
  const reader = new FrameReader({ bodyLengthMax, onGarbled: (reason) => garbled.push(reason) });
  return { frames: chunks.flatMap((chunk) => reader.push(chunk)), garbled };
}

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

const fieldsOf = (frames: readonly Frame[]) => frames.map(({ message }) => message.fields);
const plain = encode("FIX.4.4", [
  [Tag.MsgType, "0"],
  [Tag.Text, "plain"],
]);

describe("frames", () => {
  test("what was written is read, however the stream is split", () => {
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 4 }), fc.array(fc.nat(2_000), { maxLength: 20 }), (messages, cuts) => {
        const bytes = Buffer.concat(messages.map((message) => encode("FIX.4.4", message)));
        const { frames, garbled } = read(split(bytes, cuts));
        assert.deepEqual(fieldsOf(frames), messages);
        assert.deepEqual(garbled, []);
      }),
      { numRuns: 200 },
    );
  });
  test("raw data may hold the separator and whatever looks like a message", () => {
    const data = `a\x01b=c\x0110=000\x018=FIX.4.4\x01`;
    const message: Field[] = [
      [Tag.MsgType, "A"],
      [Tag.RawDataLength, String(data.length)],
      [Tag.RawData, data],
      [58, "x"],
    ];
    const { frames, garbled } = read([Buffer.concat([encode("FIX.4.4", message), plain])]);
    assert.deepEqual(fieldsOf(frames)[0], message);
    assert.equal(frames.length, 2);
    assert.deepEqual(garbled, []);
  });
  test("raw data that ends elsewhere than its length says is garbled", () => {
    const message = Buffer.from("35=A\x0195=3\x0196=abcd\x01", "latin1");
    assert.equal(parseFields(message), undefined);
  });
  test("a wrong checksum costs its own message and no other", () => {
    const broken = Buffer.from(plain);
    broken[broken.length - 2] = broken[broken.length - 2] === 0x30 ? 0x31 : 0x30;
    const { frames, garbled } = read([Buffer.concat([plain, broken, plain])]);
    assert.equal(frames.length, 2);
    assert.deepEqual(garbled, ["wrong checksum"]);
  });
  test("a wrong length does not swallow the messages that follow", () => {
    for (const length of ["1", "5", "40", "0"]) {
      const wrong = Buffer.from(plain.toString("latin1").replace(/9=\d+/, `9=${length}`), "latin1");
      const { frames, garbled } = read([Buffer.concat([wrong, plain, plain, plain])]);
      assert.equal(frames.length, 3, `length ${length}`);
      assert.ok(garbled.length > 0);
    }
  });
  test("a length beyond the longest is not waited for", () => {
    const wrong = Buffer.from("8=FIX.4.4\x019=9999999\x01", "latin1");
    assert.equal(read([wrong, plain]).frames.length, 1);
  });
  test("any bit that flips loses its message at most, and never makes another one of it", () => {
    fc.assert(
      fc.property(fields, fc.nat(), fc.integer({ min: 0, max: 7 }), (message, place, bit) => {
        const bytes = encode("FIX.4.4", message);
        const broken = Buffer.from(bytes);
        const at = place % bytes.length;
        broken[at] = (broken[at] ?? 0) ^ (1 << bit);
        const filler = Array.from({ length: 30 }, () => plain);
        const { frames } = read([Buffer.concat([broken, ...filler])], 500);
        const others = frames.filter(({ message: one }) => one.get(Tag.Text) !== "plain");
        assert.deepEqual(others.filter(({ beginString }) => beginString === "FIX.4.4").length, 0);
      }),
      { numRuns: 300 },
    );
  });
  test("eight megabytes of garbage leave the next message readable and little in memory", () => {
    const garbage = Buffer.alloc(64 * 1024, "8=FIX9=10\x01 garbage ", "latin1");
    const chunks = Array.from({ length: 128 }, () => garbage);
    assert.equal(read([...chunks, plain]).frames.length, 1);
  });
});

describe("fields", () => {
  test("a number is a number, and nothing else is one", () => {
    const message = new FixMessage([
      [14, "100"],
      [6, "12.50"],
      [151, "-1"],
      [38, "1e3"],
      [44, " 5"],
    ]);
    assert.equal(message.int(14), 100);
    assert.equal(message.decimal(6), 12.5);
    assert.equal(message.int(151), undefined);
    assert.equal(message.decimal(38), undefined);
    assert.equal(message.decimal(44), undefined);
  });
  test("a value without anything in it is garbled", () => {
    assert.equal(parseFields(Buffer.from("35=D\x0155=\x01", "latin1")), undefined);
  });
  test("groups are cut by their first field", () => {
    const message = new FixMessage([
      [268, "2"],
      [269, "2"],
      [270, "1"],
      [269, "2"],
      [270, "3"],
    ]);
    assert.deepEqual(
      message.groups(268, 269).map((group) => group.decimal(270)),
      [1, 3],
    );
  });
  test("nothing secret is shown, and nothing that could forge a line", () => {
    const shown = showMasked([
      [553, "me"],
      [554, "hunter2"],
      [925, "hunter3"],
      [96, "hunter4"],
      [58, "a\nb\x1b[0m"],
    ]);
    assert.equal(shown.includes("hunter"), false);
    assert.deepEqual(
      [...shown].filter((character) => character < " "),
      [],
    );
    assert.match(shown, /554=\*\*\*/);
  });
});
