/**
 * The context of a command, and how a command decides.
 *
 * A handler can first ask slow services (a brokerage for accounts). Then it decides, once, inside a turn: all its
 * changes and its reply share one batch, and the reply leaves once that is durable.
 */
import type { z } from "zod";
import type { Reply } from "../../src/contract/command.ts";
import { describeIssue } from "../../src/contract/issue.ts";
import { refuseFormerName } from "../../src/domain/market/rename.ts";
import type { ExitPolicy } from "../../src/domain/oco/group.ts";
import type { SellLedgerRule } from "../../src/domain/order/sell-ledger.ts";
import { type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import type { FollowedOrder } from "../../src/machine/effect.ts";
import type { KeyedMutex } from "../../src/runtime/keyed-mutex.ts";
import type { Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { Actors, OrderFollowers } from "../ports/actor.ts";
import type { Accounts, Brokerages, Holdings } from "../ports/brokerage.ts";
import type { EventReader, Events } from "../ports/event.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { OperatedActions, OperatedHolds, OperatedRenames, Operator } from "../ports/operator.ts";
import type { Foresight, LimitTable, Outbox, TradingStateTable } from "../ports/order.ts";
import type { Prices, Symbols } from "../ports/price.ts";
import type { DayBands, MeasureTable } from "../ports/reference.ts";
import type { Journal, Store } from "../ports/storage.ts";

export interface CommandContext {
  readonly partition: number;
  /** The number of this leader of the partition; 0 if only one engine is possible. */
  readonly epoch: number;
  readonly partitions: number;
  readonly installation: string;
  /** Returns the name at the brokerage of the order `name` of the row or command `id`. */
  readonly orderName: (id: number, name: string) => string;
  readonly clock: Clock;
  /** Never steps; for waits. */
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
  /** `EXIT_POLICY`: the policy of groups whose request names none (behaviour 14.1). */
  readonly exitPolicy: ExitPolicy;
  /** `SELL_LEDGER` (behaviour 26). */
  readonly sellLedger: SellLedgerRule;
  /** Requests of an account that its sell ledger judges, one after the other. */
  readonly judging: KeyedMutex;
  /** While missed ticks are being read back, an actor that is due by the clock may have been reached before. */
  readonly feed: Pick<PartitionFeed, "isCatchingUp">;
  readonly operator: Operator;
  readonly holds: OperatedHolds;
  readonly corporateActions: OperatedActions;
  readonly renames: OperatedRenames;
  readonly bands: DayBands;
  readonly measures: MeasureTable;
  readonly tradingStates: TradingStateTable;
  readonly limits: LimitTable;
  readonly foresight: Foresight;
  /** Looks up a followed order at its brokerage, out of its turn. */
  readonly followed: { askNow(order: FollowedOrder): void };
  /** Finds the actors that follow orders of an account. */
  readonly watchbook: OrderFollowers;
}

/** One command under way. */
export interface CommandTurn {
  readonly userId: number;
  /**
   * Runs `work` in a turn of its own, under load once no trigger waits; resolves with its reply once all of it is durable.
   * A reply to a command with an `Idempotency-Key` is stored in the same batch.
   */
  decide(work: () => Reply): Promise<Reply>;
  /**
   * Like `decide`, for a command whose reply comes later. `work` gets the id under which `settle` will deliver it, and
   * returns a refusal, or undefined to wait for the reply.
   */
  decideLater(work: (commandId: string) => Reply | undefined): Promise<Reply>;
  /**
   * Like `decideLater`, for a command of several parts. `work` gets the id of each part by its index, and returns for
   * each its reply, or undefined if `settle` will deliver it. The command's reply combines all of them (`batch.ts`)
   * once every part has one; with an `Idempotency-Key` also after a restart.
   */
  decideParts(work: (partIdOf: (index: number) => string) => readonly (Reply | undefined)[]): Promise<Reply>;
}

interface CommandHandler<B> {
  readonly schema: z.ZodType<B>;
  readonly handle: (context: CommandContext, body: B, turn: CommandTurn) => Promise<Reply>;
}

/** A command without a logged-in user: a secret in its body determines what it may do. It has no key. */
export type OpenCommandHandler = (
  context: CommandContext,
  body: unknown,
  /** Runs `work` in a turn of its own; resolves with its reply once all of it is durable. */
  decide: (work: () => Reply) => Promise<Reply>,
) => Promise<Reply>;

/** A handler that has checked its body itself. */
export type AnyCommandHandler = (context: CommandContext, body: unknown, turn: CommandTurn) => Promise<Reply>;

/** Checks the body before the handler. Returns the handler's own promise: another would cost three microtasks. */
export function checked<B>(handler: CommandHandler<B>): AnyCommandHandler {
  return (context, body, turn) => {
    const parsed = handler.schema.safeParse(body);
    if (parsed.success) return handler.handle(context, parsed.data, turn);
    return Promise.resolve({ ok: false, code: "INVALID", message: describeIssue(parsed.error) });
  };
}

/**
 * Refuses a symbol that does not exist, or that is taken out of trading: nothing new begins with it, and existing
 * objects continue. Undefined if it may be traded.
 */
export function refuseUnlessTraded({ symbols }: Pick<CommandContext, "symbols">, symbol: string): Refusal | undefined {
  const name = symbols.presentName(symbol);
  if (name !== symbol) return refuseFormerName({ from: symbol, to: name });
  if (!symbols.isKnown(symbol)) return refuse("INVALID", `symbol ${symbol} is not known`);
  if (!symbols.isActive(symbol)) return refuse("INVALID", `symbol ${symbol} is not active`);
  return undefined;
}

/**
 * In a turn: refuses for now new levels of a symbol whose levels follow a corporate action (behaviour 28.3) or a rename
 * (30.3), and levels under a former name. Undefined if they may be set.
 */
export function refuseWhileFollowing(
  { corporateActions, renames }: Pick<CommandContext, "corporateActions" | "renames">,
  symbol: string,
): Refusal | undefined {
  return renames.refusalFor(symbol) ?? corporateActions.refusalFor(symbol);
}

/** Converts a domain result to a reply. */
export function replyOf<T>(result: Result<T>): Reply {
  return result.ok ? { ok: true, data: result.value } : result;
}

/** Makes a command that is decided in one turn, by its body and its user alone. */
export function decidedBy<B>(
  schema: z.ZodType<B>,
  decide: (body: B, userId: number) => Result<unknown>,
): AnyCommandHandler {
  return checked({ schema, handle: (_context, body, turn) => turn.decide(() => replyOf(decide(body, turn.userId))) });
}

/** The refusal of a request that only missed prices can decide; `which`: "prices", or "prices of" a symbol. */
export function waitsForMissed(which: string): Refusal {
  return refuse("UNAVAILABLE", `${which} that were missed are being read back: ask again in a moment`);
}

/** The refusal of a change to a quarantined object. */
export function waitsForOperator(what: string): Reply {
  return {
    ok: false,
    code: "UNAVAILABLE",
    message: `${what} is in quarantine after a fault and waits for an operator`,
  };
}
