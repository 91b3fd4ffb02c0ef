/** How messages are delivered, in every form of the bus. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PayloadTooLargeError } from "../../src/bus/port.ts";
import { MAX_SUBJECT_LENGTH } from "../../src/bus/subject.ts";
import { AMPLE_MS, type BusForm, bytes, collect, settle, text } from "./conformance-support.ts";

export function deliveryTests({ connect, pair, reported }: BusForm): void {
  test("a message reaches every subscription whose pattern matches, on any connection, once each", async () => {
    const [one, other] = await pair();
    const exact = collect(one, "ticks.AAPL");
    const star = collect(other, "ticks.*");
    const tail = collect(other, ">");
    const deeper = collect(one, "ticks.*.*");
    const otherSubject = collect(one, "ticks.MSFT");
    await settle(one, other);
    one.publish("ticks.AAPL", bytes("1"));
    other.publish("ticks.AAPL.x", bytes("2"));
    await settle(one, other);
    assert.deepEqual(exact, ["ticks.AAPL 1"]);
    assert.deepEqual(star, ["ticks.AAPL 1"]);
    assert.deepEqual([...tail].sort(), ["ticks.AAPL 1", "ticks.AAPL.x 2"]);
    assert.deepEqual(deeper, ["ticks.AAPL.x 2"]);
    assert.deepEqual(otherSubject, []);
  });

  test("a handler that reads in place gets what one gets that does not, until it unsubscribes", async () => {
    const [publisher, subscriber] = await pair();
    const lines = collect(subscriber, "order.*");
    const inPlace: string[] = [];
    const unsubscribe = subscriber.subscribe(
      "order.*",
      ({ subject, data, frame }) => {
        inPlace.push(`${subject} ${text(data)}`);
        if (frame === undefined) return;
        assert.equal(text(frame.bytes.subarray(frame.subjectStart, frame.subjectEnd)), subject);
        assert.deepEqual(frame.bytes.subarray(frame.dataStart, frame.dataEnd), data);
      },
      { readsInPlace: true },
    );
    await settle(publisher, subscriber);
    for (let index = 0; index < 3_000; index += 1) {
      const size = index % 500 === 0 ? 100_000 : index % 40;
      publisher.publish(index % 3 === 0 ? "order.ŞİŞE" : "order.ACME", bytes(`${index}\r\n${"x".repeat(size)}`));
    }
    await settle(publisher, subscriber);
    assert.equal(lines.length, 3_000);
    assert.deepEqual(inPlace, lines);
    assert.deepEqual(reported(), []);
    unsubscribe();
    publisher.publish("order.ACME", bytes("more"));
    await settle(publisher, subscriber);
    assert.equal(inPlace.length, 3_000);
    assert.equal(lines.length, 3_001);
  });

  test("a handler that reads in place and throws is told of, and gets the next message", async () => {
    const bus = await connect();
    const seen: string[] = [];
    const handler = ({ data }: { readonly data: Uint8Array }): void => {
      seen.push(text(data));
      if (seen.length === 1) throw new Error("no");
    };
    bus.subscribe("a", handler, { readsInPlace: true });
    await settle(bus);
    bus.publish("a", bytes("1"));
    bus.publish("a", bytes("2"));
    await settle(bus);
    assert.deepEqual(seen, ["1", "2"]);
    assert.equal(reported().length, 1);
  });

  test("two subscriptions of one connection to one subject both get the message", async () => {
    const bus = await connect();
    const first = collect(bus, "a.b");
    const second = collect(bus, "a.b");
    bus.publish("a.b", bytes("1"));
    await settle(bus);
    assert.deepEqual([first, second], [["a.b 1"], ["a.b 1"]]);
  });

  test("no handler runs inside the call that publishes", async () => {
    const bus = await connect();
    const lines = collect(bus, "a");
    await settle(bus);
    bus.publish("a", bytes("1"));
    assert.deepEqual(lines, []);
    await settle(bus);
    assert.deepEqual(lines, ["a 1"]);
  });

  test("messages of one publisher arrive in the order they were published, over all subjects", async () => {
    const [publisher, subscriber] = await pair();
    const lines = collect(subscriber, "order.>");
    await settle(publisher, subscriber);
    const expected: string[] = [];
    for (let index = 0; index < 10_000; index += 1) {
      publisher.publish(`order.${index % 7}`, bytes(String(index)));
      expected.push(`order.${index % 7} ${index}`);
    }
    await settle(publisher, subscriber);
    assert.deepEqual(lines, expected);
  });

  test("what a handler publishes arrives after what was published before", async () => {
    const bus = await connect();
    const lines = collect(bus, ">");
    bus.subscribe("first", () => bus.publish("third", bytes("3")));
    await settle(bus);
    bus.publish("first", bytes("1"));
    bus.publish("second", bytes("2"));
    await settle(bus);
    await settle(bus);
    assert.deepEqual(lines, ["first 1", "second 2", "third 3"]);
  });

  test("each message goes to one member of a queue group, and to every single subscription beside it", async () => {
    const [one, other] = await pair();
    const members = [collect(one, "work", "group"), collect(other, "work", "group"), collect(one, "work", "group")];
    const otherGroup = collect(other, "work", "other");
    const single = collect(other, "work");
    await settle(one, other);
    const expected: string[] = [];
    for (let index = 0; index < 300; index += 1) {
      one.publish("work", bytes(String(index)));
      expected.push(`work ${index}`);
    }
    await settle(one, other);
    const shared = members.flat().sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)));
    assert.deepEqual(shared, expected);
    assert.ok(members.every((lines) => lines.length > 0));
    assert.deepEqual(otherGroup, expected);
    assert.deepEqual(single, expected);
  });

  test("a queue group of one name over two matching patterns is one group", async () => {
    const bus = await connect();
    const exact = collect(bus, "work.a", "group");
    const wild = collect(bus, "work.*", "group");
    await settle(bus);
    for (let index = 0; index < 20; index += 1) bus.publish("work.a", bytes("x"));
    await settle(bus);
    assert.equal(exact.length + wild.length, 20);
  });

  test("an ended subscription gets nothing more, not even what is on its way, and others go on", async () => {
    const bus = await connect();
    const kept = collect(bus, "a.*");
    const ended: string[] = [];
    const end = bus.subscribe("a.b", () => {
      ended.push("x");
    });
    await settle(bus);
    bus.publish("a.b", bytes("1"));
    end();
    end();
    await settle(bus);
    assert.deepEqual(ended, []);
    assert.deepEqual(kept, ["a.b 1"]);
  });

  test("a subscription made after a subject was published to gets the next message", async () => {
    const bus = await connect();
    bus.publish("late.a", bytes("1"));
    await settle(bus);
    const exact = collect(bus, "late.a");
    const wild = collect(bus, "late.>");
    await settle(bus);
    bus.publish("late.a", bytes("2"));
    await settle(bus);
    assert.deepEqual([exact, wild], [["late.a 2"], ["late.a 2"]]);
  });

  test("a handler that throws or rejects is reported and harms neither others nor later messages", async () => {
    const bus = await connect();
    const before = collect(bus, "a");
    bus.subscribe("a", () => {
      throw new Error("thrown");
    });
    bus.subscribe("a", async () => {
      throw new Error("rejected");
    });
    const behind = collect(bus, "a");
    await settle(bus);
    bus.publish("a", bytes("1"));
    bus.publish("a", bytes("2"));
    await settle(bus);
    assert.deepEqual(
      [before, behind],
      [
        ["a 1", "a 2"],
        ["a 1", "a 2"],
      ],
    );
    const messages = reported().map(({ error }) => (error instanceof Error ? error.message : ""));
    assert.deepEqual(messages.sort(), ["rejected", "rejected", "thrown", "thrown"]);
    assert.deepEqual(reported()[0]?.context, { what: "handler", subject: "a" });
  });

  test("empty and binary payloads arrive byte for byte", async () => {
    const bus = await connect();
    const received: Uint8Array[] = [];
    bus.subscribe("raw", ({ data }) => {
      received.push(Uint8Array.from(data));
    });
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    bus.publish("raw", new Uint8Array(0));
    bus.publish("raw", all);
    await settle(bus);
    assert.deepEqual(received, [new Uint8Array(0), all]);
  });

  test("the largest payload passes and one byte more is refused before anything is sent", async () => {
    const bus = await connect();
    let receivedBytes = 0;
    bus.subscribe("large", ({ data }) => {
      receivedBytes += data.length;
    });
    bus.publish("large", new Uint8Array(bus.maxPayloadBytes));
    assert.throws(() => bus.publish("large", new Uint8Array(bus.maxPayloadBytes + 1)), PayloadTooLargeError);
    await settle(bus);
    assert.equal(receivedBytes, bus.maxPayloadBytes);
  });

  test("an invalid subject, pattern or queue name is a bug and throws", async () => {
    const bus = await connect();
    const tooLong = "a".repeat(MAX_SUBJECT_LENGTH + 1);
    for (const bad of ["", "a.", "a b", "a\r\nPUB b 0\r\n", "a.*", ">", tooLong]) {
      assert.throws(() => bus.publish(bad, bytes("")), /not a subject/);
      await assert.rejects(bus.request(bad, bytes(""), AMPLE_MS), /not a subject/);
    }
    assert.throws(() => bus.subscribe("a..b", () => undefined), /not a subject/);
    assert.throws(() => bus.subscribe("a", () => undefined, { queue: "a b" }), /not a queue/);
  });
}
