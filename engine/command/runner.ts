/**
 * The command runner: takes envelopes, keeps `Idempotency-Key` promises, and returns replies once they are durable.
 *
 * Owns: the first answer to every key for 24 hours, commands that wait for a later reply or for the replies of parts.
 * Does not own: the meaning of a command (its handler).
 *
 * Invariants:
 * 1. The reply to a keyed command is stored in the batch of its changes: a repeat after a crash gets the first answer.
 * 2. While the first command is still running a repeat is refused. A repeat with another body is refused for 24 hours.
 * 3. A command that failed by a fault (unavailable, limited, internal) is not stored: it can be tried again.
 */
import { z } from "zod";
import type { Envelope, Reply } from "../../src/contract/command.ts";
import type { RequestInbox } from "../ports/actor.ts";
import { idempotencyKey } from "../table/keys.ts";
import { TABLES } from "../table/tables.ts";
import { isWorthKeeping, type Parts, partId, readPartId, replyOfParts } from "./batch.ts";
import type { AnyCommandHandler, CommandContext, CommandTurn } from "./context.ts";

const KEEP_MS = 24 * 60 * 60 * 1000;

const replyRecord = z.custom<Reply>((value) => typeof value === "object").nullable();
const storedSchema = z.strictObject({
  fingerprint: z.string(),
  atMs: z.number(),
  /** Null until the reply arrives. */
  reply: replyRecord,
  /** Of a command of several parts: the replies so far. */
  parts: z.array(replyRecord).exactOptional(),
});
type Stored = z.infer<typeof storedSchema>;

const STOPPING: Reply = {
  ok: false,
  code: "UNAVAILABLE",
  message: "the engine is stopping; the outcome is not known yet: repeat with the same Idempotency-Key, or look it up",
};

/** The key of a command's stored first answer, and the fingerprint of its request. */
interface Keyed {
  readonly key: string;
  readonly fingerprint: string;
}

export class CommandRunner {
  readonly #context: CommandContext;
  readonly #handlers: ReadonlyMap<string, AnyCommandHandler>;
  readonly #inbox: RequestInbox;
  readonly #running = new Set<string>();
  readonly #waiting = new Map<string, (reply: Reply) => void>();
  /** Parts of commands without a key: no client waits for them after a restart. */
  readonly #parts = new Map<string, Parts>();

  constructor(context: CommandContext, handlers: ReadonlyMap<string, AnyCommandHandler>, inbox: RequestInbox) {
    this.#context = context;
    this.#handlers = handlers;
    this.#inbox = inbox;
  }

  /** Handles one envelope. Never rejects because of a client's input; a rejection is our own bug. */
  handle({ type, userId, body, idempotency }: Envelope): Promise<Reply> {
    const handler = this.#handlers.get(type);
    if (handler === undefined) return Promise.resolve({ ok: false, code: "INVALID", message: "unknown command" });
    if (userId === null) return Promise.resolve({ ok: false, code: "UNAUTHORIZED", message: "no user" });
    if (idempotency === undefined) return handler(this.#context, body, this.#turn(userId, undefined));
    const { fingerprint } = idempotency;
    return this.#handleKeyed(handler, userId, body, { key: idempotencyKey(userId, idempotency.key), fingerprint });
  }

  async #handleKeyed(handler: AnyCommandHandler, userId: number, body: unknown, keyed: Keyed): Promise<Reply> {
    const { key, fingerprint } = keyed;
    const first = this.#firstAnswer(key, fingerprint);
    if (first !== undefined) return this.#onceDurable(first);
    this.#running.add(key);
    try {
      return await handler(this.#context, body, this.#turn(userId, keyed));
    } finally {
      this.#running.delete(key);
    }
  }

  /**
   * In a turn: takes the reply of an order of a command, by the id of the command or of its part. It is stored if the
   * command had a key.
   */
  settle(commandId: string, reply: Reply): void {
    const part = readPartId(commandId);
    if (part === undefined) this.#conclude(commandId, reply, isFinal(reply));
    else this.#settlePart(part.commandId, part.index, reply);
  }

  /**
   * Answers all clients that still wait for an order's outcome: it is not known yet. The order continues at the next
   * start, and its key then gets its first answer.
   */
  stop(): void {
    for (const resolve of this.#waiting.values()) resolve(STOPPING);
    this.#waiting.clear();
  }

  #settlePart(commandId: string, index: number, reply: Reply): void {
    const stored = this.#stored(commandId);
    const known = isKeyed(commandId) ? stored?.parts : this.#parts.get(commandId);
    if (known === undefined) return;
    const parts = known.with(index, reply);
    const whole = replyOfParts(parts);
    if (whole !== undefined) this.#conclude(commandId, whole, isWorthKeeping(parts, isFinal));
    else if (stored === undefined) this.#parts.set(commandId, parts);
    else this.#context.journal.put(commandId, JSON.stringify({ ...stored, parts } satisfies Stored));
  }

  #conclude(commandId: string, reply: Reply, isKept: boolean): void {
    const { journal } = this.#context;
    const stored = this.#stored(commandId);
    if (stored !== undefined) {
      const { fingerprint, atMs } = stored;
      if (isKept) journal.put(commandId, JSON.stringify({ fingerprint, atMs, reply } satisfies Stored));
      else journal.remove(commandId);
    }
    this.#parts.delete(commandId);
    const resolve = this.#waiting.get(commandId);
    this.#waiting.delete(commandId);
    if (resolve !== undefined) journal.afterDurable(() => resolve(reply));
  }

  #stored(commandId: string): Stored | undefined {
    const bytes = isKeyed(commandId) ? this.#context.journal.read(commandId) : undefined;
    return bytes === undefined ? undefined : decode(bytes);
  }

  /** Forgets first answers older than 24 hours. */
  async prune(): Promise<void> {
    for await (const page of this.#context.store.scan(TABLES.firstAnswers.range)) {
      this.#inbox.enqueue(() => {
        const now = this.#context.clock.nowMs();
        const isOld = ({ reply, atMs }: Stored): boolean => reply !== null && now - atMs > KEEP_MS;
        for (const [key, bytes] of page) {
          if (!isOld(decode(bytes))) continue;
          // A key of that age may have been used again since the page was read.
          const stored = this.#stored(key);
          if (stored !== undefined && isOld(stored)) this.#context.journal.remove(key);
        }
      });
    }
  }

  /** The changes of the first answer may still be on their way to the disk. */
  #onceDurable(reply: Reply): Promise<Reply> {
    return new Promise((resolve) => this.#context.journal.afterDurable(() => resolve(reply)));
  }

  #firstAnswer(key: string, fingerprint: string): Reply | undefined {
    const bytes = this.#context.journal.read(key);
    const stored = bytes === undefined ? undefined : decode(bytes);
    const isOld = stored !== undefined && this.#context.clock.nowMs() - stored.atMs > KEEP_MS && stored.reply !== null;
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

  #turn(userId: number, keyed: Keyed | undefined): CommandTurn {
    return turnOf(
      userId,
      (work) => this.#decide(keyed, work),
      (work) => this.#decideLater(keyed, work),
      (work) => this.#decideParts(keyed, work),
    );
  }

  #decide(keyed: Keyed | undefined, work: () => Reply): Promise<Reply> {
    return this.#inTurn((resolve) => {
      const reply = work();
      this.#store(keyed, reply);
      this.#context.journal.afterDurable(() => resolve(reply));
    });
  }

  #decideLater(keyed: Keyed | undefined, work: (commandId: string) => Reply | undefined): Promise<Reply> {
    return this.#inTurn((resolve) => {
      const commandId = this.#newCommandId(keyed);
      const refusal = work(commandId);
      if (refusal !== undefined) {
        this.#store(keyed, refusal);
        this.#context.journal.afterDurable(() => resolve(refusal));
        return;
      }
      this.#store(keyed, null);
      this.#waiting.set(commandId, resolve);
    });
  }

  #decideParts(keyed: Keyed | undefined, work: Parameters<CommandTurn["decideParts"]>[0]): Promise<Reply> {
    return this.#inTurn((resolve) => {
      const commandId = this.#newCommandId(keyed);
      const parts = work((index) => partId(commandId, index)).map((reply) => reply ?? null);
      const whole = replyOfParts(parts);
      if (whole !== undefined) {
        if (isWorthKeeping(parts, isFinal)) this.#store(keyed, whole);
        this.#context.journal.afterDurable(() => resolve(whole));
        return;
      }
      this.#store(keyed, null, parts);
      if (keyed === undefined) this.#parts.set(commandId, parts);
      this.#waiting.set(commandId, resolve);
    });
  }

  #store(keyed: Keyed | undefined, reply: Reply | null, parts?: Parts): void {
    if (keyed === undefined || (reply !== null && !isFinal(reply))) return;
    const { journal, clock } = this.#context;
    const stored: Stored = { fingerprint: keyed.fingerprint, atMs: clock.nowMs(), reply };
    journal.put(keyed.key, JSON.stringify(parts === undefined ? stored : { ...stored, parts: [...parts] }));
  }

  #newCommandId(keyed: Keyed | undefined): string {
    return keyed?.key ?? `command-${this.#context.journal.nextSequence()}`;
  }

  #inTurn(work: (resolve: (reply: Reply) => void) => void): Promise<Reply> {
    return new Promise((resolve) => {
      if (!this.#inbox.enqueueRequest(() => work(resolve))) resolve(STOPPING);
    });
  }
}

/**
 * Takes the functions as arguments because tsx (by esbuild's `keepNames`) defines the name of each closure that gets a
 * name where it is made: three of them cost a command two microseconds.
 */
function turnOf(
  userId: number,
  decide: CommandTurn["decide"],
  decideLater: CommandTurn["decideLater"],
  decideParts: CommandTurn["decideParts"],
): CommandTurn {
  return { userId, decide, decideLater, decideParts };
}

/** Whether a command's id is the key of its stored first answer. */
function isKeyed(commandId: string): boolean {
  return TABLES.firstAnswers.holds(commandId);
}

function isFinal(reply: Reply): boolean {
  return reply.ok || (reply.code !== "UNAVAILABLE" && reply.code !== "LIMITED" && reply.code !== "INTERNAL");
}

function decode(bytes: Uint8Array): Stored {
  return storedSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
}
