/**
 * The simulation finds faults of setups and bots: each one that is planted here is caught within a bounded number of
 * worlds, and by the rule that it breaks.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActorHost } from "../../engine/actor/host.ts";
import { OrderPoll } from "../../engine/broker/order-poll.ts";
import { BrokerOutbox } from "../../engine/broker/outbox/outbox.ts";
import { PartitionJournal } from "../../engine/store/journal.ts";
import { PartitionWatchbook } from "../../engine/watch/watchbook.ts";
import type { ActorEvent } from "../../src/machine/actor-event.ts";
import { findOut, replacing } from "./planting.ts";

type Give = (host: ActorHost, id: number, event: ActorEvent) => boolean;

/** Replaces how the host gives events to actors, both to those of a kind and to whoever asked for them. */
function delivering(make: (original: Give) => Give): Promise<string> {
  const deliver = (original: ActorHost["deliver"]): ActorHost["deliver"] =>
    function deliver(this: ActorHost, kind, id, event) {
      const give = make((host, to, given) => original.call(host, kind, to, given as typeof event));
      return give(this, id, event);
    };
  const wake = (original: ActorHost["wake"]): ActorHost["wake"] =>
    function wake(this: ActorHost, id, event) {
      const give = make((host, to, given) => original.call(host, to, given as typeof event));
      return give(this, id, event);
    };
  return replacing(ActorHost.prototype, "deliver", deliver, () =>
    replacing(ActorHost.prototype, "wake", wake, () => findOut(400)),
  );
}

describe("of setups and bots the simulation finds out", () => {
  test("a signal that is heard twice and acted on twice", async () => {
    let count = 0;
    const message = await delivering((give) => (host, id, event) => {
      count += 1;
      return give(host, id, event.type === "signal" ? { ...event, fingerprint: `another-${count}` } : event);
    });
    assert.match(message, /signal .* to bot-\d+ (made|was acted on twice)/);
  });

  test("a setup that converts at its registration, and again on the late notice of the fill", async () => {
    const contexts = new WeakMap<ActorHost, Map<number, object>>();
    const remembering = (original: ActorHost["create"]): ActorHost["create"] =>
      function create(this: ActorHost, kind, id, context) {
        if (kind === "setup") contexts.set(this, (contexts.get(this) ?? new Map()).set(id, context));
        original.call(this, kind, id, context);
      };
    const twice =
      (give: Give): Give =>
      (host, id, event) => {
        const isDelivered = give(host, id, event);
        const setup = contexts.get(host)?.get(id);
        const isDone = setup !== undefined && host.find("setup", id)?.isEnded === true;
        if (!isDone || event.type !== "orderUpdated") return isDelivered;
        contexts.get(host)?.delete(id);
        host.create("setup", id + 1_000_000_000, { ...setup, setupId: id + 1_000_000_000 });
        return give(host, id + 1_000_000_000, event);
      };
    const message = await replacing(ActorHost.prototype, "create", remembering, () => delivering(twice));
    assert.match(message, /setup n\d+ (exists 2 times|became 2 groups)/);
  });

  test("a switched-off bot whose waiting orders are not taken back", async () => {
    const message = await replacing(
      BrokerOutbox.prototype,
      "withdrawOf",
      () => () => undefined,
      () => findOut(400),
    );
    assert.match(message, /leaves after bot-\d+ was switched off/);
  });

  test("a switch that the bot does not hear", async () => {
    const message = await delivering((give) => (host, id, event) => event.type === "update" || give(host, id, event));
    assert.match(message, /is not on the disk/);
  });

  test("levels of bots that are not armed after a price reached them", async () => {
    let count = 0;
    const leaky = (original: PartitionWatchbook["arm"]): PartitionWatchbook["arm"] =>
      function arm(this: PartitionWatchbook, owner, watch) {
        count += 1;
        // Groups number their rows from 0 to 3; the first detail's pairs come after anchor and buy.
        if (watch.watch < 128 || count % 3 !== 0) original.call(this, owner, watch);
      };
    await replacing(PartitionWatchbook.prototype, "arm", leaky, findOut);
  });

  test("fills that nobody looks up when their notice was lost", async () => {
    const never = () => () => undefined;
    const message = await replacing(OrderPoll.prototype, "poll", never, () =>
      replacing(OrderPoll.prototype, "askNow", never, findOut),
    );
    assert.match(message, /did not come to rest/);
  });

  test("fill prices that are rounded before they are booked", async () => {
    const message = await delivering((give) => (host, id, event) => {
      if (event.type !== "orderUpdated") return give(host, id, event);
      const { record } = event;
      return give(host, id, { ...event, record: { ...record, averagePrice: Math.round(record.averagePrice) } });
    });
    assert.match(message, /its fills say|not as it was asked for/);
  });

  test("history of closed pairs that is lost", async () => {
    const forgetting = (original: PartitionJournal["put"]): PartitionJournal["put"] =>
      function put(this: PartitionJournal, key, value) {
        return key.startsWith("v/pair-history/") ? this.rowOf(key, value) : original.call(this, key, value);
      };
    const message = await replacing(PartitionJournal.prototype, "put", forgetting, findOut);
    assert.match(message, /is in the history 0 times/);
  });
});
