/**
 * Renames of symbols in a partition: levels are watched under the new name (behaviour 30).
 *
 * Owns: which renames this partition has followed, the prices that wait until then, the last price under a former name.
 * Does not own: which symbols were renamed (the shared partition, which all follow), the effect on an actor (`src/domain`).
 *
 * Invariants:
 * 1. Prices under both names wait until every actor has followed, and are then given in order. So no price under the new
 *    name passes a level that is still watched under the former one.
 * 2. Each actor follows once: it has the new name then. After a kill the unfinished work is repeated.
 * 3. Every rename of the shared partition is followed in the end, whether or not an operator's request came here.
 */
import { type StoredRename, storedRenameSchema } from "../../src/contract/operator/rename.ts";
import { type Renaming, refuseFormerName, refuseWhileRenamed } from "../../src/domain/market/rename.ts";
import { livePrice } from "../../src/domain/price/price.ts";
import { isRecent } from "../../src/domain/price/tick-time.ts";
import { accept, type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import type { Clock, Fatal, Log } from "../../src/runtime/ports.ts";
import { waitsForMissed } from "../command/context.ts";
import type { Inbox } from "../ports/actor.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { OperatedRenames } from "../ports/operator.ts";
import type { AcceptedTick, LastPrice, Prices, Symbols } from "../ports/price.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";
import { ActorWalk, type WalkedHost } from "./actor-walk.ts";
import { actorsNaming } from "./actors-naming.ts";

interface Parts {
  readonly host: WalkedHost;
  readonly actions: { refusalFor(symbol: string): Refusal | undefined };
}

interface RenamesOptions {
  readonly store: Pick<Store, "scan">;
  readonly journal: Pick<Journal, "put" | "remove" | "afterDurable">;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly fatal: Fatal;
  readonly symbols: Pick<Symbols, "isKnown" | "renames">;
  /** Without the prices under former names. */
  readonly prices: Prices;
  readonly feed: Pick<PartitionFeed, "isCatchingUp">;
  /** The symbols of a live actor's row that has levels or orders of its own; an unreadable row names no symbol. */
  readonly symbolsOf: (row: Uint8Array) => readonly string[];
  /** Parts of the partition, used in turns. */
  readonly parts: Parts;
  /** In the turn that begins a rename: the rows of other parts that name the symbol. */
  readonly renameRows: (renaming: Renaming) => void;
  /** Gives a tick that waited. */
  readonly give: (tick: AcceptedTick) => void;
}

const { renames: TABLE } = TABLES;

export class Renames implements OperatedRenames {
  readonly #options: RenamesOptions;
  /** By the former name. */
  readonly #rows = new Map<string, StoredRename>();
  /** Former names that actors are following now. */
  readonly #following = new Set<string>();
  /** The ticks that wait, in order, of all names that actors are following. */
  #waiting: AcceptedTick[] = [];
  readonly #walk: ActorWalk;
  /** The renames of the directory when they were last looked at. */
  #seen: readonly Renaming[] | undefined;
  /** Begun renames without an end; most partitions have none. */
  #unfinished = 0;
  /** Followed renames without a price under the new name. */
  #unopened = 0;

  constructor(options: RenamesOptions) {
    this.#options = options;
    this.#walk = new ActorWalk(options);
  }

  /** At start: takes in a stored row. Throws if it is not valid. */
  recover(value: Uint8Array): void {
    this.#note(storedRenameSchema.parse(JSON.parse(Buffer.from(value).toString())));
  }

  /** True while no tick waits for actors to follow. */
  get isIdle(): boolean {
    return this.#following.size === 0;
  }

  /** Whether the levels of a symbol are about to follow or are being followed, under either name. */
  isFollowing(symbol: string): boolean {
    if (this.#unfinished === 0) return false;
    return this.#unfinishedRows().some(({ from, to }) => from === symbol || to === symbol);
  }

  refusalFor(symbol: string): Refusal | undefined {
    const renames = this.#options.symbols.renames();
    if (renames.length === 0) return undefined;
    const own = renames.filter(({ from, to }) => from === symbol || to === symbol);
    if (own.some((renaming) => !this.#hasFollowed(renaming))) return refuseWhileRenamed(symbol);
    const former = own.find(({ from }) => from === symbol);
    return former && refuseFormerName(former);
  }

  async check({ from, to }: Renaming): Promise<Result<true>> {
    const { symbols, store, symbolsOf } = this.#options;
    if (from === to) return refuse("INVALID", `to ${to} must differ from the symbol`);
    if (!symbols.isKnown(from)) return refuse("NOT_FOUND", `symbol ${from} is not known`);
    if (symbols.renames().some((known) => known.from === from && known.to === to)) return accept(true);
    const { length } = await actorsNaming(store, to, (row) => symbolsOf(row).includes(to));
    if (length === 0) return accept(true);
    return refuse("CONFLICT", `to ${to} has ${length} groups, pending OCOs or bots of its own: end them first`);
  }

  followInTurn({ from, to }: Renaming): Result<{ readonly isChanged: boolean }> {
    const { symbols, feed } = this.#options;
    if (!symbols.renames().some((known) => known.from === from && known.to === to)) {
      return refuse("UNAVAILABLE", `the rename of ${from} to ${to} is not known here yet; retry in a moment`);
    }
    const isChanged = !this.#isBegun({ from, to });
    if (!isChanged && this.isFollowing(from)) return accept({ isChanged });
    if (feed.isCatchingUp()) return waitsForMissed(`prices of ${from}`);
    const behind = this.#refuseNow({ from, to });
    if (behind !== undefined) return behind;
    this.#begin({ from, to });
    return accept({ isChanged });
  }

  /** In a turn: a pending OCO made a group, possibly under a former name. */
  noteMade(symbol: string, groupId: number): void {
    this.#walk.noteMade(symbol, groupId);
  }

  /** Follows new renames of the shared partition, and continues a rename that a kill interrupted. */
  passByClock(): void {
    const { clock, symbols, inbox, feed } = this.#options;
    if (feed.isCatchingUp()) return;
    if (this.#unfinished > 0) this.#resume(clock.nowMs());
    const renames = symbols.renames();
    if (renames === this.#seen) return;
    const missed = renames.filter((renaming) => !this.#isBegun(renaming));
    if (missed.length === 0) this.#seen = renames;
    for (const renaming of missed) {
      inbox.enqueue(() => {
        const isLate = feed.isCatchingUp() || this.#refuseNow(renaming) !== undefined || this.#isBegun(renaming);
        if (!isLate) this.#begin(renaming);
      });
    }
  }

  /** True: every rename is finished, and each symbol had its first price under the new name. No tick waits or is noted. */
  get isQuiet(): boolean {
    return this.#unfinished === 0 && this.#unopened === 0;
  }

  /** Whether a tick may reach levels now; otherwise it waits here. The tick is valid only during the call. */
  admits(tick: AcceptedTick): boolean {
    if (this.#unfinished === 0) return true;
    this.#resume(tick.timeMs);
    for (const from of this.#following) {
      if (tick.symbol !== from && tick.symbol !== this.#rows.get(from)?.to) continue;
      this.#waiting.push({ ...tick });
      return false;
    }
    return true;
  }

  /** The tick as the base price guard judges it: the first one under a new name has the last price before (16.2). */
  withClose(tick: AcceptedTick): AcceptedTick {
    const last = this.#unopened === 0 ? undefined : this.#unopenedOf(tick.symbol)?.last;
    return last === undefined || last === null ? tick : { ...tick, close: livePrice(last.price) };
  }

  /** Notes that a price under the new name has come. */
  noteOpened({ symbol }: AcceptedTick): void {
    const row = this.#unopened === 0 ? undefined : this.#unopenedOf(symbol);
    if (row === undefined) return;
    this.#note({ ...row, isOpened: true });
    this.#options.inbox.enqueue(() => {
      const now = this.#rows.get(row.from);
      if (now !== undefined) this.#keep({ ...now, isOpened: true });
    });
  }

  /** The last price of a symbol under a former name, for as long as none came under the new one. */
  lastBefore(symbol: string): LastPrice | undefined {
    if (this.#rows.size === 0) return undefined;
    let newest: LastPrice | undefined;
    for (const { to, last, isOpened } of this.#rows.values()) {
      const price = to === symbol && last !== null && !isOpened ? livePrice(last.price) : undefined;
      if (price === undefined || last === null || (newest?.timeMs ?? 0) > last.timeMs) continue;
      newest = { price, timeMs: last.timeMs };
    }
    return newest;
  }

  /** Why the levels cannot follow now: an earlier change of either symbol comes first. */
  #refuseNow({ from, to }: Renaming): Refusal | undefined {
    if (this.isFollowing(from) || this.isFollowing(to)) return refuseWhileRenamed(from);
    const { actions } = this.#options.parts;
    return actions.refusalFor(from) ?? actions.refusalFor(to);
  }

  #isBegun({ from, to }: Renaming): boolean {
    return this.#rows.get(from)?.to === to;
  }

  #hasFollowed({ from, to }: Renaming): boolean {
    const row = this.#rows.get(from);
    return row?.to === to && row.followedAtMs !== null;
  }

  #unfinishedRows(): readonly StoredRename[] {
    return [...this.#rows.values()].filter(({ followedAtMs }) => followedAtMs === null);
  }

  #unopenedOf(symbol: string): StoredRename | undefined {
    return [...this.#rows.values()].find(
      ({ to, isOpened, followedAtMs }) => to === symbol && !isOpened && followedAtMs !== null,
    );
  }

  /** In a turn: from here on prices of both names wait. A rename that was followed before keeps its last price. */
  #begin({ from, to }: Renaming): void {
    const { prices, clock, journal, renameRows } = this.#options;
    // A symbol that gets its former name back.
    if (this.#rows.delete(to)) journal.remove(TABLE.key(to));
    const before = this.#rows.get(from);
    const known = prices.last(from) ?? this.lastBefore(from);
    const last = known === undefined ? null : { price: known.price.value, timeMs: known.timeMs };
    const ofPrice = before?.to === to ? { last: before.last, isOpened: before.isOpened } : { last, isOpened: false };
    this.#keep({ version: 1, from, to, atMs: clock.nowMs(), ...ofPrice, followedAtMs: null });
    renameRows({ from, to });
    this.#resume(clock.nowMs());
  }

  #resume(timeMs: number): void {
    for (const row of this.#unfinishedRows()) {
      if (row.atMs > timeMs || this.#following.has(row.from)) continue;
      this.#following.add(row.from);
      this.#options.inbox.enqueue(() => this.#start(row));
    }
  }

  #start(row: StoredRename): void {
    const { from, to, atMs } = row;
    // A price of the moment itself counts.
    const event = { type: "symbolRenamed", renaming: { from, to }, timeMs: atMs - 1 } as const;
    this.#walk.begin({ symbol: from, events: [event], onEnd: (actorCount) => this.#finish(row, actorCount) });
  }

  #finish(row: StoredRename, actorCount: number): void {
    const { clock, log, give, prices, feed } = this.#options;
    const { from, to } = row;
    const nowMs = clock.nowMs();
    this.#following.delete(from);
    this.#keep({ ...row, followedAtMs: nowMs });
    log.info({ event: "symbol.renamed", symbol: from, to, actorCount }, "levels follow a renamed symbol");
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tick of waiting) give(tick);
    if (feed.isCatchingUp() || waiting.some(({ symbol }) => symbol === to)) return;
    const last = prices.last(to);
    if (last === undefined || !isRecent(last, nowMs)) return;
    give({ symbol: to, price: last.price, timeMs: nowMs, isCaughtUp: false });
  }

  #keep(row: StoredRename): void {
    this.#options.journal.put(TABLE.key(row.from), JSON.stringify(row));
    this.#note(row);
  }

  #note(row: StoredRename): void {
    this.#rows.set(row.from, row);
    const rows = [...this.#rows.values()];
    this.#unfinished = rows.filter(({ followedAtMs }) => followedAtMs === null).length;
    this.#unopened = rows.filter(({ followedAtMs, isOpened }) => followedAtMs !== null && !isOpened).length;
  }
}

/** Last prices by the present names of symbols: until a price came under it, the last one under the former name. */
export function pricesOfNames(prices: Prices, symbols: Pick<Symbols, "presentName">, renames: () => Renames): Prices {
  return {
    last: (symbol) => {
      const name = symbols.presentName(symbol);
      const last = prices.last(name);
      if (name !== symbol) return last ?? prices.last(symbol);
      return last ?? renames().lastBefore(symbol);
    },
  };
}
