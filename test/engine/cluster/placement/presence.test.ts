/** Engines learn of one another, and forget an engine that is silent or ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Presence, TELL_EVERY_MS } from "../../../../engine/cluster/placement/presence.ts";
import { createMemoryBus } from "../../../../src/bus/memory/bus.ts";
import type { Bus } from "../../../../src/bus/port.ts";
import { PRESENCE_SUBJECT } from "../../../../src/contract/subject.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

function start(
  time: FakeTime,
  bus: Bus,
  engine: string,
  lags: Record<string, number> = {},
  partitions = 2,
  heldTo: Record<string, number> = {},
): Presence {
  const told = () => ({ lags, leads: { "0": 4 }, positions: {}, takeovers: {}, heldTo });
  return Presence.start({ bus, steadyClock: time, timers: time, engine, machine: `m-${engine}`, partitions, told });
}

const namesAt = (presence: Presence): string[] => presence.engines().map(({ engine }) => engine);

test("engines of the same installation hear of each other and of their copies", async () => {
  const time = new FakeTime();
  const bus = createMemoryBus();
  const first = start(time, bus, "a");
  start(time, bus, "b", { "1": 7 });
  start(time, bus, "stranger", {}, 3);
  await time.advance(TELL_EVERY_MS);
  assert.deepEqual(namesAt(first), ["a", "b"]);
  assert.equal(first.lagOf("b", 1), 7);
  assert.equal(first.lagOf("b", 0), undefined, "what it leads has no lag");
});

test("who is silent for a second is gone, and so is who says that it ends", async () => {
  const time = new FakeTime();
  const bus = createMemoryBus();
  const first = start(time, bus, "a");
  const second = start(time, bus, "b");
  const third = start(time, bus, "c");
  await time.advance(TELL_EVERY_MS);
  second.stop();
  third.beginEnd();
  await time.advance(TELL_EVERY_MS);
  assert.deepEqual(namesAt(first), ["a", "b"]);
  const told = first.words().map(({ engine, isEnding, leads }) => ({ engine, isEnding, leads }));
  assert.deepEqual(told, [
    { engine: "a", isEnding: false, leads: { "0": 4 } },
    { engine: "b", isEnding: false, leads: { "0": 4 } },
    { engine: "c", isEnding: true, leads: { "0": 4 } },
  ]);
  assert.ok(!namesAt(third).includes("c"), "it counts on itself no more");
  await time.advance(1_000);
  assert.deepEqual(namesAt(first), ["a"]);
});

test("the log may be cut behind the least that a present copy holds, and not at all where none holds anything", async () => {
  const time = new FakeTime();
  const bus = createMemoryBus();
  const first = start(time, bus, "a", {}, 2, { "0": 5 });
  await time.advance(TELL_EVERY_MS);
  assert.equal(first.heldByOthers(0), undefined, "its own copy is not another one");
  const second = start(time, bus, "b", {}, 2, { "0": 40, "1": 7 });
  start(time, bus, "c", {}, 2, { "0": 30 });
  await time.advance(TELL_EVERY_MS);
  assert.equal(first.heldByOthers(0), 30);
  assert.equal(first.heldByOthers(1), 7);
  second.beginEnd();
  await time.advance(TELL_EVERY_MS);
  assert.equal(first.heldByOthers(1), undefined);
});

test("machines and leaders are told; an engine of an earlier version is a machine of its own", async () => {
  const time = new FakeTime();
  const bus = createMemoryBus();
  const first = start(time, bus, "a");
  start(time, bus, "b");
  bus.publish(
    PRESENCE_SUBJECT,
    Buffer.from(JSON.stringify({ engine: "old", partitions: 2, lags: {}, isEnding: false })),
  );
  await time.advance(TELL_EVERY_MS);
  assert.deepEqual(
    [...first.engines()].sort((left, right) => (left.engine < right.engine ? -1 : 1)),
    [
      { engine: "a", machine: "m-a" },
      { engine: "b", machine: "m-b" },
      { engine: "old", machine: "old" },
    ],
  );
  assert.deepEqual([first.leads("b", 0), first.leads("b", 1), first.leads("old", 0)], [true, false, false]);
});

test("malformed words are ignored", async () => {
  const time = new FakeTime();
  const bus = createMemoryBus();
  const first = start(time, bus, "a");
  for (const word of ["", "[]", "{", JSON.stringify({ engine: "", partitions: 2, lags: {}, isEnding: false })]) {
    bus.publish(PRESENCE_SUBJECT, Buffer.from(word));
  }
  await time.advance(TELL_EVERY_MS);
  assert.deepEqual(namesAt(first), ["a"]);
});
