/**
 * The stored ticks, as catching up sees them: jetstream.ts implements them over a NATS server.
 */

/** What the stream holds now. Sequences count from 1; an empty stream's first is one past its last. */
export interface TickStreamState {
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** It stores more than what is published under the subjects of ticks: its sequence says nothing of them. */
  readonly isShared: boolean;
  /** Tells one stream from another of the same name; one that lost its last messages keeps it (stream-identity.ts). */
  readonly created: string;
}

/** A message that was stored to learn where the stream stands. */
export interface EndPosition {
  readonly sequence: number;
  /** When it was stored, in epoch milliseconds of the server's clock; null where it could not be stored or looked at. */
  readonly timeMs: number | null;
}

/** The stream is there, but takes no message: full, sealed, without its subject, or with nobody who stores for it. */
export class StreamRefusal extends Error {
  override readonly name = "StreamRefusal";
}

export interface StoredTicks {
  readonly sequence: number;
  readonly subject: string;
  readonly data: Uint8Array;
  /** When the stream took it in, in epoch milliseconds of the server's clock. */
  readonly timeMs: number;
}

export interface TickRange {
  /** The first and the last sequence to read. */
  readonly from: number;
  readonly to: number;
}

/** Every call rejects when the server does not answer in time. Only `read` may ask another server than the stream's leader. */
export interface TickStream {
  /** Makes sure that the stream exists and is fit; `absent` when the server stores no streams at all. */
  open(): Promise<"ready" | "absent">;

  /** Rejects when there is no such stream: `open` makes it again. */
  state(): Promise<TickStreamState>;

  /** When the message of this sequence was stored, by the server's clock; undefined if it does not exist. */
  timeOf(sequence: number): Promise<number | undefined>;

  /** The first sequence of the range whose message is not older than `timeMs` of the server's clock; one past `to` if all are. */
  firstSince(range: TickRange, timeMs: number): Promise<number>;

  /** The first sequence from `from` on that holds a tick, not a mark or another message; undefined if none does. */
  firstTick(from: number): Promise<number | undefined>;

  /**
   * A sequence that everything published before this call is below or at. `onStored` runs when its message is known to be
   * stored. Rejects with `StreamRefusal` where the stream takes none.
   */
  findEnd(onStored: () => void): Promise<EndPosition>;

  /**
   * Gives every stored message of the range to `visit`, in order and without a gap. Rejects when `signal` is aborted,
   * when messages are lost on the way, and when no server that knows the end of the range answers: what was visited until
   * then stands.
   */
  read(range: TickRange, signal: AbortSignal, visit: (stored: StoredTicks) => void): Promise<void>;
}
