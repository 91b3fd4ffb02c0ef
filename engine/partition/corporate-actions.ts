/**
 * Corporate actions of a partition: levels follow a change of their symbol's base (behaviour 28).
 *
 * Owns: the entered actions, when they are applied, which prices are on which base. Does not own: the effect on an actor
 * (`src/domain`), who may enter an action (the edge), holds (`holds.ts`).
 *
 * Invariants:
 * 1. No price of the new base reaches a level of the old one: ticks of the symbol wait until every actor has followed, and
 *    are then given in order.
 * 2. Each actor follows an action once, and keeps its id. After a kill the unfinished work is repeated.
 * 3. The prices from which an action is computed are stored before the first actor follows, so that each leader computes
 *    the same.
 * 4. The hold that an action explains is released in the batch that notes the action as applied, and the cost of lots
 *    follows in it.
 */
import {
  type ActionView,
  type StoredAction,
  storedActionSchema,
} from "../../src/contract/operator/corporate-action.ts";
import type { StoredHold } from "../../src/contract/operator/hold.ts";
import { isOnAnotherBase } from "../../src/domain/market/base-price.ts";
import {
  type ActionRequest,
  type Adjustment,
  actionText,
  byOrderOfActions,
  type CorporateAction,
  changesShares,
  isSameAction,
  needsClose,
  planAction,
  valueAfter,
} from "../../src/domain/market/corporate-action.ts";
import type { Renaming } from "../../src/domain/market/rename.ts";
import { SAME_BASE, type ShareBase } from "../../src/domain/order/position-fall.ts";
import { type LivePrice, livePrice } from "../../src/domain/price/price.ts";
import { accept, type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { CorporateActionEvent } from "../../src/machine/wake-event.ts";
import type { Clock, Fatal, Log } from "../../src/runtime/ports.ts";
import { waitsForMissed } from "../command/context.ts";
import type { Inbox } from "../ports/actor.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { ActionChanged, OperatedActions, OperatedHolds } from "../ports/operator.ts";
import type { AcceptedTick, Prices, Symbols } from "../ports/price.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";
import { ActorWalk, type WalkedHost } from "./actor-walk.ts";

interface Parts {
  readonly host: WalkedHost;
  readonly holds: Pick<OperatedHolds, "find" | "holdInTurn" | "releaseInTurn"> & { giveLast(symbol: string): void };
  readonly limits: { followInTurn(action: CorporateAction, isLate: boolean): void };
}

interface CorporateActionsOptions {
  readonly partition: number;
  readonly store: Pick<Store, "scan">;
  readonly journal: Pick<Journal, "put" | "remove" | "afterDurable">;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly fatal: Fatal;
  readonly symbols: Pick<Symbols, "isKnown" | "tickTableOf" | "zoneOf">;
  readonly prices: Prices;
  readonly feed: Pick<PartitionFeed, "isCatchingUp">;
  /** Whether the levels of a symbol follow a rename now, which comes first. */
  readonly isRenaming: (symbol: string) => boolean;
  /** Parts of the partition, used in turns. */
  readonly parts: Parts;
  /** Gives a tick that waited for its symbol. */
  readonly give: (tick: AcceptedTick) => void;
}

/** How far apart two prices of one base can be. */
const EXPLAINED_PERCENT = 25;
/** Brokerages show the new number of shares at most so much earlier or later. */
const SHARES_SHOWN_MS = 7 * 86_400_000;
/** A price with a close comes so long after the price before: a later one opens another session (behaviour 16.2). */
const SESSION_GAP_MS = 4 * 3_600_000;
/** Applied actions are forgotten after this time: an action for an earlier day can no longer be entered. */
const KEPT_MS = 400 * 86_400_000;

const { corporateActions: TABLE } = TABLES;

export class CorporateActions implements OperatedActions {
  readonly #options: CorporateActionsOptions;
  readonly #rows = new Map<string, StoredAction>();
  /** The moment of the earliest action that is not applied; every tick is compared with it. */
  #nextMs = Number.POSITIVE_INFINITY;
  /** The waiting ticks of each symbol whose actors are following. */
  readonly #waiting = new Map<string, AcceptedTick[]>();
  /** The actions, applied or begun, of symbols without a price of the new base so far, in order. */
  readonly #unopened = new Map<string, readonly StoredAction[]>();
  readonly #walk: ActorWalk;
  #durable: readonly CorporateAction[] = [];

  constructor(options: CorporateActionsOptions) {
    this.#options = options;
    this.#walk = new ActorWalk(options);
  }

  /** At start: takes in a stored row. Throws if it is not valid. */
  recover(value: Uint8Array): void {
    this.#note(storedActionSchema.parse(JSON.parse(Buffer.from(value).toString())));
    this.#durable = this.#all();
  }

  /** The durable actions: the same list until one is added, removed or renamed. */
  durable(): readonly CorporateAction[] {
    return this.#durable;
  }

  #all(): readonly CorporateAction[] {
    return [...this.#rows.values()].map(({ action }) => action);
  }

  /** In a turn that added, removed or renamed actions: shows them once that is durable. */
  #show(): void {
    const all = this.#all();
    this.#options.journal.afterDurable(() => {
      this.#durable = all;
    });
  }

  /** True while no tick waits for an action to be applied. */
  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  list(): readonly ActionView[] {
    return [...this.#rows.values()].map(({ action, enteredAtMs, appliedAtMs }) => ({
      actionId: action.actionId,
      partition: this.#options.partition,
      symbol: action.symbol,
      type: action.type,
      exDate: action.exDate,
      description: actionText(action),
      enteredDate: formatTime(enteredAtMs),
      appliedDate: appliedAtMs === null ? null : formatTime(appliedAtMs),
    }));
  }

  addInTurn(request: ActionRequest): Result<ActionChanged> {
    const { symbols, clock, prices, feed } = this.#options;
    const { symbol } = request;
    if (!symbols.isKnown(symbol)) return refuse("NOT_FOUND", `symbol ${symbol} is not known`);
    const nowMs = clock.nowMs();
    const planned = planAction(request, nowMs, symbols.zoneOf(symbol));
    if (!planned.ok) return planned;
    const action = planned.value;
    const { actionId } = action;
    if (action.exMs <= nowMs && feed.isCatchingUp()) return waitsForMissed(`prices of ${symbol}`);
    const known = this.#rows.get(actionId);
    if (known !== undefined) {
      return isSameAction(known.action, action)
        ? accept({ actionId, isChanged: false, isImmediate: false })
        : refuse("CONFLICT", `${actionText(known.action)} of ${symbol} was entered already; remove it first`);
    }
    const isOpened = (prices.last(symbol)?.timeMs ?? 0) >= action.exMs;
    this.#forgetOld(nowMs);
    this.#keep({ version: 1, action, enteredAtMs: nowMs, begun: null, appliedAtMs: null, isOpened });
    this.#show();
    if (action.exMs <= nowMs) this.#begin(nowMs);
    return accept({ actionId, isChanged: true, isImmediate: action.exMs <= nowMs });
  }

  removeInTurn(actionId: string): Result<ActionChanged> {
    const row = this.#rows.get(actionId);
    if (row === undefined) return refuse("NOT_FOUND", `corporate action ${actionId} is not known`);
    if (row.appliedAtMs !== null || row.action.exMs <= this.#options.clock.nowMs()) {
      return refuse("CONFLICT", `${actionText(row.action)} counts since its exDate and cannot be removed`);
    }
    this.#rows.delete(actionId);
    this.#options.journal.remove(TABLE.key(actionId));
    this.#show();
    this.#refresh();
    return accept({ actionId, isChanged: true, isImmediate: false });
  }

  /** In a turn: the actions of a former name are of the new one (behaviour 30.5). None of them is being applied. */
  renameInTurn({ from, to }: Renaming): void {
    for (const row of [...this.#rows.values()].filter(({ action }) => action.symbol === from)) {
      const { actionId } = row.action;
      this.#rows.delete(actionId);
      this.#options.journal.remove(TABLE.key(actionId));
      const action = { ...row.action, symbol: to, actionId: to + actionId.slice(from.length) };
      if (!this.#rows.has(action.actionId)) this.#keep({ ...row, action });
    }
    this.#unopened.delete(from);
    this.#show();
    this.#refresh();
  }

  /** Refuses for now new levels of a symbol whose levels are still on the base before. */
  refusalFor(symbol: string): Refusal | undefined {
    const nowMs = this.#options.clock.nowMs();
    if (this.#nextMs > nowMs && !this.#waiting.has(symbol)) return undefined;
    const isBehind = this.#waiting.has(symbol) || this.#due(nowMs).some(({ action }) => action.symbol === symbol);
    if (!isBehind) return undefined;
    return refuse("UNAVAILABLE", `the levels of ${symbol} follow a corporate action now; retry in a moment`);
  }

  /** Whether the levels of a symbol are being changed: no price counts for them until that is done. */
  isApplying(symbol: string): boolean {
    return this.#waiting.has(symbol) || this.#options.isRenaming(symbol);
  }

  /** Whether a price is from before the last change of base, so that it does not count for levels of the new base. */
  isOfOldBase(symbol: string, timeMs: number): boolean {
    if (this.#unopened.size === 0) return false;
    return this.#unopened.get(symbol)?.some(({ action }) => action.exMs > timeMs) === true;
  }

  /** The base of the number of shares of a symbol (behaviour 28.9). */
  baseOf(symbol: string): ShareBase {
    if (this.#rows.size === 0) return SAME_BASE;
    const nowMs = this.#options.clock.nowMs();
    const rows = [...this.#rows.values()]
      .filter(({ action }) => action.symbol === symbol && changesShares(action))
      .sort(byDay);
    const isOpen = ({ appliedAtMs, isOpened }: StoredAction) => appliedAtMs !== null && isOpened;
    return {
      isChanging: rows.some((row) => row.action.exMs <= nowMs && !isOpen(row)),
      actionId: rows.findLast(({ appliedAtMs }) => appliedAtMs !== null)?.action.actionId ?? null,
      near: rows
        .map(({ action }) => action)
        .filter(({ exMs }) => exMs > nowMs - SHARES_SHOWN_MS && exMs < nowMs + SHARES_SHOWN_MS),
    };
  }

  /** In a turn: a pending OCO made a group, possibly with levels of the base before. */
  noteMade(symbol: string, groupId: number): void {
    this.#walk.noteMade(symbol, groupId);
  }

  /** Applies the actions that are due by the clock. Missed ticks that are read back pass them, each in its place. */
  passByClock(): void {
    const nowMs = this.#options.clock.nowMs();
    if (this.#nextMs <= nowMs && !this.#options.feed.isCatchingUp()) this.#begin(nowMs);
  }

  /** True: no action is due by then, is being applied, or waits for the first price of its base. */
  isQuietUntil(timeMs: number): boolean {
    return timeMs < this.#nextMs && this.#waiting.size === 0 && this.#unopened.size === 0;
  }

  /** Whether a tick may reach levels now; otherwise it waits here. The tick is valid only during the call. */
  admits(tick: AcceptedTick): boolean {
    if (this.#nextMs <= tick.timeMs) this.#begin(tick.timeMs);
    if (this.#waiting.size === 0) return true;
    const waiting = this.#waiting.get(tick.symbol);
    waiting?.push({ ...tick });
    return waiting === undefined;
  }

  /**
   * Returns the price with which the base price guard compares a tick: for the first price of a new base the last one
   * before on that base, else the close of the session before; undefined for any other tick, and for a tick
   * from before the entry of an action of its day, which was compared then (behaviour 16.2).
   */
  closeBefore(tick: AcceptedTick): LivePrice | undefined {
    const { symbol, timeMs, close } = tick;
    if (close === undefined && this.#unopened.size === 0) return undefined;
    if (close !== undefined && this.#wasCompared(tick)) return undefined;
    const unopened = this.#unopened.get(symbol)?.filter(({ action }) => action.exMs <= timeMs) ?? [];
    const counting = unopened.length > 0 || close === undefined ? unopened : this.#openedBy(tick);
    const last = counting.at(-1);
    if (last === undefined) return close;
    const expected = last.begun?.move?.to ?? (close && this.#valueAfter(counting, close.value));
    return expected === undefined ? undefined : livePrice(expected);
  }

  /** The actions for which the first price of a session is the first one of the new base, read back after a kill. */
  #openedBy({ symbol, timeMs }: AcceptedTick): readonly StoredAction[] {
    const rows = [...this.#rows.values()].filter(({ action, openedAtMs }) => {
      if (action.symbol !== symbol || openedAtMs === undefined) return false;
      return action.exMs <= timeMs && timeMs < openedAtMs + SESSION_GAP_MS;
    });
    return rows.sort(byDay);
  }

  /** Whether a tick came before an applied action of its day was entered: the action has settled the hold of it. */
  #wasCompared({ symbol, timeMs }: AcceptedTick): boolean {
    return [...this.#rows.values()].some(({ action, enteredAtMs, appliedAtMs }) => {
      return action.symbol === symbol && appliedAtMs !== null && action.exMs <= timeMs && timeMs <= enteredAtMs;
    });
  }

  /** Notes that a price of the new base has come. */
  noteOpened({ symbol, timeMs }: AcceptedTick): void {
    if (this.#unopened.size === 0) return;
    const rows = this.#unopened.get(symbol);
    if (rows === undefined || rows.some(({ action }) => action.exMs > timeMs)) return;
    this.#unopened.delete(symbol);
    this.#options.inbox.enqueue(() => {
      for (const row of rows) this.#keep({ ...row, isOpened: true, openedAtMs: timeMs });
    });
  }

  #valueAfter(rows: readonly StoredAction[], value: number): number {
    return rows.reduce((now, row) => valueAfter(effectiveOf(row), now), value);
  }

  #due(timeMs: number): StoredAction[] {
    return [...this.#rows.values()].filter(({ action, appliedAtMs }) => appliedAtMs === null && action.exMs <= timeMs);
  }

  #begin(timeMs: number): void {
    const bySymbol = new Map<string, StoredAction[]>();
    for (const row of this.#due(timeMs)) {
      const { symbol } = row.action;
      if (this.#waiting.has(symbol) || this.#options.isRenaming(symbol)) continue;
      bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []), row]);
    }
    for (const symbol of bySymbol.keys()) this.#waiting.set(symbol, []);
    this.#refresh();
    for (const [symbol, rows] of bySymbol) {
      this.#options.inbox.enqueue(() => this.#start(symbol, rows.sort(byDay)));
    }
  }

  /** In a turn: stores the prices from which the actions are computed, then searches the symbol's actors. */
  #start(symbol: string, due: readonly StoredAction[]): void {
    // Actions that a kill interrupted are finished alone: their prices are known.
    const interrupted = due.filter(({ begun }) => begun !== null);
    const rows = interrupted.length > 0 ? interrupted : this.#begun(symbol, due);
    for (const row of rows) this.#keep(row);
    const events = rows.map((row) => this.#eventOf(row));
    this.#walk.begin({ symbol, events, onEnd: (actorCount) => this.#finish(symbol, rows, actorCount) });
  }

  #eventOf(row: StoredAction): CorporateActionEvent {
    const { enteredAtMs, begun } = row;
    const action = effectiveOf(row);
    const isLate = enteredAtMs > action.exMs;
    const adjustment: Adjustment = {
      ...{ action, tickTable: this.#options.symbols.tickTableOf(action.symbol), move: begun?.move ?? null },
      sinceMs: isLate ? action.exMs : null,
    };
    return { type: "corporateAction", adjustment, timeMs: isLate ? enteredAtMs : action.exMs };
  }

  #begun(symbol: string, due: readonly StoredAction[]): readonly StoredAction[] {
    const from = this.#lastOfOldBase(symbol, due);
    let value = from;
    const priced = due.map((row): StoredAction => {
      const begun = { ...row, begun: { ...(value !== undefined && { closePrice: value }), move: null } };
      value = value === undefined ? undefined : valueAfter(effectiveOf(begun), value);
      return begun;
    });
    const move = from === undefined || value === undefined || value <= 0 ? null : { from, to: value };
    return priced.map((row) => ({
      ...row,
      begun: { ...(row.begun?.closePrice !== undefined && { closePrice: row.begun.closePrice }), move },
    }));
  }

  /** The last price before the actions in currency units; undefined if it is not known. */
  #lastOfOldBase(symbol: string, due: readonly StoredAction[]): number | undefined {
    const { prices, parts } = this.#options;
    const exMs = Math.min(...due.map(({ action }) => action.exMs));
    const last = prices.last(symbol);
    if (last !== undefined && last.timeMs < exMs) return last.price.value;
    const told = this.#waiting.get(symbol)?.find((tick) => tick.close !== undefined)?.close?.value;
    if (told !== undefined) return told;
    const hold = parts.holds.find(symbol);
    return hold?.by === "guard" && hold.sinceMs >= exMs ? (hold.fromPrice ?? undefined) : undefined;
  }

  #finish(symbol: string, rows: readonly StoredAction[], actorCount: number): void {
    const { clock, log, give, parts } = this.#options;
    const appliedAtMs = clock.nowMs();
    for (const row of rows) {
      this.#keep({ ...row, appliedAtMs });
      parts.limits.followInTurn(effectiveOf(row), row.enteredAtMs > row.action.exMs);
      const { actionId, exDate } = row.action;
      log.info({ event: "corporateAction.applied", actionId, symbol, exDate, actorCount }, "levels followed an action");
      if (needsClose(effectiveOf(row))) {
        parts.holds.holdInTurn(symbol, `${actionText(row.action)}: the last close before it is not known`);
      }
    }
    const more = this.#due(appliedAtMs).filter(({ action }) => action.symbol === symbol);
    if (more.length > 0) {
      this.#start(symbol, more.sort(byDay));
      return;
    }
    const waiting = this.#waiting.get(symbol) ?? [];
    this.#waiting.delete(symbol);
    this.#refresh();
    const held = parts.holds.find(symbol);
    if (held !== undefined && this.#explains(rows, held)) parts.holds.releaseInTurn(symbol);
    else if (held === undefined && waiting.length === 0) parts.holds.giveLast(symbol);
    for (const tick of waiting) give(tick);
  }

  /** Whether the actions explain what the guard held a symbol for. */
  #explains(rows: readonly StoredAction[], { by, fromPrice, toPrice }: StoredHold): boolean {
    if (by !== "guard" || fromPrice === null || toPrice === null) return false;
    if (rows.some((row) => needsClose(effectiveOf(row)))) return false;
    const from = livePrice(this.#valueAfter(rows, fromPrice));
    const to = livePrice(toPrice);
    return from !== undefined && to !== undefined && !isOnAnotherBase(from, to, EXPLAINED_PERCENT);
  }

  #keep(row: StoredAction): void {
    this.#options.journal.put(TABLE.key(row.action.actionId), JSON.stringify(row));
    this.#note(row);
  }

  #forgetOld(nowMs: number): void {
    for (const [actionId, { action, appliedAtMs, isOpened }] of this.#rows) {
      if (appliedAtMs === null || !isOpened || action.exMs > nowMs - KEPT_MS) continue;
      this.#rows.delete(actionId);
      this.#options.journal.remove(TABLE.key(actionId));
    }
  }

  #note(row: StoredAction): void {
    const { symbol, actionId } = row.action;
    this.#rows.set(actionId, row);
    // A part of the actors may have followed before a kill: no price of the base before counts for them.
    if (row.begun !== null && !row.isOpened) {
      const others = (this.#unopened.get(symbol) ?? []).filter(({ action }) => action.actionId !== actionId);
      this.#unopened.set(symbol, [...others, row].sort(byDay));
    }
    this.#refresh();
  }

  #refresh(): void {
    this.#nextMs = Number.POSITIVE_INFINITY;
    for (const { action, appliedAtMs } of this.#rows.values()) {
      if (appliedAtMs === null && !this.#waiting.has(action.symbol)) this.#nextMs = Math.min(this.#nextMs, action.exMs);
    }
  }
}

/** Last prices, without prices of the base before an action: they do not count for levels of the new one. */
export function pricesOfBase(prices: Prices, actions: () => CorporateActions): Prices {
  return {
    last: (symbol) => {
      const last = prices.last(symbol);
      return last !== undefined && actions().isOfOldBase(symbol, last.timeMs) ? undefined : last;
    },
  };
}

function byDay(left: StoredAction, right: StoredAction): number {
  return byOrderOfActions(left.action, right.action);
}

/** The action as it counts: a rights issue without a close has the last price before it. */
function effectiveOf({ action, begun }: StoredAction): CorporateAction {
  const closePrice = begun?.closePrice;
  return action.type === "rights" && closePrice !== undefined && needsClose(action)
    ? { ...action, closePrice }
    : action;
}
