/**
 * Requests over one NATS connection.
 *
 * Owns: the inbox for replies, pending requests, deadlines. Does not own: the connection, the content of a reply.
 *
 * nats.js has requests of its own: each that is answered costs it an error with its stack, two promises and a race.
 *
 * Invariants:
 * 1. A request settles once: with its reply, the server's refusal, its deadline or the end of the connection.
 * 2. A reply that is late, or that no request awaits, changes nothing.
 * 3. Nothing of a reply but its subject is read inside the callback of nats.js: what a stranger wrote may throw.
 */
import { createInbox, type Msg, type NatsConnection, nuid } from "nats";
import { type BusError, PermissionDeniedError, RequestTimeoutError } from "../port.ts";
import type { NatsFrames } from "./frames.ts";

/** What came back. One without headers was read in place. */
export type NatsReply = Pick<Msg, "data" | "headers">;

interface Pending {
  readonly subject: string;
  readonly resolve: (reply: NatsReply) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

export class NatsRequests {
  readonly #connection: NatsConnection;
  readonly #frames: NatsFrames;
  readonly #prefix = `${createInbox()}.`;
  readonly #pending = new Map<string, Pending>();
  /** The subscription of the inbox; undefined before it is asked for, and once it was refused. */
  #listening: number | undefined;

  constructor(connection: NatsConnection, frames: NatsFrames) {
    this.#connection = connection;
    this.#frames = frames;
  }

  /** Sends a request and takes the first message that comes back. Rejects with a `BusError` or what nats.js throws. */
  ask(subject: string, data: Uint8Array, timeoutMs: number): Promise<NatsReply> {
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

  /** The server forbade an operation on a subject: its pending requests fail. */
  onForbidden(operation: string, subject: string): void {
    if (operation === "publish") {
      for (const [token, pending] of this.#pending) {
        if (pending.subject !== subject) continue;
        this.#refuse(token, new PermissionDeniedError(subject));
        return;
      }
    } else if (subject.startsWith(this.#prefix)) {
      // Asked for again with the next request: permissions may change.
      if (this.#listening !== undefined) this.#frames.remove(this.#listening);
      this.#listening = undefined;
      for (const [token, pending] of [...this.#pending]) {
        this.#refuse(token, new PermissionDeniedError(pending.subject));
      }
    }
  }

  /** The connection is closed: no request is answered any more. */
  end(error: BusError): void {
    for (const token of [...this.#pending.keys()]) this.#refuse(token, error);
  }

  #listen(): void {
    if (this.#listening !== undefined) return;
    const subscription = this.#connection.subscribe(`${this.#prefix}*`, {
      // An error is the server's refusal of the inbox, which `onForbidden` receives, too.
      callback: (error, reply) => {
        if (error === null) this.#take(reply.subject, reply);
      },
    });
    this.#listening = subscription.getID();
    this.#frames.add(this.#listening, ({ subject, data }) => this.#take(subject, { data }));
  }

  #take(subject: string, reply: NatsReply): void {
    this.#settle(subject.slice(this.#prefix.length))?.resolve(reply);
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
