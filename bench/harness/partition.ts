/**
 * A partition of the engine in this very process, over a real store and a brokerage that takes every order immediately.
 * For times that can only be measured from inside; everything else is measured on the engine's own process.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Partition, UNHURRIED_MS } from "../../engine/partition/partition.ts";
import type { Brokerage, Brokerages } from "../../engine/ports/brokerage.ts";
import type { Store } from "../../engine/ports/storage.ts";
import { type DataFolder, openDataFolder } from "../../engine/store/folder/data-folder.ts";
import { brokerageSettingsSchema } from "../../src/contract/trading/order.ts";
import { loopTimers, steadyClock, systemClock } from "../../src/runtime/clock.ts";
import { testFeed } from "../../test/support/world/test-feed.ts";
import { endNow, quietLog } from "./ending.ts";
import { eachInFlight } from "./load/in-flight.ts";
import { BROKERAGE, creationOf, type OwnedGroup } from "./load/owned-group.ts";

/** A brokerage without limits that answers every order in a microtask. */
function promptBrokerage(): Brokerage {
  let placed = 0;
  const notAsked = () => Promise.resolve({ ok: false, code: "NOT_FOUND", message: "" } as const);
  return {
    settings: brokerageSettingsSchema.parse({
      code: BROKERAGE,
      name: "Benchmark",
      adapter: "gateway",
      ordersPerMinute: 1_000_000_000,
    }),
    login: notAsked,
    accounts: ({ userId }) =>
      Promise.resolve({
        ok: true,
        data: [{ accountNumber: `A${userId}`, number: `N${userId}`, name: "", isActive: true, isDefault: true }],
      }),
    positions: notAsked,
    dailyOrders: notAsked,
    place: () => {
      placed += 1;
      return Promise.resolve({ ok: true, data: { orderNo: `B${placed}`, orderStatus: 2 } });
    },
    chain: notAsked,
    cancel: notAsked,
    findOrder: notAsked,
    onUpdate: () => () => undefined,
    close: () => Promise.resolve(),
  };
}

export interface OpenedPartition {
  readonly partition: Partition;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/**
 * Opens a partition in a temporary folder and starts it. `around` can watch the batches that pass to the store;
 * `openFolder`: opens the folder's log, by default a log in a file.
 */
export async function openPartition(
  around: (store: Store) => Store = (store) => store,
  openFolder: (path: string) => Promise<DataFolder> = openOwnFolder,
): Promise<OpenedPartition> {
  const path = mkdtempSync(join(tmpdir(), "trading-bench-"));
  const folder = await openFolder(path);
  const brokerage = promptBrokerage();
  const brokerages: Brokerages = {
    find: (code) => (code === BROKERAGE ? brokerage : undefined),
    all: () => [brokerage],
  };
  const partition = await Partition.recover({
    store: around(folder.store),
    head: folder.head,
    life: folder.head.installation,
    clock: systemClock,
    steadyClock,
    timers: loopTimers,
    random: Math.random,
    randomBytes: (byteCount) => new Uint8Array(byteCount),
    fatal: endNow,
    log: quietLog,
    publish: () => undefined,
    flush: () => Promise.resolve(),
    brokerages,
    // A position that never moves: a restart would read every tick back.
    feed: testFeed({ position: () => 0 }),
    symbols: {
      isKnown: () => true,
      isActive: () => true,
      tickTableOf: () => "BIST",
      zoneOf: () => "UTC",
      calendarOf: () => undefined,
      presentName: (symbol) => symbol,
      renames: () => [],
    },
    hasOversellGuard: false,
    exitPolicy: "untilSold",
    sellLedger: "warn",
    onDurable: ({ batch }) => folder.onDurable(batch, null),
    unhurriedMs: UNHURRIED_MS,
  });
  partition.start();
  return {
    partition,
    close: async () => {
      await partition.stop();
      await folder.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function openOwnFolder(folder: string): Promise<DataFolder> {
  return openDataFolder({
    folder,
    place: { partition: 0, partitions: 1 },
    clock: systemClock,
    timers: loopTimers,
    log: quietLog,
    fatal: endNow,
    installation: () => "benchmark0",
  });
}

/** Creates `count` groups through the engine's commands, `inFlight` at a time. Rejects at the first refused one. */
export function createGroups(
  partition: Partition,
  count: number,
  inFlight: number,
  groupAt: (index: number) => OwnedGroup,
): Promise<void> {
  return eachInFlight(count, inFlight, async (index) => {
    const reply = await partition.handleCommand(creationOf(groupAt(index)));
    if (!reply.ok) throw new Error(reply.message);
  });
}
