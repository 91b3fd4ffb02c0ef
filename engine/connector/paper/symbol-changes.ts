/**
 * Renames and corporate actions of symbols, as the paper brokerage's book follows them (behaviour 28.10, 30.6).
 *
 * Owns: which changes the book has followed. Does not own: which changes exist (injected), their effect on accounts and
 * orders (book.ts) and on prices (last-prices.ts).
 *
 * Invariants:
 * 1. The book follows an action once, over kills: the row of the action is in the batch of what it changed.
 * 2. A rename leaves nothing under the former name, so following it again changes nothing.
 * 3. Renames come first: an action is known by the present name of its symbol.
 * 4. Actions from before the book followed any are not followed: its lots are on their base.
 */
import { byOrderOfActions, type CorporateAction, changesShares } from "../../../src/domain/market/corporate-action.ts";
import type { Renaming } from "../../../src/domain/market/rename.ts";
import type { Symbols } from "../../ports/price.ts";
import type { OrderBook } from "./market/book.ts";
import type { LastPrices } from "./market/last-prices.ts";
import * as codec from "./stored/codec.ts";
import type { PaperJournal } from "./stored/journal.ts";

/** Which symbols changed. */
export interface ChangedSymbols {
  /** False while a rename can exist that is not known here. */
  readonly areKnown: boolean;
  /** The present name of a symbol. */
  presentName(symbol: string): string;
  /** Every former name with the present one: the same list until a symbol is renamed. */
  renames(): readonly Renaming[];
  /**
   * The durable corporate actions, also future ones: the same list until one is added, removed or renamed. Undefined: they
   * are not known yet.
   */
  actions(): readonly CorporateAction[] | undefined;
}

/** The changes of symbols of a directory and its actions. */
export function changedSymbols(
  symbols: Pick<Symbols, "presentName" | "renames">,
  { actions, areKnown = () => true }: Pick<ChangedSymbols, "actions"> & { readonly areKnown?: () => boolean },
): ChangedSymbols {
  return {
    get areKnown() {
      return areKnown();
    },
    presentName: (symbol) => symbols.presentName(symbol),
    renames: () => symbols.renames(),
    actions,
  };
}

interface SymbolChangesPorts {
  readonly symbols: ChangedSymbols;
  readonly book: Pick<OrderBook, "rename"> & { followAction(action: CorporateAction): void };
  readonly prices: Pick<LastPrices, "rename" | "ignoreBefore">;
  readonly journal: Pick<PaperJournal, "put" | "remove">;
}

export class SymbolChanges {
  readonly #ports: SymbolChangesPorts;
  /** The followed actions by their id. */
  readonly #followed = new Map<string, codec.FollowedAction>();
  #seenRenames: readonly Renaming[] = [];
  #seenActions: readonly CorporateAction[] = [];
  /** The time of the next action to follow. */
  #nextMs = Number.POSITIVE_INFINITY;
  /** Whether the actions from before the book followed any were noted. */
  #hasBegun = false;

  constructor(ports: SymbolChangesPorts) {
    this.#ports = ports;
  }

  /** Restores the stored row of a followed action. */
  restore(actionId: string, followed: codec.FollowedAction): void {
    this.#followed.set(actionId, followed);
    this.#ports.prices.ignoreBefore(followed.symbol, followed.exMs);
  }

  /** Restores that the book follows actions. */
  restoreBegun(): void {
    this.#hasBegun = true;
  }

  /** Follows every change up to a moment. Returns whether there was one: then the book's changes must be kept. */
  follow(nowMs: number): boolean {
    const { symbols } = this.#ports;
    const [renames, actions] = [symbols.renames(), symbols.actions()];
    const isRenamed = renames !== this.#seenRenames;
    if (isRenamed) this.#followRenames(renames);
    const isChanged = actions !== undefined && actions !== this.#seenActions;
    if (isChanged) {
      this.#seenActions = actions;
      this.#begin(nowMs);
    }
    if (isRenamed || isChanged) this.#nextMs = Math.min(...this.#open().map(({ exMs }) => exMs));
    if (nowMs < this.#nextMs) return isRenamed;
    for (const action of this.#open().sort(byOrderOfActions)) if (action.exMs <= nowMs) this.#followAction(action);
    this.#nextMs = Math.min(...this.#open().map(({ exMs }) => exMs));
    return true;
  }

  #open(): CorporateAction[] {
    return this.#seenActions
      .filter(changesShares)
      .map((action) => this.#named(action))
      .filter(({ actionId }) => !this.#followed.has(actionId));
  }

  /** Once for a store: its lots are on the base of the actions until now. */
  #begin(nowMs: number): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#ports.journal.put(codec.ACTIONS_BEGUN_KEY, "");
    for (const { actionId, symbol, exMs } of this.#open()) if (exMs <= nowMs) this.#keep(actionId, { symbol, exMs });
  }

  /** Returns the action under the present name of its symbol, with which its id begins. */
  #named(action: CorporateAction): CorporateAction {
    const symbol = this.#ports.symbols.presentName(action.symbol);
    return { ...action, symbol, actionId: symbol + action.actionId.slice(action.symbol.length) };
  }

  #followRenames(renames: readonly Renaming[]): void {
    const { book, prices, journal } = this.#ports;
    this.#seenRenames = renames;
    for (const { from, to } of renames) {
      book.rename(from, to);
      prices.rename(from, to);
      for (const [actionId, followed] of [...this.#followed]) {
        if (followed.symbol !== from) continue;
        this.#followed.delete(actionId);
        journal.remove(codec.actionKey(actionId));
        this.#keep(to + actionId.slice(from.length), { ...followed, symbol: to });
      }
    }
  }

  #followAction(action: CorporateAction): void {
    const { actionId, symbol, exMs } = action;
    this.#ports.book.followAction(action);
    this.#keep(actionId, { symbol, exMs });
  }

  #keep(actionId: string, followed: codec.FollowedAction): void {
    this.#ports.journal.put(codec.actionKey(actionId), codec.encodeFollowed(followed));
    this.restore(actionId, followed);
  }
}
