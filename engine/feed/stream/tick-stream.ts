/** The stored ticks, as catching up uses them: jetstream.ts implements them over a NATS server. */

/** The contents of the stream now. Sequences count from 1; an empty stream's first is one past its last. */
export interface TickStreamState {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** It also stores messages outside of the subjects of ticks: its sequence does not count ticks. */
  readonly isShared: boolean;
  /** Distinguishes streams of the same name; a stream that lost its last messages keeps it (stream-identity.ts). */
  readonly created: string;
}

/** A message that was stored to learn the end of the stream. */
export interface EndPosition {
  readonly sequence: number;
  /** When it was stored, in epoch milliseconds of the server's clock; null if it could not be stored or read. */
  readonly timeMs: number | null;
}

/**
 * The stream exists, but takes no message: full, sealed, without its subject, or without a server that stores for it.
 */
export class StreamRefusal extends Error {
  override readonly name = "StreamRefusal";
}

export interface StoredTicks {
  readonly sequence: number;
  readonly subject: string;
  readonly data: Uint8Array;
  /** When the stream stored it, in epoch milliseconds of the server's clock. */
  readonly timeMs: number;
}

export interface TickRange {
  /** The first and the last sequence to read. */
  readonly from: number;
  readonly to: number;
}

/**
 * The client of the stored ticks. Every call rejects if the server does not answer in time. Only `read` can ask another
 * server than the stream's leader.
 */
export interface TickStream {
  /** Makes sure that the stream exists and is usable; `absent` if the server stores no streams at all. */
  open(): Promise<"ready" | "absent">;

  /** Rejects if the stream does not exist: `open` makes it again. */
  state(): Promise<TickStreamState>;

  /** When the message of this sequence was stored, by the server's clock; undefined if it does not exist. */
  timeOf(sequence: number): Promise<number | undefined>;

  /** The first sequence of the range whose message is not older than `timeMs` of the server's clock; one past `to` if all are. */
  firstSince(range: TickRange, timeMs: number): Promise<number>;

  /** The first sequence from `from` that holds a tick, not a mark or another message; undefined if none does. */
  firstTick(from: number): Promise<number | undefined>;

  /**
   * Returns a sequence that is not below any message published before this call. `onStored` runs when its message is
   * known to be stored. Rejects with `StreamRefusal` if the stream takes none.
   */
  findEnd(onStored: () => void): Promise<EndPosition>;

  /**
   * Passes every stored message of the range to `visit`, in order and without a gap. Rejects when `signal` is aborted,
   * when messages are lost in transit, and when no server that knows the end of the range answers. The messages visited
   * until then remain valid.
   */
  read(range: TickRange, signal: AbortSignal, visit: (stored: StoredTicks) => void): Promise<void>;
}
