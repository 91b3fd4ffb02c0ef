/**
 * Where the history of events meets those who read it. Interfaces only.
 */

/** Events that were stored, for their users to read. */
export interface EventReader {
  /** Every event up to this sequence is durable. */
  readonly durableThrough: number;
  /** The user's events after the sequence, a page of them. */
  since(userId: number, after: number): Promise<EventSlice>;
}

export interface EventSlice {
  /** Oldest first, as they were published. */
  readonly events: readonly object[];
  /** The user has no other event up to here. */
  readonly through: number;
  /** False: there may be more after `through`. */
  readonly isLast: boolean;
  /** Events between where the page starts and this are gone; null: none. */
  readonly gapTo: number | null;
}

/** How long events are kept: until either is passed. */
export interface EventRetention {
  readonly ageMsMax: number;
  /** Counted in sequence numbers, of which some are none of events: a bound, not a promise. */
  readonly countMax: number;
}
