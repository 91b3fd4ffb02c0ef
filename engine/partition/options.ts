/** The options of a partition: its store, its surroundings, and settings that only tests change. */

import type { ClusterStanding } from "../../src/contract/operator/cluster.ts";
import type { FeedStats } from "../../src/contract/operator/operator.ts";
import type { ExitPolicy } from "../../src/domain/oco/group.ts";
import type { SellLedgerRule } from "../../src/domain/order/sell-ledger.ts";
import type { BucketCounts } from "../../src/runtime/bucket-counts.ts";
import type { Clock, Fatal, Log, Timers } from "../../src/runtime/ports.ts";
import type { ProcessMemory } from "../../src/runtime/process-memory.ts";
import type { Brokerages } from "../ports/brokerage.ts";
import type { EventRetention } from "../ports/event.ts";
import type { FeedWatch, Prices, Symbols } from "../ports/price.ts";
import type { Store } from "../ports/storage.ts";
import type { StreamPlace } from "../ports/stream.ts";
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
  readonly prices: Prices;
  readonly symbols: Symbols;
  readonly hasOversellGuard: boolean;
  /** `EXIT_POLICY` (behaviour 14.1). */
  readonly exitPolicy: ExitPolicy;
  /** `SELL_LEDGER` (behaviour 26). */
  readonly sellLedger: SellLedgerRule;
  /** `BASE_PRICE_GUARD_PERCENT` (behaviour 16.2); 0: no guard; absent: each exchange has its percent of 16.2. */
  readonly guardPercent?: number | undefined;
  readonly tickPosition: () => number | null;
  /** The feed's state to store with the position; see the head record. Undefined: the head record keeps its state. */
  readonly feedMemory?: () => Pick<Head, "tickStream" | "ticksRefusedSinceMs"> | undefined;
  /** The present place in the tick stream, for levels that are armed now; absent, or null: not known. */
  readonly streamPlace?: () => StreamPlace | null;
  /**
   * True while missed ticks are being read back. Neither the last price nor the clock may judge during that time: those
   * ticks do so first. Once they were delivered, `onCaughtUp` must be called. Absent if nothing is read back.
   */
  readonly isCatchingUp?: () => boolean;
  /** Called when a level of this symbol is armed during that time: it waits for ticks that arrive from now on. */
  readonly onArmedMeanwhile?: (symbol: string) => void;
  /** The state of the feed of this process; absent without a feed. */
  readonly feedStats?: () => FeedStats | undefined;
  /** The parts of this process's memory; absent if they are not needed. */
  readonly processMemory?: () => ProcessMemory;
  /** The feed of this process, for alarms; absent without a feed. */
  readonly feedWatch?: FeedWatch;
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
