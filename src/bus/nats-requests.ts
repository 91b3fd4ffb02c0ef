/**
 * Requests over one NATS connection.
 *
 * Owns: the inbox for replies, who waits for which, deadlines. Does not own: the connection, what a reply says.
 *
 * nats.js has requests of its own: each that is answered costs it an error with its stack, two promises and a race.
 *
 * Invariants:
 * 1. A request settles once: with its reply, the server's refusal, its deadline or the end of the connection.
 * 2. A reply that comes late, or for nobody, changes nothing.
 */
import { createInbox, type Msg, type NatsConnection } from "nats";
import { type BusError, NoResponderError, PermissionDeniedError, RequestTimeoutError } from "./port.ts";

const NO_RESPONDERS = 503;

interface Pending {
  readonly subject: string;
  readonly resolve: (reply: Msg) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export class NatsRequests {
  readonly #connection: NatsConnection;
  readonly #prefix = `${createInbox()}.`;
  readonly #pending = new Map<string, Pending>();
  #lastToken = 0;
  #isListening = false;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  /** Sends a request and takes the first reply. Rejects with a `BusError`, or with what nats.js throws on publishing. */
  ask(subject: string, data: Uint8Array, timeoutMs: number): Promise<Msg> {
    this.#listen();
    this.#lastToken += 1;
    const token = String(this.#lastToken);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#refuse(token, new RequestTimeoutError(subject, timeoutMs)), timeoutMs);
      this.#pending.set(token, { subject, resolve, reject, timer });
      try {
        this.#connection.publish(subject, data, { reply: this.#prefix + token });
      } catch (error) {
        this.#refuse(token, error);
      }
    });
  }

  /** The server forbids an operation on a subject: who waits for it waits in vain. */
  forbid(operation: string, subject: string): void {
    if (operation !== "publish") {
      if (!subject.startsWith(this.#prefix)) return;
      // Asked for again with the next request: permissions may change.
      this.#isListening = false;
      for (const [token, pending] of [...this.#pending])
        this.#refuse(token, new PermissionDeniedError(pending.subject));
      return;
    }
    for (const [token, pending] of this.#pending) {
      if (pending.subject !== subject) continue;
      this.#refuse(token, new PermissionDeniedError(subject));
      return;
    }
  }

  /** The connection is closed: nobody is answered any more. */
  end(error: BusError): void {
    for (const token of [...this.#pending.keys()]) this.#refuse(token, error);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#connection.subscribe(`${this.#prefix}*`, {
      // An error is the server's refusal of the inbox, which `forbid` is told of, too.
      callback: (error, reply) => {
        if (error === null) this.#take(reply);
      },
    });
    this.#isListening = true;
  }

  #take(reply: Msg): void {
    const pending = this.#settle(reply.subject.slice(this.#prefix.length));
    if (pending === undefined) return;
    const isRefused = reply.data.length === 0 && reply.headers?.code === NO_RESPONDERS;
    if (isRefused) pending.reject(new NoResponderError(pending.subject));
    else pending.resolve(reply);
  }

  #refuse(token: string, error: unknown): void {
    this.#settle(token)?.reject(error);
  }

  #settle(token: string): Pending | undefined {
    const pending = this.#pending.get(token);
    if (pending === undefined) return undefined;
    this.#pending.delete(token);
    clearTimeout(pending.timer);
    return pending;
  }
}
