/** What the engine knows of the processes that publish prices. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FeedPublishers } from "../../../engine/feed/publisher-status.ts";

const status = {
  ...{ name: "VENUE", connected: true, since: "2026-11-22T10:00:00.000Z", lastTick: null, symbols: 2, silent: false },
  ...{ ticks: 7, delayed: 1, refused: ["GARAN"] },
};

class World {
  nowMs = 1_000;
  readonly publishers = new FeedPublishers({ nowMs: () => this.nowMs });
  hear(change: object = {}): void {
    this.publishers.read(Buffer.from(JSON.stringify({ ...status, ...change })));
  }
  states(): (readonly [string, string])[] {
    return this.publishers.stats().map(({ name, state }) => [name, state] as const);
  }
}

test("the last status of each counts: connected, silent while connected, down", () => {
  const world = new World();
  world.hear();
  world.hear({ name: "US", silent: true });
  world.hear({ name: "A", connected: false });
  assert.deepEqual(world.states(), [
    ["A", "down"],
    ["US", "silent"],
    ["VENUE", "connected"],
  ]);
  const { connected: _connected, silent: _silent, ...told } = status;
  assert.deepEqual(world.publishers.stats()[2], { ...told, state: "connected" });
  world.hear({ connected: false });
  assert.deepEqual(world.states()[2], ["VENUE", "down"]);
});

test("one whose prices are delayed data is that, silent or not, with how late they are", () => {
  const world = new World();
  world.hear({ behindMs: 900_000 });
  world.hear({ name: "US", behindMs: 900_000, silent: true });
  world.hear({ name: "A", behindMs: 900_000, connected: false });
  assert.deepEqual(world.states(), [
    ["A", "down"],
    ["US", "delayed"],
    ["VENUE", "delayed"],
  ]);
  assert.equal(world.publishers.stats()[2]?.behindMs, 900_000);
  world.hear();
  assert.deepEqual(world.states()[2], ["VENUE", "connected"]);
});

test("one that says nothing any more is gone, and after a day forgotten", () => {
  const world = new World();
  world.hear();
  world.nowMs += 15_000;
  assert.deepEqual(world.states(), [["VENUE", "connected"]]);
  world.nowMs += 1;
  assert.deepEqual(world.states(), [["VENUE", "gone"]]);
  world.nowMs += 86_400_000;
  assert.deepEqual(world.states(), []);
});

test("what makes no sense is passed over, and no more than a hundred are kept", () => {
  const world = new World();
  for (const text of ["", "[]", '{"name":"X"}', '{"name":"a b","connected":true}']) {
    world.publishers.read(Buffer.from(text));
  }
  assert.deepEqual(world.states(), []);
  for (let index = 0; index < 150; index += 1) world.hear({ name: `F${index}` });
  assert.equal(world.states().length, 100);
  world.hear({ name: "F3", connected: false });
  assert.ok(world.states().some(([name, state]) => name === "F3" && state === "down"));
});
