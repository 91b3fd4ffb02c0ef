/**
 * Decides what this engine does with each partition, from the engines that are present: lead it, keep a copy, or
 * neither.
 *
 * Owns: the last ranks. Does not own: which engines are present (presence.ts), the action itself
 * (cluster-member.ts).
 *
 * Invariants:
 * 1. An engine with a copy keeps it until the engines that should have one are close behind the leader. A partition
 *    that moves therefore has more copies during the move, never fewer. This also holds if all its engines return under
 *    other names.
 * 2. An engine whose clock is wrong leads only partitions that no engine with a right clock could lead immediately. It
 *    keeps its copies.
 * 3. An engine that later ranks among those with copies makes a copy only once that rank lasts: an engine that restarts
 *    finds its own copy.
 */
import type { Clock } from "../../../src/runtime/ports.ts";
import type { Presence } from "./presence.ts";
import { rankEngines } from "./rank.ts";

interface BalanceOptions {
  readonly presence: Pick<Presence, "engines" | "lagOf" | "leads" | "isClockRight">;
  /** This engine. */
  readonly engine: string;
  readonly partitions: number;
  /** Engines that should have each partition, its leader included. */
  readonly copies: number;
  readonly steadyClock: Clock;
}

/** A copy with at most this many messages to read takes over immediately. */
const LAG_MESSAGES_MAX = 50;
/** Longer than the restart of an engine, or than its silence while its servers elect a leader. */
export const LASTING_MS = 10_000;

export class Balance {
  readonly #options: BalanceOptions;
  /** Since when this engine should keep each partition. */
  readonly #dueSinceMs = new Map<number, number>();
  #ranks: readonly (readonly string[])[] = [];
  /** The key of the engines that were ranked last: repeated ranking of a large fleet would block the event loop. */
  #rankedKey = "";
  #ranked: readonly (readonly string[])[] = [];

  constructor(options: BalanceOptions) {
    this.#options = options;
    this.#rankAt(Number.NEGATIVE_INFINITY);
  }

  /** Ranks the engines that are present now. */
  rank(): void {
    this.#rankAt(this.#options.steadyClock.nowMs());
  }

  /** How many engines should claim the partition before this one: engines with a copy that rank before it. */
  claimRankOf(partition: number): number {
    const { copies, presence, engine: own } = this.#options;
    const ranks = this.#ranksOf(partition);
    const leaders = this.#byClock(ranks);
    const before = leaders.includes(own) ? leaders.slice(0, leaders.indexOf(own)) : leaders;
    const hasCopy = (engine: string): boolean =>
      presence.lagOf(engine, partition) !== undefined || presence.leads(engine, partition);
    return before.filter((engine) => ranks.indexOf(engine) < copies || hasCopy(engine)).length;
  }

  /** Whether this engine should have the partition. `hasIt`: whether it has a copy now. */
  shouldKeep(partition: number, hasIt: boolean): boolean {
    const { copies, steadyClock } = this.#options;
    const dueSinceMs = this.#dueSinceMs.get(partition);
    if (dueSinceMs !== undefined) return hasIt || steadyClock.nowMs() - dueSinceMs >= LASTING_MS;
    const keepers = this.#ranksOf(partition).slice(0, copies);
    return hasIt && !keepers.every((engine) => this.#isSafeWith(engine, partition));
  }

  /** Returns another engine that should lead the partition, and could do so immediately. */
  betterLeader(partition: number): string | undefined {
    const { presence, engine: own } = this.#options;
    const leaders = this.#byClock(this.#ranksOf(partition));
    if (presence.isClockRight(own) === false) {
      return leaders.find((engine) => presence.isClockRight(engine) === true && this.#isClose(engine, partition));
    }
    const [first] = leaders;
    if (first === undefined || first === own) return undefined;
    return this.#isClose(first, partition) ? first : undefined;
  }

  /** Whether another engine is present that could lead the partition immediately. */
  canOthersLead(partition: number): boolean {
    const { engine: own, presence } = this.#options;
    return presence.engines().some(({ engine }) => engine !== own && this.#isClose(engine, partition));
  }

  /**
   * Returns the engine to lead next if this engine ends. The named engine leads immediately; without a name, all wait
   * for the engines that rank before them.
   */
  heirOf(partition: number): string | undefined {
    return this.#byClock(this.#rankNow()[partition] ?? []).find((engine) => this.#isClose(engine, partition));
  }

  #rankOf(partition: number): number {
    const ranks = this.#ranksOf(partition);
    const rank = ranks.indexOf(this.#options.engine);
    return rank < 0 ? ranks.length : rank;
  }

  #rankAt(nowMs: number): void {
    this.#ranks = this.#rankNow();
    for (const partition of this.#ranks.keys()) {
      if (this.#rankOf(partition) >= this.#options.copies) this.#dueSinceMs.delete(partition);
      else if (!this.#dueSinceMs.has(partition)) this.#dueSinceMs.set(partition, nowMs);
    }
  }

  #rankNow(): readonly (readonly string[])[] {
    const engines = this.#options.presence.engines();
    const key = JSON.stringify(engines.map(({ engine, machine }) => [engine, machine]).sort());
    if (key !== this.#rankedKey) {
      this.#ranked = rankEngines(engines, this.#options.partitions);
      this.#rankedKey = key;
    }
    return this.#ranked;
  }

  /** Returns the ranks in the order in which they should lead: engines with a wrong clock follow all others. */
  #byClock(ranks: readonly string[]): readonly string[] {
    const isWrong = (engine: string): boolean => this.#options.presence.isClockRight(engine) === false;
    return ranks.some(isWrong) ? [...ranks.filter((engine) => !isWrong(engine)), ...ranks.filter(isWrong)] : ranks;
  }

  #ranksOf(partition: number): readonly string[] {
    return this.#ranks[partition] ?? [];
  }

  #isSafeWith(engine: string, partition: number): boolean {
    return this.#isClose(engine, partition) || this.#options.presence.leads(engine, partition);
  }

  #isClose(engine: string, partition: number): boolean {
    const lag = this.#options.presence.lagOf(engine, partition);
    return lag !== undefined && lag <= LAG_MESSAGES_MAX;
  }
}
