/** What one partition knows of the feed that it shares. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TickFeed } from "../../../../engine/feed/feed.ts";
import { PartitionGate } from "../../../../engine/partition/hosting/feed.ts";
import type { PartitionFeed } from "../../../../engine/partition/hosting/hosted.ts";

test("a partition that gets no tick any more stands where it stood, however far the feed goes on", () => {
  let position = 100;
  const memory = { tickStream: "stream", ticksRefusedSinceMs: null };
  const gate = { isCatchingUp: false, take: () => undefined, catchUp: async () => undefined, stop: () => undefined };
  const feed = { openGate: () => gate } as unknown as TickFeed;
  const whole = { isCatchingUp: false, position: () => position, memory: () => memory } as unknown as PartitionFeed;
  const own = new PartitionGate(feed, whole, { onHole: () => undefined, join: () => () => undefined });
  assert.deepEqual([own.feed.position(), own.feed.memory()], [100, memory]);
  own.close();
  position = 500;
  assert.deepEqual([own.feed.position(), own.feed.memory()], [null, undefined]);
});
