/**
 * The context of a query, and the check of its body. A query changes nothing and never waits for a turn.
 */
import type { z } from "zod";
import type { Reply } from "../../src/contract/command.ts";
import { describeIssue } from "../../src/contract/issue.ts";
import type { Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { Actors, OrderFollowers } from "../ports/actor.ts";
import type { Accounts, Brokerages, Holdings } from "../ports/brokerage.ts";
import type { EventReader } from "../ports/event.ts";
import type { OperatedActions, OperatedHolds, Operator } from "../ports/operator.ts";
import type { Foresight, LimitTable, TradingStateTable } from "../ports/order.ts";
import type { Prices, Symbols } from "../ports/price.ts";
import type { DayBands, MeasureTable } from "../ports/reference.ts";
import type { Store } from "../ports/storage.ts";

export interface QueryContext {
  readonly partition: number;
  readonly partitions: number;
  readonly installation: string;
  readonly actors: Pick<Actors, "find">;
  /** Which actors follow orders of an account. */
  readonly watchbook: OrderFollowers;
  readonly store: Store;
  readonly history: EventReader;
  readonly prices: Prices;
  readonly bands: Pick<DayBands, "find">;
  readonly measures: Pick<MeasureTable, "of" | "effectsOf">;
  readonly tradingStates: Pick<TradingStateTable, "list" | "of">;
  readonly limits: Pick<LimitTable, "find">;
  readonly foresight: Foresight;
  readonly corporateActions: Pick<OperatedActions, "list">;
  /** Which symbols are held. */
  readonly holds: Pick<OperatedHolds, "find" | "isHeld" | "list">;
  readonly symbols: Symbols;
  readonly accounts: Accounts;
  readonly holdings: Holdings;
  readonly brokerages: Brokerages;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly operator: Operator;
}

/** A reply, or a page of rows as bytes. */
export type QueryAnswer = Reply | Uint8Array;

/** `userId`: the asking user; null without a login. `pageBytesMax`: the approximate size limit of one answer. */
export type QueryHandler = (
  context: QueryContext,
  userId: number | null,
  body: unknown,
  pageBytesMax?: number,
) => Promise<QueryAnswer>;

/** Half of what a bus commonly carries in one message. */
const PAGE_BYTES_MAX = 512 * 1024;

interface UserQuery<B> {
  readonly schema: z.ZodType<B>;
  readonly handle: (context: QueryContext, userId: number, body: B, pageBytesMax: number) => Promise<QueryAnswer>;
}

/** Puts the check of the body before a query that needs no user. */
export function forAnyone<B>(
  schema: z.ZodType<B>,
  handle: (context: QueryContext, body: B, pageBytesMax: number) => Promise<QueryAnswer>,
): QueryHandler {
  return (context, _userId, body, pageBytesMax = PAGE_BYTES_MAX) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return handle(context, parsed.data, pageBytesMax);
    return Promise.resolve({ ok: false, code: "INVALID", message: describeIssue(parsed.error) });
  };
}

/** Puts the checks of user and body before a query that answers for a user. */
export function forUser<B>(query: UserQuery<B>): QueryHandler {
  return (context, userId, body, pageBytesMax = PAGE_BYTES_MAX) => {
    if (userId === null) return Promise.resolve({ ok: false, code: "UNAUTHORIZED", message: "no user" });
    const parsed = query.schema.safeParse(body);
    if (parsed.success) return query.handle(context, userId, parsed.data, pageBytesMax);
    return Promise.resolve({ ok: false, code: "INVALID", message: describeIssue(parsed.error) });
  };
}
