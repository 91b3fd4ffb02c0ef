/** What all streams of an edge share: it costs the engine no more in one moment because there are many. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EventHub } from "../../../edge/event/event-hub.ts";
import { EventStream } from "../../../edge/event/event-stream.ts";
import type { Caller } from "../../../edge/middleware/auth.ts";
import type { EventsPage } from "../../../src/contract/event/event.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";

const PLACE = "abcdefghij-0-7";
const PAGE: EventsPage = { events: [], through: PLACE, isLast: true, gapTo: null };
const SECOND_MS = 1_000;

const callerOf = (userId: number): Caller => ({
  ...{ ok: true, userId, scopes: new Set(), familyId: userId },
  expiresAtMs: Number.MAX_SAFE_INTEGER,
});

/** A hub whose bus and engine answer at once and count. */
class World {
  readonly time = new FakeTime();
  readonly hub: EventHub;
  asked = 0;

  constructor() {
    const silent = (): void => undefined;
    this.hub = new EventHub({
      bus: { subscribe: () => silent, flush: async () => undefined, onStatus: () => silent },
      engine: {
        query: async () => {
          this.asked += 1;
          return { ok: true, data: PAGE };
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

  async open(userId: number): Promise<EventStream> {
    const request = { requestId: "test", after: null, isWanted: () => true, symbols: [], cutOff: () => undefined };
    const stream = await this.hub.open({ caller: callerOf(userId), ...request });
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
});
