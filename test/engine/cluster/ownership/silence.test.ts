/** The meaning of a silence: nothing, if this engine itself did not listen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BusOwnership, LEASE_MS } from "../../../../engine/cluster/ownership/ownership.ts";
import { type Bus, NoResponderError, RequestTimeoutError } from "../../../../src/bus/port.ts";
import type { OwnershipAnnouncement } from "../../../../src/contract/ownership.ts";
import { keptLog, ManualTime } from "../../feed/support/ports.ts";

const SUBJECT = "engine.0.owner";
const HOLDER: OwnershipAnnouncement = {
  ...{ engine: "first", stage: "holding", sinceMs: 0, partition: 0, partitions: 1 },
  ...{ installation: null, life: null, host: "near", pid: 1 },
};

type RequestHandler = Parameters<Bus["respond"]>[1];

/** A bus on which `answer` decides the outcome of each request. */
function busOf(
  answer: (asked: number) => Promise<Uint8Array>,
  onRespond: (handler: RequestHandler) => void = () => undefined,
): Bus {
  let asked = 0;
  const bus: Partial<Bus> = {
    respond: (_subject, handler) => {
      onRespond(handler);
      return async () => undefined;
    },
    flush: async () => undefined,
    publish: () => undefined,
    onStatus: () => () => undefined,
    request: () => {
      asked += 1;
      return answer(asked);
    },
  };
  return bus as Bus;
}

interface Asking {
  readonly log?: ReturnType<typeof keptLog>;
  readonly isNewFolder?: boolean;
  readonly onLost?: (reason: string) => void;
}

function ask(bus: Bus, time: ManualTime, { log = keptLog(), isNewFolder = false, onLost }: Asking = {}) {
  return BusOwnership.ask({
    ...{ bus, clock: time, steadyClock: time, timers: time, log },
    ...{ engine: "second", host: "far", pid: 2, partitions: 1, ownPartitions: [0], sharedPartition: 0 },
    isNewFolder: () => isNewFolder,
    onLost: onLost ?? (() => undefined),
  });
}

test("an engine that stood still while it waited asks again, and hears who runs the partition", async () => {
  const time = new ManualTime(1_000_000);
  const bus = busOf(async (asked) => {
    if (asked > 1) return Buffer.from(JSON.stringify(HOLDER));
    await Promise.resolve();
    // The answer lies in the socket, and the time-out comes first.
    time.freeze(LEASE_MS + 2_000);
    throw new RequestTimeoutError(SUBJECT, LEASE_MS);
  });
  await assert.rejects(ask(bus, time), /partition 0 belongs to another engine, process 1 on host near/);
});

test("an engine that stood still for less than the whole of it asks again, too", async () => {
  const time = new ManualTime(1_000_000);
  let fail: (error: Error) => void = () => undefined;
  const bus = busOf((asked) =>
    asked > 1 ? Promise.resolve(Buffer.from(JSON.stringify(HOLDER))) : new Promise((_, reject) => (fail = reject)),
  );
  const asking = ask(bus, time);
  const refused = assert.rejects(asking, /belongs to another engine/);
  await time.advance(1_000);
  time.freeze(2_000);
  await time.advance(1_000);
  fail(new RequestTimeoutError(SUBJECT, LEASE_MS));
  await refused;
});

test("who is silent while this engine listens counts as gone", async () => {
  const time = new ManualTime(1_000_000);
  const log = keptLog();
  let fail: (error: Error) => void = () => undefined;
  const asking = ask(
    busOf(() => new Promise((_, reject) => (fail = reject))),
    time,
    { log },
  );
  await time.advance(LEASE_MS + 1_000);
  fail(new RequestTimeoutError(SUBJECT, LEASE_MS));
  (await asking).close();
  assert.deepEqual(log.messages("warn"), [
    "an engine that listens has been silent for longer than it may act: it counts as gone",
  ]);
  assert.equal(time.waitingCount, 0, "no timer is left");
});

test("an engine with a new folder takes nothing from one that listens and is silent", async () => {
  const time = new ManualTime(1_000_000);
  let fail: (error: Error) => void = () => undefined;
  const bus = busOf(() => new Promise((_, reject) => (fail = reject)));
  const refused = assert.rejects(ask(bus, time, { isNewFolder: true }), /is connected to NATS and does not answer/);
  await time.advance(LEASE_MS + 1_000);
  fail(new RequestTimeoutError(SUBJECT, LEASE_MS));
  await refused;
});

/** Starts an engine that holds its partition; returns it and a way to deliver announcements of another engine. */
async function holding(time: ManualTime, answer: (asked: number) => Promise<Uint8Array>, lost: string[]) {
  const handlers: RequestHandler[] = [];
  const bus = busOf(answer, (handler) => handlers.push(handler));
  const ownership = await ask(bus, time, { onLost: (reason) => lost.push(reason) });
  ownership.name(0, { installation: "installed0", life: "life" });
  await ownership.hold();
  const hear = (word: OwnershipAnnouncement): void => {
    for (const handler of handlers) void handler({ subject: SUBJECT, data: Buffer.from(JSON.stringify(word)) });
  };
  return { ownership, hear };
}

test("an engine whose lease lapsed does not give way to one that asked and died, and does to one that answers", async () => {
  for (const isAlive of [false, true]) {
    const time = new ManualTime(1_000_000);
    const lost: string[] = [];
    const claim: OwnershipAnnouncement = { ...HOLDER, stage: "asking", installation: "installed0", life: "other" };
    let mayAnswer = false;
    const { ownership, hear } = await holding(
      time,
      async () => {
        if (isAlive && mayAnswer) return Buffer.from(JSON.stringify(claim));
        throw new NoResponderError(SUBJECT);
      },
      lost,
    );
    time.freeze(LEASE_MS + 5_000);
    mayAnswer = true;
    hear(claim);
    await time.advance(1_000);
    assert.deepEqual([lost.length, ownership.mayAct()], isAlive ? [1, false] : [0, true]);
    ownership.close();
  }
});

test("an engine does not act while it asks an engine back that asked", async () => {
  const time = new ManualTime(1_000_000);
  const claim: OwnershipAnnouncement = { ...HOLDER, stage: "asking", installation: "installed0", life: "other" };
  let answer: ((word: OwnershipAnnouncement) => void) | undefined;
  let isHeard = false;
  const { ownership, hear } = await holding(time, () => {
    if (!isHeard || answer !== undefined) return Promise.reject(new NoResponderError(SUBJECT));
    return new Promise((resolve) => {
      answer = (word) => resolve(Buffer.from(JSON.stringify(word)));
    });
  }, []);
  time.freeze(LEASE_MS + 5_000);
  isHeard = true;
  hear(claim);
  await time.advance(400);
  assert.equal(ownership.mayAct(), false);
  answer?.({ ...claim, stage: "ending" });
  await time.advance(400);
  assert.equal(ownership.mayAct(), true);
  ownership.close();
});
