/**
 * Faults of the feed that owners must know of: a clock by which right prices are refused, and symbols under watch
 * without a price that counts.
 *
 * Owns: when a fault counts, and how often it is reported. Does not own: the events (alarms.ts), the fault's log lines.
 *
 * A symbol whose last price waits for confirmation is silent, independent of other symbols (behaviour 3.10). Any other
 * symbol becomes silent only while prices of other symbols count. Its prices must arrive and be refused, or none
 * arrived since this process armed a level of it. A market that closes sends nothing that is refused, and had prices
 * before: its symbols are not silent.
 */
import type { Cancel, Clock, Timers } from "../../src/runtime/ports.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { FeedWatch, SymbolIntake } from "../ports/price.ts";
import type { PartitionWatchbook } from "../watch/watchbook.ts";
import { repeat } from "./repeat.ts";

const CHECK_MS = 1_000;
/**
 * A clock that is soon set right raises no alarm; an engine of a cluster gives its partitions away within this time.
 */
const CLOCK_OFF_FOR_MS = 10_000;
const CLOCK_TOLD_EVERY_MS = 600_000;
const SILENT_FOR_MS = 60_000;

/**
 * `refused`: its prices arrive and none of them counts. `none`: none arrived. `unconfirmed`: the last price moved too
 * far, and no trade has confirmed it.
 */
export type Silence = "refused" | "none" | "unconfirmed";

export interface ArmedPrices {
  /** The number of silent symbols under watch, by kind of silence. */
  readonly silent: Readonly<Record<Silence, number>>;
  /** The age of the oldest last accepted price of a symbol under watch, in ms; null: no symbol has a price. */
  readonly oldestAgeMs: number | null;
}

interface FeedAlarmsOptions {
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly watchbook: Pick<PartitionWatchbook, "prices">;
  readonly feed: Pick<PartitionFeed, "prices" | "watch">;
  readonly onClockOff: (aheadMs: number) => void;
  /** Called once for each silence of a symbol, with all symbols whose silence begins together. */
  readonly onSilent: (silence: Silence, symbols: readonly string[]) => void;
}

export class FeedAlarms {
  readonly #options: FeedAlarmsOptions;
  #offSinceMs: number | null = null;
  #clockToldAtMs = Number.NEGATIVE_INFINITY;
  /** When a level of the symbol was armed, by the steady clock. */
  #armedSinceMs = new Map<string, number>();
  #silent = new Map<string, Silence>();

  constructor(options: FeedAlarmsOptions) {
    this.#options = options;
  }

  /** Checks once a second until the returned function is called. */
  start(): Cancel {
    const { timers } = this.#options;
    // Levels that were armed before this start had their alarm in the previous life.
    this.#armedSinceMs = new Map(this.#armedSymbols().map((symbol) => [symbol, Number.POSITIVE_INFINITY]));
    return repeat(timers, CHECK_MS, () => {
      this.#checkClock();
      this.#checkSymbols();
    });
  }

  /** Returns the state of the prices of armed symbols, for the figures. */
  armedPrices(): ArmedPrices {
    const silent = { refused: 0, none: 0, unconfirmed: 0 };
    for (const silence of this.#silent.values()) silent[silence] += 1;
    const nowMs = this.#options.clock.nowMs();
    const ages = this.#armedSymbols().flatMap((symbol) => {
      const acceptedMs = this.#options.feed.watch?.intakeOf(symbol).acceptedMs ?? null;
      return acceptedMs === null ? [] : [Math.max(0, Math.round(nowMs - acceptedMs))];
    });
    return { silent, oldestAgeMs: ages.length === 0 ? null : ages.reduce((left, right) => Math.max(left, right)) };
  }

  #checkClock(): void {
    const { steadyClock, feed, onClockOff } = this.#options;
    const offMs = feed.watch?.clockOffMs() ?? 0;
    const nowMs = steadyClock.nowMs();
    this.#offSinceMs = offMs === 0 ? null : (this.#offSinceMs ?? nowMs);
    if (this.#offSinceMs === null || nowMs - this.#offSinceMs < CLOCK_OFF_FOR_MS) return;
    if (nowMs - this.#clockToldAtMs < CLOCK_TOLD_EVERY_MS) return;
    this.#clockToldAtMs = nowMs;
    onClockOff(offMs);
  }

  #checkSymbols(): void {
    const { steadyClock, feed, onSilent } = this.#options;
    const { watch } = feed;
    if (watch === undefined) return;
    const armed = this.#armedSymbols();
    const nowMs = steadyClock.nowMs();
    this.#armedSinceMs = new Map(armed.map((symbol) => [symbol, this.#armedSinceMs.get(symbol) ?? nowMs]));
    const areTicksComing = watch.areTicksComing();
    const before = this.#silent;
    const begun: Record<Silence, string[]> = { refused: [], none: [], unconfirmed: [] };
    this.#silent = new Map();
    for (const symbol of armed) {
      // A feed that is silent as a whole proves nothing about one symbol: a silent symbol remains silent.
      const silence = areTicksComing ? this.#silenceOf(symbol, watch) : this.#silenceOfQuiet(symbol, watch, before);
      if (silence === undefined) continue;
      this.#silent.set(symbol, silence);
      if (before.get(symbol) !== silence) begun[silence].push(symbol);
    }
    for (const silence of ["refused", "none", "unconfirmed"] as const) {
      if (begun[silence].length > 0) onSilent(silence, begun[silence]);
    }
  }

  /** A price can wait for confirmation even if no other symbol has a price. */
  #silenceOfQuiet(symbol: string, watch: FeedWatch, before: ReadonlyMap<string, Silence>): Silence | undefined {
    return this.#isUnconfirmed(watch.intakeOf(symbol)) ? "unconfirmed" : before.get(symbol);
  }

  #isUnconfirmed({ unconfirmedMs }: SymbolIntake): boolean {
    return unconfirmedMs !== undefined && this.#options.clock.nowMs() - unconfirmedMs >= SILENT_FOR_MS;
  }

  #silenceOf(symbol: string, watch: FeedWatch): Silence | undefined {
    const { clock, steadyClock, feed } = this.#options;
    const intake = watch.intakeOf(symbol);
    if (this.#isUnconfirmed(intake)) return "unconfirmed";
    const { acceptedMs, refused } = intake;
    const isRefused = refused !== null && clock.nowMs() - refused.lastMs < SILENT_FOR_MS;
    if (isRefused) return refused.lastMs - refused.firstMs >= SILENT_FOR_MS ? "refused" : undefined;
    const armedForMs = steadyClock.nowMs() - (this.#armedSinceMs.get(symbol) ?? Number.POSITIVE_INFINITY);
    const isNone = acceptedMs === null && feed.prices.last(symbol) === undefined && armedForMs >= SILENT_FOR_MS;
    return isNone ? "none" : undefined;
  }

  #armedSymbols(): string[] {
    const { prices } = this.#options.watchbook;
    return [...prices.symbols()].filter((symbol) => prices.isArmed(symbol));
  }
}
