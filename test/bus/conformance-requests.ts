/** How requests are answered, in every form of the bus. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  HandlerFailedError,
  NoResponderError,
  PayloadTooLargeError,
  ReplyTooLargeError,
  RequestTimeoutError,
} from "../../src/bus/port.ts";
import { AMPLE_MS, type BusForm, bytes, collect, settle, signal, text } from "./conformance-support.ts";

export function requestTests({ connect, pair, reported }: BusForm): void {
  test("a request gets the reply of its responder", async () => {
    const [asking, answering] = await pair();
    answering.respond("echo.*", async ({ subject, data }) => bytes(`${subject} ${text(data)}`));
    await settle(answering);
    assert.equal(text(await asking.request("echo.a", bytes("1"), AMPLE_MS)), "echo.a 1");
  });

  test("a responder that ends still answers what had come to it, and then nobody is there", async () => {
    const [asking, answering] = await pair();
    const end = answering.respond("echo", async ({ data }) => data);
    await settle(answering);
    const replies = Array.from({ length: 200 }, (_, index) => asking.request("echo", bytes(`${index}`), AMPLE_MS));
    await settle(asking);
    await end();
    assert.deepEqual(
      (await Promise.all(replies)).map(text),
      replies.map((_, index) => `${index}`),
    );
    await assert.rejects(asking.request("echo", bytes("more"), AMPLE_MS), NoResponderError);
    await end();
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
    const released = signal();
    answering.respond("slow", async ({ data }) => {
      await released.given;
      return data;
    });
    answering.respond("quick", async ({ data }) => data);
    await settle(answering);
    await assert.rejects(asking.request("slow", bytes("x"), 20), (error) => {
      assert.ok(error instanceof RequestTimeoutError);
      assert.equal(error.isCertainlyNotHandled, false);
      return true;
    });
    released.give();
    assert.equal(text(await asking.request("quick", bytes("y"), AMPLE_MS)), "y");
  });

  test("a plain subscription sees requests but does not answer them", async () => {
    const [asking, listening] = await pair();
    const seen = collect(listening, "ask");
    await settle(listening);
    await assert.rejects(asking.request("ask", bytes("x"), 20), RequestTimeoutError);
    // The deadline is the asker's: the message may still be on its way to who listens.
    await settle(asking, listening);
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
