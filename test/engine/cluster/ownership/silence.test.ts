/** What a silence says: nothing, where it was this engine that did not listen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BusOwnership, LEASE_MS } from "../../../../engine/cluster/ownership/ownership.ts";
import { type Bus, RequestTimeoutError } from "../../../../src/bus/port.ts";
import type { OwnershipAnnouncement } from "../../../../src/contract/ownership.ts";
import { keptLog, ManualTime } from "../../feed/support/ports.ts";

const SUBJECT = "engine.0.owner";
const HOLDER: OwnershipAnnouncement = {
  ...{ engine: "first", stage: "holding", sinceMs: 0, partition: 0, partitions: 1 },
  ...{ installation: null, life: null, host: "near", pid: 1 },
};

/** A bus on which `answer` says what becomes of each request. */
function busOf(answer: (asked: number) => Promise<Uint8Array>): Bus {
  let asked = 0;
  const bus: Partial<Bus> = {
    respond: () => async () => undefined,
    request: () => {
      asked += 1;
      return answer(asked);
    },
  };
  return bus as Bus;
}

function ask(bus: Bus, time: ManualTime, log = keptLog()): Promise<BusOwnership> {
  return BusOwnership.ask({
    ...{ bus, clock: time, steadyClock: time, timers: time, log },
    ...{ engine: "second", host: "far", pid: 2, partitions: 1, ownPartitions: [0], sharedPartition: 0 },
    onLost: () => undefined,
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
    log,
  );
  await time.advance(LEASE_MS + 1_000);
  fail(new RequestTimeoutError(SUBJECT, LEASE_MS));
  (await asking).close();
  assert.deepEqual(log.messages("warn"), [
    "an engine that listens has been silent for longer than it may act: it counts as gone",
  ]);
  assert.equal(time.waitingCount, 0, "no timer is left");
});
