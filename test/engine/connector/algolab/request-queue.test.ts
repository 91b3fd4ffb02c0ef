/** The queue of an API key: slots, urgency, and requests without an answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestQueue, URGENCY } from "../../../../engine/connector/algolab/request-queue.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

const INTERVAL_MS = 5_100;

function makeQueue() {
  const time = new FakeTime();
  const queue = new RequestQueue(INTERVAL_MS, time, time);
  const begun: [string, number][] = [];
  const startMs = time.nowMs();
  const ask = (name: string, urgency: (typeof URGENCY)[keyof typeof URGENCY]): void => {
    void queue.run(urgency, async () => void begun.push([name, time.nowMs() - startMs]));
  };
  return { time, queue, begun, ask };
}

test("requests begin an interval apart, the most urgent first, equals in the order of arrival", async () => {
  const { time, begun, ask } = makeQueue();
  ask("poll 1", URGENCY.poll);
  ask("poll 2", URGENCY.poll);
  ask("order", URGENCY.order);
  ask("cancel", URGENCY.cancel);
  ask("poll 3", URGENCY.poll);
  await time.advance(30_000);
  assert.deepEqual(begun, [
    ["poll 1", 0],
    ["cancel", INTERVAL_MS],
    ["order", 2 * INTERVAL_MS],
    ["poll 2", 3 * INTERVAL_MS],
    ["poll 3", 4 * INTERVAL_MS],
  ]);
});

test("a triggered sell behind a full queue of polls leaves in the next slot", async () => {
  const { time, begun, ask } = makeQueue();
  for (let index = 0; index < 50; index += 1) ask(`poll ${index}`, URGENCY.poll);
  await time.advance(INTERVAL_MS + 1_000);
  ask("sell", URGENCY.triggeredSell);
  await time.advance(INTERVAL_MS);
  assert.deepEqual(begun.at(-1), ["sell", 2 * INTERVAL_MS]);
});

test("a request without an answer does not hold up the next slot", async () => {
  const { time, queue, begun, ask } = makeQueue();
  void queue.run(URGENCY.poll, () => new Promise(() => undefined));
  ask("sell", URGENCY.triggeredSell);
  await time.advance(INTERVAL_MS);
  assert.deepEqual(begun, [["sell", INTERVAL_MS]]);
});
