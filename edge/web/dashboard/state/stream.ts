/**
 * The event stream: server-sent events over fetch, as an EventSource cannot carry a token.
 *
 * Owns: reading frames, resuming after a break. Does not own: what events mean.
 *
 * Invariant: after a break the stream resumes after the last event that was handed on: none is missed or given twice.
 */

import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import { type EventFrame, FrameReader } from "../../../../src/event/frames.ts";
import type { Session } from "./session.ts";

export type StreamState = "connecting" | "live" | "broken";

interface StreamOptions {
  readonly session: Session;
  readonly symbols: () => readonly string[];
  readonly onEvent: (event: ToldEvent) => void;
  readonly onState: (state: StreamState) => void;
  /** Called when a connection is live that resumes after no event: the changes before it must be read. */
  readonly onBegin: () => void;
}

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 10_000;
/** The service sends a heartbeat more often than this. */
const SILENCE_MS_MAX = 45_000;

export class EventStreamReader {
  readonly #options: StreamOptions;
  #lastEventId: string | undefined;
  #connection: AbortController | undefined;
  #retryMs = RETRY_MS_MIN;
  #isStopped = false;
  #isPaused = false;
  /** True: connects again once the position is known: events in between would otherwise be lost. */
  #isRestartDue = false;
  /** Ends a rest before its time. */
  #wake: () => void = () => undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#isPaused) {
        await this.#rest();
        continue;
      }
      this.#options.onState("connecting");
      const connection = new AbortController();
      this.#connection = connection;
      const wasAborted = await this.#read(connection).then(
        () => connection.signal.aborted,
        () => connection.signal.aborted,
      );
      if (this.#isStopped) return;
      if (wasAborted) continue;
      this.#options.onState("broken");
      await this.#rest(this.#retryMs);
      this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * 2);
    }
  }

  /** Connects again, for other symbols; resumes where it was. */
  restart(): void {
    if (this.#lastEventId === undefined) this.#isRestartDue = true;
    else this.#connection?.abort();
  }

  /** Connects again now: the connection may be dead without notice. Resumes where it was. */
  reconnect(): void {
    this.#retryMs = RETRY_MS_MIN;
    this.#connection?.abort();
    if (!this.#isPaused) this.#wake();
  }

  /** Gives the connection back until `resume`; then continues where it was. */
  pause(): void {
    this.#isPaused = true;
    this.#connection?.abort();
  }

  resume(): void {
    this.#isPaused = false;
    this.#wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#connection?.abort();
    this.#wake();
  }

  #rest(restMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = restMs === undefined ? undefined : setTimeout(resolve, restMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #read(connection: AbortController): Promise<void> {
    const { session, symbols, onState, onBegin } = this.#options;
    const wanted = symbols();
    this.#isRestartDue = false;
    const query = wanted.length === 0 ? "" : `?prices=${wanted.join(",")}`;
    const headers: Record<string, string> =
      this.#lastEventId === undefined ? {} : { "last-event-id": this.#lastEventId };
    const response = await session.fetch(`/api/v1/events${query}`, { headers, signal: connection.signal });
    if (response.status === 400 && (await response.text()).includes("Last-Event-ID")) {
      // The service no longer knows the position: start over.
      this.#lastEventId = undefined;
      this.#options.onEvent({ type: "gap" });
    }
    if (!response.ok || response.body === null) throw new Error(`the stream was answered with ${response.status}`);
    this.#retryMs = RETRY_MS_MIN;
    onState("live");
    if (this.#lastEventId === undefined) onBegin();
    await this.#readFrames(response.body, connection);
  }

  async #readFrames(body: ReadableStream<Uint8Array>, connection: AbortController): Promise<void> {
    let silence: ReturnType<typeof setTimeout> | undefined;
    let isSilent = false;
    const expectMore = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        isSilent = true;
        void reader.cancel();
      }, SILENCE_MS_MAX);
    };
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const frames = new FrameReader();
    expectMore();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || isSilent || connection.signal.aborted) return;
        expectMore();
        for (const frame of frames.take(decoder.decode(value, { stream: true }))) this.#take(frame);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  #take({ id, data, retryMs }: EventFrame): void {
    // The service spreads clients that come back together after a break.
    if (retryMs !== undefined) this.#retryMs = retryMs;
    if (data !== undefined) this.#options.onEvent(JSON.parse(data) as ToldEvent);
    if (id === undefined) return;
    this.#lastEventId = id;
    if (this.#isRestartDue) this.#connection?.abort();
  }
}
