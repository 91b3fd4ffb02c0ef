/** The options of a partition: its store, its surroundings, and settings that only tests change. */

import type { ClusterStanding } from "../../src/contract/operator/cluster.ts";
import type { ExitPolicy } from "../../src/domain/oco/group.ts";
import type { SellLedgerRule } from "../../src/domain/order/sell-ledger.ts";
import type { BucketCounts } from "../../src/runtime/bucket-counts.ts";
import type { Clock, Fatal, Log, Timers } from "../../src/runtime/ports.ts";
import type { ProcessMemory } from "../../src/runtime/process-memory.ts";
import type { Brokerages } from "../ports/brokerage.ts";
import type { EventRetention } from "../ports/event.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { Symbols } from "../ports/price.ts";
import type { Store } from "../ports/storage.ts";
import type { Head } from "../store/journal/head.ts";
import type { PartitionIndex } from "./partition-index.ts";

export interface PartitionOptions {
  readonly store: Store;
  readonly head: Head;
  /** The index of the store as it is now; the partition takes it over. Absent: the store is read. */
  readonly memory?: PartitionIndex | undefined;
  /** The number of this leader, higher than every earlier one. 0, the default, if no other engine can lead. */
  readonly epoch?: number;
  /** The random name of this start: ten of a-z and 0-9. It is part of the names of orders of rows made from now on. */
  readonly life: string;
  /** The clock that judges deadlines, armings and ticks. */
  readonly clock: Clock;
  /**
   * The engine's own clock: the feed gets its time with the head, connectors with an expiring order. Absent: `clock`.
   */
  readonly ownClock?: Clock;
  /** Milliseconds since any moment, never stepping. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  /** Uniform in [0, 1): spreads retries. */
  readonly random: () => number;
  /** Bytes fit for secrets. */
  readonly randomBytes: (byteCount: number) => Uint8Array;
  readonly fatal: Fatal;
  readonly log: Log;
  readonly publish: (subject: string, data: Uint8Array) => void;
  readonly flush: () => Promise<void>;
  readonly brokerages: Brokerages;
  readonly feed: PartitionFeed;
  readonly symbols: Symbols;
  readonly hasOversellGuard: boolean;
  /** `EXIT_POLICY` (behaviour 14.1). */
  readonly exitPolicy: ExitPolicy;
  /** `SELL_LEDGER` (behaviour 26). */
  readonly sellLedger: SellLedgerRule;
  /** `BASE_PRICE_GUARD_PERCENT` (behaviour 16.2); 0: no guard; absent: each exchange has its percent of 16.2. */
  readonly guardPercent?: number | undefined;
  /** The parts of this process's memory; absent if they are not needed. */
  readonly processMemory?: () => ProcessMemory;
  /** The durations of appends to its log; absent if they are not measured. */
  readonly logAppends?: BucketCounts;
  /** The state of the partitions that engines share; absent if they share none. */
  readonly cluster?: () => ClusterStanding;
  readonly onDurable?: (head: Head) => void;
  /** For tests: see the journal. */
  readonly areRowsChecked?: boolean;
  /** For tests: see the journal. */
  readonly changesMax?: number;
  /** For tests, which start many partitions of few claims: see `ClaimFilter`. */
  readonly claimCounters?: number;
  /** How long events are kept for their users to read. Default: see event-history.ts. */
  readonly eventRetention?: EventRetention;
  /** How long work that no caller waits for may wait, in ms; 0, the default, does everything immediately. */
  readonly unhurriedMs?: number;
}
