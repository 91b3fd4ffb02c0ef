/** What every form of the bus must do. Each form's test file runs this suite over its own connections. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import {
  type Bus,
  BusClosedError,
  type BusErrorContext,
  type BusErrorListener,
  HandlerFailedError,
  NoResponderError,
  PayloadTooLargeError,
  ReplyTooLargeError,
  RequestTimeoutError,
} from "../../src/bus/port.ts";
import { MAX_SUBJECT_LENGTH } from "../../src/bus/subject.ts";

export interface BusFixture {
  /** A new connection to the same bus. */
  connect(onError: BusErrorListener): Promise<Bus>;
  stop(): Promise<void>;
}

interface Reported {
  readonly error: unknown;
  readonly context: BusErrorContext;
}

/** Long enough to never matter. */
const AMPLE_MS = 30_000;

export function busConformance(form: string, start: () => Promise<BusFixture>): void {
  describe(`${form} keeps the bus port`, () => {
    let fixture: BusFixture;
    let connected: Bus[] = [];
    let reported: Reported[] = [];

    before(async () => {
      fixture = await start();
    });
    afterEach(async () => {
      await Promise.all(connected.map((bus) => bus.drain()));
      connected = [];
      reported = [];
    });
    after(() => fixture.stop());

    async function connect(): Promise<Bus> {
      const bus = await fixture.connect((error, context) => reported.push({ error, context }));
      connected.push(bus);
      return bus;
    }

    async function pair(): Promise<[Bus, Bus]> {
      return [await connect(), await connect()];
    }

    deliveryTests(connect, pair, () => reported);
    requestTests(connect, pair, () => reported);
    drainTests(connect, pair, () => reported);
  });
}

type Connect = () => Promise<Bus>;
type Pair = () => Promise<[Bus, Bus]>;
type ReportedErrors = () => readonly Reported[];

/** What a subscription has received, as `subject text` lines. */
function collect(bus: Bus, pattern: string, queue?: string): string[] {
  const lines: string[] = [];
  bus.subscribe(
    pattern,
    ({ subject, data }) => {
      lines.push(`${subject} ${text(data)}`);
    },
    queue === undefined ? {} : { queue },
  );
  return lines;
}

/** All subscriptions made and all messages published on these connections before have taken effect on all of them. */
async function settle(...buses: Bus[]): Promise<void> {
  for (const bus of buses) await bus.flush();
  for (const bus of buses) await bus.flush();
}

function bytes(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function text(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

function deliveryTests(connect: Connect, pair: Pair, reported: ReportedErrors): void {
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

function requestTests(connect: Connect, pair: Pair, reported: ReportedErrors): void {
  test("a request gets the reply of its responder", async () => {
    const [asking, answering] = await pair();
    answering.respond("echo.*", async ({ subject, data }) => bytes(`${subject} ${text(data)}`));
    await settle(answering);
    assert.equal(text(await asking.request("echo.a", bytes("1"), AMPLE_MS)), "echo.a 1");
  });

  test("concurrent requests each get their own reply, whatever the order of answering", async () => {
    const [asking, answering] = await pair();
    const waiting: (() => void)[] = [];
    answering.respond("echo", async ({ data }) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 50) for (const release of waiting.reverse()) release();
      });
      return data;
    });
    await settle(answering);
    const asked = Array.from({ length: 50 }, (_, index) => asking.request("echo", bytes(String(index)), AMPLE_MS));
    const replies = (await Promise.all(asked)).map(text);
    assert.deepEqual(
      replies,
      asked.map((_, index) => String(index)),
    );
  });

  test("responders of one queue group share the requests", async () => {
    const [one, other] = await pair();
    const counts = { one: 0, other: 0 };
    one.respond(
      "work",
      async ({ data }) => {
        counts.one += 1;
        return data;
      },
      { queue: "group" },
    );
    other.respond(
      "work",
      async ({ data }) => {
        counts.other += 1;
        return data;
      },
      { queue: "group" },
    );
    await settle(one, other);
    await Promise.all(Array.from({ length: 100 }, () => one.request("work", bytes("x"), AMPLE_MS)));
    assert.equal(counts.one + counts.other, 100);
    assert.ok(counts.one > 0 && counts.other > 0);
  });

  test("an empty reply is a reply", async () => {
    const [asking, answering] = await pair();
    answering.respond("empty", async () => new Uint8Array(0));
    await settle(answering);
    assert.equal((await asking.request("empty", bytes("x"), AMPLE_MS)).length, 0);
  });

  test("without anybody on the subject a request fails at once, certainly not handled", async () => {
    const bus = await connect();
    const end = bus.respond("nobody.else", async ({ data }) => data);
    await settle(bus);
    await assert.rejects(bus.request("nobody", bytes("x"), AMPLE_MS), (error) => {
      assert.ok(error instanceof NoResponderError);
      assert.equal(error.code, "NO_RESPONDER");
      assert.equal(error.isCertainlyNotHandled, true);
      return true;
    });
    end();
    await settle(bus);
    await assert.rejects(bus.request("nobody.else", bytes("x"), AMPLE_MS), NoResponderError);
  });

  test("a request that is not answered in time fails at its deadline, and a late reply harms nobody", async () => {
    const [asking, answering] = await pair();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    answering.respond("slow", async ({ data }) => {
      await released;
      return data;
    });
    answering.respond("quick", async ({ data }) => data);
    await settle(answering);
    await assert.rejects(asking.request("slow", bytes("x"), 20), (error) => {
      assert.ok(error instanceof RequestTimeoutError);
      assert.equal(error.isCertainlyNotHandled, false);
      return true;
    });
    release();
    assert.equal(text(await asking.request("quick", bytes("y"), AMPLE_MS)), "y");
  });

  test("a plain subscription sees requests but does not answer them", async () => {
    const [asking, listening] = await pair();
    const seen = collect(listening, "ask");
    await settle(listening);
    await assert.rejects(asking.request("ask", bytes("x"), 20), RequestTimeoutError);
    assert.deepEqual(seen, ["ask x"]);
  });

  test("a responder also sees plain messages, and its reply to them goes nowhere", async () => {
    const [publisher, answering] = await pair();
    const seen: string[] = [];
    answering.respond("both", async ({ data }) => {
      seen.push(text(data));
      return data;
    });
    await settle(answering);
    publisher.publish("both", bytes("x"));
    await settle(publisher, answering);
    assert.deepEqual(seen, ["x"]);
    assert.deepEqual(reported(), []);
  });

  test("a responder that throws or rejects fails its request at once, keeps its reason, and goes on", async () => {
    const [asking, answering] = await pair();
    answering.respond("fragile", async ({ data }) => {
      if (text(data) === "bad") throw new Error("a secret");
      return data;
    });
    answering.respond("fragile.sync", () => {
      throw new Error("a secret");
    });
    await settle(answering);
    for (const [subject, data] of [
      ["fragile", "bad"],
      ["fragile.sync", "x"],
    ] as const) {
      await assert.rejects(asking.request(subject, bytes(data), AMPLE_MS), (error) => {
        assert.ok(error instanceof HandlerFailedError);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    }
    assert.equal(text(await asking.request("fragile", bytes("good"), AMPLE_MS)), "good");
    assert.deepEqual(
      reported().map(({ context }) => context),
      [
        { what: "responder", subject: "fragile" },
        { what: "responder", subject: "fragile.sync" },
      ],
    );
  });

  test("a reply that is too large fails its request at once and leaves the responder alive", async () => {
    const [asking, answering] = await pair();
    answering.respond("large", async ({ data }) => new Uint8Array(answering.maxPayloadBytes + Number(text(data))));
    await settle(answering);
    await assert.rejects(asking.request("large", bytes("1"), AMPLE_MS), ReplyTooLargeError);
    assert.equal((await asking.request("large", bytes("0"), AMPLE_MS)).length, answering.maxPayloadBytes);
    assert.deepEqual(reported()[0]?.context, { what: "reply", subject: "large" });
  });

  test("a request that is too large is refused and no handler runs", async () => {
    const [asking, answering] = await pair();
    let isCalled = false;
    answering.respond("large", async ({ data }) => {
      isCalled = true;
      return data;
    });
    await settle(answering);
    const tooLarge = new Uint8Array(asking.maxPayloadBytes + 1);
    await assert.rejects(asking.request("large", tooLarge, AMPLE_MS), PayloadTooLargeError);
    await settle(asking, answering);
    assert.equal(isCalled, false);
  });

  test("what a responder published before it answered arrives before the answer", async () => {
    const [asking, answering] = await pair();
    const events = collect(asking, "events");
    answering.respond("command", async ({ data }) => {
      answering.publish("events", data);
      return data;
    });
    await settle(asking, answering);
    for (const value of ["1", "2", "3"]) {
      await asking.request("command", bytes(value), AMPLE_MS);
      assert.equal(events.at(-1), `events ${value}`);
    }
  });

  test("a handler can make requests of its own", async () => {
    const [asking, answering] = await pair();
    asking.respond("inner", async ({ data }) => bytes(`${text(data)}!`));
    answering.respond("outer", ({ data }) => answering.request("inner", data, AMPLE_MS));
    await settle(asking, answering);
    assert.equal(text(await asking.request("outer", bytes("x"), AMPLE_MS)), "x!");
  });

  test("a deadline that no timer can keep is a bug", async () => {
    const bus = await connect();
    await assert.rejects(bus.request("a", bytes(""), 0), /cannot wait/);
    await assert.rejects(bus.request("a", bytes(""), 2 ** 31), /cannot wait/);
    await assert.rejects(bus.request("a", bytes(""), Number.NaN), /cannot wait/);
  });
}

function drainTests(connect: Connect, pair: Pair, reported: ReportedErrors): void {
  test("a drain finishes the requests it is handling, which may publish and ask meanwhile", async () => {
    const [asking, answering] = await pair();
    let started: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const events = collect(asking, "events");
    asking.respond("inner", async () => bytes("inner"));
    answering.respond("outer", async () => {
      started();
      await released;
      const inner = await answering.request("inner", bytes(""), AMPLE_MS);
      answering.publish("events", inner);
      return inner;
    });
    await settle(asking, answering);
    const reply = asking.request("outer", bytes(""), AMPLE_MS);
    await isStarted;
    const drained = answering.drain();
    assert.equal(answering.drain(), drained);
    release();
    assert.equal(text(await reply), "inner");
    await drained;
    assert.deepEqual(events, ["events inner"]);
    await assert.rejects(asking.request("outer", bytes(""), AMPLE_MS), NoResponderError);
  });

  test("a drain delivers what was published to it before, then takes no more", async () => {
    const [publisher, subscriber] = await pair();
    const lines = collect(subscriber, "a");
    await settle(publisher, subscriber);
    publisher.publish("a", bytes("1"));
    await publisher.flush();
    await subscriber.drain();
    publisher.publish("a", bytes("2"));
    await publisher.flush();
    assert.deepEqual(lines, ["a 1"]);
  });

  test("a drain delivers what is still on its way to its own subscriptions", async () => {
    const bus = await connect();
    const lines = collect(bus, "a");
    bus.respond("echo", async ({ data }) => data);
    await settle(bus);
    for (let index = 0; index < 1_000; index += 1) bus.publish("a", bytes(String(index)));
    const reply = bus.request("echo", bytes("x"), AMPLE_MS);
    await bus.drain();
    assert.equal(lines.length, 1_000);
    assert.equal(text(await reply), "x");
  });

  test("a drain sends what was published before it", async () => {
    const [publisher, subscriber] = await pair();
    const lines = collect(subscriber, "a");
    await settle(publisher, subscriber);
    publisher.publish("a", bytes("1"));
    await publisher.drain();
    await settle(subscriber);
    assert.deepEqual(lines, ["a 1"]);
  });

  test("a drain waits for the replies to its own requests", async () => {
    const [asking, answering] = await pair();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    answering.respond("slow", async ({ data }) => {
      started();
      await released;
      return data;
    });
    await settle(answering);
    const reply = asking.request("slow", bytes("x"), AMPLE_MS);
    await isStarted;
    const drained = asking.drain();
    release();
    assert.equal(text(await reply), "x");
    await drained;
  });

  test("a drained bus says so, refuses work, drops and counts what is published, and its twin goes on", async () => {
    const [drained, other] = await pair();
    const statuses: string[] = [];
    drained.onStatus(() => {
      throw new Error("a listener's bug");
    });
    drained.onStatus((status) => statuses.push(status));
    const endListening = drained.onStatus(() => statuses.push("never"));
    endListening();
    assert.equal(drained.status, "connected");
    await drained.drain();
    assert.deepEqual(statuses, ["disconnected"]);
    assert.equal(drained.status, "disconnected");
    assert.equal(reported().length, 1);
    assert.equal(drained.droppedMessageCount, 0);
    drained.publish("a", bytes("1"));
    assert.equal(drained.droppedMessageCount, 1);
    await assert.rejects(drained.request("a", bytes(""), AMPLE_MS), BusClosedError);
    await assert.rejects(drained.flush(), BusClosedError);
    assert.throws(() => drained.subscribe("a", () => undefined), BusClosedError);
    assert.throws(() => drained.respond("a", async ({ data }) => data), BusClosedError);
    const lines = collect(other, "a");
    other.publish("a", bytes("2"));
    await settle(other);
    assert.deepEqual(lines, ["a 2"]);
  });

  test("a subscription ended after the drain does no harm", async () => {
    const bus = await connect();
    const end = bus.subscribe("a", () => undefined);
    await bus.drain();
    end();
    assert.deepEqual(reported(), []);
  });
}
