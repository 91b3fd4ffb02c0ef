// tier: full
/**
 * The simulation finds faults: each fault that is planted here is caught within a bounded number of worlds. That it
 * accuses no engine without a fault, in these worlds among others, is for simulation.test.ts to prove.
 *
 * Faults are planted around the engine (ports) or by replacing a method for the time of one test, never in its code.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActorHost } from "../../engine/actor/host.ts";
import { BrokerOutbox } from "../../engine/order/outbox/outbox.ts";
import type { PartitionOptions } from "../../engine/partition/options.ts";
import type { Brokerage, Brokerages } from "../../engine/ports/brokerage.ts";
import type { CommitLog, RowStore } from "../../engine/ports/log.ts";
import type { Row } from "../../engine/ports/storage.ts";
import { PartitionJournal } from "../../engine/store/journal/journal.ts";
import { encodePosition, POSITION_KEY, parsePosition } from "../../engine/store/log/position.ts";
import { PriceIndex } from "../../engine/watch/price-index.ts";
import { PartitionWatchbook } from "../../engine/watch/watchbook.ts";
import { findOut, replacing, SEEDS_MAX } from "./planting.ts";
import type { Plant } from "./world/life.ts";

function withBrokerages(change: (brokerage: Brokerage) => Brokerage): Plant {
  return {
    options: (options) => {
      const { brokerages } = options;
      const changed: Brokerages = {
        find: (code) => {
          const found = brokerages.find(code);
          return found === undefined ? undefined : change(found);
        },
        all: () => brokerages.all().map(change),
      };
      return { ...options, brokerages: changed };
    },
  };
}

describe("the simulation finds out", () => {
  test("acts that run before their batch is durable", async () => {
    const atOnce = () =>
      function afterDurable(this: PartitionJournal, act: () => void): void {
        queueMicrotask(act);
      };
    await replacing(PartitionJournal.prototype, "afterDurable", atOnce, () => findOut());
  });

  test("a log that acknowledges what it has not written", async () => {
    const lying = (log: CommitLog): CommitLog => {
      let told = log.lastSequence;
      let written = Promise.resolve();
      return {
        ...gateOf(log),
        get lastSequence() {
          return told;
        },
        append: async (expected, records) => {
          told = expected + records.length;
          written = written.then(() => log.append(expected, records));
        },
      };
    };
    await findOut(SEEDS_MAX, { log: lying });
  });

  test("a log that loses a record", async () => {
    const leaky = (log: CommitLog): CommitLog => ({
      ...gateOf(log),
      get lastSequence() {
        return log.lastSequence;
      },
      async *readFrom(sequence) {
        for await (const page of log.readFrom(sequence)) yield page.filter((record) => record.sequence % 7 !== 3);
      },
    });
    assert.match(await findOut(SEEDS_MAX, { log: leaky }), /the log lacks record/);
  });

  test("a log that is trimmed before the store holds what it held", async () => {
    const hasty = (log: CommitLog): CommitLog => ({
      ...gateOf(log),
      get lastSequence() {
        return log.lastSequence;
      },
      trim: () => log.trim(log.lastSequence ?? 0),
    });
    assert.match(await findOut(SEEDS_MAX, { log: hasty }), /not of one moment|log position before the record/);
  });

  test("a store that says it is synced when it is not", async () => {
    const lying = (rows: RowStore): RowStore => ({ ...gate(rows), sync: () => Promise.resolve() });
    await findOut(SEEDS_MAX, { rows: lying });
  });

  test("a store that says it has come further than it has", async () => {
    const ahead = (rows: RowStore): RowStore => ({
      ...gate(rows),
      writeUnsynced: (operations) =>
        rows.writeUnsynced(
          operations.map((row) =>
            row.type === "put" && row.key === POSITION_KEY
              ? { ...row, value: encodePosition((parsePosition(row.value) ?? 0) + 2) }
              : row,
          ),
        ),
    });
    await findOut(SEEDS_MAX, { rows: ahead });
  });

  test("an unknown outcome that is taken for a refusal, and sent again without a look-up", async () => {
    const forgetful = (brokerage: Brokerage): Brokerage => ({
      ...brokerage,
      place: async (request) => {
        const reply = await brokerage.place(request);
        return !reply.ok && reply.code === "UNAVAILABLE" ? { ...reply, code: "NOT_SENT" } : reply;
      },
    });
    await findOut(SEEDS_MAX, withBrokerages(forgetful));
  });

  test("a look-up whose NOT_FOUND is believed before it proves anything", async () => {
    const hasty = (brokerage: Brokerage): Brokerage => ({
      ...brokerage,
      settings: { ...brokerage.settings, settleMs: 1, expiryMs: 1 },
      // The fence would refuse what comes late.
      place: ({ fence: _fence, ...request }) => brokerage.place(request),
    });
    await findOut(SEEDS_MAX, withBrokerages(hasty));
  });

  test("an order that leaves without a record that it may have been sent", async () => {
    const unmarked = (original: PartitionJournal["replace"]) =>
      function replace(this: PartitionJournal, row: Row, value: Uint8Array | string): void {
        original.call(this, row, unmark(row.key, value));
      };
    const unmarkedNew = (original: PartitionJournal["insert"]) =>
      function insert(this: PartitionJournal, key: string, value: Uint8Array | string): Row {
        return original.call(this, key, unmark(key, value));
      };
    await replacing(PartitionJournal.prototype, "replace", unmarked, () =>
      replacing(PartitionJournal.prototype, "insert", unmarkedNew, () => findOut()),
    );
  });

  test("a recovery that skips the outbox", async () => {
    await replacing(
      BrokerOutbox.prototype,
      "recover",
      () => () => undefined,
      () => findOut(),
    );
  });

  test("take-profits that are not watched again after the stop-loss was refused", async () => {
    const armed = new WeakMap<PartitionWatchbook, Set<string>>();
    const onlyOnce = (original: PartitionWatchbook["arm"]) =>
      function arm(this: PartitionWatchbook, ...[owner, watch]: Parameters<PartitionWatchbook["arm"]>): void {
        const known = armed.get(this) ?? new Set();
        armed.set(this, known);
        if (!known.has(`${owner}/${watch.watch}`)) original.call(this, owner, watch);
        known.add(`${owner}/${watch.watch}`);
      };
    await replacing(PartitionWatchbook.prototype, "arm", onlyOnce, () => findOut());
  });

  test("a refused stop-loss that is sent once more with more than its take-profits left", async () => {
    const isSentReduced = /-r(\d+)-\1$/;
    const greedy = (brokerage: Brokerage): Brokerage => ({
      ...brokerage,
      place: (request) => {
        const isReduced = isSentReduced.test(request.clientOrderId);
        return brokerage.place(isReduced ? { ...request, quantity: request.quantity * 10 } : request);
      },
    });
    await findOut(300, withBrokerages(greedy), 1, 84);
  });

  test("an index that drops one entry in forty", async () => {
    let count = 0;
    const leaky = (original: PriceIndex["arm"]) =>
      function arm(this: PriceIndex, ...given: Parameters<PriceIndex["arm"]>): void {
        count += 1;
        if (count % 40 !== 0) original.apply(this, given);
      };
    await replacing(PriceIndex.prototype, "arm", leaky, () => findOut());
  });

  test("an index that keeps what a cancel took out", async () => {
    await replacing(
      PartitionWatchbook.prototype,
      "disarm",
      () => () => true,
      () => findOut(),
    );
  });

  test("due dates that wake nobody", async () => {
    await replacing(
      PartitionWatchbook.prototype,
      "setDeadline",
      () => () => undefined,
      () => findOut(),
    );
  });

  test("a stored tick position that is ahead of what was applied", async () => {
    await findOut(SEEDS_MAX, {
      options: (options) => ({
        ...options,
        feed: { ...options.feed, position: () => (options.feed.position() ?? 0) + 4 },
      }),
    });
  });

  test("caught-up ticks that fire rows which did not exist yet", async () => {
    const blind = (original: ActorHost["deliverReached"]) =>
      function deliverReached(this: ActorHost, ...[id, watches, reached]: Parameters<ActorHost["deliverReached"]>) {
        original.call(this, id, watches, { ...reached, isCaughtUp: false });
      };
    await replacing(ActorHost.prototype, "deliverReached", blind, () => findOut());
  });

  test("a claim that outlives its group", async () => {
    const keeping = (original: PartitionJournal["remove"]) =>
      function remove(this: PartitionJournal, row: Row | string): void {
        if (!(typeof row === "string" ? row : row.key).startsWith("c/")) original.call(this, row);
      };
    await replacing(PartitionJournal.prototype, "remove", keeping, () => findOut());
  });

  test("a view that falls behind its actor", async () => {
    let count = 0;
    const lazy = (original: PartitionJournal["replace"]) =>
      function replace(this: PartitionJournal, row: Row, value: Uint8Array | string): void {
        count += row.key.startsWith("v/") ? 1 : 0;
        if (!row.key.startsWith("v/") || count % 20 !== 0) original.call(this, row, value);
      };
    await replacing(PartitionJournal.prototype, "replace", lazy, () => findOut());
  });

  test("a row that is kept as another one than its key holds", async () => {
    const mistaken = (original: PartitionJournal["insert"]) =>
      function insert(this: PartitionJournal, key: string, value: Uint8Array | string): Row {
        const row = original.call(this, key, value);
        return key.startsWith("o/") ? this.rowOf(key, "another") : row;
      };
    const unchecked = { options: (options: PartitionOptions) => ({ ...options, areRowsChecked: false }) };
    const message = await replacing(PartitionJournal.prototype, "insert", mistaken, () =>
      findOut(SEEDS_MAX, unchecked),
    );
    assert.match(message, /lost or changed rows/);
  });

  test("a restart that reads a store with a hole", async () => {
    const holed = (rows: RowStore): RowStore => ({
      ...gate(rows),
      writeUnsynced: (operations) => rows.writeUnsynced(operations.filter(({ key }) => !key.startsWith("a/"))),
    });
    const unchecked = (options: PartitionOptions): PartitionOptions => ({ ...options, areRowsChecked: false });
    const message = await findOut(SEEDS_MAX, { rows: holed, options: unchecked });
    // A request for such a row may come before the restart.
    assert.match(message, /lost or changed rows|was not found/);
  });
});

function gate(rows: RowStore): RowStore {
  return {
    read: (key) => rows.read(key),
    scan: (range) => rows.scan(range),
    close: () => rows.close(),
    writeUnsynced: (operations) => rows.writeUnsynced(operations),
    sync: () => rows.sync(),
  };
}

function gateOf(log: CommitLog): Omit<CommitLog, "lastSequence"> {
  return {
    get firstSequence() {
      return log.firstSequence;
    },
    append: (sequence, records) => log.append(sequence, records),
    readFrom: (sequence) => log.readFrom(sequence),
    trim: (sequence) => log.trim(sequence),
    close: () => log.close(),
  };
}

/** An outbox entry as if it had never been attempted: no attempt, no time of one, no end of one. */
function unmark(key: string, value: Uint8Array | string): Uint8Array | string {
  if (!/^o\/\d/.test(key)) return value;
  const fields: readonly unknown[] = JSON.parse(Buffer.from(value).toString());
  return JSON.stringify(fields.toSpliced(4, 3, 0, null, null));
}
