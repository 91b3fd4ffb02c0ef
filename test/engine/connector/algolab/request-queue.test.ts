/** The queue of an API key: slots, urgency, and requests without an answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GIVES_WAY_MS, RequestQueue, URGENCY } from "../../../../engine/connector/algolab/request-queue.ts";
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
  await time.advance(GIVES_WAY_MS);
  ask("poll 2", URGENCY.poll);
  ask("order", URGENCY.order);
  ask("cancel", URGENCY.cancel);
  ask("poll 3", URGENCY.poll);
  await time.advance(30_000);
  assert.deepEqual(begun, [
    ["poll 1", GIVES_WAY_MS],
    ["cancel", GIVES_WAY_MS + INTERVAL_MS],
    ["order", GIVES_WAY_MS + 2 * INTERVAL_MS],
    ["poll 2", GIVES_WAY_MS + 3 * INTERVAL_MS],
    ["poll 3", GIVES_WAY_MS + 4 * INTERVAL_MS],
  ]);
});

test("a triggered sell behind a full queue leaves in the slot that is the next when it fires", async () => {
  for (const firedAfterMs of [1, 1_000, INTERVAL_MS - 1, INTERVAL_MS, 7_777, 60_000]) {
    const { time, begun, ask } = makeQueue();
    for (let index = 0; index < 50; index += 1) {
      ask(`poll ${index}`, URGENCY.poll);
      ask(`look-up ${index}`, URGENCY.cancel);
    }
    await time.advance(GIVES_WAY_MS + firedAfterMs);
    const lastSlotMs = begun.at(-1)?.[1] ?? 0;
    ask("sell", URGENCY.triggeredSell);
    await time.advance(INTERVAL_MS);
    const sell = begun.find(([name]) => name === "sell");
    assert.deepEqual(sell, ["sell", lastSlotMs + INTERVAL_MS], `fired after ${firedAfterMs} ms`);
  }
});

test("a free slot waits a moment for a triggered sell before it takes a question", async () => {
  const { time, begun, ask } = makeQueue();
  ask("band", URGENCY.cancel);
  await time.advance(GIVES_WAY_MS - 1);
  ask("sell", URGENCY.triggeredSell);
  await time.advance(INTERVAL_MS);
  assert.deepEqual(begun, [
    ["sell", GIVES_WAY_MS - 1],
    ["band", GIVES_WAY_MS - 1 + INTERVAL_MS],
  ]);
});

test("a request without an answer does not hold up the next slot", async () => {
  const { time, queue, begun, ask } = makeQueue();
  void queue.run(URGENCY.order, () => new Promise(() => undefined));
  ask("sell", URGENCY.triggeredSell);
  await time.advance(INTERVAL_MS);
  assert.deepEqual(begun, [["sell", INTERVAL_MS]]);
});
