/** The hub that all streams of an edge share: many streams cost the engine no more in one moment. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Refusal } from "../../../edge/client/engine-client.ts";
import { EventHub } from "../../../edge/event/event-hub.ts";
import { EventStream } from "../../../edge/event/event-stream.ts";
import type { Caller } from "../../../edge/middleware/auth.ts";
import type { BusMessage } from "../../../src/bus/port.ts";
import type { EventsPage } from "../../../src/contract/event/event.ts";
import { partitionOf } from "../../../src/domain/partition.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";

const PARTITIONS = 3;
const SECOND_MS = 1_000;

const placeOf = (userId: number | null, sequence: number): string =>
  `abcdefghij-${partitionOf(userId ?? 1, PARTITIONS)}-${sequence}`;
const pageOf = (userId: number | null): EventsPage => ({
  ...{ events: [], isLast: true, gapTo: null },
  through: placeOf(userId, 7),
});

const callerOf = (userId: number): Caller => ({
  ...{ ok: true, userId, scopes: new Set(), familyId: userId },
  expiresAtMs: Number.MAX_SAFE_INTEGER,
});

/** A hub whose bus and engine answer immediately; the engine counts requests. */
class World {
  readonly time = new FakeTime();
  readonly hub: EventHub;
  /** Delivers a message of the bus to the latest subscriber. */
  publish: (message: BusMessage) => void = () => undefined;
  asked = 0;
  /** The engine answers after this. */
  answering = Promise.resolve();

  constructor() {
    const silent = (): void => undefined;
    this.hub = new EventHub({
      bus: {
        subscribe: (_subject, handler) => {
          this.publish = handler;
          return silent;
        },
        flush: async () => undefined,
        onStatus: () => silent,
      },
      engine: {
        partitions: PARTITIONS,
        query: async (_type, { userId }) => {
          this.asked += 1;
          await this.answering;
          return { ok: true, data: pageOf(userId) };
        },
      },
      authenticator: { whyNotValid: () => undefined },
      prices: { watch: () => silent },
      schedule: (delayMs, task) => this.time.after(delayMs, task),
      log: { debug: silent, info: silent, warn: silent, error: silent },
      limits: { streamsPerUserMax: 10, streamsMax: 5_000 },
      closing: new AbortController().signal,
      onCount: silent,
    });
  }

  tryToOpen(userId: number): Promise<EventStream | Refusal> {
    const request = { requestId: "test", after: null, isWanted: () => true, symbols: [], connection: undefined };
    return this.hub.open({ caller: callerOf(userId), ...request });
  }

  async open(userId: number): Promise<EventStream> {
    const stream = await this.tryToOpen(userId);
    assert.ok(stream instanceof EventStream);
    return stream;
  }
}

describe("all streams of an edge", () => {
  test("are told that they live every 15 seconds, and asked about, a few in each second", async () => {
    const world = new World();
    const streams = await Promise.all(Array.from({ length: 150 }, (_, index) => world.open(index + 1)));
    const told = streams.map(() => 0);
    for (const [index, stream] of streams.entries()) {
      const heartbeat = stream.heartbeat.bind(stream);
      stream.heartbeat = () => {
        told[index] = (told[index] ?? 0) + 1;
        heartbeat();
      };
    }
    for (let second = 0; second < 15; second += 1) {
      const before = world.asked;
      await world.time.advance(SECOND_MS);
      assert.equal(world.asked - before, 10);
    }
    assert.deepEqual(new Set(told), new Set([1]));
  });

  test("are each told to wait another while before they come back", async () => {
    const world = new World();
    const streams = await Promise.all(Array.from({ length: 42 }, (_, index) => world.open(index + 1)));
    const waits = await Promise.all(
      streams.map(async ({ body }) => {
        const { value } = await body.getReader().read();
        return Number(/^retry: ([0-9]+)\n\n/.exec(Buffer.from(value ?? []).toString())?.[1]);
      }),
    );
    assert.deepEqual([Math.min(...waits), Math.max(...waits), new Set(waits).size], [1_000, 3_000, 21]);
  });

  test("that come back at once ask for what is stored a few at a time, and none waits for ever", async () => {
    const world = new World();
    let answer = (): void => undefined;
    world.answering = new Promise((resolve) => {
      answer = resolve;
    });
    const opening = Array.from({ length: 200 }, (_, index) => world.tryToOpen(index + 1));
    await world.time.advance(9 * SECOND_MS);
    assert.equal(world.asked, 128);
    await world.time.advance(2 * SECOND_MS);
    answer();
    const opened = await Promise.all(opening);
    assert.equal(opened.filter((stream) => stream instanceof EventStream).length, 128);
    assert.ok(opened.every((stream) => stream instanceof EventStream || stream.code === "UNAVAILABLE"));
    const again = await Promise.all(Array.from({ length: 200 }, (_, index) => world.open(index + 1)));
    assert.equal(again.length, 200);
    assert.equal(world.asked, 328);
  });

  test("hear their user's partition, whatever another one tells of the user", async () => {
    const world = new World();
    const userId = 426;
    const other = [1, 2, 3, 4, 5].find((one) => partitionOf(one, PARTITIONS) !== partitionOf(userId, PARTITIONS));
    const { body } = await world.open(userId);
    const publish = (id: string, sequence: number, type: string): void => {
      const event = { previous: 0, id, sequence, time: "2026-01-05T09:00:00.000Z", userId, type };
      world.publish({ subject: "events", data: Buffer.from(JSON.stringify(event)) });
    };
    publish(placeOf(other ?? null, 90), 90, "token.familyRevoked");
    publish(placeOf(userId, 8), 8, "oco.triggered");
    const reader = body.getReader();
    let told = "";
    while (!told.includes("oco.triggered")) told += Buffer.from((await reader.read()).value ?? []).toString();
    assert.doesNotMatch(told, /token\.familyRevoked/);
    assert.match(told, new RegExp(`^id: ${placeOf(userId, 8)}$`, "m"));
    await reader.cancel();
  });
});
