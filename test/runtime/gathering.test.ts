import assert from "node:assert/strict";
import { test } from "node:test";
import { Gathering } from "../../src/runtime/gathering.ts";
import { FakeTime } from "../support/machine/fake-time.ts";

function given() {
  const time = new FakeTime();
  const handled: string[] = [];
  const handle = (items: readonly string[]): void => void handled.push(items.join(" "));
  return { time, handled, gathering: new Gathering<string>({ timers: time, pauseMs: 5, handle }) };
}

test("an item that comes alone is handled immediately", async () => {
  const { time, handled, gathering } = given();
  gathering.add("a");
  assert.deepEqual(handled, ["a"]);
  await time.advance(5);
  gathering.add("b");
  assert.deepEqual(handled, ["a", "b"]);
});

test("items that follow are handled together after the pause, in their order, for as long as more come", async () => {
  const { time, handled, gathering } = given();
  for (const item of ["a", "b", "c"]) gathering.add(item);
  assert.deepEqual(handled, ["a"]);
  await time.advance(5);
  assert.deepEqual(handled, ["a", "b c"]);
  gathering.add("d");
  gathering.add("e");
  await time.advance(5);
  assert.deepEqual(handled, ["a", "b c", "d e"]);
});

test("a flush handles what waits", async () => {
  const { time, handled, gathering } = given();
  gathering.add("a");
  gathering.add("b");
  gathering.flush();
  assert.deepEqual(handled, ["a", "b"]);
  await time.advance(100);
  assert.deepEqual(handled, ["a", "b"]);
});

test("nothing is handled after a stop", async () => {
  const { time, handled, gathering } = given();
  gathering.add("a");
  gathering.add("b");
  gathering.stop();
  await time.advance(100);
  assert.deepEqual(handled, ["a"]);
});

test("an item that a handling adds waits for the next one", async () => {
  const time = new FakeTime();
  const handled: string[] = [];
  const gathering: Gathering<string> = new Gathering<string>({
    timers: time,
    pauseMs: 5,
    handle: (items) => {
      handled.push(items.join(" "));
      if (handled.length < 3) gathering.add(`after ${handled.length}`);
    },
  });
  gathering.add("a");
  for (const expected of ["a", "after 1", "after 2"]) {
    assert.equal(handled.at(-1), expected);
    await time.advance(5);
  }
  assert.deepEqual(handled, ["a", "after 1", "after 2"]);
});
