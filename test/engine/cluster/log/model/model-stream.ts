/** A log's stream in memory: what JetStream promises, and nothing more. Faults are asked for before each append. */
import type {
  AppendAnswer,
  Appended,
  LogStream,
  StreamMessage,
  StreamState,
} from "../../../../../engine/cluster/log/stream/log-stream.ts";

/**
 * The outcome of an append: `lost` on its way, `unanswered` though it is stored, or without an answer until it arrives.
 */
export type AppendFate = "stored" | "lost" | "unanswered" | { readonly arrival: Promise<void> };

export class ModelStream implements LogStream {
  readonly installation: string;
  readonly life: number;
  /** While true nothing is answered. */
  isAway = false;
  /** A repeat of an id within the window of duplicates gets the same answer. */
  readonly #byId = new Map<string, number>();
  readonly #fateOf: (append: Appended) => AppendFate | Promise<AppendFate>;
  #messages = new Map<number, StreamMessage>();
  #first: number;
  #last: number;
  #byteCount = 0;
  #waiting: (() => void)[] = [];

  constructor(
    fateOf: (append: Appended) => AppendFate | Promise<AppendFate> = () => "stored",
    { installation = "modelmodel", life = 0 }: Partial<Pick<LogStream, "installation" | "life">> = {},
  ) {
    this.#fateOf = fateOf;
    this.installation = installation;
    this.life = life;
    this.#first = Math.max(1, life);
    this.#last = this.#first - 1;
  }

  async append(append: Appended): Promise<AppendAnswer> {
    const fate = await this.#fateOf(append);
    if (typeof fate === "object") void fate.arrival.then(() => (this.isAway ? "wrong" : this.#take(append)));
    if (this.isAway || fate === "lost" || typeof fate === "object") throw new Error("no answer");
    const answer = this.#take(append);
    if (fate === "unanswered") throw new Error("no answer");
    return answer;
  }

  async read(sequence: number): Promise<StreamMessage | undefined> {
    this.#answer();
    return this.#messages.get(sequence);
  }

  async state(): Promise<StreamState> {
    this.#answer();
    return { firstSequence: this.#first, lastSequence: this.#last, byteCount: this.#byteCount };
  }

  async *follow(sequence: number, signal: AbortSignal): AsyncIterable<StreamMessage> {
    for (let next = sequence; !signal.aborted; ) {
      next = Math.max(next, this.#first);
      const message = this.isAway ? undefined : this.#messages.get(next);
      if (message === undefined) await this.#more(signal);
      else {
        next += 1;
        yield { ...message, pending: this.#last - message.sequence };
      }
    }
  }

  async purge(sequence: number): Promise<void> {
    this.#answer();
    for (; this.#first < sequence; this.#first += 1) this.#remove(this.#first);
  }

  /** Wakes the waiting readers. */
  wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  /** All stored messages. */
  get messages(): readonly StreamMessage[] {
    return [...this.#messages.values()];
  }

  /**
   * Loses acknowledged messages from `sequence` on, as a fault of the servers does; other bytes may take their place.
   */
  lose(sequence: number): void {
    for (; this.#last >= sequence; this.#last -= 1) this.#remove(this.#last);
  }

  damage(sequence: number): void {
    const message = this.#messages.get(sequence);
    if (message !== undefined) this.#messages.set(sequence, { ...message, data: Buffer.from("damaged") });
  }

  #take({ id, expectedSequence, data }: Appended): AppendAnswer {
    const stored = this.#byId.get(id);
    if (stored !== undefined) return { sequence: stored };
    if (expectedSequence !== this.#last) return "wrong";
    this.#last += 1;
    this.#byId.set(id, this.#last);
    this.#messages.set(this.#last, { sequence: this.#last, id, data: Uint8Array.from(data) });
    this.#byteCount += data.byteLength;
    this.wake();
    return { sequence: this.#last };
  }

  #remove(sequence: number): void {
    this.#byteCount -= this.#messages.get(sequence)?.data.byteLength ?? 0;
    this.#messages.delete(sequence);
  }

  #answer(): void {
    if (this.isAway) throw new Error("no answer");
  }

  #more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener("abort", go);
        resolve();
      };
      this.#waiting.push(go);
      signal.addEventListener("abort", go);
    });
  }
}
