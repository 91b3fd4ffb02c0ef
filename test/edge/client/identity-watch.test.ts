/** Keys and revocations: ready means that nothing was missed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineClient } from "../../../edge/client/engine-client.ts";
import { EngineTime } from "../../../edge/client/engine-time.ts";
import { IdentityWatch } from "../../../edge/client/identity-watch.ts";
import { createMemoryBusServer } from "../../../src/bus/memory/bus.ts";
import type { Bus, BusStatus } from "../../../src/bus/port.ts";
import { loopTimers, systemClock } from "../../../src/runtime/clock.ts";
import { untilTrue } from "../../support/machine/until-true.ts";
import { FakeEngine, makeSigningKey } from "../support/fake-engine.ts";

const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Wraps a bus with a connection status that the test sets. */
function switchedBus(bus: Bus): { readonly bus: Bus; set(status: BusStatus): void } {
  const listeners = new Set<(status: BusStatus) => void>();
  return {
    bus: {
      publish: (subject, data) => bus.publish(subject, data),
      flush: () => bus.flush(),
      subscribe: (subject, handler, options) => bus.subscribe(subject, handler, options),
      request: (subject, data, timeoutMs) => bus.request(subject, data, timeoutMs),
      respond: (subject, handler, options) => bus.respond(subject, handler, options),
      onStatus: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      drain: () => bus.drain(),
      status: bus.status,
      maxPayloadBytes: bus.maxPayloadBytes,
      droppedMessageCount: 0,
    },
    set: (status) => {
      for (const listener of listeners) listener(status);
    },
  };
}

test("a lost bus ends readiness; what was revoked meanwhile is known before it is ready again", async (t) => {
  const hub = createMemoryBusServer({ onError: quiet });
  const engine = new FakeEngine(hub.connect(), 1, await makeSigningKey());
  const { bus, set } = switchedBus(hub.connect());
  const client = new EngineClient({ bus, partitions: 1, onFault: quiet });
  const clock = new EngineTime(systemClock, log);
  const watch = new IdentityWatch({ bus, engine: client, clock, schedule: loopTimers.after, log });
  t.after(() => watch.stop());
  assert.equal(watch.isReady, false);
  watch.start();
  await untilTrue(() => watch.isReady);
  assert.equal(watch.isRevoked(9), false);
  set("disconnected");
  assert.equal(watch.isReady, false);
  engine.revoked.push(9);
  set("connected");
  assert.equal(watch.isReady, false);
  await untilTrue(() => watch.isReady);
  assert.equal(watch.isRevoked(9), true);
});

test("a list read before the bus was lost does not count after it", async (t) => {
  const hub = createMemoryBusServer({ onError: quiet });
  const engine = new FakeEngine(hub.connect(), 1, await makeSigningKey());
  const { bus, set } = switchedBus(hub.connect());
  const client = new EngineClient({ bus, partitions: 1, onFault: quiet });
  const clock = new EngineTime(systemClock, log);
  const watch = new IdentityWatch({ bus, engine: client, clock, schedule: loopTimers.after, log });
  t.after(() => watch.stop());
  let release: () => void = quiet;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isAsked = false;
  engine.on("identity.revocations", async () => {
    isAsked = true;
    await held;
    return { ok: true, data: { familyIds: [], isLast: true } };
  });
  watch.start();
  await untilTrue(() => isAsked);
  set("disconnected");
  release();
  await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
  assert.equal(watch.isReady, false);
});

test("an engine that is not there yet is asked again until it is", async (t) => {
  const hub = createMemoryBusServer({ onError: quiet });
  const bus = hub.connect();
  const client = new EngineClient({ bus, partitions: 1, onFault: quiet });
  const clock = new EngineTime(systemClock, log);
  const tasks: (() => void)[] = [];
  const schedule = (_delayMs: number, task: () => void) => {
    tasks.push(task);
    return quiet;
  };
  const watch = new IdentityWatch({ bus, engine: client, clock, schedule, log });
  t.after(() => watch.stop());
  watch.start();
  await untilTrue(() => tasks.length === 1);
  assert.equal(watch.isReady, false);
  new FakeEngine(hub.connect(), 1, await makeSigningKey());
  tasks[0]?.();
  await untilTrue(() => watch.isReady);
});

test("an edge that counts other partitions than the engines serves nobody, and says so once", async (t) => {
  const hub = createMemoryBusServer({ onError: quiet });
  const engine = new FakeEngine(hub.connect(), 1, await makeSigningKey());
  let partitions = 4;
  let askedCount = 0;
  engine.on("health", async () => {
    askedCount += 1;
    return { ok: true, data: { isReady: true, partitions } };
  });
  const bus = hub.connect();
  const client = new EngineClient({ bus, partitions: 1, onFault: quiet });
  const clock = new EngineTime(systemClock, log);
  const said: string[] = [];
  const telling = { ...log, error: (_fields: object, message: string) => void said.push(message) };
  const schedule: typeof loopTimers.after = (_delayMs, task) => loopTimers.after(1, task);
  const watch = new IdentityWatch({ bus, engine: client, clock, schedule, log: telling });
  t.after(() => watch.stop());
  watch.start();
  await untilTrue(() => askedCount > 3);
  assert.equal(watch.isReady, false);
  assert.equal(said.length, 1);
  assert.match(said[0] ?? "", /PARTITIONS differs between this edge and the engines/);
  partitions = 1;
  await untilTrue(() => watch.isReady);
});

test("a bus that stays away is told of once, and again after it was back", async (t) => {
  const hub = createMemoryBusServer({ onError: quiet });
  new FakeEngine(hub.connect(), 1, await makeSigningKey());
  const { bus, set } = switchedBus(hub.connect());
  let failures = 0;
  const failing = { isAway: true };
  const away: Bus = {
    ...bus,
    flush: () => {
      if (!failing.isAway) return bus.flush();
      failures += 1;
      return Promise.reject(new Error("the bus is away"));
    },
  };
  const warnings: string[] = [];
  const warn = (_: object, message: string): void => void warnings.push(message);
  const client = new EngineClient({ bus, partitions: 1, onFault: quiet });
  const clock = new EngineTime(systemClock, log);
  const options = { bus: away, engine: client, clock, schedule: loopTimers.after, log: { ...log, warn } };
  const watch = new IdentityWatch(options);
  t.after(() => watch.stop());
  watch.start();
  await untilTrue(() => failures >= 3);
  assert.equal(warnings.length, 1);
  failing.isAway = false;
  await untilTrue(() => watch.isReady);
  failing.isAway = true;
  set("disconnected");
  set("connected");
  await untilTrue(() => failures >= 6);
  assert.equal(warnings.length, 2);
});
