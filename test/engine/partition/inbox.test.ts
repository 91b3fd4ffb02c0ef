import assert from "node:assert/strict";
import { test } from "node:test";
import { PartitionInbox } from "../../../engine/partition/inbox.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";

function given(limits?: ConstructorParameters<typeof PartitionInbox>[1]) {
  const time = new FakeTime();
  const done: string[] = [];
  const inbox = limits === undefined ? new PartitionInbox(time) : new PartitionInbox(time, limits);
  return { time, inbox, done, note: (name: string) => () => void done.push(name) };
}

test("work is done in arrival order, and never inside the call that brought it", async () => {
  const { time, inbox, done, note } = given();
  for (const name of ["a", "b", "c"]) inbox.enqueue(note(name));
  assert.deepEqual(done, []);
  assert.equal(inbox.length, 3);
  await time.turns();
  assert.deepEqual(done, ["a", "b", "c"]);
  assert.equal(inbox.isIdle, true);
});

test("a turn of the loop does a bounded number of pieces", () => {
  const { time, inbox, done, note } = given({ countMax: 3, timeMsMax: 1_000 });
  for (let piece = 0; piece < 5; piece += 1) inbox.enqueue(note(`piece ${piece}`));
  return time.turn().then(() => assert.deepEqual(done, ["piece 0", "piece 1", "piece 2"]));
});

test("no further piece is begun once a turn has taken its time, which is shorter where little waits", async () => {
  let nowMs = 0;
  const limits = { countMax: 1_000, timeMsMax: 20, steadyClock: { nowMs: () => nowMs } };
  for (const { pieces, doneInTurn } of [
    { pieces: 256, doneInTurn: 5 },
    { pieces: 257, doneInTurn: 20 },
  ]) {
    const { time, inbox, done, note } = given(limits);
    for (let piece = 0; piece < pieces; piece += 1) {
      inbox.enqueue(() => {
        nowMs += 1;
        note(`${piece}`)();
      });
    }
    await time.turn();
    assert.equal(done.length, doneInTurn);
    await time.turns();
    assert.deepEqual(
      done,
      Array.from({ length: pieces }, (_, piece) => `${piece}`),
    );
  }
});

/** As many pieces as make a request wait. */
const MUCH = 4;

test("a request that finds little work takes its place behind it, in arrival order", async () => {
  const { time, inbox, done, note } = given();
  inbox.enqueue(note("work 1"));
  inbox.enqueueRequest(note("request"));
  inbox.enqueue(note("work 2"));
  assert.equal(inbox.receivedCount, 3);
  await time.turns();
  assert.deepEqual(done, ["work 1", "request", "work 2"]);
});

test("other requests begin in their own order, once no other work waits", async () => {
  const { time, inbox, done, note } = given();
  for (let piece = 0; piece < MUCH; piece += 1) inbox.enqueue(note(`work ${piece}`));
  inbox.enqueueRequest(note("request 0"));
  inbox.enqueue(note("work 4"));
  inbox.enqueueRequest(note("request 1"));
  assert.equal(inbox.length, MUCH + 3);
  assert.equal(inbox.receivedCount, MUCH + 1);
  await time.turns();
  assert.deepEqual(done, ["work 0", "work 1", "work 2", "work 3", "work 4", "request 0", "request 1"]);
  assert.deepEqual([inbox.finishedCount, inbox.length], [MUCH + 1, 0]);
});

test("no request overtakes one that waits", async () => {
  const { time, inbox, done, note } = given({ countMax: MUCH, timeMsMax: 1_000 });
  for (let piece = 0; piece < MUCH; piece += 1) inbox.enqueue(note("work"));
  inbox.enqueueRequest(note("request 0"));
  inbox.enqueueRequest(note("request 1"));
  await time.turn();
  inbox.enqueueRequest(note("request 2"));
  await time.turns();
  assert.deepEqual(done.slice(MUCH), ["request 0", "request 1", "request 2"]);
});

test("no request overtakes work that came before it, and each turn begins one that may begin", async () => {
  const { time, inbox, done, note } = given({ countMax: 5, timeMsMax: 1_000 });
  for (let piece = 0; piece < 8; piece += 1) inbox.enqueue(note(`work ${piece}`));
  for (let piece = 0; piece < 3; piece += 1) inbox.enqueueRequest(note(`request ${piece}`));
  for (let piece = 8; piece < 20; piece += 1) inbox.enqueue(note(`work ${piece}`));
  await time.turn();
  assert.deepEqual(done.splice(0), ["work 0", "work 1", "work 2", "work 3", "work 4"]);
  await time.turn();
  assert.deepEqual(done.splice(0), ["work 5", "work 6", "work 7", "work 8", "work 9", "request 0"]);
  await time.turn();
  assert.equal(done.splice(0).at(-1), "request 1");
});

test("a line that always holds something does each piece once, in order", async () => {
  const { time, inbox, done, note } = given({ countMax: 700, timeMsMax: 1_000 });
  for (let piece = 0; piece < MUCH; piece += 1) inbox.enqueue(() => undefined);
  for (let piece = 0; piece < 1_000; piece += 1) inbox.enqueueRequest(note(`${piece}`));
  for (let piece = 1_000; piece < 5_000; piece += 700) {
    await time.turn();
    for (let more = 0; more < 700; more += 1) inbox.enqueueRequest(note(`${piece + more}`));
  }
  await time.turns();
  assert.deepEqual(
    done,
    Array.from({ length: 5_200 }, (_, piece) => `${piece}`),
  );
});

test("work that throws takes no other work with it", async () => {
  const { time, inbox, done, note } = given();
  inbox.enqueue(() => {
    throw new Error("a bug");
  });
  inbox.enqueue(note("next"));
  await assert.rejects(time.turns(), /a bug/);
  await time.turns();
  assert.deepEqual(done, ["next"]);
});

test("once closed it takes nothing, and says so", async () => {
  const { time, inbox, done, note } = given();
  inbox.close();
  assert.equal(inbox.enqueue(note("a")), false);
  assert.equal(inbox.enqueueRequest(note("b")), false);
  await time.turns();
  assert.deepEqual(done, []);
});
