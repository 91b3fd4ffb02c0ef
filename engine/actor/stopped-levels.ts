/**
 * Reached levels that a trading state stops (behaviour 18): they are out of the watchbook until it changes.
 *
 * Owns: which levels these are. Does not own: trading states, watching the levels again (the host).
 */
import { RAISE, STOP_LOSS } from "../../src/domain/oco/group.ts";
import { BUY } from "../../src/domain/order/order.ts";
import { mayFire, refuseOrder } from "../../src/domain/order/trading-state.ts";
import type { Actor } from "./stepped.ts";
import type { TermsOptions } from "./terms.ts";

const NONE: readonly number[] = [];

export class StoppedLevels {
  readonly #tradingStateOf: TermsOptions["tradingStateOf"];
  #levels = new Map<number, Set<number>>();

  constructor(tradingStateOf: TermsOptions["tradingStateOf"]) {
    this.#tradingStateOf = tradingStateOf;
  }

  /** Returns a group's levels that do not fire, as its trading is halted, and an entry's trigger that must not buy. */
  of({ kind, snapshot }: Actor, watches: readonly number[]): readonly number[] {
    if (kind.name !== "group" && kind.name !== "setup") return NONE;
    const current = this.#tradingStateOf(kind.profile(snapshot.context));
    if (kind.name === "setup") return refuseOrder(current, BUY) === undefined ? NONE : watches;
    if (current?.state !== "halted") return NONE;
    return watches.filter((watch) => watch !== RAISE && !mayFire(current, watch === STOP_LOSS));
  }

  /** Notes levels of an actor that were taken out of the watchbook. */
  note(id: number, watches: readonly number[]): void {
    const stopped = this.#levels.get(id) ?? new Set();
    this.#levels.set(id, stopped);
    for (const watch of watches) stopped.add(watch);
  }

  /** Returns the noted levels by actor, and forgets them. */
  takeAll(): ReadonlyMap<number, ReadonlySet<number>> {
    const all = this.#levels;
    this.#levels = new Map();
    return all;
  }
}
