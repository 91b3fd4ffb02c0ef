/** How a bus ends, in every form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BusClosedError, NoResponderError } from "../../src/bus/port.ts";
import { AMPLE_MS, type BusForm, bytes, collect, settle, signal, text } from "./conformance-support.ts";

export function drainTests({ connect, pair, reported }: BusForm): void {
  test("a drain finishes the requests it is handling, which may publish and ask meanwhile", async () => {
    const [asking, answering] = await pair();
    const started = signal();
    const released = signal();
    const events = collect(asking, "events");
    asking.respond("inner", async () => bytes("inner"));
    answering.respond("outer", async () => {
      started.give();
      await released.given;
      const inner = await answering.request("inner", bytes(""), AMPLE_MS);
      answering.publish("events", inner);
      return inner;
    });
    await settle(asking, answering);
    const reply = asking.request("outer", bytes(""), AMPLE_MS);
    await started.given;
    const drained = answering.drain();
    assert.equal(answering.drain(), drained);
    released.give();
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
    const released = signal();
    const started = signal();
    answering.respond("slow", async ({ data }) => {
      started.give();
      await released.given;
      return data;
    });
    await settle(answering);
    const reply = asking.request("slow", bytes("x"), AMPLE_MS);
    await started.given;
    const drained = asking.drain();
    released.give();
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
