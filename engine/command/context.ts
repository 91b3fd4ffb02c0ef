/**
 * What a command may use, and how it decides.
 *
 * A handler may first ask slow things (a brokerage for accounts); then it decides, once, inside a turn: everything it
 * changes and its reply share one batch, and the reply leaves when that is durable.
 */
import type { z } from "zod";
import type { Reply } from "../../src/contract/command.ts";
import { describeIssue } from "../../src/contract/issue.ts";
import type { ExitPolicy } from "../../src/domain/oco/group.ts";
import { type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import type { FollowedOrder } from "../../src/machine/effect.ts";
import type { Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { Actors, OrderFollowers } from "../ports/actor.ts";
import type { Accounts, Brokerages, Holdings } from "../ports/brokerage.ts";
import type { EventReader, Events } from "../ports/event.ts";
import type { OperatedHolds, Operator } from "../ports/operator.ts";
import type { Foresight, Outbox, TradingStateTable } from "../ports/order.ts";
import type { Prices, Symbols } from "../ports/price.ts";
import type { DayBands, MeasureTable } from "../ports/reference.ts";
import type { Journal, Store } from "../ports/storage.ts";

export interface CommandContext {
  readonly partition: number;
  /** Which leader of the partition this is; 0 where only one engine can be. */
  readonly epoch: number;
  readonly partitions: number;
  readonly installation: string;
  /** What the order `name` of the row or command `id` is called at its brokerage. */
  readonly orderName: (id: number, name: string) => string;
  readonly clock: Clock;
  /** Never stepping, for waits. */
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly journal: Journal;
  readonly store: Store;
  readonly actors: Actors;
  readonly outbox: Outbox;
  readonly events: Events;
  readonly history: EventReader;
  readonly accounts: Accounts;
  readonly holdings: Holdings;
  readonly brokerages: Brokerages;
  readonly symbols: Symbols;
  readonly prices: Prices;
  /** Bytes fit for secrets. */
  readonly randomBytes: (byteCount: number) => Uint8Array;
  readonly log: Log;
  readonly hasOversellGuard: boolean;
  /** `EXIT_POLICY`: that of groups whose request names none (behaviour 14.1). */
  readonly exitPolicy: ExitPolicy;
  /** True while ticks that were missed are being read back: what was due by the clock may have been reached before. */
  readonly isCatchingUp: () => boolean;
  readonly operator: Operator;
  readonly holds: OperatedHolds;
  readonly bands: DayBands;
  readonly measures: MeasureTable;
  readonly tradingStates: TradingStateTable;
  readonly foresight: Foresight;
  /** Asks a brokerage for an order that is followed, out of its turn. */
  readonly followed: { askNow(order: FollowedOrder): void };
  /** Which actors follow orders of an account. */
  readonly watchbook: OrderFollowers;
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
  /**
   * Like `decideLater`, for a command of several parts: `work` gets the id of each part by its index, and returns for
   * each its reply, or undefined where `settle` will bring it. The command's reply is that of all of them together
   * (`batch.ts`), once every part has one; with an `Idempotency-Key` also after a restart.
   */
  decideParts(work: (partIdOf: (index: number) => string) => readonly (Reply | undefined)[]): Promise<Reply>;
}

interface CommandHandler<B> {
  readonly schema: z.ZodType<B>;
  readonly handle: (context: CommandContext, body: B, turn: CommandTurn) => Promise<Reply>;
}

/** A command of nobody who is logged in: what it may do follows from a secret in its body. It has no key. */
export type OpenCommandHandler = (
  context: CommandContext,
  body: unknown,
  /** Runs `work` in a turn of its own; resolves with its reply once all of it is durable. */
  decide: (work: () => Reply) => Promise<Reply>,
) => Promise<Reply>;

/** A handler that has checked its body itself. */
export type AnyCommandHandler = (context: CommandContext, body: unknown, turn: CommandTurn) => Promise<Reply>;

/** Puts the check of the body before the handler. Its promise is passed on as it is: one of our own would be three hops more. */
export function checked<B>(handler: CommandHandler<B>): AnyCommandHandler {
  return (context, body, turn) => {
    const parsed = handler.schema.safeParse(body);
    if (parsed.success) return handler.handle(context, parsed.data, turn);
    return Promise.resolve({ ok: false, code: "INVALID", message: describeIssue(parsed.error) });
  };
}

/**
 * Refuses a symbol that does not exist, or that is taken out of trading: nothing new begins with it, and what is there
 * already goes on. Undefined where it may be traded.
 */
export function refuseUnlessTraded({ symbols }: Pick<CommandContext, "symbols">, symbol: string): Refusal | undefined {
  if (!symbols.isKnown(symbol)) return refuse("INVALID", `symbol ${symbol} is not known`);
  if (!symbols.isActive(symbol)) return refuse("INVALID", `symbol ${symbol} is not active`);
  return undefined;
}

/** A domain result as a reply. */
export function replyOf<T>(result: Result<T>): Reply {
  return result.ok ? { ok: true, data: result.value } : result;
}

/** A command that is decided in one turn, by its body and its user alone. */
export function decidedBy<B>(
  schema: z.ZodType<B>,
  decide: (body: B, userId: number) => Result<unknown>,
): AnyCommandHandler {
  return checked({ schema, handle: (_context, body, turn) => turn.decide(() => replyOf(decide(body, turn.userId))) });
}

/** What a client is told who wants what only those prices may decide; `which`: "prices", or "prices of" a symbol. */
export function waitsForMissed(which: string): Refusal {
  return refuse("UNAVAILABLE", `${which} that were missed are being read back: ask again in a moment`);
}

/** What a client is told who wants to change something that is quarantined. */
export function waitsForOperator(what: string): Reply {
  return {
    ok: false,
    code: "UNAVAILABLE",
    message: `${what} is in quarantine after a fault and waits for an operator`,
  };
}
