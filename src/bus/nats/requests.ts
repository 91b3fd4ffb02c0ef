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
 * 3. Nothing of a reply but its subject is read inside the callback of nats.js: what a stranger wrote may throw.
 */
import { createInbox, type Msg, type NatsConnection, nuid } from "nats";
import { type BusError, PermissionDeniedError, RequestTimeoutError } from "../port.ts";

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
  #isListening = false;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
  }

  /** Sends a request and takes the first message that comes back. Rejects with a `BusError` or what nats.js throws. */
  ask(subject: string, data: Uint8Array, timeoutMs: number): Promise<Msg> {
    const token = nuid.next();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#refuse(token, new RequestTimeoutError(subject, timeoutMs)), timeoutMs);
      this.#pending.set(token, { subject, resolve, reject, timer });
      try {
        this.#listen();
        this.#connection.publish(subject, data, { reply: this.#prefix + token });
      } catch (error) {
        this.#refuse(token, error);
      }
    });
  }

  /** The server said that an operation on a subject is forbidden: who waits for it waits in vain. */
  onForbidden(operation: string, subject: string): void {
    if (operation === "publish") {
      for (const [token, pending] of this.#pending) {
        if (pending.subject !== subject) continue;
        this.#refuse(token, new PermissionDeniedError(subject));
        return;
      }
    } else if (subject.startsWith(this.#prefix)) {
      // Asked for again with the next request: permissions may change.
      this.#isListening = false;
      for (const [token, pending] of [...this.#pending]) {
        this.#refuse(token, new PermissionDeniedError(pending.subject));
      }
    }
  }

  /** The connection is closed: nobody is answered any more. */
  end(error: BusError): void {
    for (const token of [...this.#pending.keys()]) this.#refuse(token, error);
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#connection.subscribe(`${this.#prefix}*`, {
      // An error is the server's refusal of the inbox, which `onForbidden` is told of, too.
      callback: (error, reply) => {
        if (error === null) this.#settle(reply.subject.slice(this.#prefix.length))?.resolve(reply);
      },
    });
    this.#isListening = true;
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
