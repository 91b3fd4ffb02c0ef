/**
 * The command desk: takes envelopes, keeps `Idempotency-Key` promises, and brings replies once they are durable.
 *
 * Owns: the first answer to every key for 24 hours, commands that wait for a later reply.
 * Does not own: what a command means (its handler).
 *
 * Invariants:
 * 1. The reply to a keyed command is stored in the batch of what it did: a repeat after a crash gets the first answer.
 * 2. While the first is still running a repeat is refused; a repeat with another body is refused for ever.
 * 3. What came to nothing by a fault (unavailable, limited) is not stored: it may be tried again.
 */
import { z } from "zod";
import type { Envelope, Reply } from "../../src/contract/command.ts";
import { idempotencyKey, under } from "../keys.ts";
import type { Inbox } from "../ports.ts";
import type { AnyCommandHandler, CommandTurn, Desk } from "./desk.ts";

const KEEP_MS = 24 * 60 * 60 * 1000;

const storedSchema = z.strictObject({
  fingerprint: z.string(),
  atMs: z.number(),
  /** Null while the reply is still to come. */
  reply: z.custom<Reply>((value) => typeof value === "object").nullable(),
});
type Stored = z.infer<typeof storedSchema>;

export class CommandDesk {
  readonly #desk: Desk;
  readonly #handlers: ReadonlyMap<string, AnyCommandHandler>;
  readonly #inbox: Inbox;
  readonly #running = new Set<string>();
  readonly #waiting = new Map<string, (reply: Reply) => void>();

  constructor(desk: Desk, handlers: ReadonlyMap<string, AnyCommandHandler>, inbox: Inbox) {
    this.#desk = desk;
    this.#handlers = handlers;
    this.#inbox = inbox;
  }

  /** Handles one envelope. Never rejects for what a client sent; a rejection is a bug of ours. */
  async handle(envelope: Envelope): Promise<Reply> {
    const handler = this.#handlers.get(envelope.type);
    if (handler === undefined) return { ok: false, code: "INVALID", message: "unknown command" };
    if (envelope.userId === null) return { ok: false, code: "UNAUTHORIZED", message: "no user" };
    const { idempotency, userId } = envelope;
    if (idempotency === undefined) return handler(this.#desk, envelope.body, this.#turn(userId, undefined));
    const key = idempotencyKey(userId, idempotency.key);
    const first = this.#firstAnswer(key, idempotency.fingerprint);
    if (first !== undefined) return first;
    this.#running.add(key);
    try {
      const turn = this.#turn(userId, { key, fingerprint: idempotency.fingerprint });
      return await handler(this.#desk, envelope.body, turn);
    } finally {
      this.#running.delete(key);
    }
  }

  /** Within a turn: the reply that a command's order brought. Stored where the command had a key. */
  settle(commandId: string, reply: Reply): void {
    const { journal } = this.#desk;
    if (commandId.startsWith("i/")) {
      const bytes = journal.read(commandId);
      const stored = bytes === undefined ? undefined : decode(bytes);
      if (stored !== undefined) journal.put(commandId, JSON.stringify({ ...stored, reply }));
    }
    const resolve = this.#waiting.get(commandId);
    this.#waiting.delete(commandId);
    if (resolve !== undefined) journal.afterDurable(() => resolve(reply));
  }

  /** Forgets first answers older than 24 hours. */
  async prune(): Promise<void> {
    for await (const page of this.#desk.store.scan(under("i/"))) {
      this.#inbox.enqueue(() => {
        const now = this.#desk.clock.nowMs();
        for (const [key, bytes] of page) {
          const stored = decode(bytes);
          if (stored.reply !== null && now - stored.atMs > KEEP_MS) this.#desk.journal.remove(key);
        }
      });
    }
  }

  #firstAnswer(key: string, fingerprint: string): Reply | undefined {
    const bytes = this.#desk.journal.read(key);
    const stored = bytes === undefined ? undefined : decode(bytes);
    const isOld = stored !== undefined && this.#desk.clock.nowMs() - stored.atMs > KEEP_MS && stored.reply !== null;
    if (stored !== undefined && !isOld) {
      if (stored.fingerprint !== fingerprint) {
        return { ok: false, code: "UNPROCESSABLE", message: "Idempotency-Key was used with another request" };
      }
      if (stored.reply !== null) return stored.reply;
    }
    if (this.#running.has(key) || (stored !== undefined && !isOld)) {
      return { ok: false, code: "CONFLICT", message: "the first request with this Idempotency-Key is still running" };
    }
    return undefined;
  }

  #turn(userId: number, keyed: { readonly key: string; readonly fingerprint: string } | undefined): CommandTurn {
    const { journal, clock } = this.#desk;
    const store = (reply: Reply | null): void => {
      if (keyed === undefined || (reply !== null && !isFinal(reply))) return;
      const stored: Stored = { fingerprint: keyed.fingerprint, atMs: clock.nowMs(), reply };
      journal.put(keyed.key, JSON.stringify(stored));
    };
    return {
      userId,
      decide: (work) =>
        this.#inTurn((resolve) => {
          const reply = work();
          store(reply);
          journal.afterDurable(() => resolve(reply));
        }),
      decideLater: (work) =>
        this.#inTurn((resolve) => {
          const commandId = keyed?.key ?? `command-${journal.nextSequence()}`;
          const refusal = work(commandId);
          if (refusal !== undefined) {
            store(refusal);
            journal.afterDurable(() => resolve(refusal));
            return;
          }
          store(null);
          this.#waiting.set(commandId, resolve);
        }),
    };
  }

  #inTurn(work: (resolve: (reply: Reply) => void) => void): Promise<Reply> {
    return new Promise((resolve) => this.#inbox.enqueue(() => work(resolve)));
  }
}

function isFinal(reply: Reply): boolean {
  return reply.ok || (reply.code !== "UNAVAILABLE" && reply.code !== "LIMITED" && reply.code !== "INTERNAL");
}

function decode(bytes: Uint8Array): Stored {
  return storedSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
}
