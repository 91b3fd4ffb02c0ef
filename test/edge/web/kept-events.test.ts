/** Past events in the dashboard, read backwards from a stream that only goes forwards. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KEPT_MAX, KeptEvents, type PastState } from "../../../edge/web/dashboard/state/kept-events.ts";
import { RequestFailed } from "../../../edge/web/dashboard/state/session.ts";
import type { ToldEvent } from "../../../src/event/describe-event.ts";

const BEFORE = "abcdefghij-0-";
const any = (): boolean => true;

type Stored = { readonly id: string; readonly type: string; readonly time: string };

/** The state that the page receives. */
class Shown {
  list: readonly ToldEvent[] = [];
  past: PastState = { isWhole: false, isReading: false };
  readonly kept: KeptEvents;

  constructor(open: (path: string) => Promise<ReadableStream<Uint8Array>>) {
    this.kept = new KeptEvents({
      open,
      onList: (list) => {
        this.list = list;
      },
      onPast: (state) => {
        this.past = state;
      },
    });
  }

  get sequences(): readonly number[] {
    return this.list.map(({ id }) => Number(String(id).slice(BEFORE.length)));
  }
}

function stored(sequence: number, type = "oco.created"): Stored {
  return { id: `${BEFORE}${sequence}`, type, time: new Date(sequence * 1_000).toISOString() };
}

/** A service that keeps events and returns pages of a given size; it records its requests. */
class Service {
  readonly asked: (number | null)[] = [];
  cancelled = 0;
  now = 0;
  trimmedThrough = 0;
  pageSize = 10;
  refusal: RequestFailed | undefined;
  events: readonly Stored[] = [];

  open = async (path: string): Promise<ReadableStream<Uint8Array>> => {
    if (this.refusal !== undefined) throw this.refusal;
    const id = new URL(path, "http://localhost").searchParams.get("lastEventId");
    const after = id === null ? null : Number(id.slice(BEFORE.length));
    this.asked.push(after);
    const frames = ["retry: 1000\n\n"];
    let through = this.now;
    if (after !== null) {
      if (after < this.trimmedThrough) frames.push('event: gap\ndata: {"type":"gap"}\n\n');
      const all = this.events.filter((one) => sequenceOf(one) > Math.max(after, this.trimmedThrough));
      const page = all.slice(0, this.pageSize);
      for (const one of page) frames.push(`id: ${one.id}\nevent: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`);
      const last = page.at(-1);
      if (all.length > page.length && last !== undefined) through = sequenceOf(last);
    }
    frames.push(`: alive\nid: ${BEFORE}${through}\n\n`);
    // Frames after the page do not belong to the past.
    frames.push(`id: ${BEFORE}999999999\nevent: live\ndata: {"id":"live","type":"oco.created"}\n\n`);
    return new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(frames.join(""))),
      cancel: () => {
        this.cancelled += 1;
      },
    });
  };
}

function sequenceOf({ id }: Stored): number {
  return Number(id.slice(BEFORE.length));
}

test("the past is read from the newest piece back to the first event that is kept, each once, and every stream is ended", async () => {
  const service = new Service();
  service.events = Array.from({ length: 300 }, (_, index) => stored(index * 100 + 1));
  service.now = 30_000;
  service.trimmedThrough = 5_000;
  const shown = new Shown(service.open);
  const { kept } = shown;
  kept.hear(stored(29_901));
  kept.hear(stored(30_050));
  await kept.readEarlier(any);
  assert.ok(shown.list.length >= 50, "one call gives a page of them");
  assert.equal(shown.past.isWhole, false);
  assert.deepEqual(service.asked.slice(0, 2), [null, 29_000], "the newest piece comes first");
  for (let call = 0; call < 20 && !shown.past.isWhole; call += 1) await kept.readEarlier(any);
  const expected = service.events.map(sequenceOf).filter((sequence) => sequence > 5_000);
  assert.deepEqual(shown.sequences, [...expected, 30_050].toReversed());
  assert.equal(service.cancelled, service.asked.length);
});

test("a piece that fails is read again as a whole, and nothing of it is shown before", async () => {
  const service = new Service();
  service.events = Array.from({ length: 100 }, (_, index) => stored(index + 1));
  service.now = 100;
  let calls = 0;
  const shown = new Shown(async (path) => {
    calls += 1;
    if (calls === 3) throw new RequestFailed(503, "not now");
    return service.open(path);
  });
  assert.equal(shown.kept.hasBegun, false);
  await assert.rejects(shown.kept.readEarlier(any), /not now/);
  assert.deepEqual(shown.list, []);
  assert.equal(shown.past.isReading, false);
  await shown.kept.readEarlier(any);
  assert.deepEqual(
    shown.sequences,
    Array.from({ length: 100 }, (_, index) => 100 - index),
  );
  assert.deepEqual(shown.past, { isWhole: true, isReading: false });
});

test("a place that the service knows no longer is forgotten: the next try begins at its present", async () => {
  const service = new Service();
  service.events = Array.from({ length: 5_000 }, (_, index) => stored(index + 1));
  service.now = 5_000;
  service.pageSize = 1_000;
  const shown = new Shown(service.open);
  const { kept } = shown;
  await kept.readEarlier(any);
  service.refusal = new RequestFailed(400, "Last-Event-ID lies in the future");
  await assert.rejects(kept.readEarlier(any), /future/);
  service.refusal = undefined;
  service.now = 10;
  service.asked.length = 0;
  await kept.readEarlier(any);
  assert.equal(service.asked[0], null);
});

test("what is kept is bounded for each family, and a busy one pushes no other out", async () => {
  const service = new Service();
  const busy = Array.from({ length: KEPT_MAX + 500 }, (_, index) => stored(index + 2, "pair.bought"));
  service.events = [stored(1), ...busy];
  service.now = KEPT_MAX + 501;
  service.pageSize = 5_000;
  const shown = new Shown(service.open);
  const { kept } = shown;
  for (let call = 0; call < 20 && !shown.past.isWhole; call += 1) await kept.readEarlier(any);
  const all = shown.sequences;
  assert.equal(all.length, KEPT_MAX + 1);
  assert.equal(all.at(-1), 1, "the group's event is older than all that are kept of the bot");
  assert.equal(all[0], KEPT_MAX + 501);
});
