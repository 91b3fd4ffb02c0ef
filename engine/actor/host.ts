/**
 * The actor host: delivers events to actors and carries out the results.
 *
 * Owns: activation (snapshot -> actor), the step, the comparison of facts and views before and after, passivation.
 * Does not own: charts, storage format of other parts, sending, time.
 *
 * Invariants:
 * 1. Everything here is synchronous and happens within one turn: all changes of an event share one batch.
 * 2. Watchbook, claims and view rows always equal the facts and views of the newest snapshot. Only differences between
 *    before and after are applied, and recovery applies the same function to stored actors.
 * 3. Nothing is applied before all of it was computed: an actor that throws changes nothing and is quarantined alone.
 * 4. An idle actor is its stored snapshot and its entries in the watchbook. At most `hotActorsMax` remain hydrated; of
 *    kinds with `isExpecting`, only actors that expect an event: needless objects cost garbage collection.
 */
import { assert, unreachable } from "../../src/assert.ts";
import { type OcoGroup, STOP_LOSS } from "../../src/domain/oco/group.ts";
import { type ActorEvent, type ActorKindName, type EventsOf, isHeardBy } from "../../src/machine/actor-event.ts";
import type { Facts, TellEffect, Watch } from "../../src/machine/effect.ts";
import { restore } from "../../src/machine/step.ts";
import type { WakeEvent } from "../../src/machine/wake-event.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { ActorProfile, Actors, FoundActor, Inbox, ViewRow, Watchbook } from "../ports/actor.ts";
import type { Events } from "../ports/event.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { AcceptedTick, Walked } from "../ports/price.ts";
import type { Journal, Row } from "../ports/storage.ts";
import type { StreamPlace } from "../ports/stream.ts";
import { actorKey, endedKey, viewKey } from "../table/keys.ts";
import { Arming, armingOf, haveTicksWaited, isFromBefore, isReachedBy, placesOf, ticksThatCount } from "./arming.ts";
import type { ClaimFilter } from "./claim-filter.ts";
import { Claims } from "./claims.ts";
import { decodeSnapshot, encodeContext, encodeSnapshot } from "./codec.ts";
import { carryOutOfGroup } from "./group-effects.ts";
import type { ActorKind, OpenGroup, Walk } from "./kind.ts";
import { NO_LATER_PLACES } from "./later-place.ts";
import { carryOutOrder, type OrderEffectOptions } from "./order-effects.ts";
import { Quarantine } from "./quarantine.ts";
import { mayReclaim } from "./reclaim.ts";
import {
  type Actor,
  compute,
  countsEveryTick,
  type Foreseen,
  type Hot,
  type KeptBeside,
  notifyOwner,
  type Presented,
  type Stepped,
} from "./stepped.ts";
import { StoppedLevels } from "./stopped-levels.ts";
import { hydrate, readStoredActor } from "./stored-actor.ts";
import { type TermsOptions, withTerms } from "./terms.ts";
import { applyViews, insertViews } from "./views.ts";

interface HostOptions extends TermsOptions, OrderEffectOptions {
  readonly kinds: readonly ActorKind[];
  readonly journal: Journal;
  readonly watchbook: Watchbook;
  readonly events: Events;
  readonly feed: Pick<PartitionFeed, "prices" | "isCatchingUp" | "onArmedMeanwhile" | "place">;
  readonly walk: Walk;
  readonly inbox: Inbox;
  /** Whether the levels of a symbol are held for an actor (behaviour 16). */
  readonly isHeld: (symbol: string, id: number) => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly hotActorsMax: number;
  /** Contains every claim of the store; absent: every claim is looked up. */
  readonly claimFilter?: ClaimFilter;
  /** Opens the group of a plan in this turn, or returns why that is not possible. */
  readonly openGroup: OpenGroup;
  /** Called in a turn: an actor learnt a fact about one of its orders. */
  readonly onTold?: (id: number, kind: ActorKindName, profile: ActorProfile, told: TellEffect) => void;
  /** Called when an actor had to be quarantined. */
  readonly onQuarantined: (id: number, reason: string) => void;
}

type ActorEvents = readonly ActorEvent[];

const NONE: readonly Watch[] = [];

/** A price that reached levels of an actor. */
export interface Reached extends Pick<AcceptedTick, "timeMs" | "isCaughtUp" | "stored"> {
  readonly price: number;
}

export class ActorHost implements Actors {
  readonly #options: HostOptions;
  readonly #kinds: ReadonlyMap<string, ActorKind>;
  readonly #hot: LruCache<number, Hot>;
  readonly #arming: Arming;
  readonly claims: Claims;
  readonly quarantine: Quarantine;
  readonly #stopped: StoppedLevels;
  readonly #withTerms = (actor: Actor, event: ActorEvent) => withTerms(this.#options, actor, event);
  readonly readStored = (bytes: Uint8Array) => readStoredActor(bytes, (name) => this.#kindNamed(name));

  constructor(options: HostOptions) {
    this.#options = options;
    this.#hot = new LruCache(options.hotActorsMax);
    this.#stopped = new StoppedLevels(options.tradingStateOf);
    this.claims = new Claims(options.journal, options.claimFilter);
    this.quarantine = new Quarantine(options.journal, options.clock);
    this.#arming = new Arming({
      ...options,
      bringUp: (id) => void options.walk.bringUp(id),
      lastPrice: (id, { symbol, countsEveryTick }) => {
        if (options.isHeld(symbol, id)) return undefined;
        return countsEveryTick === true ? options.walk.lastSeenBy(id, symbol) : options.feed.prices.last(symbol);
      },
      onReached: (id, watch, price, timeMs) =>
        this.deliverReached(id, [watch.watch], { price, timeMs, isCaughtUp: false }),
    });
    this.#kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
  }

  create(kindName: ActorKindName, id: number, context: object, event?: string): boolean {
    const kind = this.#kindNamed(kindName);
    const { journal } = this.#options;
    const snapshot = restore(kind.chart, kind.initialState, context, false);
    const facts = kind.facts(context);
    const views = kind.views(context);
    // First, as only this can be refused: nothing else must be changed then.
    for (const claim of facts.claims) this.claims.take(claim, id);
    const viewHash = insertViews(journal, kind, views);
    const stored = encodeContext(kind, context);
    const armedAt = this.#options.feed.place();
    const row = journal.insert(actorKey(id), encodeSnapshot(kind, kind.initialState, stored, { viewHash, armedAt }));
    this.#keepHot(id, { kind, snapshot, facts, row, viewHash, armedAt, armedLater: NO_LATER_PLACES });
    if (kind.countsEveryTick?.(context) === true) this.#options.walk.begin(id);
    const armed = this.#arming.apply(id, undefined, facts, []);
    if (event !== undefined) {
      const what = { event, data: {} };
      const { payload, source } = notifyOwner(kind, context, stored, what, this.#options.orderName);
      this.#options.events.emit(kind.profile(context).userId, event, payload, source);
    }
    return this.#arming.checkLastPrices(id, armed);
  }

  deliver<K extends ActorKindName>(kind: K, id: number, event: EventsOf[K]): boolean {
    return this.#give(id, [event], (name) => name === kind);
  }

  wake(id: number, ...events: readonly WakeEvent[]): boolean {
    return this.#give(id, events, (name) => events.every(({ type }) => isHeardBy(name, type)));
  }

  #give(id: number, events: ActorEvents, isFor: (kind: ActorKindName) => boolean): boolean {
    if (this.quarantine.has(id)) {
      for (const event of events) this.quarantine.hold(id, event);
      return true;
    }
    const before = this.#activate(id, events);
    if (before === undefined) return this.quarantine.has(id);
    if (countsEveryTick(before) && this.#options.walk.bringUp(id)) return this.#give(id, events, isFor);
    if (!isFor(before.kind.name)) {
      this.#options.log.error(
        { event: "actor.wrongKind", actorId: id, kind: before.kind.name, type: events[0]?.type },
        "an event went to a wrong actor",
      );
      return false;
    }
    this.#step(id, before, events, []);
    return true;
  }

  /** Gives a price to an actor whose levels `watches` it reached; the watchbook no longer holds them. */
  deliverReached(id: number, watches: readonly number[], reached: Reached): void {
    const event: WakeEvent = { type: "priceReached", watches, price: reached.price, timeMs: reached.timeMs };
    if (this.quarantine.has(id)) {
      this.quarantine.hold(id, event);
      return;
    }
    const before = this.#activate(id, [event]);
    if (before === undefined) return;
    if (before.kind.name === "group" && countsEveryTick(before) && this.#options.walk.bringUp(id)) {
      this.deliverReached(id, watches, reached);
      return;
    }
    const stopped = this.#stopped.of(before, watches);
    if (stopped.length > 0) {
      this.#arming.takeOut(id, before.facts, stopped);
      this.#stopped.note(id, stopped);
      const others = watches.filter((watch) => !stopped.includes(watch));
      if (others.length > 0) this.deliverReached(id, others, reached);
      return;
    }
    const armed = this.#arming.takeOut(id, before.facts, watches);
    const early = reached.isCaughtUp ? armed.filter((watch) => isFromBefore(reached, armingOf(before, watch))) : NONE;
    if (early.length === 0) {
      this.#step(id, before, [event], watches);
      return;
    }
    this.#arming.putBack(id, early);
    const earlyOnes = new Set(early.map(({ watch }) => watch));
    const others = watches.filter((watch) => !earlyOnes.has(watch));
    if (others.length > 0) this.#step(id, before, [{ ...event, watches: others }], others);
  }

  /** After a change of the trading state: watches stopped levels again, and compares them with the last price. */
  checkStopped(): void {
    for (const [id, watches] of this.#stopped.takeAll()) {
      this.#options.inbox.enqueue(() => {
        const facts = this.#broughtUp(id)?.facts;
        const again = facts?.watches.filter(({ watch }) => watches.has(watch)) ?? [];
        this.#arming.armAgain(id, again);
        this.#arming.checkLastPrices(id, again);
      });
    }
  }

  /** Gives a price to an actor if it reaches levels of it. */
  deliverIfReached(id: number, { symbol, price, ...tick }: AcceptedTick): void {
    const facts = this.#broughtUp(id)?.facts;
    const reached = (facts?.watches ?? [])
      .filter((watch) => watch.symbol === symbol && isReachedBy(watch, price))
      .map(({ watch }) => watch);
    if (facts === undefined || reached.length === 0) return;
    this.#arming.takeOut(id, facts, reached);
    this.deliverReached(id, reached, { price: price.value, ...tick });
  }

  /**
   * Walks an actor that counts every tick through ticks; the watchbook no longer contains its levels `watches`. If no
   * tick counts, the levels are only put back.
   */
  deliverTicks(id: number, watches: readonly number[], walked: Walked): void {
    const { ticks } = walked;
    const event: WakeEvent = { type: "ticksPassed", ticks };
    if (this.quarantine.has(id)) {
      this.quarantine.hold(id, event);
      return;
    }
    const before = this.#activate(id, [event]);
    if (before === undefined || !countsEveryTick(before)) return;
    const armed = this.#arming.takeOut(id, before.facts, watches);
    if (this.#stopped.of(before, watches).includes(STOP_LOSS)) this.#stopped.note(id, [STOP_LOSS]);
    const counted = ticksThatCount(before, ticks);
    if (counted.length === 0) this.#arming.putBack(id, armed);
    else this.#step(id, before, [{ ...event, ticks: counted }], watches, walked);
    const after = this.quarantine.has(id) ? undefined : this.#activate(id);
    // One of these ticks may have changed the actor, which took the ticks after it as older.
    const { armedSinceMs } = (after ?? before).facts;
    if (!ticks.some(({ isCaughtUp, timeMs }) => isCaughtUp && timeMs <= armedSinceMs)) return;
    this.#arming.waitWhileCatchingUp(id, after?.facts.watches ?? []);
  }

  /** Returns the results if a price reached a level of an actor now: decides like `deliverReached`, changes nothing. */
  foresee(id: number, watch: number, price: number, timeMs: number): Foreseen | undefined {
    const before = this.quarantine.has(id) ? undefined : this.#activate(id);
    if (before === undefined) return undefined;
    const event: WakeEvent = { type: "priceReached", watches: [watch], price, timeMs };
    const { lotsMaxOf, orderName } = this.#options;
    const terms = { ...this.#options, lotsMaxOf: (group: OcoGroup) => lotsMaxOf?.(group, price) };
    const { after, effects } = compute(before, [event], (actor, given) => withTerms(terms, actor, given), orderName);
    return {
      isStopped: this.#stopped.of(before, [watch]).length > 0,
      after,
      effects: effects.map((one) => one.effect),
    };
  }

  /** Called once missed ticks were delivered: checks levels that waited for that against the last price. */
  checkWaiting(): void {
    this.#arming.checkWaiting();
  }

  find<K extends ActorKindName>(kindName: K, id: number): FoundActor<K> | undefined {
    const found = this.#find(kindName, id);
    const isBehind = found?.isEnded === false && this.#kindNamed(kindName).countsEveryTick?.(found.context) === true;
    // A context that its kind has parsed is one of its kind.
    return (isBehind && this.#options.walk.bringUp(id) ? this.#find(kindName, id) : found) as FoundActor<K> | undefined;
  }

  #find(kindName: ActorKindName, id: number): { context: object; isEnded: boolean } | undefined {
    const hot = this.#hot.get(id);
    if (hot !== undefined)
      return hot.kind.name === kindName ? { context: hot.snapshot.context, isEnded: false } : undefined;
    const live = this.#options.journal.read(actorKey(id));
    const bytes = live ?? this.#options.journal.read(endedKey(id));
    if (bytes === undefined) return undefined;
    try {
      const stored = decodeSnapshot(bytes);
      if (stored.kind !== kindName) return undefined;
      return { context: this.#kindNamed(kindName).parse(stored.context), isEnded: live === undefined };
    } catch (error) {
      // A client asked: an actor that cannot be read does not exist for it, and must not end the process.
      if (live !== undefined && !this.quarantine.has(id)) this.#quarantine(id, undefined, [], error);
      return undefined;
    }
  }

  isQuarantined(id: number): boolean {
    return this.quarantine.has(id);
  }

  holderOf(claim: string): number | undefined {
    return this.claims.holderOf(claim);
  }

  /** At start: puts a stored actor under watch, or quarantines it alone if its snapshot cannot be read. */
  recover(id: number, bytes: Uint8Array): Actor | undefined {
    if (this.quarantine.has(id)) return undefined;
    let actor: Actor;
    try {
      actor = this.#hydrate(id, bytes);
    } catch (error) {
      return this.#quarantine(id, undefined, [], error);
    }
    this.#arming.watch(id, actor.facts);
    return actor;
  }

  /** Releases an actor for an operator: it is under watch again and gets the events that were held. */
  release(id: number): boolean {
    const row = this.quarantine.release(id);
    if (row === undefined) return false;
    const bytes = this.#options.journal.read(actorKey(id));
    if (bytes === undefined) return true;
    this.#options.walk.begin(id);
    this.recover(id, bytes);
    for (const event of row.held) this.#redeliver(id, event);
    const released = this.quarantine.has(id) ? undefined : this.#activate(id);
    if (released !== undefined) this.#arming.checkLastPrices(id, released.facts.watches);
    return true;
  }

  /**
   * Delivers a held event again. A held price is a price again: its level is out of the watchbook when the actor gets
   * it. Held ticks are dropped: an actor that counts every tick acts by the present price, which is checked next.
   */
  #redeliver(id: number, event: ActorEvent): void {
    if (event.type === "ticksPassed") return;
    const before = this.quarantine.has(id) ? undefined : this.#activate(id, [event]);
    if (before === undefined || event.type !== "priceReached") {
      // Another actor may have taken the place since.
      const now = "mayReclaim" in event && event.mayReclaim ? { ...event, mayReclaim: mayReclaim(this, id) } : event;
      this.#give(id, [now], (name) => isHeardBy(name, event.type));
      return;
    }
    const { watches } = event;
    this.#arming.takeOut(id, before.facts, watches);
    this.#step(id, before, [event], watches);
  }

  #quarantine(id: number, facts: Facts | undefined, events: ActorEvents, error: unknown): undefined {
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log.error({ event: "actor.failed", actorId: id, err: error }, "an actor failed and was quarantined");
    if (facts !== undefined) this.#arming.unwatch(id, facts);
    this.#hot.delete(id);
    this.quarantine.admit(id, reason.slice(0, 500), ...events);
    this.#options.onQuarantined(id, reason);
  }

  #kindNamed(name: string): ActorKind {
    const kind = this.#kinds.get(name);
    assert(kind !== undefined, () => `actor kind ${name} is known`);
    return kind;
  }

  #activate(id: number, events: ActorEvents = []): Hot | undefined {
    const hot = this.#hot.get(id);
    if (hot !== undefined) return hot;
    const bytes = this.#options.journal.read(actorKey(id));
    if (bytes === undefined) return undefined;
    try {
      return this.#hydrate(id, bytes);
    } catch (error) {
      return this.#quarantine(id, undefined, events, error);
    }
  }

  /** An actor that was given every tick up to now; undefined where it is in quarantine. */
  #broughtUp(id: number): Hot | undefined {
    this.#options.walk.bringUp(id);
    return this.quarantine.has(id) ? undefined : this.#activate(id);
  }

  #hydrate(id: number, bytes: Uint8Array): Hot {
    const { kind, snapshot, facts, viewHash, armedAt, armedLater } = hydrate(bytes, (name) => this.#kindNamed(name));
    const row = this.#options.journal.rowOf(actorKey(id), bytes);
    return { kind, snapshot, facts, row, viewHash, armedAt, armedLater };
  }

  /** Events of one moment are one change: it is stored and watched once. */
  #step(id: number, before: Hot, events: ActorEvents, reached: readonly number[], walked?: Walked): void {
    let stepped: Stepped;
    try {
      stepped = compute(before, events, this.#withTerms, this.#options.orderName);
      this.claims.requireFree(before.facts.claims, stepped.after.facts.claims);
    } catch (error) {
      this.#quarantine(id, before.facts, events, error);
      return;
    }
    const armed = this.#replace(id, before, stepped, reached, events, walked);
    const [first] = events;
    if (first?.type === "deadline") this.#arming.keepDue(id, first.timeMs, before, stepped.after);
    for (const presented of stepped.effects) this.#carryOut(id, presented);
    this.#arming.checkLastPrices(id, armed);
  }

  /** Returns the newly armed levels. */
  #replace(
    id: number,
    before: Hot,
    stepped: Stepped,
    reached: readonly number[],
    by: ActorEvents,
    walked?: Walked,
  ): Watch[] {
    const { after, stored, views } = stepped;
    const viewHash = applyViews(this.#options.journal, after.kind, views, before.viewHash);
    const isArmedAnew = before.facts.armedSinceMs !== after.facts.armedSinceMs;
    const { walk } = this.#options;
    const armedAt = isArmedAnew ? this.#placeOfArming(by) : before.armedAt;
    // A tick that waits or is still read back came after the arming: the present place proves nothing about it.
    const isBehind = (walked !== undefined && walk.hasWaiting) || this.#options.feed.isCatchingUp();
    const laterPlace = isBehind ? () => walked?.place ?? null : () => this.#placeOfArming(by);
    const armedLater = placesOf(after.facts, before, laterPlace);
    if (countsEveryTick(after) && !countsEveryTick(before)) walk.begin(id);
    const isLive =
      stored === undefined || this.#store(id, before.row, after, stored, { viewHash, armedAt, armedLater });
    // Lists the fields: a copy that gets new fields costs a hundred times as much.
    const { kind, snapshot, facts } = after;
    this.#keepHot(id, isLive ? { kind, snapshot, facts, row: before.row, viewHash, armedAt, armedLater } : undefined);
    this.#applyClaims(id, before.facts.claims, after.facts.claims);
    return this.#arming.apply(id, before.facts, after.facts, reached);
  }

  /** The present place in the tick stream, unless ticks waited: these came after an arming whose moment alone counts. */
  #placeOfArming(by: ActorEvents): StreamPlace | null {
    return by.some(({ type }) => haveTicksWaited(type)) ? null : this.#options.feed.place();
  }

  /** Puts the snapshot into the batch. False: the actor has ended. */
  #store(id: number, row: Row, after: Actor, context: string, beside: KeptBeside): boolean {
    const { journal } = this.#options;
    const { kind, snapshot } = after;
    const state = String(snapshot.value);
    if (snapshot.status !== "done") {
      journal.replace(row, encodeSnapshot(kind, state, context, beside));
      return true;
    }
    journal.remove(row);
    if (kind.isForgottenAtEnd !== true) journal.insert(endedKey(id), encodeSnapshot(kind, state, context));
    return false;
  }

  #keepHot(id: number, hot: Hot | undefined): void {
    // The journal returns unwritten rows too, so even an actor that is not durable yet can be dropped from memory.
    const isKept = hot !== undefined && hot.kind.isExpecting?.(hot.snapshot.context) !== false;
    if (isKept) this.#hot.set(id, hot);
    else this.#hot.delete(id);
  }

  #applyClaims(id: number, before: readonly string[], after: readonly string[]): void {
    for (const claim of before) if (!after.includes(claim)) this.claims.release(claim, id);
    for (const claim of after) if (!before.includes(claim)) this.claims.take(claim, id);
  }

  #carryOut(id: number, { actor: { kind, snapshot }, effect, payload, source }: Presented): void {
    const profile = kind.profile(snapshot.context);
    switch (effect.type) {
      case "emit":
        this.#options.events.emit(profile.userId, effect.event, payload, source);
        break;
      case "keep": {
        const row = payload as ViewRow;
        this.#options.journal.put(viewKey(row.key), row.json);
        break;
      }
      case "openGroup":
      case "growGroup":
      case "endEntry":
        carryOutOfGroup(this.#options, this, id, profile, effect);
        break;
      case "tell":
        this.#options.onTold?.(id, kind.name, profile, effect);
        break;
      case "submit":
      case "withdraw":
      case "cancelOrder":
        carryOutOrder(this.#options, id, profile, kind.name, effect, (name) => {
          return kind.nameOrder?.(snapshot.context, name) ?? name;
        });
        break;
      default:
        unreachable(effect);
    }
  }
}
