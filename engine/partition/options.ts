/** What a partition is given: its store, the world around it, and what only tests change. */

import type { ClusterStanding } from "../../src/contract/operator/cluster.ts";
import type { FeedStats } from "../../src/contract/operator/operator.ts";
import type { ExitPolicy } from "../../src/domain/oco/group.ts";
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
  /** Of the store as it is; it goes over to the partition. Absent: the store is read. */
  readonly memory?: PartitionIndex | undefined;
  /** Which leader of the partition acts: higher than every one before. 0, the default, where no other engine can lead. */
  readonly epoch?: number;
  /** The random name of this start: ten of a-z and 0-9. Orders of what is made from now on are called by it. */
  readonly life: string;
  /** What deadlines, armings and ticks are judged by. */
  readonly clock: Clock;
  /**
   * The engine's own clock, of which the feed hears with the head and connectors with an order that expires. Absent: the
   * same.
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
  /** `BASE_PRICE_GUARD_PERCENT` (behaviour 16.2); 0: no guard; absent: each exchange as the behaviour says. */
  readonly guardPercent?: number | undefined;
  readonly tickPosition: () => number | null;
  /** What is stored with the position; see the head record. Undefined: what it says stays. */
  readonly feedMemory?: () => Pick<Head, "tickStream" | "ticksRefusedSinceMs"> | undefined;
  /** Where the tick stream stands now, for what is armed now; absent, or null: not known. */
  readonly streamPlace?: () => StreamPlace | null;
  /**
   * True while ticks that were missed are being read back: neither the last price nor the clock may judge then what those
   * ticks judge first. Once they were given, `onCaughtUp` must be called. Absent where nothing is read back.
   */
  readonly isCatchingUp?: () => boolean;
  /** A level of this symbol was armed while that is true: it waits for ticks that come from now on. */
  readonly onArmedMeanwhile?: (symbol: string) => void;
  /** How the feed of this process stands; absent where there is none. */
  readonly feedStats?: () => FeedStats | undefined;
  /** What the memory of this process is made of; absent where nobody asks. */
  readonly processMemory?: () => ProcessMemory;
  /** The feed of this process, for alarms; absent where there is none. */
  readonly feedWatch?: FeedWatch;
  /** How long appends to its log take; absent where nobody times them. */
  readonly logAppends?: BucketCounts;
  /** How the partitions stand that engines share; absent where they share none. */
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
  /** How long what nobody waits for may wait; 0, the default, does everything at once. */
  readonly unhurriedMs?: number;
}
