/**
 * Runs the handlers of one bus connection, alike in both forms.
 *
 * Owns: catching what handlers throw or reject, turning a responder's result into a reply, counting what is under way.
 * Does not own: where messages come from and how a reply travels.
 *
 * Invariants:
 * 1. Nothing a handler, a reply or the error listener does leaves these calls as a throw: in nats.js a throw inside a
 *    callback ends the reading loop and leaves a connection that is open and deaf.
 * 2. Every call of `answer` calls `reply` exactly once, unless the handler never settles.
 */
import type { BusErrorContext, BusErrorListener, BusMessage, BusStatus, Unsubscribe } from "./port.ts";

/** The outcome of a responder; the two failures carry no detail, so that no secret crosses the bus. */
export type ReplyOutcome =
  | { readonly kind: "data"; readonly data: Uint8Array }
  | { readonly kind: "tooLarge" }
  | { readonly kind: "failed" };

/** Counts running work and reports when it has ended. */
export class InFlight {
  #count = 0;
  #waiters: (() => void)[] = [];

  enter(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }

  /** Resolves as soon as nothing runs; immediately if nothing runs now. */
  whenIdle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
}

export class HandlerRunner {
  readonly inFlight = new InFlight();
  readonly #onError: BusErrorListener;

  constructor(onError: BusErrorListener) {
    this.#onError = onError;
  }

  /** Runs a subscription's handler. An `async` one is caught and waited for by a drain, too. */
  run(handler: (message: BusMessage) => void, message: BusMessage): void {
    try {
      const result: unknown = handler(message);
      if (!(result instanceof Promise)) return;
      this.inFlight.enter();
      // Read now: a message that is read in place is another one later.
      const { subject } = message;
      result
        .catch((error: unknown) => this.report(error, { what: "handler", subject }))
        .finally(() => this.inFlight.leave());
    } catch (error) {
      this.report(error, { what: "handler", subject: message.subject });
    }
  }

  /** Runs a responder's handler and hands its outcome to `reply`, once. */
  answer(
    handler: (message: BusMessage) => Promise<Uint8Array>,
    message: BusMessage,
    maxPayloadBytes: number,
    reply: (outcome: ReplyOutcome) => void,
  ): void {
    this.inFlight.enter();
    void this.#answer(handler, message, maxPayloadBytes, reply);
  }

  /** Calls the error listener. A listener that throws is a bug: it ends the process, but not from inside a callback. */
  report(error: unknown, context: BusErrorContext): void {
    try {
      this.#onError(error, context);
    } catch (listenerError) {
      queueMicrotask(() => {
        throw listenerError;
      });
    }
  }

  async #answer(
    handler: (message: BusMessage) => Promise<Uint8Array>,
    message: BusMessage,
    maxPayloadBytes: number,
    reply: (outcome: ReplyOutcome) => void,
  ): Promise<void> {
    let outcome: ReplyOutcome;
    try {
      const data = await handler(message);
      outcome =
        data.length <= maxPayloadBytes ? { kind: "data", data } : this.#tooLarge(data, message, maxPayloadBytes);
    } catch (error) {
      this.report(error, { what: "responder", subject: message.subject });
      outcome = { kind: "failed" };
    }
    try {
      reply(outcome);
    } catch (error) {
      this.report(error, { what: "reply", subject: message.subject });
    }
    this.inFlight.leave();
  }

  #tooLarge(data: Uint8Array, message: BusMessage, maxPayloadBytes: number): ReplyOutcome {
    const error = new Error(`reply of ${data.length} bytes is above the limit of ${maxPayloadBytes}`);
    this.report(error, { what: "reply", subject: message.subject });
    return { kind: "tooLarge" };
  }
}

/** Keeps the status of one connection and reports its changes. */
export class StatusBoard {
  readonly #runner: HandlerRunner;
  readonly #listeners = new Set<{ readonly tell: (status: BusStatus) => void }>();
  #status: BusStatus = "connected";

  constructor(runner: HandlerRunner) {
    this.#runner = runner;
  }

  get status(): BusStatus {
    return this.#status;
  }

  listen(listener: (status: BusStatus) => void): Unsubscribe {
    const entry = { tell: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** Changes the status. What a listener throws goes to the error listener. */
  change(status: BusStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    for (const listener of this.#listeners) {
      try {
        listener.tell(status);
      } catch (error) {
        this.#runner.report(error, { what: "connection" });
      }
    }
  }
}

/** The default error listener: errors appear as process warnings. */
export const warnOfError: BusErrorListener = (error, context) => {
  const where = context.subject === undefined ? context.what : `${context.what} of ${context.subject}`;
  process.emitWarning(`bus ${where}: ${error instanceof Error ? error.message : String(error)}`, "BusWarning");
};
