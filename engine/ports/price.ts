/** Ticks, last prices and symbols. Interfaces only. */
import type { Calendar } from "../../src/domain/market/calendar.ts";
import type { LivePrice } from "../../src/domain/price/price.ts";
import type { TickTable } from "../../src/domain/price/tick-table.ts";
import type { StoredAt } from "./stream.ts";

/** A tick that passed the feed's checks. */
export interface AcceptedTick {
  readonly symbol: string;
  readonly price: LivePrice;
  /** When the price was true, by the engine's clock: when it was seen, or when the stream stored it. */
  readonly timeMs: number;
  readonly isCaughtUp: boolean;
  /** Where it lies in the stream; undefined for one that was seen live, though it waited. */
  readonly stored?: StoredAt | undefined;
  /** The last price before it, where it is the first one of a session; undefined for any other tick. */
  readonly close?: LivePrice | undefined;
}

/** The last accepted price of a symbol. */
export interface LastPrice {
  readonly price: LivePrice;
  readonly timeMs: number;
}

export interface Prices {
  last(symbol: string): LastPrice | undefined;
}

/** How the session of a symbol's last price began. */
export interface Session {
  /** The last price of the session before. */
  readonly close: LivePrice;
  /** The time of the session's first price. */
  readonly openedMs: number;
}

/** Last prices, and the sessions that they are of. */
export interface SessionPrices extends Prices {
  /** Undefined where it is not known. */
  session(symbol: string): Session | undefined;
}

/** Which symbols exist. */
export interface Symbols {
  isKnown(symbol: string): boolean;
  isActive(symbol: string): boolean;
  /** The steps of its prices; those of Borsa Istanbul where it is not known. */
  tickTableOf(symbol: string): TickTable;
  /** The IANA time zone of its exchange; UTC where that is not known. */
  zoneOf(symbol: string): string;
  /** The trading calendar of its exchange; undefined where none is known. */
  calendarOf(symbol: string): Calendar | undefined;
}

/** What came of a symbol's prices lately; times by the engine's clock. */
export interface SymbolIntake {
  /** When the last accepted price was seen; null: none was since the process started. */
  readonly acceptedMs: number | null;
  /** When prices were refused that came after it, first and last; null: none was. */
  readonly refused: { readonly firstMs: number; readonly lastMs: number } | null;
  /** When the price came that moved too far and waits for the next trade (behaviour 3.4); absent: none waits. */
  readonly unconfirmedMs?: number;
}

/** The feed as it stands, for alarms. */
export interface FeedWatch {
  /** See `StreamClock.offMs`; null also if no clock is compared. */
  clockOffMs(): number | null;
  /** True while the feed is live and accepted a price of any symbol within the last minute. */
  areTicksComing(): boolean;
  intakeOf(symbol: string): SymbolIntake;
}

/** Ticks that are lost to a partition, and when they were published, by the engine's clock. */
export interface LostTicks {
  readonly reason: string;
  /** Null: not known. */
  readonly fromMs: number | null;
  /** Null: they are being lost still. */
  readonly untilMs: number | null;
}
