/** The stream that holds a log, as the log uses it: `jetstream-log.ts` is the JetStream form. Interfaces only. */

/** A message to store right after message `expectedSequence`, or not at all. */
export interface Appended {
  readonly expectedSequence: number;
  /** The id of this append: however often it is sent, it is stored once. */
  readonly id: string;
  readonly data: Uint8Array;
}

/**
 * `wrong`: the stream does not end at that place, perhaps because an earlier sending of this same append was stored.
 */
export type AppendAnswer = { readonly sequence: number } | "wrong";

export interface StreamMessage {
  readonly sequence: number;
  readonly id: string;
  readonly data: Uint8Array;
  /** How many more messages existed when it was sent; undefined if that was not reported. */
  readonly pending?: number;
}

export interface StreamState {
  readonly firstSequence: number;
  /** 0 if the stream never held a message. */
  readonly lastSequence: number;
  readonly byteCount: number;
}

/** Only the stream's leader answers these, except `follow`. They reject if the outcome is not known. */
export interface LogStream {
  readonly installation: string;
  /** 0, or the name of the restore with which this log began: a later restore has a higher name. */
  readonly life: number;
  append(append: Appended): Promise<AppendAnswer>;
  /** Undefined if no such message exists. */
  read(sequence: number): Promise<StreamMessage | undefined>;
  state(): Promise<StreamState>;
  /**
   * Yields messages from `sequence`, in order, until the caller leaves the loop or aborts `signal`. A sequence is
   * missing if the stream no longer holds it.
   */
  follow(sequence: number, signal: AbortSignal): AsyncIterable<StreamMessage>;
  /** Removes all messages before `sequence`. */
  purge(sequence: number): Promise<void>;
}
