/** Compares messages that are read in place with the result of the nats.js parser for the same bytes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Kind, Parser, type ParserEvent } from "nats/lib/nats-base-client/parser.js";
import { FrameReader, TAIL_BYTES_MAX } from "../../../src/bus/nats/frames.ts";
import fc from "../../support/property.ts";

/** The id of the subscription whose messages are read in place. */
const TAKEN = 7;

type Told = readonly [kind: string, subject: string, subscriptionId: number, reply: string, data: string];

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("latin1");

function told(event: ParserEvent): Told {
  const { msg, data, kind } = event;
  return [Kind[kind] ?? "", text(msg?.subject), msg?.sid ?? 0, text(msg?.reply), text(data)];
}

/** Returns the events of the nats.js parser alone. */
function readByLibrary(chunks: readonly Uint8Array[]): Told[] {
  const all: Told[] = [];
  const parser = new Parser({ push: (event) => void all.push(told(event)) });
  for (const chunk of chunks) parser.parse(chunk);
  return all;
}

class Reading {
  readonly all: Told[] = [];
  inPlaceCount = 0;
  readonly counts = { inMsgs: 0, inBytes: 0 };
  readonly takers = new Map([[TAKEN, this.#take.bind(this)]]);
  readonly reader: FrameReader;

  constructor() {
    const parser = new Parser({ push: (event) => void this.all.push(told(event)) });
    this.reader = new FrameReader(this.counts, parser as Parser & { state: number }, this.takers);
  }

  read(chunks: readonly Uint8Array[]): this {
    for (const chunk of chunks) this.reader.parse(chunk);
    return this;
  }

  #take(message: { readonly subject: string; readonly data: Uint8Array }): void {
    this.inPlaceCount += 1;
    this.all.push(["MSG", Buffer.from(message.subject).toString("latin1"), TAKEN, "", text(message.data)]);
  }
}

const payload = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom("", "\r\n", "MSG a 7 1\r\n", '{"price":1}', "x".repeat(300)).map((one) => Buffer.from(one)),
);
const subject = fc.constantFrom("a", "ticks.ACME", "ticks.ŞİŞE", "x.y.z");
const subscription = fc.constantFrom(TAKEN, TAKEN, TAKEN, 1, 77, 70);
const long = fc.constantFrom(TAIL_BYTES_MAX - 30, TAIL_BYTES_MAX + 1, 3 * TAIL_BYTES_MAX).map((size) => {
  return Buffer.alloc(size, "MSG a 7 1\r\n1\r\n");
});

const messageFrame = (data: fc.Arbitrary<Uint8Array>) =>
  fc.tuple(subject, subscription, fc.constantFrom("", "", "", "_INBOX.1 "), data).map(([name, id, reply, bytes]) => {
    return Buffer.concat([Buffer.from(`MSG ${name} ${id} ${reply}${bytes.length}\r\n`), bytes, Buffer.from("\r\n")]);
  });
const headedFrame = fc.tuple(subject, subscription, payload).map(([name, id, bytes]) => {
  const head = "NATS/1.0\r\na: b\r\n\r\n";
  const line = `HMSG ${name} ${id} ${head.length} ${head.length + bytes.length}\r\n${head}`;
  return Buffer.concat([Buffer.from(line), bytes, Buffer.from("\r\n")]);
});
const otherFrame = fc
  .constantFrom("PING\r\n", "PONG\r\n", "+OK\r\n", "-ERR 'no MSG'\r\n", 'INFO {"max_payload":1}\r\n')
  .map((line) => Buffer.from(line));

const frames = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: messageFrame(payload) },
    { weight: 2, arbitrary: headedFrame },
    { weight: 2, arbitrary: otherFrame },
    { weight: 1, arbitrary: messageFrame(long) },
  ),
  { maxLength: 30 },
);

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? bytes.length;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

test("whatever comes, in whatever pieces: what nats.js would tell is told, in its order", () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100_000 })), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(frames, sizes, (parts, pieceSizes) => {
      const chunks = cut(Buffer.concat(parts), pieceSizes);
      assert.deepEqual(new Reading().read(chunks).all, readByLibrary(chunks));
    }),
    { numRuns: 400 },
  );
});

test("every plain message of the subscription is read in place, also one that comes in two pieces", () => {
  const frame = 'MSG ticks.ACME 7 11\r\n{"price":1}\r\n';
  const all = Buffer.from(frame.repeat(3));
  for (let size = 1; size <= all.length; size += 1) {
    const reading = new Reading().read(cut(all, [size]));
    assert.equal(reading.inPlaceCount, 3, `pieces of ${size}`);
    assert.deepEqual(reading.counts, { inMsgs: 3, inBytes: 33 });
  }
});

test("messages are read in place again after one that was too long to be", () => {
  const small = Buffer.from("MSG ticks.ACME 7 1\r\n1\r\n");
  const size = TAIL_BYTES_MAX * 2;
  const large = Buffer.concat([Buffer.from(`MSG a 7 ${size}\r\n`), Buffer.alloc(size), Buffer.from("\r\n")]);
  const reading = new Reading().read(cut(Buffer.concat([small, large, small, small]), [10_000]));
  assert.equal(reading.inPlaceCount, 3);
  assert.equal(reading.all.length, 4);
});

test("one who comes while nats.js is in the middle of a message is served once that is over", () => {
  const reading = new Reading();
  const take = reading.takers.get(TAKEN);
  assert.ok(take !== undefined);
  reading.takers.clear();
  // The rest of a payload that looks like a message for the subscription.
  const inner = "MSG a 7 1\r\n5\r\n";
  reading.reader.parse(Buffer.from(`MSG ticks.ACME 7 ${2 + inner.length}\r\n12`));
  reading.takers.set(TAKEN, take);
  reading.read([Buffer.from(`${inner}\r\n`), Buffer.from("MSG ticks.ACME 7 1\r\n6\r\n")]);
  assert.equal(reading.inPlaceCount, 1);
  assert.deepEqual(
    reading.all.map(([, , , , data]) => data),
    [`12${inner}`, "6"],
  );
});

test("a head that nats.js reads in a way of its own is left to it, and nothing within its payload is a message", () => {
  const inner = "MSG ticks.A 7 4\r\n99.9\r\n";
  for (const head of [
    `MSG t.a 9 ${2 + inner.length} \r\n`,
    `MSG t.a\t9 7 ${2 + inner.length}\r\n`,
    `msg t.a 9 ${2 + inner.length}\n`,
  ]) {
    const chunks = [Buffer.from(`${head}xx${inner}\r\nMSG ticks.ACME 7 1\r\n6\r\n`)];
    const reading = new Reading().read(chunks);
    assert.deepEqual(reading.all, readByLibrary(chunks), head);
    assert.equal(reading.all.length, 2);
  }
});

test("what is no NATS is refused as nats.js refuses it", () => {
  for (const wrong of [
    "XYZ\r\n",
    "MSG ticks.ACME 7 x\r\n\r\n",
    "MSG\r\n",
    "MSG ticks.ACME 7\r\nabc\r\n",
    "MSG  7 5\r\n12345\r\n",
  ]) {
    const good = Buffer.from("MSG ticks.ACME 7 1\r\n1\r\n");
    const chunks = [Buffer.concat([good, Buffer.from(wrong), good])];
    assert.throws(() => readByLibrary(chunks), wrong);
    assert.throws(() => new Reading().read(chunks), wrong);
  }
});
