/** The queue of an API key: slots, urgency, and requests without an answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  GIVES_WAY_MS,
  RequestQueue,
  URGENCY,
  type Urgency,
  WAITING_MAX,
} from "../../../../engine/connector/algolab/request-queue.ts";
import { FakeTime } from "../../../support/machine/fake-time.ts";

const INTERVAL_MS = 5_100;

function makeQueue(clock?: { nowMs(): number }) {
  const time = new FakeTime();
  const queue = new RequestQueue(INTERVAL_MS, { clock: clock ?? time, steadyClock: time, timers: time });
  const begun: [string, number][] = [];
  const startMs = time.nowMs();
  const ask = (name: string, urgency: Urgency): void => {
    const asked = queue.run(urgency, async (leave) => {
      leave();
      begun.push([name, time.nowMs() - startMs]);
    });
    assert(asked !== undefined);
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
    for (const [name, urgency] of [["poll", URGENCY.poll] as const, ["look-up", URGENCY.cancel] as const]) {
      for (let index = 0; index < WAITING_MAX[urgency]; index += 1) ask(`${name} ${index}`, urgency);
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
  ask("band", URGENCY.band);
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
  void queue.run(URGENCY.order, (leave) => {
    leave();
    return new Promise(() => undefined);
  });
  ask("sell", URGENCY.triggeredSell);
  await time.advance(INTERVAL_MS);
  assert.deepEqual(begun, [["sell", INTERVAL_MS]]);
});

test("the interval counts from the moment of leaving: a slow journal neither breaks it nor takes a slot", async () => {
  const { time, queue, begun, ask } = makeQueue();
  const startMs = time.nowMs();
  const order = (name: string, journalMs: number, isCalledOff = false): void =>
    void queue.run(URGENCY.order, async (leave) => {
      await new Promise<void>((resolve) => time.after(journalMs, resolve));
      if (isCalledOff) return;
      leave();
      begun.push([name, time.nowMs() - startMs]);
    });
  order("slow", 3_000);
  order("called off", 400, true);
  order("quick", 100);
  ask("sell", URGENCY.triggeredSell);
  await time.advance(30_000);
  assert.deepEqual(begun, [
    ["slow", 3_000],
    ["sell", 3_000 + INTERVAL_MS],
    ["quick", 3_000 + 2 * INTERVAL_MS + 400 + 100],
  ]);
});

test("a band goes behind orders, cancels and the session, and before polls", async () => {
  const { time, begun, ask } = makeQueue();
  ask("first", URGENCY.triggeredSell);
  for (const name of ["poll", "band", "order", "session", "cancel"] as const) ask(name, URGENCY[name]);
  await time.advance(6 * INTERVAL_MS);
  assert.deepEqual(
    begun.map(([name]) => name),
    ["first", "cancel", "session", "order", "band", "poll"],
  );
});

test("a request that waited too long is answered at that moment, never begins, and takes no slot", async () => {
  const { time, queue, begun, ask } = makeQueue();
  ask("first", URGENCY.triggeredSell);
  ask("sell", URGENCY.triggeredSell);
  let answeredMs: number | undefined;
  const startMs = time.nowMs();
  const late = queue.run(URGENCY.order, async () => assert.fail("it began"), INTERVAL_MS + 100);
  void late?.then((answer) => {
    assert.equal(answer, undefined);
    answeredMs = time.nowMs() - startMs;
  });
  ask("order", URGENCY.order);
  await time.advance(3 * INTERVAL_MS);
  assert.equal(answeredMs, INTERVAL_MS + 100);
  assert.deepEqual(begun.slice(1), [
    ["sell", INTERVAL_MS],
    ["order", 2 * INTERVAL_MS],
  ]);
});

test("time that only the wall clock saw pass counts: a machine that slept sends nothing of before", async () => {
  let sleptMs = 0;
  const { time, queue, ask } = makeQueue({ nowMs: () => time.nowMs() + sleptMs });
  ask("first", URGENCY.triggeredSell);
  const asked = queue.run(URGENCY.triggeredSell, async () => assert.fail("it began"), 25_000);
  sleptMs = 3_600_000;
  await time.advance(INTERVAL_MS);
  assert.equal(await asked, undefined);
});

test("each urgency has its limit, and what is refused takes no place of another urgency", async () => {
  for (const urgency of Object.values(URGENCY)) {
    const { queue, begun, time, ask } = makeQueue();
    // One leaves in the free slot.
    ask("first", URGENCY.triggeredSell);
    for (let index = 0; index < WAITING_MAX[urgency]; index += 1) ask(`${index}`, urgency);
    assert.equal(
      queue.run(urgency, async () => undefined),
      undefined,
      `urgency ${urgency}`,
    );
    for (const other of Object.values(URGENCY)) if (other !== urgency) ask("other", other);
    await time.advance(INTERVAL_MS);
    assert.equal(begun.length, 2);
  }
  const questions = WAITING_MAX[URGENCY.poll] + WAITING_MAX[URGENCY.cancel] + WAITING_MAX[URGENCY.session];
  assert(WAITING_MAX[URGENCY.order] > questions && WAITING_MAX[URGENCY.triggeredSell] > questions);
});

test("whatever is asked: an interval between two that leave, none is lost, and a free slot is taken", async () => {
  const request = fc.record({
    urgency: fc.constantFrom(...Object.values(URGENCY)),
    afterMs: fc.nat(8_000),
    journalMs: fc.nat(4_000),
    isCalledOff: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 25 }), async (requests) => {
      const { time, queue } = makeQueue();
      const left: number[] = [];
      let settled = 0;
      let spareMs = 0;
      for (const { urgency, afterMs, journalMs, isCalledOff } of requests) {
        await time.advance(afterMs);
        spareMs += journalMs + GIVES_WAY_MS + INTERVAL_MS;
        const asked = queue.run(urgency, async (leave) => {
          await new Promise<void>((resolve) => time.after(journalMs, resolve));
          if (isCalledOff) return;
          leave();
          left.push(time.nowMs());
        });
        void asked?.then(() => {
          settled += 1;
        });
        if (asked === undefined) settled += 1;
      }
      await time.advance(spareMs);
      for (const [index, atMs] of left.entries()) {
        if (index > 0) assert(atMs - (left[index - 1] ?? 0) >= INTERVAL_MS);
      }
      assert.equal(settled, requests.length);
    }),
    { numRuns: 60 },
  );
});
