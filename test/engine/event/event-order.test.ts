/** An event is durable together with the change that it reports, though that may pass unhurried work. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventLog } from "../../../engine/event/event-log.ts";
import { PartitionInbox } from "../../../engine/partition/inbox.ts";
import { given } from "../store/journal/journal-world.ts";

const WRITE_MS = 5;
const UNHURRIED_MS = 1_000;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test("a trigger that passes others is never durable without its event", async () => {
  const { time, disk, journal } = given({ unhurriedMs: UNHURRIED_MS });
  const events = new EventLog({
    ...{ journal, clock: time, timers: time, inbox: new PartitionInbox(time), log: silent },
    ...{ partition: 0, sequence: 0, installation: "abcdefghij", render: () => ({}), pauseMs: 0 },
    publish: () => undefined,
    flush: () => Promise.resolve(),
  });
  events.start();
  journal.put("x/settled", "nobody waits for this");
  let isSent = false;
  journal.ahead(() => {
    journal.put("a/0000000000000001", "triggered");
    events.emit(7, "oco.triggered", {});
    journal.afterDurable(() => {
      isSent = true;
    });
  });
  for (let elapsedMs = 0; !isSent && elapsedMs < UNHURRIED_MS; elapsedMs += WRITE_MS) await time.advance(WRITE_MS);
  assert.ok(isSent, "it did not wait for unhurried work");
  assert.ok(disk.entries.get("a/0000000000000001") !== undefined);
  assert.equal(disk.entries.keysIn({ gte: "e/", lt: "e0" }).length, 1);
});
