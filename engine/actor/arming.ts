/**
 * What actors wait for, kept in step with their facts.
 *
 * Owns: the check of new levels against the last price. Does not own: the facts, their difference (watching.ts), the
 * watchbook's structures, what a reached level does (handed in as `onReached`).
 *
 * Invariant: the watchbook holds exactly the levels, deadlines and orders of the newest facts of every live actor that
 * is not quarantined, but for levels that were reached and wait to be handled.
 */

import { type OcoGroup, STOP_LOSS } from "../../src/domain/oco/group.ts";
import { cameAfterMove } from "../../src/domain/oco/trailing.ts";
import type { LivePrice, LiveTick } from "../../src/domain/price/price.ts";
import { isRecent } from "../../src/domain/price/tick-time.ts";
import type { Facts, Watch } from "../../src/machine/effect.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { Inbox, Watchbook } from "../ports/actor.ts";
import type { AcceptedTick, LastPrice } from "../ports/price.ts";
import type { StreamPlace } from "../ports/stream.ts";
import { type LaterPlace, NO_LATER_PLACES } from "./later-place.ts";
import type { Actor, Hot } from "./stepped.ts";
import { unwatchFacts, watchChanges, watchFacts } from "./watching.ts";

interface ArmingOptions {
  readonly watchbook: Watchbook;
  /** The last price of a watch's symbol, as the actor has seen it. */
  readonly lastPrice: (id: number, watch: Watch) => LastPrice | undefined;
  /** Gives an actor that counts every tick those that came before what runs now. */
  readonly bringUp: (id: number) => void;
  readonly clock: Clock;
  readonly inbox: Inbox;
  /** True while ticks that were missed are being read back: which price is the last is not known then. */
  readonly isCatchingUp: () => boolean;
  /** A level of this symbol was newly armed meanwhile. */
  readonly onArmedMeanwhile: (symbol: string) => void;
  /** Gives the last live price to an actor whose level it reaches; the level is out of the watchbook. */
  readonly onReached: (id: number, watch: Watch, price: number, timeMs: number) => void;
}

type CaughtUp = Pick<AcceptedTick, "isCaughtUp" | "timeMs" | "stored">;

interface Armed {
  readonly facts: Pick<Facts, "armedSinceMs">;
  /** Where the tick stream stood then; null where that is not known. */
  readonly armedAt: StreamPlace | null;
}

/** A level that was armed, or given back, while the last price was not known. */
interface WaitingLevel {
  readonly id: number;
  readonly watch: Watch;
  /** The last price then, and whether it reached the level: it may turn out to be the last still. */
  readonly last: LastPrice | undefined;
  readonly isReached: boolean;
}

export class Arming {
  readonly #options: ArmingOptions;
  #isChecking = false;
  #waiting: WaitingLevel[] = [];

  constructor(options: ArmingOptions) {
    this.#options = options;
  }

  /** Puts all of an actor's facts under watch. */
  watch(id: number, facts: Facts): void {
    watchFacts(this.#options.watchbook, id, facts);
  }

  /** Takes all of an actor's facts out of the watch. */
  unwatch(id: number, facts: Facts): void {
    unwatchFacts(this.#options.watchbook, id, facts);
  }

  /** What waited in the inbox before a price may have armed a reached level again: out of the watch it goes. */
  takeOut(id: number, facts: Facts, watches: readonly number[]): readonly Watch[] {
    const armed = facts.watches.filter((watch) => watches.includes(watch.watch));
    for (const watch of armed) this.#options.watchbook.disarm(id, watch);
    return armed;
  }

  /**
   * Arms levels again that a caught-up tick from before them reached. Nobody judged them by it when it came, so it counts
   * where it turns out to be the last price.
   */
  putBack(id: number, watches: readonly Watch[]): void {
    for (const watch of watches) this.#options.watchbook.arm(id, watch);
    this.waitWhileCatchingUp(id, watches);
  }

  /** Levels that were taken out are watched again, also one that was armed meanwhile. */
  armAgain(id: number, watches: readonly Watch[]): void {
    const { watchbook } = this.#options;
    for (const watch of watches) {
      watchbook.disarm(id, watch);
      watchbook.arm(id, watch);
    }
  }

  /** Levels that a caught-up tick from before them may have reached: as in `putBack`. */
  waitWhileCatchingUp(id: number, watches: readonly Watch[]): void {
    if (this.#options.isCatchingUp()) this.#wait(id, watches);
  }

  /** Applies the difference; `reached` levels are out of the watchbook already. Returns the newly armed levels. */
  apply(id: number, before: Facts | undefined, after: Facts, reached: readonly number[]): Watch[] {
    return watchChanges(this.#options.watchbook, id, before, after, reached);
  }

  /**
   * A moment was handed out: if the actor did something and something else is due at the same moment, it is handed out
   * again. An actor that did nothing is not woken again: it would be woken without end.
   */
  keepDue(id: number, passedMs: number, before: Actor, after: Actor): void {
    const hasActed = after.snapshot.context !== before.snapshot.context;
    if (hasActed && after.facts.deadlineMs === passedMs) this.#options.watchbook.setDeadline(id, passedMs);
  }

  /**
   * Newly armed levels are checked against the last live price at once (behaviour 3.3), in the batch that arms them: no
   * tick would bring that price again if the process died in between. What a check arms is checked in a later turn, and
   * what is armed while missed ticks are read back once they were: a newer price may be among them. Returns whether one
   * was reached and handled.
   */
  checkLastPrices(id: number, armed: readonly Watch[]): boolean {
    if (this.#options.isCatchingUp()) {
      this.#wait(id, armed);
      for (const { symbol } of armed) this.#options.onArmedMeanwhile(symbol);
      return false;
    }
    let isReached = false;
    for (const watch of armed) {
      if (!this.#isReachedByLast(id, watch)) continue;
      if (this.#isChecking) this.#options.inbox.enqueue(() => void this.checkLastPrices(id, [watch]));
      else isReached = this.#fireByLast(id, watch) || isReached;
    }
    return isReached;
  }

  /** To be called in a turn, once all that was missed has been given. What is no longer armed is left out. */
  checkWaiting(): void {
    // The next reading has begun: what it brings is newer still.
    if (this.#options.isCatchingUp()) return;
    for (const { id, watch, last, isReached } of this.#waiting.splice(0)) {
      if (watch.countsEveryTick === true) this.#options.bringUp(id);
      const isStillLast = isSameTick(last, this.#options.lastPrice(id, watch));
      if (isStillLast ? isReached : this.#isReachedByLast(id, watch)) this.#fireByLast(id, watch);
    }
  }

  #wait(id: number, watches: readonly Watch[]): void {
    for (const watch of watches) {
      const last = this.#options.lastPrice(id, watch);
      this.#waiting.push({ id, watch, last, isReached: this.#isReachedByLast(id, watch) });
    }
  }

  #isReachedByLast(id: number, watch: Watch): boolean {
    if (watch.onlyNewTicks === true) return false;
    const last = this.#options.lastPrice(id, watch);
    if (last === undefined || !isRecent(last, this.#options.clock.nowMs())) return false;
    return isReachedBy(watch, last.price);
  }

  /** False where the level is not armed any more. */
  #fireByLast(id: number, watch: Watch): boolean {
    const { watchbook, clock, onReached } = this.#options;
    const last = this.#options.lastPrice(id, watch);
    if (last === undefined || !watchbook.disarm(id, watch)) return false;
    this.#isChecking = true;
    try {
      onReached(id, watch, last.price.value, clock.nowMs());
    } finally {
      this.#isChecking = false;
    }
    return true;
  }
}

/** Whether a price reaches a level. */
export function isReachedBy({ side, level }: Watch, { floor, ceil }: LivePrice): boolean {
  return side === "above" ? floor >= level : ceil <= level;
}

/**
 * Whether a tick that was caught up came before an actor's levels were armed. By the stream's own order where that says
 * it, else by its clock, carried from ours as far as it was ahead then. A tick of the very millisecond may have come
 * before: as a price of its own it does not count.
 */
export function isFromBefore({ isCaughtUp, timeMs, stored }: CaughtUp, { facts, armedAt }: Armed): boolean {
  if (!isCaughtUp) return false;
  if (stored === undefined || armedAt === null) return timeMs <= facts.armedSinceMs;
  if (stored.stream === armedAt.stream && stored.sequence <= armedAt.sequence) return true;
  return stored.timeMs <= facts.armedSinceMs + armedAt.aheadMs;
}

/** The arming of one level of an actor: its own where it was armed later than the others (behaviour 15.5). */
export function armingOf(
  { facts, armedAt, armedLater }: Pick<Hot, "facts" | "armedAt" | "armedLater">,
  watch: Watch,
): Armed {
  const { armedSinceMs } = watch;
  if (armedSinceMs === undefined) return { facts, armedAt };
  const later = armedLater.find((place) => place.armedSinceMs === armedSinceMs);
  return { facts: { armedSinceMs }, armedAt: later?.place ?? null };
}

/** The places of later armings that levels have now: those that are known, and of new ones where the stream stands now. */
export function placesOf(
  { watches }: Pick<Facts, "watches">,
  before: Pick<Hot, "facts" | "armedLater">,
  streamPlace: () => StreamPlace | null,
): readonly LaterPlace[] {
  if (watches.every((watch) => watch.armedSinceMs === undefined)) return NO_LATER_PLACES;
  const places: LaterPlace[] = [];
  for (const { armedSinceMs } of watches) {
    if (armedSinceMs === undefined || places.some((place) => place.armedSinceMs === armedSinceMs)) continue;
    const isNew = before.facts.watches.every((watch) => watch.armedSinceMs !== armedSinceMs);
    const known = before.armedLater.find((place) => place.armedSinceMs === armedSinceMs)?.place;
    const place = isNew ? streamPlace() : known;
    if (place) places.push({ armedSinceMs, place });
  }
  return places;
}

function isSameTick(left: LastPrice | undefined, right: LastPrice | undefined): boolean {
  return left?.price === right?.price && left?.timeMs === right?.timeMs;
}

/** Ticks that did not come before a group's stop-loss was armed; bots judge theirs themselves. */
export function ticksThatCount(before: Hot, ticks: readonly LiveTick[]): readonly LiveTick[] {
  if (before.kind.name !== "group") return ticks;
  const stopLoss = before.facts.watches.find(({ watch }) => watch === STOP_LOSS);
  if (stopLoss === undefined) return ticks;
  const [arming, group] = [armingOf(before, stopLoss), before.snapshot.context as OcoGroup];
  return ticks.filter((tick) => !isFromBefore(tick, arming) || cameAfterMove(group, tick));
}
