/**
 * What a command may use, and how it decides.
 *
 * A handler may first ask slow things (a brokerage for accounts); then it decides, once, inside a turn: everything it
 * changes and its reply share one batch, and the reply leaves when that is durable.
 */
import type { z } from "zod";
import type { Reply } from "../../src/contract/command.ts";
import type { Result } from "../../src/domain/refusal.ts";
import type { Accounts, Actors, Brokerages, Clock, Events, Journal, Log, Outbox, Store, Symbols } from "../ports.ts";

export interface Desk {
  readonly partitions: number;
  readonly installation: string;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly store: Store;
  readonly actors: Actors;
  readonly outbox: Outbox;
  readonly events: Events;
  readonly accounts: Accounts;
  readonly brokerages: Brokerages;
  readonly symbols: Symbols;
  readonly log: Log;
  readonly hasOversellGuard: boolean;
}

/** One command under way. */
export interface CommandTurn {
  readonly userId: number;
  /**
   * Runs `work` in a turn of its own, in arrival order with ticks; resolves with its reply once all of it is durable.
   * A reply to a command with an `Idempotency-Key` is stored in the same batch.
   */
  decide(work: () => Reply): Promise<Reply>;
  /**
   * Like `decide`, for a command whose reply comes later: `work` gets the id under which `settle` will bring it and
   * returns a refusal, or undefined when the reply is to be waited for.
   */
  decideLater(work: (commandId: string) => Reply | undefined): Promise<Reply>;
}

export interface CommandHandler<B> {
  readonly schema: z.ZodType<B>;
  readonly handle: (desk: Desk, body: B, turn: CommandTurn) => Promise<Reply>;
}

/** A handler that has checked its body itself. */
export type AnyCommandHandler = (desk: Desk, body: unknown, turn: CommandTurn) => Promise<Reply>;

/** Puts the check of the body before the handler. */
export function checked<B>(handler: CommandHandler<B>): AnyCommandHandler {
  return async (desk, body, turn) => {
    const parsed = handler.schema.safeParse(body);
    if (!parsed.success) return { ok: false, code: "INVALID", message: describeIssue(parsed.error) };
    return handler.handle(desk, parsed.data, turn);
  };
}

/** The first thing wrong with a body, naming the field and the rule. */
export function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return "the body is not valid";
  const field = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return `${field.replace(/^\./, "") || "body"}: ${issue.message}`;
}

/** A domain result as a reply. */
export function replyOf<T>(result: Result<T>): Reply {
  return result.ok ? { ok: true, data: result.value } : result;
}
