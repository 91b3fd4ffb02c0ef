/** A stream sends each stored event once and in order, although the bus loses some, and never more than is read. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BUFFER_BYTES, EventStream } from "../../../edge/event/event-stream.ts";
import { readPublished } from "../../../edge/event/published.ts";
import { refusal } from "../../../edge/middleware/errors.ts";
import type { EventsPage } from "../../../src/contract/event/event.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";
import fc from "../../support/property.ts";

const place = (sequence: number): string => `abcdefghij-0-${sequence}`;

interface Stored {
  readonly sequence: number;
  readonly previous: number;
  readonly note: string;
}

/** An engine with the events of one user, and a client that reads. */
class World {
  readonly time = new FakeTime();
  readonly stored: Stored[] = [];
  trimmedThrough = 0;
  isEngineAway = false;
  pageEvents = 3;
  reads = 0;
  isEnded = false;
  isCutOff = false;
  text = "";
  stream!: EventStream;

  happen(sequence: number, note = ""): Stored {
    const event = { sequence, previous: this.stored.at(-1)?.sequence ?? 0, note };
    this.stored.push(event);
    return event;
  }

  hear({ sequence, previous, note }: Stored): void {
    const message = { previous, id: place(sequence), sequence, type: "oco.created", note };
    const event = readPublished(Buffer.from(JSON.stringify(message)));
    assert(event !== undefined);
    this.stream.hear(event);
  }

  page(after: number): EventsPage {
    const start = Math.max(after, this.trimmedThrough);
    const all = this.stored.filter(({ sequence }) => sequence > start);
    const events = all.slice(0, this.pageEvents);
    const isLast = events.length === all.length;
    const through = isLast ? (this.stored.at(-1)?.sequence ?? after) : (events.at(-1)?.sequence ?? after);
    return {
      events: events.map(({ sequence, note }) => ({ id: place(sequence), sequence, type: "oco.created", note })),
      through: place(Math.max(start, through)),
      isLast,
      gapTo: start > after ? place(start) : null,
    };
  }

  /** `after` null: from now on. */
  open(after: number | null, isWanted: (type: string) => boolean = () => true): void {
    const first = after === null ? this.page(this.stored.at(-1)?.sequence ?? 0) : this.page(after);
    this.stream = new EventStream(
      {
        readSince: async (from) => {
          this.reads += 1;
          await Promise.resolve();
          if (this.isEngineAway) return refusal("UNAVAILABLE", "away");
          return this.page(Number(from.split("-")[2]));
        },
        isWanted,
        retryMs: 1_700,
        schedule: (delayMs, task) => this.time.after(delayMs, task),
        onEnd: () => {
          this.isEnded = true;
        },
        connection: undefined,
        onCutOff: () => {
          this.isCutOff = true;
        },
      },
      first,
      after === null ? null : place(after),
    );
  }

  /** Lets the client take everything from now on. */
  async read(): Promise<void> {
    const reader = this.stream.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.text += Buffer.from(value).toString();
    }
  }

  /** The sequences that the client received, in order. */
  get told(): number[] {
    return [...this.text.matchAll(/id: abcdefghij-0-([0-9]+)\nevent: oco/g)].map(([, digits]) => Number(digits));
  }
}

describe("a stream of events", () => {
  test("goes on after the client's place, page by page", async () => {
    const world = new World();
    for (let sequence = 1; sequence <= 10; sequence += 1) world.happen(2 * sequence);
    world.open(6);
    void world.read();
    await world.time.advance(10);
    assert.deepEqual(world.told, [8, 10, 12, 14, 16, 18, 20]);
    assert.match(world.text, /^retry: 1700\n\n/);
  });

  test("without a place begins now, and says where", async () => {
    const world = new World();
    world.happen(5);
    world.open(null);
    void world.read();
    world.hear(world.happen(9));
    await world.time.advance(10);
    assert.deepEqual(world.told, [9]);
    assert.ok(world.text.includes(": alive\nid: abcdefghij-0-5\n\n"));
    assert.equal(world.reads, 0);
  });

  test("tells each event once and in order, whatever the bus loses, repeats and delays", async () => {
    const step = fc.record({ isLost: fc.boolean(), isRepeated: fc.boolean(), waits: fc.boolean(), away: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(5), async (steps, before) => {
        const world = new World();
        for (let sequence = 1; sequence <= before; sequence += 1) world.happen(sequence);
        world.open(0);
        void world.read();
        for (const { isLost, isRepeated, waits, away } of steps) {
          world.isEngineAway = away;
          const event = world.happen((world.stored.at(-1)?.sequence ?? 0) + 2);
          if (!isLost) world.hear(event);
          if (isRepeated) world.hear(world.stored[0] ?? event);
          if (waits) await world.time.advance(700);
        }
        world.isEngineAway = false;
        await world.time.advance(5_000);
        void world.stream.readStored();
        await world.time.advance(5_000);
        assert.deepEqual(
          world.told,
          world.stored.map(({ sequence }) => sequence),
        );
      }),
      { numRuns: 60 },
    );
  });

  test("says that events are gone, and from where it goes on", async () => {
    const world = new World();
    for (let sequence = 1; sequence <= 6; sequence += 1) world.happen(sequence);
    world.trimmedThrough = 4;
    world.open(2);
    void world.read();
    await world.time.advance(10);
    const [, data = "{}"] = /event: gap\ndata: (.+)\n/.exec(world.text) ?? [];
    const { message, ...gap } = JSON.parse(data) as Record<string, unknown>;
    assert.deepEqual(gap, { type: "gap", after: place(2), resumesAfter: place(4) });
    assert.match(String(message), /read the lists again/);
    assert.deepEqual(world.told, [5, 6]);
  });

  test("leaves out types that are not wanted, and moves the client's place on all the same", async () => {
    const world = new World();
    world.open(null, (type) => type !== "oco.created");
    void world.read();
    world.hear(world.happen(3));
    world.stream.heartbeat();
    await world.time.advance(10);
    assert.deepEqual(world.told, []);
    assert.ok(world.text.includes("id: abcdefghij-0-3\n\n"));
  });

  test("cuts off a client that takes nothing, and keeps no more for it than its bound", async () => {
    const world = new World();
    world.open(null);
    const note = "x".repeat(10_000);
    let sent = 0;
    for (; !world.isEnded && sent < 1_000; sent += 1) world.hear(world.happen(sent + 1, note));
    assert.equal(world.isCutOff, true);
    assert.ok(sent * note.length <= BUFFER_BYTES + note.length);
    await assert.rejects(world.stream.body.getReader().closed, /too slowly/);
  });

  test("reads stored events no faster than the client takes them, and cuts off one that stops", async () => {
    const world = new World();
    const note = "x".repeat(50_000);
    for (let sequence = 1; sequence <= 100; sequence += 1) world.happen(sequence, note);
    world.open(0);
    await world.time.advance(5_000);
    assert.ok(world.reads < 5, `${world.reads} pages were read`);
    assert.equal(world.isEnded, false);
    await world.time.advance(60_000);
    assert.deepEqual([world.isEnded, world.isCutOff], [true, true]);
  });

  test("of a client that has gone ends, and asks for nothing any more", async () => {
    const world = new World();
    world.open(null);
    await world.stream.body.cancel();
    assert.equal(world.isEnded, true);
    world.hear(world.happen(7));
    world.stream.heartbeat();
    await world.stream.readStored();
    assert.equal(world.reads, 0);
  });

  test("that must end says why, once", async () => {
    const world = new World();
    world.open(null);
    const reading = world.read();
    world.stream.end("the access token has expired");
    world.stream.end("again");
    await reading;
    assert.equal(world.text.split("event: end").length, 2);
    assert.match(world.text, /event: end\ndata: \{"type":"end","message":"the access token has expired"\}\n\n$/);
  });
});
