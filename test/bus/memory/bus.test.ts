import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMemoryBus, createMemoryBusServer } from "../../../src/bus/memory/bus.ts";
import { type Bus, type BusErrorListener, RequestTimeoutError } from "../../../src/bus/port.ts";
import { subjectMatches } from "../../../src/bus/subject.ts";
import type { Schedule } from "../../../src/runtime/ports.ts";
import fc from "../../support/property.ts";
import { busConformance } from "../conformance.ts";

busConformance("the in-process bus", async () => {
  let listener: BusErrorListener = () => undefined;
  const server = createMemoryBusServer({ onError: (error, context) => listener(error, context) });
  return {
    async connect(onError: BusErrorListener): Promise<Bus> {
      listener = onError;
      return server.connect();
    },
    async stop() {},
  };
});

const NO_BYTES = new Uint8Array(0);

describe("the in-process bus alone", () => {
  test("a request fails at its deadline and not before, by the schedule handed in", async () => {
    const planned: { readonly delayMs: number; readonly task: () => void }[] = [];
    let cancelled = 0;
    const schedule: Schedule = (delayMs, task) => {
      planned.push({ delayMs, task });
      return () => {
        cancelled += 1;
      };
    };
    const bus = createMemoryBus({ schedule });
    bus.respond("never", () => new Promise(() => undefined));
    bus.respond("quick", async ({ data }) => data);
    const asked = bus.request("never", NO_BYTES, 1_234);
    await bus.flush();
    assert.deepEqual(
      planned.map(({ delayMs }) => delayMs),
      [1_234],
    );
    planned[0]?.task();
    await assert.rejects(asked, RequestTimeoutError);
    await bus.request("quick", NO_BYTES, 10);
    assert.equal(cancelled, 1);
  });

  test("everything runs in the turns handed in, so a simulation can own time", () => {
    const turns: (() => void)[] = [];
    const bus = createMemoryBus({ defer: (task) => turns.push(task) });
    let count = 0;
    bus.subscribe("a", () => {
      count += 1;
      if (count === 1) bus.publish("a", NO_BYTES);
    });
    bus.publish("a", NO_BYTES);
    bus.publish("a", NO_BYTES);
    assert.equal(turns.length, 1);
    turns[0]?.();
    assert.equal(count, 2);
    assert.equal(turns.length, 2);
    turns[1]?.();
    assert.equal(count, 3);
    assert.equal(turns.length, 2);
  });

  test("a flood leaves turns for timers and I/O between its parts, and stays in order", async () => {
    const turns: (() => void)[] = [];
    const bus = createMemoryBus({ defer: (task) => turns.push(task) });
    const received: number[] = [];
    bus.subscribe("flood", ({ data }) => {
      received.push(data.length);
    });
    const sizes = Array.from({ length: 20_000 }, (_, index) => index % 100);
    for (const size of sizes) bus.publish("flood", new Uint8Array(size));
    for (let turn = 0; turn < turns.length; turn += 1) turns[turn]?.();
    assert.ok(turns.length > 2);
    assert.deepEqual(received, sizes);
  });

  test("received bytes are the published ones, not a copy", async () => {
    const bus = createMemoryBus();
    const sent = new Uint8Array([1]);
    let received: Uint8Array | undefined;
    bus.subscribe("a", ({ data }) => {
      received = data;
    });
    bus.publish("a", sent);
    await bus.flush();
    assert.equal(received, sent);
  });

  test("without an error listener a failing handler becomes a process warning", async () => {
    const bus = createMemoryBus();
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    bus.subscribe("a", () => {
      throw new Error("oops");
    });
    bus.publish("a", NO_BYTES);
    const warning = await warned;
    assert.equal(warning.name, "BusWarning");
    assert.equal(warning.message, "bus handler of a: oops");
  });

  test("kept routes follow every coming and going of subscriptions, as a naive twin does", async () => {
    const patterns = fc.constantFrom("a", "b", "a.a", "a.b", "a.*", "*.b", "*", ">", "a.>");
    const subjects = fc.constantFrom("a", "b", "a.a", "a.b", "b.b", "a.b.c");
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant("add" as const), pattern: patterns }),
        fc.record({ kind: fc.constant("end" as const), which: fc.nat(20) }),
        fc.record({ kind: fc.constant("publish" as const), subject: subjects }),
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const bus = createMemoryBus();
        const live: { readonly id: number; readonly pattern: string; readonly end: () => void }[] = [];
        const expected: string[] = [];
        const received: string[] = [];
        let nextId = 0;
        for (const step of script) {
          if (step.kind === "add") {
            const id = nextId;
            nextId += 1;
            const end = bus.subscribe(step.pattern, ({ subject }) => {
              received.push(`${id} ${subject}`);
            });
            live.push({ id, pattern: step.pattern, end });
          } else if (step.kind === "end") {
            for (const ended of live.splice(step.which, 1)) ended.end();
          } else {
            bus.publish(step.subject, NO_BYTES);
            for (const { id, pattern } of live) {
              if (subjectMatches(pattern, step.subject)) expected.push(`${id} ${step.subject}`);
            }
            await bus.flush();
          }
        }
        assert.deepEqual(received.sort(), expected.sort());
      }),
      { numRuns: 200 },
    );
  });
});
