/**
 * Levels, deadlines and orders that actors wait for, kept equal to their facts.
 *
 * Owns: the check of new levels against the last price. Does not own: the facts, their difference (watching.ts), the
 * watchbook's structures, the effect of a reached level (handed in as `onReached`).
 *
 * Invariant: the watchbook contains the levels, deadlines and orders of the newest facts of every live actor that is
 * not quarantined, and no others. Only levels that were reached and wait to be handled are absent.
 */

import { type OcoGroup, STOP_LOSS } from "../../src/domain/oco/group.ts";
import { cameAfterMove } from "../../src/domain/oco/trailing.ts";
import type { LivePrice, LiveTick } from "../../src/domain/price/price.ts";
import { isRecent } from "../../src/domain/price/tick-time.ts";
import type { Facts, Watch } from "../../src/machine/effect.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { Inbox, Watchbook } from "../ports/actor.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { AcceptedTick, LastPrice } from "../ports/price.ts";
import type { StreamPlace } from "../ports/stream.ts";
import { type LaterPlace, NO_LATER_PLACES } from "./later-place.ts";
import type { Actor, Hot } from "./stepped.ts";
import { unwatchFacts, watchChanges, watchFacts } from "./watching.ts";

interface ArmingOptions {
  readonly watchbook: Watchbook;
  /** Returns the last price of a watch's symbol, as the actor has seen it. */
  readonly lastPrice: (id: number, watch: Watch) => LastPrice | undefined;
  /** Gives an actor that counts every tick the ticks that came before the work that runs now. */
  readonly bringUp: (id: number) => void;
  readonly clock: Clock;
  readonly inbox: Inbox;
  /** While missed ticks are being read back, the last price is not known. */
  readonly feed: Pick<PartitionFeed, "isCatchingUp" | "onArmedMeanwhile">;
  /** Gives the last live price to an actor whose level it reaches; the level is out of the watchbook. */
  readonly onReached: (id: number, watch: Watch, price: number, timeMs: number) => void;
}

type CaughtUp = Pick<AcceptedTick, "isCaughtUp" | "timeMs" | "stored">;

interface Armed {
  readonly facts: Pick<Facts, "armedSinceMs">;
  /** The place in the tick stream then; null if it is not known. */
  readonly armedAt: StreamPlace | null;
}

/** A level that was armed, or put back, while the last price was not known. */
interface WaitingLevel {
  readonly id: number;
  readonly watch: Watch;
  /** The last price then, and whether it reached the level: it may still be the last one after catch-up. */
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

  /** Takes levels out of the watch that a price reached: earlier work in the inbox may have armed them again. */
  takeOut(id: number, facts: Facts, watches: readonly number[]): readonly Watch[] {
    const armed = facts.watches.filter((watch) => watches.includes(watch.watch));
    for (const watch of armed) this.#options.watchbook.disarm(id, watch);
    return armed;
  }

  /**
   * Arms levels again that a caught-up tick from before their arming reached. Its price was not compared with them when
   * it came, so it counts if it turns out to be the last price.
   */
  putBack(id: number, watches: readonly Watch[]): void {
    for (const watch of watches) this.#options.watchbook.arm(id, watch);
    this.waitWhileCatchingUp(id, watches);
  }

  /** Arms levels again that were taken out, also a level that was armed since. */
  armAgain(id: number, watches: readonly Watch[]): void {
    const { watchbook } = this.#options;
    for (const watch of watches) {
      watchbook.disarm(id, watch);
      watchbook.arm(id, watch);
    }
  }

  /** Lets levels wait that a caught-up tick from before them may have reached: as in `putBack`. */
  waitWhileCatchingUp(id: number, watches: readonly Watch[]): void {
    if (this.#options.feed.isCatchingUp()) this.#wait(id, watches);
  }

  /** Applies the difference; `reached` levels are out of the watchbook already. Returns the newly armed levels. */
  apply(id: number, before: Facts | undefined, after: Facts, reached: readonly number[]): Watch[] {
    return watchChanges(this.#options.watchbook, id, before, after, reached);
  }

  /**
   * Hands a moment out again if the actor acted on it and is due at the same moment for something else. An actor that
   * did nothing is not woken again: that would never end.
   */
  keepDue(id: number, passedMs: number, before: Actor, after: Actor): void {
    const hasActed = after.snapshot.context !== before.snapshot.context;
    if (hasActed && after.facts.deadlineMs === passedMs) this.#options.watchbook.setDeadline(id, passedMs);
  }

  /**
   * Checks newly armed levels immediately against the last live price (behaviour 3.3), in the batch that arms them: no
   * tick would bring that price again if the process died in between. Levels armed by a check are checked in a later
   * turn. Levels armed while missed ticks are read back are checked after that, as a newer price may be among them.
   * Returns whether a level was reached and handled.
   */
  checkLastPrices(id: number, armed: readonly Watch[]): boolean {
    if (this.#options.feed.isCatchingUp()) {
      this.#wait(id, armed);
      for (const { symbol } of armed) this.#options.feed.onArmedMeanwhile(symbol);
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

  /** Called in a turn, once all missed ticks were delivered. Levels that are no longer armed are left out. */
  checkWaiting(): void {
    // The next catch-up has begun: its prices are newer still.
    if (this.#options.feed.isCatchingUp()) return;
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

  /** Returns false if the level is no longer armed. */
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

/** Whether ticks wait until all actors have received an event of this type, so that they came after its moment. */
export function haveTicksWaited(type: string): boolean {
  return type === "corporateAction" || type === "symbolRenamed";
}

/** Whether a price reaches a level. */
export function isReachedBy({ side, level }: Watch, { floor, ceil }: LivePrice): boolean {
  return side === "above" ? floor >= level : ceil <= level;
}

/**
 * Whether a tick that was caught up came before an actor's levels were armed. The stream's own order decides if it is
 * known; else the stream's clock, computed from ours by how far it was ahead then. A tick of the same millisecond may
 * have come before: it does not count as a price of its own.
 */
export function isFromBefore({ isCaughtUp, timeMs, stored }: CaughtUp, { facts, armedAt }: Armed): boolean {
  if (!isCaughtUp) return false;
  if (stored === undefined || armedAt === null) return timeMs <= facts.armedSinceMs;
  if (stored.stream === armedAt.stream && stored.sequence <= armedAt.sequence) return true;
  return stored.timeMs <= facts.armedSinceMs + armedAt.aheadMs;
}

/** Returns the arming of one level of an actor: its own if it was armed later than the others (behaviour 15.5). */
export function armingOf(
  { facts, armedAt, armedLater }: Pick<Hot, "facts" | "armedAt" | "armedLater">,
  watch: Watch,
): Armed {
  const { armedSinceMs } = watch;
  if (armedSinceMs === undefined) return { facts, armedAt };
  const later = armedLater.find((place) => place.armedSinceMs === armedSinceMs);
  return { facts: { armedSinceMs }, armedAt: later?.place ?? null };
}

/** Returns the places of later armings of the present levels: known places, and the stream's present one for new. */
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

/** Returns the ticks that did not come before a group's stop-loss was armed; bots judge their ticks themselves. */
export function ticksThatCount(before: Hot, ticks: readonly LiveTick[]): readonly LiveTick[] {
  if (before.kind.name !== "group") return ticks;
  const stopLoss = before.facts.watches.find(({ watch }) => watch === STOP_LOSS);
  if (stopLoss === undefined) return ticks;
  const [arming, group] = [armingOf(before, stopLoss), before.snapshot.context as OcoGroup];
  return ticks.filter((tick) => !isFromBefore(tick, arming) || cameAfterMove(group, tick));
}
