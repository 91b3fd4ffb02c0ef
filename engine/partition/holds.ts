/**
 * Symbols whose levels do not fire, as their prices cannot be trusted (behaviour 16).
 *
 * Owns: which symbols are held, since when and why; which ticks may reach levels; the guard against a changed base.
 * Does not own: levels and how they fire (the partition, which is handed in), their owners (`alarms.ts`).
 *
 * Invariants:
 * 1. From the decision to hold, no price of the symbol reaches a level, except of groups that their owners released.
 * 2. A release is one turn: the row, and the levels that the last live price has reached by then. An earlier price
 *    reaches no level any more, even if it is read back after a restart.
 * 3. A hold of the guard counts immediately; its row follows in the inbox after the waiting work. A tick position after
 *    the tick that caused the hold is stored only with the row.
 */
import type { HeldSymbolView, StoredHold } from "../../src/contract/operator/hold.ts";
import { storedHoldSchema } from "../../src/contract/operator/hold.ts";
import type { Band } from "../../src/domain/market/band.ts";
import { guardPercentOf, isOnAnotherBase } from "../../src/domain/market/base-price.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import type { LivePrice } from "../../src/domain/price/price.ts";
import { isRecent } from "../../src/domain/price/tick-time.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import { isFromBefore } from "../actor/arming.ts";
import type { Inbox } from "../ports/actor.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { OperatedHolds } from "../ports/operator.ts";
import type { AcceptedTick, Prices, Symbols } from "../ports/price.ts";
import type { Journal } from "../ports/storage.ts";
import { holdView } from "../projection/hold.ts";
import { TABLES } from "../table/tables.ts";
import type { CorporateActions } from "./corporate-actions.ts";
import type { Renames } from "./renames.ts";

interface HoldsOptions {
  readonly partition: number;
  readonly journal: Journal;
  readonly inbox: Inbox & { readonly isIdle: boolean };
  readonly clock: Clock;
  readonly log: Log;
  readonly prices: Prices;
  readonly symbols: Pick<Symbols, "tickTableOf">;
  /** `BASE_PRICE_GUARD_PERCENT`; undefined: each exchange has the percent of behaviour 16.2. */
  readonly guardPercent?: number | undefined;
  /** Today's band of a symbol, if it is known. */
  readonly bandOf: (symbol: string) => Band | undefined;
  readonly actions: Pick<CorporateActions, "closeBefore" | "noteOpened">;
  readonly renames: Pick<Renames, "withClose" | "noteOpened">;
  readonly feed: Pick<PartitionFeed, "place">;
  /** Whether a level of the symbol is armed. */
  readonly isArmed: (symbol: string) => boolean;
  /** Gives the last live price to all levels of its symbol, in this turn. */
  readonly giveToAll: (tick: AcceptedTick) => void;
  /** Gives a price to the levels of one group. */
  readonly giveTo: (groupId: number, tick: AcceptedTick) => void;
  /** Notifies the owners of the symbol's groups of a hold; resolves with whether all were notified. Never rejects. */
  readonly tellHeld: (hold: StoredHold) => Promise<boolean>;
  readonly tellReleased: (symbol: string) => void;
}

const { holds: TABLE } = TABLES;

export class Holds implements OperatedHolds {
  readonly #options: HoldsOptions;
  /** The holds by symbol, including those over. */
  readonly #rows = new Map<string, StoredHold>();
  /** Symbols with a tick that was read back and kept from levels, as it seemed to be older than a release. */
  readonly #unsure = new Set<string>();
  #isStarted = false;

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  /** At start: takes in a stored row. Throws if it is not valid. */
  recover(value: Uint8Array): void {
    const row = decodeHold(value);
    this.#rows.set(row.symbol, row);
  }

  /** Begins to notify owners, first of holds that they were not notified of before a restart. */
  start(): void {
    this.#options.inbox.enqueue(() => {
      this.#isStarted = true;
      for (const row of this.#active()) if (!row.isTold) this.#tell(row);
    });
  }

  /** The number of held symbols. */
  get heldCount(): number {
    return this.#active().length;
  }

  /** Whether the levels of a symbol are held; with a group, also that its owner did not release it. */
  isHeld(symbol: string, groupId?: number): boolean {
    if (this.#rows.size === 0) return false;
    const row = this.find(symbol);
    return row !== undefined && (groupId === undefined || !row.releasedGroups.includes(groupId));
  }

  /** Returns the hold of a symbol; undefined if it is not held. */
  find(symbol: string): StoredHold | undefined {
    const row = this.#rows.get(symbol);
    return row?.released === null ? row : undefined;
  }

  list(): readonly HeldSymbolView[] {
    const { partition } = this.#options;
    return this.#active().map((row) => ({
      symbol: row.symbol,
      partition,
      ...holdView(row),
      releasedGroups: row.releasedGroups.length,
    }));
  }

  /** True: no hold was ever stored here, so that no tick can wait for the end of one. */
  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** Whether a tick may reach the levels of its symbol. Called in the tick's own turn: the guard checks it first. */
  admits(tick: AcceptedTick): boolean {
    const { actions, renames } = this.#options;
    const close = actions.closeBefore(renames.withClose(tick));
    if (close !== undefined) this.#guard(tick, close);
    actions.noteOpened(tick);
    renames.noteOpened(tick);
    if (this.#rows.size === 0) return true;
    const row = this.#rows.get(tick.symbol);
    if (row === undefined) return true;
    const { released } = row;
    if (released !== null) {
      const isEarly = isFromBefore(tick, { facts: { armedSinceMs: released.atMs }, armedAt: released.place });
      if (isEarly) this.#unsure.add(tick.symbol);
      return !isEarly;
    }
    for (const groupId of row.releasedGroups) this.#passOn(groupId, tick);
    return false;
  }

  /** Passes the tick on in order, after the waiting work. The tick is valid only during the call. */
  #passOn(groupId: number, { symbol, price, timeMs, isCaughtUp, stored }: AcceptedTick): void {
    const { inbox, giveTo } = this.#options;
    const tick = { symbol, price, timeMs, isCaughtUp, stored };
    if (inbox.isIdle) giveTo(groupId, tick);
    else inbox.enqueue(() => giveTo(groupId, tick));
  }

  /**
   * In a turn, once all missed ticks were delivered. A tick that was kept from levels may have come at the very moment
   * of the release: it counts if it is the last price.
   */
  checkLastPrices(): void {
    for (const symbol of this.#unsure) {
      const last = this.isHeld(symbol) ? undefined : this.#lastTick(symbol, this.#options.clock.nowMs());
      if (last !== undefined) this.#options.giveToAll(last);
    }
    this.#unsure.clear();
  }

  /** In a turn: the hold of a former name is of the new one, unless that has its own (behaviour 30.5). */
  renameInTurn({ from, to }: Renaming): void {
    const row = this.#rows.get(from);
    if (row === undefined) return;
    this.#rows.delete(from);
    this.#options.journal.remove(TABLE.key(from));
    if (this.find(to) === undefined) this.#keep({ ...row, symbol: to });
  }

  holdInTurn(symbol: string, reason: string): boolean {
    if (this.find(symbol) !== undefined) return false;
    this.#begin(this.#newRow({ symbol, by: "operator", reason, fromPrice: null, toPrice: null }));
    return true;
  }

  releaseInTurn(symbol: string): boolean {
    const row = this.find(symbol);
    if (row === undefined) return false;
    const { clock, feed, log, tellReleased } = this.#options;
    const atMs = clock.nowMs();
    this.#keep({ ...row, releasedGroups: [], isTold: true, released: { atMs, place: feed.place() } });
    log.warn({ event: "symbol.released", symbol }, "a held symbol was released: its levels fire again");
    tellReleased(symbol);
    this.giveLast(symbol);
    return true;
  }

  /** In a turn: gives the last live price to all levels of its symbol, if it is still recent. */
  giveLast(symbol: string): void {
    const last = this.#lastTick(symbol, this.#options.clock.nowMs());
    if (last !== undefined) this.#options.giveToAll(last);
  }

  releaseGroupInTurn(groupId: number, symbol: string): Result<true> {
    const row = this.find(symbol);
    if (row === undefined) return refuse("INVALID", `${symbol} is not held`);
    if (row.releasedGroups.includes(groupId)) return accept(true);
    this.#keep({ ...row, releasedGroups: [...row.releasedGroups, groupId] });
    const last = this.#lastTick(symbol, this.#options.clock.nowMs());
    if (last !== undefined) this.#options.giveTo(groupId, last);
    return accept(true);
  }

  /** Returns the last live price as a tick of now, if it is still recent (behaviour 3.3). */
  #lastTick(symbol: string, nowMs: number): AcceptedTick | undefined {
    const last = this.#options.prices.last(symbol);
    if (last === undefined || !isRecent(last, nowMs)) return undefined;
    return { symbol, price: last.price, timeMs: nowMs, isCaughtUp: false };
  }

  #guard({ symbol, price }: AcceptedTick, close: LivePrice): void {
    const { symbols, guardPercent, isArmed, inbox, bandOf } = this.#options;
    const percent = guardPercentOf(symbols.tickTableOf(symbol), guardPercent);
    if (percent === undefined || this.find(symbol) !== undefined || !isArmed(symbol)) return;
    if (!isOnAnotherBase(close, price, percent, bandOf(symbol))) return;
    const [fromPrice, toPrice] = [close.value, price.value];
    const reason = `its first price of the session is ${toPrice}, the last one before was ${fromPrice}`;
    const row = this.#newRow({ symbol, by: "guard", reason, fromPrice, toPrice });
    this.#rows.set(symbol, row);
    inbox.enqueue(() => this.#begin(row));
  }

  #newRow(what: Pick<StoredHold, "symbol" | "by" | "reason" | "fromPrice" | "toPrice">): StoredHold {
    const sinceMs = this.#options.clock.nowMs();
    return { version: 1, ...what, sinceMs, releasedGroups: [], isTold: false, released: null };
  }

  #begin(row: StoredHold): void {
    this.#keep(row);
    const { symbol, by, reason, fromPrice, toPrice } = row;
    this.#options.log.error({ event: "symbol.held", symbol, by, reason, fromPrice, toPrice }, "a symbol is held");
    if (this.#isStarted) this.#tell(row);
  }

  /** Notifies the owners; repeated after a restart until all are notified. */
  #tell(row: StoredHold): void {
    const { tellHeld, inbox } = this.#options;
    const noteTold = (): void => {
      const now = this.find(row.symbol);
      if (now?.sinceMs === row.sinceMs) this.#keep({ ...now, isTold: true });
    };
    void tellHeld(row).then((areTold) => areTold && inbox.enqueue(noteTold));
  }

  #keep(row: StoredHold): void {
    this.#rows.set(row.symbol, row);
    this.#options.journal.put(TABLE.key(row.symbol), JSON.stringify(row));
  }

  #active(): StoredHold[] {
    return [...this.#rows.values()].filter(({ released }) => released === null);
  }
}

/** Decodes a stored hold. Throws if it is not valid. */
export function decodeHold(value: Uint8Array): StoredHold {
  return storedHoldSchema.parse(JSON.parse(Buffer.from(value).toString()));
}
