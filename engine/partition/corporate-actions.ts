/**
 * Corporate actions of a partition: levels follow a change of their symbol's base (behaviour 23).
 *
 * Owns: the entered actions, when they are applied, which prices are on which base. Does not own: what an action changes
 * in an actor (`src/domain`), who may enter one (the edge), holds (`holds.ts`).
 *
 * Invariants:
 * 1. No price of the new base reaches a level of the old one: ticks of the symbol wait until every actor has followed, and
 *    are then given in their order.
 * 2. An action is applied once. A kill repeats what was not finished: actors that have its id skip it.
 * 3. What an action is computed from is stored before the first actor follows, so that each leader computes the same.
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
  adjustedValue,
  isSameAction,
  needsClose,
  planAction,
} from "../../src/domain/market/corporate-action.ts";
import { type LivePrice, livePrice } from "../../src/domain/price/price.ts";
import { accept, type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import { formatTime } from "../../src/domain/time.ts";
import { isHeardBy } from "../../src/machine/actor-event.ts";
import type { CorporateActionEvent } from "../../src/machine/wake-event.ts";
import type { Clock, Fatal, Log } from "../../src/runtime/ports.ts";
import { waitsForMissed } from "../command/context.ts";
import type { Inbox } from "../ports/actor.ts";
import type { OperatedActions, OperatedHolds, StoredActor } from "../ports/operator.ts";
import type { AcceptedTick, Prices, Symbols } from "../ports/price.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";

interface Parts {
  readonly host: {
    wake(id: number, event: CorporateActionEvent): boolean;
    readStored(row: Uint8Array): StoredActor | undefined;
  };
  readonly holds: Pick<OperatedHolds, "find" | "holdInTurn" | "releaseInTurn"> & { giveLast(symbol: string): void };
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
  readonly isCatchingUp: () => boolean;
  /** Of the partition; used in turns. */
  readonly parts: Parts;
  /** A tick that waited for its symbol. */
  readonly give: (tick: AcceptedTick) => void;
}

/** Actors that follow in one turn. */
const ACTORS_A_TURN = 128;
/** How far apart two prices may be that an action explains. */
const EXPLAINED_PERCENT = 25;

const { corporateActions: TABLE, actors: ACTORS } = TABLES;

export class CorporateActions implements OperatedActions {
  readonly #options: CorporateActionsOptions;
  readonly #rows = new Map<string, StoredAction>();
  /** The moment of the earliest action that was not applied; every tick is compared with it. */
  #nextMs = Number.POSITIVE_INFINITY;
  /** The ticks that wait, by the symbols whose actors are following. */
  readonly #waiting = new Map<string, AcceptedTick[]>();
  /** Symbols of which the first price of the new base was not seen yet. */
  readonly #unopened = new Map<string, readonly StoredAction[]>();
  /** Groups that pending OCOs made while their symbols' actors are looked for. */
  readonly #made = new Map<string, number[]>();

  constructor(options: CorporateActionsOptions) {
    this.#options = options;
  }

  /** At start: a stored row. Throws on what is none. */
  recover(value: Uint8Array): void {
    this.#note(storedActionSchema.parse(JSON.parse(Buffer.from(value).toString())));
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

  addInTurn(request: ActionRequest): Result<{ readonly actionId: string; readonly isChanged: boolean }> {
    const { symbols, clock, prices, isCatchingUp } = this.#options;
    const { symbol } = request;
    if (!symbols.isKnown(symbol)) return refuse("NOT_FOUND", `symbol ${symbol} is not known`);
    const nowMs = clock.nowMs();
    const planned = planAction(request, nowMs, symbols.zoneOf(symbol));
    if (!planned.ok) return planned;
    const action = planned.value;
    const { actionId } = action;
    if (action.exMs <= nowMs && isCatchingUp()) return waitsForMissed(`prices of ${symbol}`);
    const known = this.#rows.get(actionId);
    if (known !== undefined) {
      return isSameAction({ ...known.action, ...closeOf(action) } as typeof action, action)
        ? accept({ actionId, isChanged: false })
        : refuse("CONFLICT", `${actionText(known.action)} of ${symbol} was entered already; remove it first`);
    }
    const isOpened = (prices.last(symbol)?.timeMs ?? 0) >= action.exMs;
    this.#keep({ version: 1, action, enteredAtMs: nowMs, appliedAtMs: null, isOpened });
    if (action.exMs <= nowMs) this.#begin(nowMs);
    return accept({ actionId, isChanged: true });
  }

  removeInTurn(actionId: string): Result<{ readonly actionId: string; readonly isChanged: boolean }> {
    const row = this.#rows.get(actionId);
    if (row === undefined) return refuse("NOT_FOUND", `corporate action ${actionId} is not known`);
    if (row.appliedAtMs !== null || row.action.exMs <= this.#options.clock.nowMs()) {
      return refuse("CONFLICT", `${actionText(row.action)} counts since its exDate and cannot be removed`);
    }
    this.#rows.delete(actionId);
    this.#options.journal.remove(TABLE.key(actionId));
    this.#refresh();
    return accept({ actionId, isChanged: true });
  }

  /** Refuses for now what would give levels to a symbol whose levels are still on the base before. */
  refusalFor(symbol: string): Refusal | undefined {
    if (this.#nextMs > this.#options.clock.nowMs() && !this.#waiting.has(symbol)) return undefined;
    const isBehind = this.#due(this.#options.clock.nowMs()).some(({ action }) => action.symbol === symbol);
    if (!isBehind) return undefined;
    return refuse("UNAVAILABLE", `the levels of ${symbol} follow a corporate action now; retry in a moment`);
  }

  /** Whether the levels of a symbol are being changed: no price counts for them meanwhile. */
  isApplying(symbol: string): boolean {
    return this.#waiting.has(symbol);
  }

  /** A price of before the last change of base says nothing to levels of the new one. */
  isOfOldBase(symbol: string, timeMs: number): boolean {
    if (this.#unopened.size === 0) return false;
    return this.#unopened.get(symbol)?.some(({ action }) => action.exMs > timeMs) === true;
  }

  /** In a turn: a pending OCO made a group, perhaps with levels of the base before. */
  noteMade(symbol: string, groupId: number): void {
    if (this.#waiting.has(symbol)) this.#made.set(symbol, [...(this.#made.get(symbol) ?? []), groupId]);
  }

  /** Applies what is due by the clock. While missed ticks are read back they pass it, each in its place. */
  passByClock(): void {
    const nowMs = this.#options.clock.nowMs();
    if (this.#nextMs <= nowMs && !this.#options.isCatchingUp()) this.#begin(nowMs);
  }

  /** Whether a tick may go on now; one that may not waits here. It is valid only during the call. */
  admits(tick: AcceptedTick): boolean {
    if (this.#nextMs <= tick.timeMs) this.#begin(tick.timeMs);
    if (this.#waiting.size === 0) return true;
    const waiting = this.#waiting.get(tick.symbol);
    waiting?.push({ ...tick });
    return waiting === undefined;
  }

  /** The close of the session before on the base of a tick, where it is the first one of the new base (behaviour 16.2). */
  closeAfter({ symbol, timeMs }: AcceptedTick, close: LivePrice): LivePrice | undefined {
    const rows = this.#unopened.size === 0 ? undefined : this.#unopened.get(symbol);
    if (rows === undefined) return undefined;
    const counting = rows.filter(({ action }) => action.exMs <= timeMs);
    return livePrice(counting.reduce((value, row) => this.#valueAfter(row, value), close.value));
  }

  /** A price of the new base has come. */
  noteOpened({ symbol, timeMs }: AcceptedTick): void {
    const rows = this.#unopened.size === 0 ? undefined : this.#unopened.get(symbol);
    if (rows === undefined || rows.some(({ action }) => action.exMs > timeMs)) return;
    this.#unopened.delete(symbol);
    this.#options.inbox.enqueue(() => {
      for (const row of rows) this.#keep({ ...row, isOpened: true });
    });
  }

  #valueAfter({ action }: StoredAction, value: number): number {
    return action.type === "dividend" ? value - action.cash : adjustedValue(value, action);
  }

  #due(timeMs: number): StoredAction[] {
    return [...this.#rows.values()].filter(({ action, appliedAtMs }) => appliedAtMs === null && action.exMs <= timeMs);
  }

  #begin(timeMs: number): void {
    const bySymbol = new Map<string, StoredAction[]>();
    for (const row of this.#due(timeMs)) {
      const { symbol } = row.action;
      if (this.#waiting.has(symbol)) continue;
      bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []), row]);
    }
    for (const symbol of bySymbol.keys()) this.#waiting.set(symbol, []);
    this.#refresh();
    for (const [symbol, rows] of bySymbol) {
      this.#options.inbox.enqueue(() => this.#start(symbol, rows.sort(byDay)));
    }
  }

  /** In a turn: what an action needs to know is stored, and its actors are looked for once that is durable. */
  #start(symbol: string, rows: readonly StoredAction[]): void {
    const { prices, journal, parts, fatal } = this.#options;
    const known = rows.map((row): StoredAction => {
      if (!needsClose(row.action)) return row;
      const last = prices.last(symbol);
      const isClose = last !== undefined && last.timeMs < row.action.exMs;
      const told = this.#waiting.get(symbol)?.find((tick) => tick.close !== undefined)?.close?.value;
      const close = isClose ? last.price.value : (told ?? parts.holds.find(symbol)?.fromPrice ?? null);
      return { ...row, action: { ...row.action, ...(close !== null && { closePrice: close }) } as typeof row.action };
    });
    for (const row of known) this.#keep(row);
    journal.afterDurable(() => {
      this.#owners(symbol).then(
        (ids) => this.#options.inbox.enqueue(() => this.#follow(symbol, known, ids, 0)),
        // Dropped where the partition has ended meanwhile.
        (cause: unknown) => this.#options.inbox.enqueue(() => fatal("actors could not be read", cause)),
      );
    });
  }

  /** Every live actor that has something to do with the symbol, by id; a few more do no harm. */
  async #owners(symbol: string): Promise<readonly number[]> {
    const named = Buffer.from(JSON.stringify(symbol));
    const { store, parts } = this.#options;
    const isFollower = (row: Uint8Array): boolean =>
      isHeardBy(parts.host.readStored(row)?.kind ?? "family", "corporateAction");
    const ids: number[] = [];
    for await (const page of store.scan(ACTORS.range)) {
      for (const [key, value] of page) {
        if (Buffer.from(value).includes(named) && isFollower(value)) ids.push(ACTORS.numberOf(key));
      }
    }
    return ids;
  }

  #follow(symbol: string, rows: readonly StoredAction[], ids: readonly number[], from: number): void {
    const { parts, inbox, symbols } = this.#options;
    const next = from + ACTORS_A_TURN;
    for (const id of ids.slice(from, next)) {
      for (const { action, enteredAtMs } of rows) {
        const isLate = enteredAtMs > action.exMs;
        const adjustment: Adjustment = {
          ...{ action, tickTable: symbols.tickTableOf(symbol) },
          sinceMs: isLate ? action.exMs : null,
        };
        parts.host.wake(id, { type: "corporateAction", adjustment, timeMs: isLate ? enteredAtMs : action.exMs });
      }
    }
    const made = this.#made.get(symbol) ?? [];
    this.#made.delete(symbol);
    const all = made.length === 0 ? ids : [...ids, ...made];
    const isDone = next >= all.length;
    inbox.enqueue(() => (isDone ? this.#finish(symbol, rows, all.length) : this.#follow(symbol, rows, all, next)));
  }

  #finish(symbol: string, rows: readonly StoredAction[], actorCount: number): void {
    const { clock, log, give, parts } = this.#options;
    const appliedAtMs = clock.nowMs();
    for (const row of rows) {
      this.#keep({ ...row, appliedAtMs });
      const { actionId, exDate } = row.action;
      log.info({ event: "corporateAction.applied", actionId, symbol, exDate, actorCount }, "levels followed an action");
      if (needsClose(row.action)) {
        parts.holds.holdInTurn(symbol, `${actionText(row.action)}: the last close before it is not known`);
      }
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
    if (by !== "guard" || fromPrice === null || toPrice === null || rows.some(({ action }) => needsClose(action))) {
      return false;
    }
    const from = livePrice(rows.reduce((value, row) => this.#valueAfter(row, value), fromPrice));
    const to = livePrice(toPrice);
    return from !== undefined && to !== undefined && !isOnAnotherBase(from, to, EXPLAINED_PERCENT);
  }

  #keep(row: StoredAction): void {
    this.#options.journal.put(TABLE.key(row.action.actionId), JSON.stringify(row));
    this.#note(row);
  }

  #note(row: StoredAction): void {
    const { symbol, actionId } = row.action;
    this.#rows.set(actionId, row);
    if (row.appliedAtMs !== null && !row.isOpened) {
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

/** Last prices without those of the base before an action: they say nothing to levels of the new one. */
export function pricesOfBase(prices: Prices, actions: () => CorporateActions): Prices {
  return {
    last: (symbol) => {
      const last = prices.last(symbol);
      return last !== undefined && actions().isOfOldBase(symbol, last.timeMs) ? undefined : last;
    },
  };
}

function byDay(left: StoredAction, right: StoredAction): number {
  return left.action.exMs - right.action.exMs;
}

/** A close that was found when the action was applied is not part of what was entered. */
function closeOf(entered: { readonly type: string; readonly closePrice?: number | null }): object {
  return entered.type === "rights" ? { closePrice: entered.closePrice ?? null } : {};
}
