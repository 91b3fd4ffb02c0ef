/** The stream that holds a log, as the log uses it: JetStream's form is `jetstream-log.ts`. Interfaces only. */

/** What is to be stored right after message `expectedSequence`, or not at all. */
export interface Appended {
  readonly expectedSequence: number;
  /** Names this append: however often it is sent it is stored once. */
  readonly id: string;
  readonly data: Uint8Array;
}

/** `wrong`: the stream does not end there, perhaps because an earlier sending of this very append was stored. */
export type AppendAnswer = { readonly sequence: number } | "wrong";

export interface StreamMessage {
  readonly sequence: number;
  readonly id: string;
  readonly data: Uint8Array;
  /** How many more there were when it was sent; undefined where that was not told. */
  readonly pending?: number;
}

export interface StreamState {
  readonly firstSequence: number;
  /** 0 where the stream never held anything. */
  readonly lastSequence: number;
  readonly byteCount: number;
}

/** All but `follow` are answered by the stream's leader alone, and reject where it is not known what became of them. */
export interface LogStream {
  readonly installation: string;
  /** 0, or the name of the restore with which this log began: a later one has a higher name. */
  readonly life: number;
  append(append: Appended): Promise<AppendAnswer>;
  /** Undefined where there is no such message. */
  read(sequence: number): Promise<StreamMessage | undefined>;
  state(): Promise<StreamState>;
  /**
   * Messages from `sequence` on, in order, for as long as nobody leaves the loop or aborts `signal`. A sequence may be
   * missing where the stream does not hold it any more.
   */
  follow(sequence: number, signal: AbortSignal): AsyncIterable<StreamMessage>;
  /** Removes all before `sequence`. */
  purge(sequence: number): Promise<void>;
}
