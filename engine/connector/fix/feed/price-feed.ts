/**
 * Prices of a FIX venue as ticks on the bus.
 *
 * Owns: subscribing at every logon, which trades become ticks, and telling how the feed is. Does not own: the session,
 * whether a tick counts (the engine).
 *
 * Invariants:
 * 1. A tick has the venue's time, so that an old one fires nothing wherever it arrives.
 * 2. Delayed data is refused, not slowed down: a stop that fires a quarter of an hour late is worse than none.
 * 3. Silence while connected is told: it looks like a quiet market to everybody else.
 */
import { tickSubject } from "../../../../src/contract/subject.ts";
import type { Cancel, Clock, Log, Timers } from "../../../../src/runtime/ports.ts";
import type { SessionUser } from "../session/reader.ts";
import { type Field, type FixMessage, readText } from "../wire/message.ts";
import { MsgType, Tag } from "../wire/tag.ts";
import { type Trade, tradesOf } from "./trade.ts";

export interface FeedSettings {
  readonly name: string;
  /** By our name, the venue's. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Trades with one of these codes are no prices (277). */
  readonly ignoredConditions: readonly string[];
  /** A live trade that is older than this when it arrives is refused. */
  readonly lagMsMax: number;
  /** After so long without a trade the feed is told to be silent. */
  readonly silentMs: number;
  readonly symbolsARequest: number;
}

/** `feed.<NAME>.status`. */
export interface FeedStatus {
  readonly name: string;
  readonly connected: boolean;
  readonly since: string;
  /** When the last tick went out; null before the first. */
  readonly lastTick: string | null;
  readonly symbols: number;
  readonly silent: boolean;
  readonly ticks: number;
  /** Trades that were refused because they came too late. */
  readonly delayed: number;
  /** Symbols that the venue did not give. */
  readonly refused: readonly string[];
}

export interface FeedOptions {
  readonly settings: FeedSettings;
  readonly send: (type: string, fields: readonly Field[]) => void;
  readonly publish: (subject: string, data: Uint8Array) => void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

const STATUS_EVERY_MS = 5_000;
const TOLD_EVERY_MS = 60_000;

export class PriceFeed implements SessionUser {
  readonly #options: FeedOptions;
  readonly #ownSymbols: ReadonlyMap<string, string>;
  readonly #requests = new Map<string, readonly string[]>();
  readonly #refused = new Set<string>();
  readonly #toldMs = new Map<string, number>();
  #isConnected = false;
  #sinceMs: number;
  #heardMs: number;
  #lastTickMs: number | null = null;
  #tickCount = 0;
  #delayedCount = 0;
  #requestCount = 0;
  #cancelTimer: Cancel = () => undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#ownSymbols = new Map(Object.entries(options.settings.symbols).map(([own, venues]) => [venues, own]));
    this.#sinceMs = options.clock.nowMs();
    this.#heardMs = this.#sinceMs;
  }

  /** Tells the status from here on, every few seconds and at every change. */
  start(): void {
    this.#tellStatus();
    this.#cancelTimer = this.#options.timers.after(STATUS_EVERY_MS, () => this.start());
    if (this.status().silent) this.#warn("silent", {}, "the feed is connected and silent");
  }

  stop(): void {
    this.#cancelTimer();
  }

  status(): FeedStatus {
    const { settings, clock } = this.#options;
    return {
      name: settings.name,
      connected: this.#isConnected,
      since: new Date(this.#sinceMs).toISOString(),
      lastTick: this.#lastTickMs === null ? null : new Date(this.#lastTickMs).toISOString(),
      symbols: Object.keys(settings.symbols).length,
      silent: this.#isConnected && clock.nowMs() - this.#heardMs > settings.silentMs,
      ticks: this.#tickCount,
      delayed: this.#delayedCount,
      refused: [...this.#refused],
    };
  }

  onLive(): void {
    this.#turn(true);
    this.#refused.clear();
    this.#requests.clear();
    const { symbols, symbolsARequest } = this.#options.settings;
    const all = Object.values(symbols);
    for (let start = 0; start < all.length; start += symbolsARequest) {
      this.#subscribe(all.slice(start, start + symbolsARequest));
    }
  }

  onDown(): void {
    this.#turn(false);
  }

  /** Prices that the venue left out are gone: the next ones count. */
  onFilled(): void {}

  onMessage(message: FixMessage): void {
    switch (message.type) {
      case MsgType.MarketDataSnapshot:
      case MsgType.MarketDataIncremental:
        this.#heardMs = this.#options.clock.nowMs();
        for (const trade of tradesOf(message)) this.#read(trade);
        break;
      case MsgType.MarketDataReject:
        this.#readReject(message.get(Tag.MDReqID) ?? "", readText(message.get(Tag.Text)));
        break;
      case MsgType.Reject:
      case MsgType.BusinessReject:
        this.#options.log.error({ text: readText(message.get(Tag.Text)) }, "the venue rejected a message");
        break;
      default:
        break;
    }
  }

  #subscribe(symbols: readonly string[]): void {
    this.#requestCount += 1;
    const name = `R${this.#requestCount}`;
    this.#requests.set(name, symbols);
    this.#options.send(MsgType.MarketDataRequest, [
      [Tag.MDReqID, name],
      // A snapshot, then updates as they happen, one entry each.
      [Tag.SubscriptionRequestType, "1"],
      [Tag.MarketDepth, "1"],
      [Tag.MDUpdateType, "1"],
      [Tag.NoMDEntryTypes, "1"],
      [Tag.MDEntryType, "2"],
      [Tag.NoRelatedSym, String(symbols.length)],
      ...symbols.map((symbol): Field => [Tag.Symbol, symbol]),
    ]);
  }

  #read(trade: Trade): void {
    const { settings, clock } = this.#options;
    const symbol = this.#ownSymbols.get(trade.symbol);
    if (symbol === undefined)
      this.#warn(`symbol ${trade.symbol}`, { symbol: trade.symbol }, "a trade of a symbol not asked for");
    else if (!trade.conditions.some((code) => settings.ignoredConditions.includes(code))) {
      const lagMs = clock.nowMs() - trade.timeMs;
      if (!trade.isSnapshot && lagMs > settings.lagMsMax) this.#refuseDelayed(symbol, lagMs);
      else this.#publish(symbol, trade);
    }
  }

  #refuseDelayed(symbol: string, lagMs: number): void {
    this.#delayedCount += 1;
    this.#warn("delayed", { symbol, lagMs }, "prices come too late and are refused: is this delayed data?");
  }

  #publish(symbol: string, { price, timeMs }: Trade): void {
    this.#tickCount += 1;
    this.#lastTickMs = this.#options.clock.nowMs();
    this.#options.publish(tickSubject(symbol), Buffer.from(JSON.stringify({ price, time: timeMs })));
  }

  #readReject(name: string, text: string): void {
    const symbols = this.#requests.get(name) ?? [];
    for (const symbol of symbols) this.#refused.add(this.#ownSymbols.get(symbol) ?? symbol);
    this.#options.log.error({ symbols, text }, "the venue refuses prices");
    this.#tellStatus();
  }

  #turn(isConnected: boolean): void {
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    this.#sinceMs = this.#options.clock.nowMs();
    this.#heardMs = this.#sinceMs;
    this.#tellStatus();
  }

  #tellStatus(): void {
    const { settings, publish } = this.#options;
    publish(`feed.${settings.name}.status`, Buffer.from(JSON.stringify(this.status())));
  }

  /** At most once a minute for each reason. */
  #warn(reason: string, fields: object, message: string): void {
    const nowMs = this.#options.clock.nowMs();
    if (nowMs - (this.#toldMs.get(reason) ?? Number.NEGATIVE_INFINITY) < TOLD_EVERY_MS) return;
    this.#toldMs.set(reason, nowMs);
    this.#options.log.warn(fields, message);
  }
}
