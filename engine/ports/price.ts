/** Ticks, last prices and symbols. Interfaces only. */
import type { Calendar } from "../../src/domain/market/calendar.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import type { LivePrice, LiveTick } from "../../src/domain/price/price.ts";
import type { TickTable } from "../../src/domain/price/tick-table.ts";
import type { StoredAt, StreamPlace } from "./stream.ts";

/** A tick that passed the feed's checks. */
export interface AcceptedTick {
  readonly symbol: string;
  readonly price: LivePrice;
  /** When the price was true, by the engine's clock: when it was seen, or when the stream stored it. */
  readonly timeMs: number;
  readonly isCaughtUp: boolean;
  /** Its place in the stream; undefined for a tick that was seen live, even if it waited. */
  readonly stored?: StoredAt | undefined;
  /** The last price before it, if it is the first one of a session; undefined for any other tick. */
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

/** Last prices and their sessions. */
export interface SessionPrices extends Prices {
  /** Undefined if it is not known. */
  session(symbol: string): Session | undefined;
}

/** Which symbols exist. */
export interface Symbols {
  isKnown(symbol: string): boolean;
  isActive(symbol: string): boolean;
  /** The steps of its prices; Borsa Istanbul's steps if they are not known. */
  tickTableOf(symbol: string): TickTable;
  /** The IANA time zone of its exchange; UTC if that is not known. */
  zoneOf(symbol: string): string;
  /** The trading calendar of its exchange; undefined if it is not known. */
  calendarOf(symbol: string): Calendar | undefined;
  /** The name that a symbol has now; the same one if it was never renamed. */
  presentName(symbol: string): string;
  /** Every former name, with the present one. The same list until a symbol is renamed. */
  renames(): readonly Renaming[];
}

/** A symbol's recent prices, accepted and refused; times by the engine's clock. */
export interface SymbolIntake {
  /** When the last accepted price was seen; null: none since the process started. */
  readonly acceptedMs: number | null;
  /** When the first and the last refused price since then came; null: none was refused. */
  readonly refused: { readonly firstMs: number; readonly lastMs: number } | null;
  /** When the price came that moved too far and waits for the next trade (behaviour 3.4); absent: no price waits. */
  readonly unconfirmedMs?: number;
}

/** The present state of the feed, for alarms. */
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
  /** Null: the loss continues. */
  readonly untilMs: number | null;
}

/** The ticks of one step of an actor. */
export interface Walked {
  readonly ticks: readonly LiveTick[];
  /** The ticks among them that can fire a level: the earlier ones only raised the stop-loss. */
  readonly news: readonly LiveTick[];
  /** The place in the tick stream when the last live one arrived; null if it is not known. */
  readonly place: StreamPlace | null;
}
