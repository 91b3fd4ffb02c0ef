/**
 * What stop-losses of the partition may sell by what their accounts hold (behaviour 26.3 to 26.5).
 *
 * Owns: the last known holdings, when positions are read, and falls of positions. Does not own: the limit of an order
 * (`src/domain/order/sell-ledger.ts`), how a group shrinks (`src/domain/oco/follow-position.ts`).
 *
 * Invariants:
 * 1. A stop-loss waits for no brokerage: what is not known does not limit it.
 * 2. Without `SELL_LEDGER=refuse` only positions are read that a group follows, and they limit no stop-loss.
 */
import { followFall } from "../../src/domain/oco/follow-position.ts";
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import type { Execution } from "../../src/domain/order/execution.ts";
import {
  afterFill,
  afterReading,
  isSameBase,
  type KnownPosition,
  type ShareBase,
  UNKNOWN_POSITION,
} from "../../src/domain/order/position-fall.ts";
import { type SellLedgerRule, stopLotsMax } from "../../src/domain/order/sell-ledger.ts";
import { positionClaim } from "../../src/machine/group.ts";
import type { Cancel, Clock, Fatal, Log, Timers } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import { adapterAnswer } from "../order/adapter-answer.ts";
import { LastHoldings } from "../order/holdings.ts";
import type { Inbox } from "../ports/actor.ts";
import type { AccountPlace, Brokerage, Brokerages } from "../ports/brokerage.ts";
import type { Events } from "../ports/event.ts";
import type { Outbox } from "../ports/order.ts";
import type { Symbols } from "../ports/price.ts";
import type { Store } from "../ports/storage.ts";
import { openSellsOf } from "../projection/ledger.ts";
import { placeKey } from "../table/keys.ts";
import { TABLES, under } from "../table/tables.ts";
import { repeat } from "./repeat.ts";

/** Shorter than the time for which a holding counts as known. */
const READ_MS = 50_000;

interface WatchedAccount {
  readonly place: AccountPlace;
  readonly symbols: Set<string>;
}

/** Where a fall of a position leads. */
interface FallParts {
  readonly host: Pick<ActorHost, "holderOf" | "find" | "isQuarantined" | "deliver">;
  readonly inbox: Inbox;
  readonly events: Events;
  readonly actions: { baseOf(symbol: string): ShareBase };
}

interface SellLimitsOptions {
  readonly sellLedger: SellLedgerRule;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly timers: Timers;
  readonly fatal: Fatal;
  readonly log: Log;
  readonly store: Pick<Store, "scan">;
  readonly brokerages: Brokerages;
  readonly symbols: Pick<Symbols, "presentName">;
}

export class SellLimits {
  readonly holdings: LastHoldings;
  readonly #isOn: boolean;
  readonly #options: SellLimitsOptions;
  /** When the positions at each brokerage were read last. */
  readonly #readAtMs = new Map<string, number>();
  readonly #reading = new Set<string>();
  /** Watched positions, by account and symbol. */
  readonly #positions = new Map<string, Map<string, KnownPosition>>();

  constructor(options: SellLimitsOptions) {
    this.#options = options;
    this.#isOn = options.sellLedger === "refuse";
    this.holdings = new LastHoldings(options.clock, (symbol) => options.symbols.presentName(symbol));
  }

  /** The functions for actors. */
  get ofActors() {
    const { clock } = this.#options;
    if (!this.#isOn) return {};
    return { heldMaxOf: (group: OcoGroup) => stopLotsMax(this.holdings.find(group, group.symbol), clock.nowMs()) };
  }

  /** Wraps the outbox so that its orders are noted when they are submitted. */
  noting(outbox: Outbox): Outbox {
    if (!this.#isOn) return outbox;
    return {
      submit: (order) => {
        this.holdings.noteOrder(order);
        outbox.submit(order);
      },
      withdraw: (name, message) => outbox.withdraw(name, message),
      withdrawOf: (actorId, message) => outbox.withdrawOf(actorId, message),
      withdrawRefused: (refusalOf) => outbox.withdrawRefused(refusalOf),
    };
  }

  /** In a turn: counts lots that an own order filled. */
  noteFill(place: AccountPlace, execution: Execution, quantity: number): void {
    const { symbol, buySell } = execution;
    if (this.#isOn) this.holdings.noteFill(place, execution, quantity);
    const positions = this.#positions.get(placeKey(place));
    const known = positions?.get(symbol);
    if (known !== undefined) positions?.set(symbol, afterFill(known, buySell, quantity));
  }

  /** Reads the positions of accounts now and from time to time, until it is cancelled. */
  start(parts: FallParts): Cancel {
    let isStopped = false;
    const read = (): void => {
      this.#read(parts).catch((err: unknown) => {
        if (!isStopped) this.#options.fatal("claims could not be read", err);
      });
    };
    read();
    const cancel = repeat(this.#options.timers, READ_MS, read);
    return () => {
      isStopped = true;
      cancel();
    };
  }

  /** At each brokerage one account after the other. */
  async #read(parts: FallParts): Promise<void> {
    const accounts = await this.#accounts();
    for (const name of this.#positions.keys()) if (!accounts.has(name)) this.#positions.delete(name);
    for (const brokerage of this.#options.brokerages.all()) {
      const { code } = brokerage.settings;
      const own = [...accounts.values()].filter(({ place }) => place.brokerageCode === code);
      if (own.length > 0 && this.#isDue(brokerage)) void this.#readAt(brokerage, own, parts);
    }
  }

  #isDue({ settings: { code, portfolioIntervalSeconds } }: Brokerage): boolean {
    const agoMs = this.#options.steadyClock.nowMs() - (this.#readAtMs.get(code) ?? Number.NEGATIVE_INFINITY);
    return !this.#reading.has(code) && agoMs >= portfolioIntervalSeconds * 1_000;
  }

  async #readAt(brokerage: Brokerage, accounts: readonly WatchedAccount[], parts: FallParts): Promise<void> {
    const { code } = brokerage.settings;
    this.#reading.add(code);
    this.#readAtMs.set(code, this.#options.steadyClock.nowMs());
    for (const account of accounts) {
      // It never rejects: the other accounts of the brokerage are read, too.
      await adapterAnswer(() => this.#readAccount(brokerage, account, parts), this.#options.log, {
        brokerageCode: code,
      });
    }
    this.#reading.delete(code);
  }

  async #readAccount(brokerage: Brokerage, account: WatchedAccount, parts: FallParts) {
    const { place } = account;
    const positions = await brokerage.positions({ ...place, includeOrders: false });
    if (!positions.ok) return positions;
    this.holdings.learn(place, positions.data);
    await this.#judge(brokerage, account, parts);
    return positions;
  }

  /** Believes falls after two equal readings, unless an open sell of the symbol may explain them. */
  async #judge(brokerage: Brokerage, { place, symbols }: WatchedAccount, parts: FallParts): Promise<void> {
    const positions = this.#positions.get(placeKey(place)) ?? new Map<string, KnownPosition>();
    this.#positions.set(placeKey(place), positions);
    for (const symbol of positions.keys()) if (!symbols.has(symbol)) positions.delete(symbol);
    for (const symbol of symbols) {
      const before = positions.get(symbol) ?? UNKNOWN_POSITION;
      const held = this.holdings.find(place, symbol)?.quantity ?? 0;
      const base = parts.actions.baseOf(symbol);
      const { position, fell } = afterReading(before, held, base);
      if (fell > 0) {
        const openSells = await openSellsOf(brokerage, place);
        // An own order may have been filled since.
        if (openSells === undefined || openSells.has(symbol) || (positions.get(symbol) ?? UNKNOWN_POSITION) !== before)
          continue;
        parts.inbox.enqueue(() => {
          // A corporate action may have been applied since.
          if (isSameBase(base, parts.actions.baseOf(symbol))) this.#follow(parts, { ...place, symbol }, { fell, held });
        });
      }
      positions.set(symbol, position);
    }
  }

  /** In a turn: notifies the owner, and shrinks a group that follows its position. */
  #follow(
    { host, events }: FallParts,
    owner: AccountPlace & { readonly symbol: string },
    fall: { readonly fell: number; readonly held: number },
  ): void {
    const { userId, ...place } = owner;
    events.emit(userId, "ledger.foreignSell", { ...place, quantity: fall.fell, held: fall.held });
    const groupId = host.holderOf(positionClaim(owner));
    const group = groupId === undefined ? undefined : host.find("group", groupId)?.context;
    if (group === undefined || host.isQuarantined(group.groupId)) return;
    const timeMs = this.#options.clock.nowMs();
    const change = followFall(group, fall);
    if (change === "cancel") host.deliver("group", group.groupId, { type: "cancel", timeMs });
    else if (change !== undefined) host.deliver("group", group.groupId, { type: "change", change, ids: [], timeMs });
  }

  /** The accounts whose positions are read, by name: with active groups, or only with groups that follow them. */
  async #accounts(): Promise<ReadonlyMap<string, WatchedAccount>> {
    const prefix = `${TABLES.claims.prefix}${this.#isOn ? "group" : "position"}/`;
    const accounts = new Map<string, WatchedAccount>();
    for await (const page of this.#options.store.scan({ ...under(prefix), keysOnly: true })) {
      for (const [key] of page) {
        const end = key.lastIndexOf("/");
        const name = key.slice(prefix.length, end);
        const [userId = "", brokerageCode = "", ...rest] = name.split("/");
        const place = { userId: Number(userId), brokerageCode, accountNumber: rest.join("/") };
        const account = accounts.get(name) ?? { place, symbols: new Set() };
        accounts.set(name, account);
        account.symbols.add(key.slice(end + 1));
      }
    }
    return accounts;
  }
}
