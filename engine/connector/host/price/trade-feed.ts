/**
 * Publishes a venue's trades as ticks on the bus.
 *
 * Owns: which trades become ticks, and reporting the feed's status. Does not own: the connection to the venue, whether
 * a tick counts (the engine).
 *
 * Invariants:
 * 1. A tick has the venue's time, so that an old tick never fires.
 * 2. Delayed data is refused, not slowed down: a stop that fires a quarter of an hour late is worse than none.
 * 3. Silence while connected is reported, because it looks like a quiet market to every subscriber. So is delayed data,
 *    with its delay, until a trade is current again.
 */
import type { FeedStatus } from "../../../../src/contract/operator/feed-status.ts";
import { feedStatusSubject, tickSubject } from "../../../../src/contract/subject.ts";
import type { LogEvent } from "../../../../src/runtime/log-event/log-events.ts";
import type { Cancel, Clock, Log, LogFields, Timers } from "../../../../src/runtime/ports.ts";
import { LateTrades } from "./late-trades.ts";

export interface FeedSettings {
  readonly name: string;
  /** The venue's names by our names. */
  readonly symbols: Readonly<Record<string, string>>;
  /** Trades with one of these codes are not prices. */
  readonly ignoredConditions: readonly string[];
  /** A live trade that is older than this on arrival is refused. */
  readonly lagMsMax: number;
  /** After this time without a trade the feed is reported as silent. */
  readonly silentMs: number;
}

/** A trade as a venue reports it. */
export interface VenueTrade {
  /** The venue's name. */
  readonly symbol: string;
  readonly price: number;
  readonly timeMs: number;
  readonly conditions: readonly string[];
  /** A trade from before the subscription: it keeps its own old time. */
  readonly isSnapshot: boolean;
}

export interface FeedPorts {
  readonly publish: (subject: string, data: Uint8Array) => void;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** A feed that connects and subscribes, and repeats both after each loss. */
export interface StartedFeed {
  status(): FeedStatus;
  stop(): Promise<void>;
}

const STATUS_EVERY_MS = 5_000;
const TOLD_EVERY_MS = 60_000;

export class TradeFeed {
  readonly #settings: FeedSettings;
  readonly #ports: FeedPorts;
  readonly #ownSymbols: ReadonlyMap<string, string>;
  readonly #ignoredConditions: ReadonlySet<string>;
  readonly #refused = new Set<string>();
  readonly #toldMs = new Map<string, number>();
  readonly #late = new LateTrades();
  #isConnected = false;
  #sinceMs: number;
  #heardMs: number;
  #lastTickMs: number | null = null;
  #tickCount = 0;
  #delayedCount = 0;
  #cancelTimer: Cancel = () => undefined;

  constructor(settings: FeedSettings, ports: FeedPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#ownSymbols = new Map(Object.entries(settings.symbols).map(([own, venues]) => [venues, own]));
    this.#ignoredConditions = new Set(settings.ignoredConditions);
    this.#sinceMs = ports.clock.nowMs();
    this.#heardMs = this.#sinceMs;
  }

  /** The symbols requested from the venue, by its own names. */
  get venueSymbols(): readonly string[] {
    return [...this.#ownSymbols.keys()];
  }

  /** Publishes the status from here on, every few seconds and at every change. */
  start(): void {
    this.#tellStatus();
    this.#cancelTimer = this.#ports.timers.after(STATUS_EVERY_MS, () => this.start());
    if (this.status().silent) this.#warn("silent", { event: "feed.silent" }, "the feed is connected and silent");
    this.#warnOfDelay();
  }

  stop(): void {
    this.#cancelTimer();
  }

  status(): FeedStatus {
    const { name, symbols, silentMs } = this.#settings;
    return {
      name,
      connected: this.#isConnected,
      since: new Date(this.#sinceMs).toISOString(),
      lastTick: this.#lastTickMs === null ? null : new Date(this.#lastTickMs).toISOString(),
      symbols: Object.keys(symbols).length,
      silent: this.#isConnected && this.#ports.clock.nowMs() - this.#heardMs > silentMs,
      ticks: this.#tickCount,
      delayed: this.#delayedCount,
      refused: [...this.#refused],
      ...(this.#late.lagMs !== undefined && { behindMs: this.#late.lagMs }),
    };
  }

  /** Notes that the venue is connected or no longer connected. Symbols that it refused before are requested again. */
  turn(isConnected: boolean): void {
    if (isConnected) this.#refused.clear();
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    this.#late.reset();
    this.#sinceMs = this.#ports.clock.nowMs();
    this.#heardMs = this.#sinceMs;
    this.#tellStatus();
  }

  /** Notes that the venue sent prices, whether or not they become ticks. */
  hear(): void {
    this.#heardMs = this.#ports.clock.nowMs();
  }

  take(trade: VenueTrade): void {
    const symbol = this.#ownSymbols.get(trade.symbol);
    if (symbol === undefined) {
      this.#warn(
        `symbol ${trade.symbol}`,
        { event: "feed.foreignTrade", symbol: trade.symbol },
        "a trade of a symbol not asked for",
      );
      return;
    }
    if (trade.conditions.some((code) => this.#ignoredConditions.has(code))) return;
    const lagMs = this.#ports.clock.nowMs() - trade.timeMs;
    if (!trade.isSnapshot && lagMs > this.#settings.lagMsMax) {
      this.#refuseDelayed(symbol, lagMs, trade.timeMs);
      return;
    }
    if (!trade.isSnapshot) this.#endDelay();
    this.#publish(symbol, trade);
  }

  /** Notes that the venue sends no prices of these symbols, by its own names. */
  refuse(venueSymbols: readonly string[], text: string): void {
    for (const symbol of venueSymbols) this.#refused.add(this.#ownSymbols.get(symbol) ?? symbol);
    this.#ports.log.error({ event: "prices.refused", symbols: venueSymbols, text }, "the venue refuses prices");
    this.#tellStatus();
  }

  #refuseDelayed(symbol: string, lagMs: number, timeMs: number): void {
    this.#delayedCount += 1;
    if (this.#late.add(timeMs, this.#ports.clock.nowMs())) {
      this.#warnOfDelay();
      this.#tellStatus();
    } else if (this.#late.lagMs === undefined) {
      this.#warn("late", { event: "feed.late", symbol, lagMs }, "prices come too late and are refused");
    }
  }

  #warnOfDelay(): void {
    const { lagMs } = this.#late;
    if (lagMs === undefined) return;
    const seconds = Math.round(lagMs / 1_000);
    const text = `the venue's prices are delayed by ${seconds} s and refused: no level fires by them`;
    this.#warn("delayed", { event: "feed.delayed", seconds }, text);
  }

  #endDelay(): void {
    const wasDelayed = this.#late.lagMs !== undefined;
    this.#late.reset();
    if (!wasDelayed) return;
    this.#ports.log.info({ event: "feed.current" }, "the venue's prices are current again");
    this.#tellStatus();
  }

  #publish(symbol: string, { price, timeMs }: VenueTrade): void {
    this.#tickCount += 1;
    this.#lastTickMs = this.#ports.clock.nowMs();
    this.#ports.publish(tickSubject(symbol), Buffer.from(JSON.stringify({ price, time: timeMs })));
  }

  #tellStatus(): void {
    const subject = feedStatusSubject(this.#settings.name);
    this.#ports.publish(subject, Buffer.from(JSON.stringify(this.status())));
  }

  /** Logs at most once a minute for each reason. */
  #warn(reason: string, fields: LogFields<LogEvent<"warn">>, message: string): void {
    const nowMs = this.#ports.clock.nowMs();
    if (nowMs - (this.#toldMs.get(reason) ?? Number.NEGATIVE_INFINITY) < TOLD_EVERY_MS) return;
    this.#toldMs.set(reason, nowMs);
    this.#ports.log.warn(fields, message);
  }
}
