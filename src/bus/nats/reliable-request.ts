/**
 * Requests to servers that come and go.
 *
 * Owns: the outcome of a request whose connection is lost, and repeating it before an answer is overdue. Does not own:
 * the question, how long an answer may take.
 *
 * Invariants:
 * 1. A pending request fails immediately when the connection is lost over which it was sent: no answer can arrive.
 * 2. Nothing is sent without a connection: nats.js would keep it, and throw it away with the next dial.
 */
import { Events, type NatsConnection } from "nats";
import type { Schedule } from "../../runtime/ports.ts";

interface AskTimers {
  readonly after: Schedule;
}

/** The outcome of the request is not known. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";

  constructor() {
    super("the connection to the nats-server was lost");
  }
}

export class Asking {
  static readonly #ofConnections = new WeakMap<NatsConnection, Asking>();
  #isLost = false;
  /** Listeners of the next change. Not promises that last: each would remember all that ever waited. */
  readonly #listeners = new Set<() => void>();

  private constructor(connection: NatsConnection) {
    void this.#watch(connection);
  }

  /** One a connection: what listens to a connection is never forgotten by nats.js. */
  static over(connection: NatsConnection): Asking {
    const found = Asking.#ofConnections.get(connection) ?? new Asking(connection);
    Asking.#ofConnections.set(connection, found);
    return found;
  }

  /** Asks as soon as there is a connection. Rejects where that takes longer than `withinMs`, and once it is lost. */
  async ask<Answer>(send: () => Promise<Answer>, timers: AskTimers, withinMs: number): Promise<Answer> {
    if (this.#isLost) await this.#whenFound(timers, withinMs);
    return new Promise((resolve, reject) => {
      const lose = (): void => reject(new ConnectionLost());
      this.#listeners.add(lose);
      send()
        .then(resolve, reject)
        .finally(() => this.#listeners.delete(lose));
    });
  }

  #whenFound(timers: AskTimers, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = timers.after(withinMs, () => {
        this.#listeners.delete(go);
        reject(new ConnectionLost());
      });
      const go = (): void => {
        cancel();
        this.#listeners.delete(go);
        resolve();
      };
      this.#listeners.add(go);
    });
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type !== Events.Disconnect && type !== Events.Reconnect) continue;
      this.#isLost = type === Events.Disconnect;
      for (const tell of [...this.#listeners]) tell();
    }
  }
}

/**
 * Asks every `everyMs` until the first answer or failure of any of them: the answering server may have been elected a
 * moment after the question. Only for questions that may be asked twice.
 */
export function askAgain<Answer>(ask: () => Promise<Answer>, timers: AskTimers, everyMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      cancel();
    };
    const one = (): void => {
      if (isOver) return;
      ask().then(resolve, reject).finally(end);
      cancel = timers.after(everyMs, one);
    };
    one();
  });
}
