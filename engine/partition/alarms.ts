/**
 * Alarms to users that no event of an actor reports: stopped actors, lost prices, a wrong clock, silent symbols.
 *
 * Owns: the recipients, content and time of alarms. Does not own: quarantine and release, the definition of a hole, the
 * log and the figures (they report everything, including what concerns no user).
 *
 * Invariants:
 * 1. The owner of an actor in quarantine is notified when it begins, and again at each start: he must know that nothing
 *    is watched.
 * 2. Each user with a group under watch or a level bot is notified of a hole and of a wrong clock. These users are read
 *    on the store's own threads: no trigger waits for that. The owner of a group whose stop-loss trails is notified of
 *    each hole once for each group.
 */
import type { EventPayload } from "../../src/contract/event/event.ts";
import type { StoredHold } from "../../src/contract/operator/hold.ts";
import type { StoredTradingState } from "../../src/contract/trading/trading-state.ts";
import { consequenceOf, type Effects, textOfEffects } from "../../src/domain/market/measure.ts";
import { type OcoGroup, STOP_LOSS, stopLossOf } from "../../src/domain/oco/group.ts";
import { isTrailing } from "../../src/domain/oco/trailing.ts";
import { textOf as textOfBytes } from "../../src/runtime/json.ts";
import type { Cancel, Clock, Log, Timers } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";
import type { Events, RenderSource } from "../ports/event.ts";
import type { PartitionFeed } from "../ports/feed.ts";
import type { StoredActor } from "../ports/operator.ts";
import type { OutboxOrder } from "../ports/order.ts";
import type { LostTicks } from "../ports/price.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { alarmSubject } from "../projection/alarm.ts";
import { botPlacesOf } from "../projection/bots.ts";
import { ocoRowView } from "../projection/oco.ts";
import { actorKey, claimKey, viewKey } from "../table/keys.ts";
import type { PartitionWatchbook } from "../watch/watchbook.ts";
import { type ArmedPrices, FeedAlarms, type Silence } from "./feed-alarms.ts";
import { quarantineNews } from "./order-events.ts";

const STOPPED = "a fault of the service stopped it: it does nothing until an operator releases it";
const LOST: Readonly<Record<string, string>> = {
  missing: "the stream of prices no longer holds them",
  tooOld: "they are older than what is caught up",
  recreated: "the stream of prices was created again",
  unreadable: "the stream of prices cannot be read",
  refused: "the stream of prices took none while the service was away",
};
const SILENT: Readonly<Record<Silence, string>> = {
  refused: "prices come and none was accepted for a minute",
  none: "no price has come since it is watched",
  unconfirmed: "the last price moved too far to be believed, and no trade has confirmed it for a minute",
};
/** The most symbols in a log line or an event. */
const SYMBOLS_TOLD = 100;
/** The users that are notified in one turn. */
const USERS_A_TURN = 64;

type WatchingAlarm = "alarm.ticksLost" | "alarm.clockOff" | "trading.stateChanged";

interface AlarmsOptions {
  readonly journal: Pick<Journal, "read">;
  readonly store: Pick<Store, "scan">;
  readonly inbox: Inbox;
  readonly events: Events;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly watchbook: PartitionWatchbook;
  readonly feed: Pick<PartitionFeed, "watch" | "prices">;
  readonly findGroup: (groupId: number) => OcoGroup | undefined;
  readonly readStored: (bytes: Uint8Array) => StoredActor | undefined;
}

export class Alarms {
  readonly #options: AlarmsOptions;
  readonly #feed: FeedAlarms;
  #isStarted = false;

  constructor(options: AlarmsOptions) {
    this.#options = options;
    this.#feed = new FeedAlarms({
      ...options,
      onClockOff: (aheadMs) => this.#clockOff(aheadMs),
      onSilent: (silence, symbols) => void this.#pricesSilent(silence, new Set(symbols)),
    });
  }

  /** Reports all actors in quarantine, and watches the feed until the returned function is called. */
  start(quarantined: readonly number[]): Cancel {
    this.#isStarted = true;
    for (const actorId of quarantined) this.#options.inbox.enqueue(() => this.#tellOfActor(actorId));
    return this.#feed.start();
  }

  /** Returns the state of the prices of symbols under watch, for the figures. */
  armedPrices(): ArmedPrices {
    return this.#feed.armedPrices();
  }

  /** In a turn: reports a quarantined actor. Actors that are quarantined during recovery are reported at the start. */
  actorQuarantined(actorId: number, reason: string): void {
    this.#options.log.error(
      { event: "actor.quarantined", actorId, reason },
      "an actor waits: npm run cli -- quarantine",
    );
    if (this.#isStarted) this.#tellOfActor(actorId);
  }

  /** In a turn: reports an order about which a person must decide. */
  orderQuarantined(order: OutboxOrder, reason: string): void {
    this.#options.events.emit(order.userId, "order.quarantined", quarantineNews(order, reason));
  }

  /** In a turn: reports an order that the market does not take now and that is tried again (behaviour 6.8). */
  orderPostponed(order: OutboxOrder, reason: string): void {
    const news = quarantineNews(order, reason);
    this.#options.log.warn(
      { event: "order.postponed", userId: order.userId, ...news },
      "the market does not take an order now; it is tried again",
    );
    this.#options.events.emit(order.userId, "order.postponed", news);
  }

  /** In a turn: emits an event of an actor. */
  passOn(userId: number, type: string, data: object, source: RenderSource | undefined): void {
    this.#options.events.emit(userId, type, data, source);
    // The user holds the bought lots, and no group watches them (behaviour 5.2).
    const isPartFilled = type === "setup.removed" && "isPartFilled" in data && data.isPartFilled === true;
    if (isPartFilled)
      this.#options.log.warn(
        { event: "setup.partFilled", userId, ...data },
        "a part-filled order ended: its setup was removed",
      );
  }

  /** Reports ticks that are lost to this partition. */
  ticksLost({ reason, fromMs, untilMs }: LostTicks): Promise<boolean> {
    const { clock } = this.#options;
    const [missingFrom, missingUntil] = [textOf(fromMs), textOf(untilMs)];
    const span = [
      missingFrom === null ? "" : ` from ${missingFrom}`,
      missingUntil === null ? " until now (the loss continues)" : ` until ${missingUntil}`,
    ].join("");
    const message = `prices${span} were lost: ${LOST[reason] ?? reason}; look at the levels that they may have passed`;
    void this.#trailingUncertain(`prices${span} were lost: ${LOST[reason] ?? reason}`, untilMs ?? clock.nowMs());
    return this.#notifyWatching("alarm.ticksLost", { reason, missingFrom, missingUntil, message });
  }

  /** Notifies the owner of each trailing group that existed by `untilMs`: a high may be among the lost prices. */
  #trailingUncertain(lost: string, untilMs: number): Promise<boolean> {
    const { events, store, watchbook, findGroup } = this.#options;
    const message = `${lost}; the stop-loss stays where it is, although a price that raises it may be among them`;
    const ids = activeGroups(store, (symbol) => watchbook.countsEveryTick(symbol));
    return this.#tellEach({ type: "oco.trailingUncertain" }, ids, (groupId) => {
      const group = findGroup(groupId);
      if (group === undefined || !isTrailing(group) || group.createdAtMs > untilMs) return;
      const row = ocoRowView(group, stopLossOf(group), STOP_LOSS);
      events.emit(group.userId, "oco.trailingUncertain", { row, message });
    });
  }

  /** Notifies each user with an active group of a held symbol. Resolves with whether all were notified. */
  symbolHeld({ symbol, reason, fromPrice: from, toPrice: to }: StoredHold): Promise<boolean> {
    const message = `${symbol} is held: ${reason}. No level of it fires until it is released; you can release a group of yours`;
    return this.#tellOwners("symbol.held", symbol, { symbol, from, to, message });
  }

  /** As `symbolHeld`, once the hold is over. */
  symbolReleased(symbol: string): void {
    const message = `${symbol} is no longer held: its levels fire again`;
    void this.#tellOwners("symbol.released", symbol, { symbol, message });
  }

  /** Notifies each user with an active group of a symbol of its measures (behaviour 23.2); resolves as `symbolHeld`. */
  measuresChanged(symbol: string, effects: Effects): Promise<boolean> {
    const text = textOfEffects(effects);
    if (text === "") {
      return this.#tellOwners("oco.unrestricted", symbol, {
        symbol,
        message: `${symbol} is under no measure any more`,
      });
    }
    const message = `${symbol} is under measures of its exchange (${text}): ${consequenceOf(effects)}`;
    return this.#tellOwners("oco.restricted", symbol, { symbol, effects, message });
  }

  /** In a turn: reports a triggered sell that a measure keeps back (behaviour 23.4). */
  orderHeld({ userId, brokerageCode, accountNumber, clientOrderId, symbol }: OutboxOrder, reason: string): void {
    const message = `the sell ${clientOrderId} waits: ${reason}. It leaves once that is over`;
    const what = { userId, brokerageCode, accountNumber, clientOrderId, symbol };
    this.#options.log.error({ event: "order.heldByMeasure", ...what, reason }, "a measure keeps a triggered sell back");
    this.#options.events.emit(userId, "alarm.measure", { brokerageCode, accountNumber, symbol, message });
  }

  /** In a turn: reports that trading of one user, or of all, was halted, continues, or only sells. */
  tradingStateChanged({ version: _, sinceMs: __, userId, ...payload }: StoredTradingState): void {
    if (userId === null) void this.#notifyWatching("trading.stateChanged", payload);
    else this.#options.events.emit(userId, "trading.stateChanged", payload);
  }

  #tellOwners<Type extends "symbol.held" | "symbol.released" | "oco.restricted" | "oco.unrestricted">(
    type: Type,
    symbol: string,
    payload: EventPayload<Type>,
  ): Promise<boolean> {
    const { events, store } = this.#options;
    const owners = ownersOf(store, new Set([symbol]));
    return this.#tellEach({ type, symbol }, owners, ({ userId }) => events.emit(userId, type, payload));
  }

  #clockOff(clockAheadMs: number): void {
    const [offMs, way] = [Math.abs(clockAheadMs), clockAheadMs > 0 ? "behind" : "ahead"];
    const message = `the clock of the service is ${offMs} ms ${way}: right prices may be refused until it is set`;
    void this.#notifyWatching("alarm.clockOff", { clockAheadMs, message });
  }

  /** Notifies each user with an active group of these symbols which of them get no price that counts. */
  async #pricesSilent(reason: Silence, symbols: ReadonlySet<string>): Promise<void> {
    const { events, store, log } = this.#options;
    const shown = [...symbols].slice(0, SYMBOLS_TOLD);
    log.error({ event: "prices.silent", reason, count: symbols.size, symbols: shown }, SILENT[reason]);
    await this.#tellEach({ type: "alarm.pricesSilent", reason }, ownersOf(store, symbols), ({ userId, owned }) => {
      const message = `${owned.join(", ")}: ${SILENT[reason]}; levels are not reached until one counts`;
      events.emit(userId, "alarm.pricesSilent", { symbols: owned, reason, message });
    });
  }

  /** Emits an event to each user who has an object that prices move. */
  #notifyWatching<Type extends WatchingAlarm>(type: Type, payload: EventPayload<Type>): Promise<boolean> {
    const { events, store } = this.#options;
    return this.#tellEach({ type, ...payload }, watchingUsers(store), (userId) => events.emit(userId, type, payload));
  }

  /**
   * Calls `tell` for each of `items`, some per turn of the inbox. Resolves with whether all were notified; never
   * rejects. `what`: the alarm, for the log.
   */
  async #tellEach<T>(what: object, items: AsyncIterable<T>, tell: (item: T) => void): Promise<boolean> {
    const { inbox, log } = this.#options;
    try {
      for await (const piece of inPieces(items, USERS_A_TURN)) inbox.enqueue(() => piece.forEach(tell));
      return true;
    } catch (error) {
      log.warn({ event: "alarm.notSent", err: error, ...what }, "not all users could be notified of an alarm");
      return false;
    }
  }

  #tellOfActor(actorId: number): void {
    const { journal, events, readStored } = this.#options;
    const bytes = journal.read(actorKey(actorId));
    const stored = bytes === undefined ? undefined : readStored(bytes);
    if (stored === undefined || stored.userId === null) return;
    events.emit(stored.userId, "alarm.quarantined", { ...alarmSubject(stored, actorId), message: STOPPED });
  }
}

/** The key prefixes of watched objects, by user: active groups hold a claim, level bots have a place. */
const WATCHED = [claimKey("group/"), viewKey(botPlacesOf("level"))];

/** Yields each user with an active group of one of the symbols once, with those symbols that the user's groups have. */
async function* ownersOf(store: Pick<Store, "scan">, symbols: ReadonlySet<string>) {
  const [groups = ""] = WATCHED;
  let current: { readonly userId: number; readonly owned: string[] } | undefined;
  for await (const page of store.scan({ gte: groups, lt: `${groups.slice(0, -1)}0`, keysOnly: true })) {
    for (const [key] of page) {
      const place = key.slice(groups.length).split("/");
      const [userId, symbol = ""] = [Number(place[0]), place.at(-1)];
      if (!symbols.has(symbol)) continue;
      if (current?.userId !== userId) {
        if (current !== undefined) yield current;
        current = { userId, owned: [] };
      }
      if (!current.owned.includes(symbol) && current.owned.length < SYMBOLS_TOLD) current.owned.push(symbol);
    }
  }
  if (current !== undefined) yield current;
}

/** Yields the ids of active groups whose symbol `isMeant` accepts. */
async function* activeGroups(store: Pick<Store, "scan">, isMeant: (symbol: string) => boolean): AsyncGenerator<number> {
  const [groups = ""] = WATCHED;
  for await (const page of store.scan({ gte: groups, lt: `${groups.slice(0, -1)}0` })) {
    for (const [key, id] of page) if (isMeant(key.slice(key.lastIndexOf("/") + 1))) yield Number(textOfBytes(id));
  }
}

/** Yields each user who has an object that prices move, once. */
async function* watchingUsers(store: Pick<Store, "scan">): AsyncGenerator<number> {
  const told = new Set<number>();
  for (const prefix of WATCHED) {
    for (let from = prefix; ; ) {
      const user = await firstUserFrom(store, prefix, from);
      if (user === undefined) break;
      if (!told.has(Number(user))) yield Number(user);
      told.add(Number(user));
      // The character after a slash: it sorts behind all keys of this user.
      from = `${prefix}${user}0`;
    }
  }
}

async function firstUserFrom(store: Pick<Store, "scan">, prefix: string, from: string): Promise<string | undefined> {
  const range = { gte: from, lt: `${prefix.slice(0, -1)}0`, limit: 1, keysOnly: true };
  for await (const [entry] of store.scan(range)) return entry?.[0].slice(prefix.length).split("/", 1)[0];
  return undefined;
}

async function* inPieces<T>(items: AsyncIterable<T>, countMax: number): AsyncGenerator<readonly T[]> {
  let piece: T[] = [];
  for await (const item of items) {
    piece.push(item);
    if (piece.length < countMax) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

function textOf(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
