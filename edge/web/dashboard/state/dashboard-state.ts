/**
 * What the pages look at: accounts, rows, prices and events of one signed-in user, kept current by the event stream.
 *
 * Owns: which account is looked at, what is read when, and how an event changes what is shown.
 * Does not own: requests and tokens (session.ts), frames (stream.ts), drawing (the views).
 */

import { type TickTable, tickTableOf } from "../../../../src/domain/price/tick-table.ts";
import { hearAlarm } from "../../../../src/event/alarm-list.ts";
import { withEvent } from "../../../../src/event/family.ts";
import { rowsOf, type ToldEvent } from "../../../../src/event/sentence.ts";
import { BotNames } from "./bot-names.ts";
import type { Account, Conditions, Group, OcoRow, Price } from "./model.ts";
import { ACTIVE, groupRows, queryOf } from "./model.ts";
import { RequestFailed, type Session } from "./session.ts";
import { Store } from "./store.ts";
import { EventStreamReader, type StreamState } from "./stream.ts";

/** Of each family. */
const EVENTS_KEPT = 200;
const POINTS_KEPT = 5_000;
/** As many as one stream gives prices of. */
const PRICES_MAX = 500;
/** Symbols that come one after the other share one new connection. */
const RESTART_AFTER_MS = 300;
const CONDITIONS_EVERY_MS = 10_000;

interface Point {
  readonly timeMs: number;
  readonly value: number;
}

interface ListedSymbol {
  readonly symbol: string;
  readonly exchange: string;
  readonly isActive: boolean;
}

export class DashboardState {
  readonly session: Session;
  readonly accounts = new Store<readonly Account[]>([]);
  readonly account = new Store<Account | undefined>(undefined);
  readonly groups = new Store<readonly Group[]>([]);
  readonly events = new Store<readonly ToldEvent[]>([]);
  /** Those that nobody has put away yet. */
  readonly alarms = new Store<readonly ToldEvent[]>([]);
  readonly botNames = new Store<ReadonlyMap<number, string>>(new Map());
  readonly streamState = new Store<StreamState>("connecting");
  readonly conditions = new Store<Conditions | undefined>(undefined);
  /** When the service saw its last tick, by the page's steady clock. */
  readonly lastTickMs = new Store<number | undefined>(undefined);
  readonly symbols = new Store<readonly string[]>([]);
  /** By symbol, the exchange that it is of. */
  readonly #exchanges = new Map<string, string>();
  /** Counts what changed at the brokerage, so that the pages which ask there read again. */
  readonly brokerageChanges = new Store(0);
  readonly setupChanges = new Store(0);
  readonly botChanges = new Store(0);
  readonly fault = new Store<string | undefined>(undefined);
  readonly #rows = new Map<number, OcoRow>();
  readonly #prices = new Map<string, Store<Price | undefined>>();
  readonly #points = new Map<string, Point[]>();
  readonly #looked = new Set<string>();
  readonly #bots: BotNames;
  readonly #stream: EventStreamReader;
  #restart: ReturnType<typeof setTimeout> | undefined;
  #conditionsTimer: ReturnType<typeof setInterval> | undefined;
  #areGroupsStale = false;
  #portfolioFreeMs = 0;

  constructor(session: Session) {
    this.session = session;
    this.#bots = new BotNames({
      get: (path) => session.get(path),
      accounts: () => this.accounts.value,
      attempt: (work) => this.attempt(work),
      onNames: (names) => this.botNames.set(names),
    });
    this.#stream = new EventStreamReader({
      session,
      symbols: () => [...this.#looked].slice(0, PRICES_MAX),
      onEvent: (event) => this.#onEvent(event),
      onState: (state) => {
        this.streamState.set(state);
        if (state === "live") void this.#readConditions();
      },
    });
  }

  /** Reads what there is, then follows what changes. */
  async open(): Promise<void> {
    void this.#stream.run();
    this.#conditionsTimer = setInterval(() => void this.#readConditions(), CONDITIONS_EVERY_MS);
    const [accounts, symbols] = await Promise.all([
      this.session.get<readonly Account[]>("/api/v1/accounts"),
      this.session.get<readonly ListedSymbol[]>("/api/v1/symbols"),
    ]);
    for (const { symbol, exchange } of symbols) this.#exchanges.set(symbol, exchange);
    this.symbols.set(symbols.filter(({ isActive }) => isActive).map(({ symbol }) => symbol));
    this.accounts.set(accounts);
    const first = accounts.find(({ isDefault }) => isDefault) ?? accounts[0];
    if (first !== undefined) await this.choose(first);
  }

  close(): void {
    this.#stream.stop();
    clearInterval(this.#conditionsTimer);
    clearTimeout(this.#restart);
  }

  /** The steps of a symbol's prices. */
  tickTableOf(symbol: string): TickTable {
    return tickTableOf(this.#exchanges.get(symbol) ?? "");
  }

  async choose(account: Account): Promise<void> {
    this.account.set(account);
    await this.readRows();
  }

  /** Reads all rows of the account again. */
  async readRows(): Promise<void> {
    const account = this.account.value;
    if (account === undefined) return;
    const rows = await this.session.get<readonly OcoRow[]>(`/api/v1/oco-orders?${queryOf(account)}`);
    if (this.account.value !== account) return;
    this.#rows.clear();
    for (const row of rows) this.#rows.set(row.id, row);
    this.#regroup();
    for (const row of rows) if (row.status === ACTIVE) this.#look(row.symbol);
  }

  /** The last price of a symbol; asked for from here on. */
  price(symbol: string): Store<Price | undefined> {
    this.#look(symbol);
    return this.#priceStore(symbol);
  }

  /** The prices of a symbol since it is looked at, oldest first. */
  points(symbol: string): readonly Point[] {
    return this.#points.get(symbol) ?? [];
  }

  /** How long to wait before the portfolio may be asked for; from then on it counts as asked, twice `everyMs`. */
  portfolioWaitMs(everyMs: number): number {
    const nowMs = Date.now();
    const atMs = Math.max(nowMs, this.#portfolioFreeMs);
    this.#portfolioFreeMs = atMs + 2 * everyMs;
    return atMs - nowMs;
  }

  /** Runs what a person asked for. Gives what went wrong, in words, or nothing. */
  async attempt(work: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      const wait = error.retryAfterSeconds;
      return wait === undefined ? error.message : `${error.message} Try again in ${wait} s.`;
    }
  }

  #look(symbol: string): void {
    if (symbol === "" || this.#looked.has(symbol)) return;
    this.#looked.add(symbol);
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => {
      this.#stream.restart();
      void this.#readPrices();
    }, RESTART_AFTER_MS);
  }

  /** Where they cannot be read, the state of the stream says so. */
  async #readConditions(): Promise<void> {
    await this.attempt(async () => {
      const conditions = await this.session.get<Conditions>("/api/v1/conditions");
      this.conditions.set(conditions);
      const silentMs = conditions.feed?.silentMs ?? null;
      if (silentMs !== null) this.#noteTick(performance.now() - silentMs);
    });
  }

  #noteTick(atMs: number): void {
    this.lastTickMs.set(Math.max(this.lastTickMs.value ?? Number.NEGATIVE_INFINITY, atMs));
  }

  async #readPrices(): Promise<void> {
    const wanted = [...this.#looked]
      .filter((symbol) => this.#priceStore(symbol).value === undefined)
      .slice(0, PRICES_MAX);
    if (wanted.length === 0) return;
    const fault = await this.attempt(async () => {
      const prices = await this.session.get<readonly { symbol: string; price: number | null; time: string | null }[]>(
        `/api/v1/prices?symbols=${wanted.join(",")}`,
      );
      for (const { symbol, price, time } of prices)
        if (price !== null && time !== null) this.#onPrice(symbol, price, time);
    });
    if (fault !== undefined) this.fault.set(fault);
  }

  #priceStore(symbol: string): Store<Price | undefined> {
    const known = this.#prices.get(symbol);
    if (known !== undefined) return known;
    const made = new Store<Price | undefined>(undefined);
    this.#prices.set(symbol, made);
    return made;
  }

  #onPrice(symbol: string, price: number, time: string): void {
    const store = this.#priceStore(symbol);
    const timeMs = new Date(time).getTime();
    const before = store.value;
    if (before !== undefined && before.timeMs > timeMs) return;
    // The first of a symbol may be an old one.
    if (before !== undefined && before.timeMs < timeMs) this.#noteTick(performance.now());
    store.set({ price, timeMs, move: before === undefined ? 0 : price - before.price });
    const points = this.#points.get(symbol) ?? [];
    points.push({ timeMs, value: price });
    if (points.length > POINTS_KEPT) points.splice(0, points.length - POINTS_KEPT);
    this.#points.set(symbol, points);
  }

  #onEvent(event: ToldEvent): void {
    if (event.type === "price") {
      this.#onPrice(String(event.symbol), Number(event.price), String(event.time));
      return;
    }
    if (event.type === "end") return;
    if (event.type === "gap") {
      this.#onGap(event);
      return;
    }
    this.#tell(event);
    this.#bots.hear(event);
    this.alarms.update((alarms) => hearAlarm(alarms, event));
    const account = this.account.value;
    // The rows of an event are those of the list.
    for (const row of rowsOf(event) as readonly OcoRow[]) {
      if (row.accountNumber !== account?.accountNumber) continue;
      this.#rows.set(row.id, row);
      this.#areGroupsStale = true;
    }
    this.#regroupSoon();
    const [family] = event.type.split(".");
    if (family === "setup") this.setupChanges.update((count) => count + 1);
    if (family === "bot" || family === "pair" || family === "signal") this.botChanges.update((count) => count + 1);
    if (family === "order" || family === "oco") this.brokerageChanges.update((count) => count + 1);
    if (event.type === "setup.converted") void this.attempt(() => this.readRows());
  }

  #tell(event: ToldEvent): void {
    this.events.update((events) => withEvent(events, event, EVENTS_KEPT));
  }

  /** What happened meanwhile is not known: everything is read again. */
  #onGap(event: ToldEvent): void {
    this.#tell({ ...event, id: `gap ${performance.now()}`, time: new Date().toISOString() });
    void this.attempt(() => this.readRows());
    for (const changes of [this.setupChanges, this.botChanges, this.brokerageChanges]) {
      changes.update((count) => count + 1);
    }
  }

  /** Many rows that change at once are grouped once. */
  #regroupSoon(): void {
    if (!this.#areGroupsStale) return;
    requestAnimationFrame(() => {
      if (this.#areGroupsStale) this.#regroup();
    });
  }

  #regroup(): void {
    this.#areGroupsStale = false;
    this.groups.set(groupRows(this.#rows.values()));
  }
}
