/**
 * What this engine should do with each partition, by the engines that are there: lead it, keep a copy, or neither.
 *
 * Owns: the ranks as they were last. Does not own: who is there (presence.ts), doing it (replicated-engine.ts).
 *
 * Invariants:
 * 1. Who has a copy keeps it until the engines that should have one are close behind its leader: a partition that moves
 *    has more copies meanwhile, never fewer. So has one whose engines all come back under other names.
 * 2. An engine whose clock is wrong leads only what no engine with a right clock could lead at once. It keeps its copies.
 * 3. Who comes to be among them later makes a copy only once that lasts: an engine that starts again finds its own.
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

/** A copy that has no more than so many messages to read takes over at once. */
const LAG_MESSAGES_MAX = 50;
/** Longer than an engine takes to start again, or not to be heard while its servers elect a leader. */
export const LASTING_MS = 10_000;

export class Balance {
  readonly #options: BalanceOptions;
  /** Of each partition that this engine should keep: since when. */
  readonly #dueSinceMs = new Map<number, number>();
  #ranks: readonly (readonly string[])[] = [];
  /** Of the engines that were ranked last: to rank a large fleet again and again would hold the loop up. */
  #rankedKey = "";
  #ranked: readonly (readonly string[])[] = [];

  constructor(options: BalanceOptions) {
    this.#options = options;
    this.#rankAt(Number.NEGATIVE_INFINITY);
  }

  /** Ranks the engines that are there now. */
  rank(): void {
    this.#rankAt(this.#options.steadyClock.nowMs());
  }

  /** How many engines should claim the partition before this one: those that rank before it, unless they have no copy. */
  claimRankOf(partition: number): number {
    const { copies, presence, engine: own } = this.#options;
    const ranks = this.#ranksOf(partition);
    const leaders = this.#byClock(ranks);
    const before = leaders.includes(own) ? leaders.slice(0, leaders.indexOf(own)) : leaders;
    const hasCopy = (engine: string): boolean =>
      presence.lagOf(engine, partition) !== undefined || presence.leads(engine, partition);
    return before.filter((engine) => ranks.indexOf(engine) < copies || hasCopy(engine)).length;
  }

  /** Whether this engine should have the partition. `hasIt`: it has a copy now. */
  shouldKeep(partition: number, hasIt: boolean): boolean {
    const { copies, steadyClock } = this.#options;
    const dueSinceMs = this.#dueSinceMs.get(partition);
    if (dueSinceMs !== undefined) return hasIt || steadyClock.nowMs() - dueSinceMs >= LASTING_MS;
    const keepers = this.#ranksOf(partition).slice(0, copies);
    return hasIt && !keepers.every((engine) => this.#isSafeWith(engine, partition));
  }

  /** Another engine that should lead the partition, and could do so at once. */
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

  /** Whether another engine is there that could lead the partition at once. */
  canOthersLead(partition: number): boolean {
    const { engine: own, presence } = this.#options;
    return presence.engines().some(({ engine }) => engine !== own && this.#isClose(engine, partition));
  }

  /** Who is to lead next where this engine ends. Who is named leads at once; else all wait for those that go before. */
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

  /** In the order in which they should lead: those whose clock is wrong go behind all others. */
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
