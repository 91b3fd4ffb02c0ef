/** The feed as one partition sees it. Interfaces only. */
import type { FeedStats } from "../../src/contract/operator/operator.ts";
import type { FeedWatch, Prices } from "./price.ts";
import type { StreamPlace } from "./stream.ts";

/** The state kept over a restart in addition to the position. */
export interface FeedMemory {
  /** The stream, and which history of it, that the position refers to (stream-identity.ts); null if not known. */
  readonly tickStream: string | null;
  /** Since when the stream takes no ticks; null if it does. */
  readonly ticksRefusedSinceMs: number | null;
}

export interface PartitionFeed {
  readonly prices: Prices;
  /**
   * True while missed ticks are being read back. Neither the last price nor the clock may judge during that time: those
   * ticks do so first. Once they were delivered, the partition's `onCaughtUp` must be called.
   */
  isCatchingUp(): boolean;
  /** A level of this symbol was armed during that time: it waits for ticks that arrive from now on. */
  onArmedMeanwhile(symbol: string): void;
  /** Up to which place of the stream this partition was given all ticks; null while it is not known. */
  position(): number | null;
  /** The state to store with the position; undefined: the stored state remains. */
  memory(): FeedMemory | undefined;
  /** The present place in the tick stream, for levels that are armed now; null: not known. */
  place(): StreamPlace | null;
  /** Undefined without a feed. */
  stats(): FeedStats | undefined;
  /** For alarms; undefined without a feed. */
  readonly watch: FeedWatch | undefined;
}
