/**
 * What the pages look at: accounts, rows, prices and events of one signed-in user, kept current by the event stream.
 *
 * Owns: which account is looked at, what is read when, and how an event changes what is shown.
 * Does not own: requests and tokens (session.ts), frames (stream.ts), rows (account-rows.ts), prices (prices.ts), drawing
 * (the views).
 *
 * Invariants:
 * 1. What is shown belongs to the chosen account: nothing of another stays in view while its own is read.
 * 2. Changes during a time without a stream are read as soon as a stream is live.
 */

import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { hearAlarm } from "../../../../src/event/alarm-list.ts";
import { rowsOf, type ToldEvent } from "../../../../src/event/describe-event.ts";
import { say } from "../language/say.ts";
import { AccountRows } from "./account-rows.ts";
import { mergeAccounts } from "./accounts.ts";
import { AddressBar } from "./address-bar.ts";
import { askUntilAnswered, type Waiting } from "./ask-again.ts";
import { BotNames } from "./bot-names.ts";
import { Doubts } from "./doubts.ts";
import { Health, type Said } from "./health.ts";
import { KeptEvents, type PastState } from "./kept-events.ts";
import {
  ACTIVE,
  type Account,
  type Conditions,
  type DoubtfulOrder,
  type Group,
  type OcoRow,
  type Price,
  type UnansweredOrder,
} from "./model.ts";
import { Notices } from "./notices.ts";
import { OneReading } from "./one-reading.ts";
import { OrderPlans } from "./order-plan.ts";
import { Portfolio } from "./portfolio.ts";
import { type ListedSymbol, Prices } from "./prices.ts";
import { RequestFailed, type Session } from "./session.ts";
import { SettledCount } from "./settled-count.ts";
import { Store } from "./store.ts";
import { EventStreamReader, type StreamState } from "./stream.ts";
import { watchVisibility, watchWake } from "./visibility.ts";

const CONDITIONS_EVERY_MS = 10_000;
/** Accounts and symbols: what is new among them is there a minute later. */
const LISTS_EVERY_MS = 60_000;
const NO_ACCOUNT_EVERY_MS = 5_000;

export class DashboardState {
  readonly session: Session;
  readonly addressBar = new AddressBar();
  readonly portfolio: Portfolio;
  readonly orderPlans: OrderPlans;
  readonly accounts = new Store<readonly Account[]>([]);
  readonly account = new Store<Account | undefined>(undefined);
  readonly groups = new Store<readonly Group[]>([]);
  /** Whether `groups` belong to the account: false until they were read. */
  readonly areRowsKnown = new Store(false);
  readonly keptEvents: KeptEvents;
  readonly events = new Store<readonly ToldEvent[]>([]);
  readonly past = new Store<PastState>({ isWhole: false, isReading: false });
  /** Alarms that the user has not put away yet. */
  readonly alarms = new Store<readonly ToldEvent[]>([]);
  readonly botNames = new Store<ReadonlyMap<number, string>>(new Map());
  readonly streamState = new Store<StreamState>("connecting");
  readonly health = new Health();
  /** The orders in doubt of all accounts, the oldest first. */
  readonly doubtfulOrders = new Store<readonly DoubtfulOrder[]>([]);
  /** Orders that their brokerages did not answer yet. */
  readonly unansweredOrders = new Store<readonly UnansweredOrder[]>([]);
  readonly #notices: Notices;
  readonly #doubts: Doubts;
  readonly #doubtNews = new SettledCount();
  /** Counts what changed at the brokerage, so that the pages which ask there read again, at a pace of their own. */
  readonly brokerageChanges = new Store(0);
  /** Counts changes of the trading state. */
  readonly tradingChanges = new Store(0);
  /** Counts changes of price alerts. */
  readonly priceAlertChanges = new Store(0);
  readonly #setups = new SettledCount();
  readonly #botWork = new SettledCount();
  /** Why nothing can be shown yet, as text. */
  readonly openingFault = new Store<string | undefined>(undefined);
  /** What of the rest cannot be read now, as text. */
  readonly fault = new Store<string | undefined>(undefined);
  readonly #faults = new Map<string, string>();
  readonly #prices: Prices;
  readonly #bots: BotNames;
  readonly #stream: EventStreamReader;
  #rows: AccountRows | undefined;
  #timers: readonly ReturnType<typeof setInterval>[] = [];
  readonly #accountsReading = new OneReading();
  readonly #symbolsReading = new OneReading();
  #stopWatching: () => void = () => undefined;
  #isClosed = false;

  constructor(session: Session) {
    this.session = session;
    this.portfolio = new Portfolio(session);
    this.keptEvents = new KeptEvents({
      open: (path) => session.open(path),
      onList: (list) => this.events.set(list),
      onPast: (state) => this.past.set(state),
    });
    this.orderPlans = new OrderPlans(session);
    this.#prices = new Prices({
      get: (path) => session.get(path),
      onLooked: () => this.#stream.restart(),
      onTick: () => this.health.hearTick(),
      onFault: (fault) => this.#say("prices", fault),
    });
    this.#notices = new Notices({
      userId: session.caller.userId,
      botNames: this.botNames,
      onWatch: () => this.#stream.resume(),
    });
    this.#bots = new BotNames({
      get: (path) => session.get(path),
      accounts: () => this.accounts.value,
      attempt: (work) => this.attempt(work),
      onNames: (names) => this.botNames.set(names),
    });
    this.#doubts = new Doubts({
      get: (path) => session.get(path),
      ask: (read, waiting) => this.ask(read, waiting),
      accounts: () => this.accounts.value,
      onOrders: (orders) => this.doubtfulOrders.set(orders),
      onUnanswered: (orders) => this.unansweredOrders.set(orders),
      onNews: () => this.#doubtNews.note(),
      onAlarm: (alarm) => this.alarms.update((alarms) => hearAlarm(alarms, alarm)),
      onFault: (accountNumber, fault) => this.#say(`orders of ${accountNumber}`, fault),
    });
    this.#doubtNews.count.subscribe(() => this.#doubts.read());
    this.#stream = new EventStreamReader({
      session,
      symbols: () => this.#prices.looked,
      onEvent: (event) => this.#onEvent(event),
      onState: (state) => {
        this.streamState.set(state);
        // If the stream is broken the service may have stopped.
        if (state !== "connecting") void this.readConditions();
      },
      onBegin: () => this.#readAllAgain(),
    });
  }

  get symbols(): Store<readonly string[]> {
    return this.#prices.symbols;
  }

  get setupChanges(): Store<number> {
    return this.#setups.count;
  }

  get botChanges(): Store<number> {
    return this.#botWork.count;
  }

  /** Reads the state, then follows its changes while the page is in view or gives notices. */
  async open(): Promise<void> {
    void this.#stream.run();
    const stopVisibility = watchVisibility({
      // A browser has six connections to a host, and each window's stream holds one.
      onAway: () => {
        if (!this.#notices.isWatching) this.#stream.pause();
      },
      onBack: () => {
        this.#stream.resume();
        void this.readConditions();
      },
    });
    const stopWake = watchWake(() => {
      this.#stream.reconnect();
      void this.readConditions();
    });
    const stopAddress = this.addressBar.start();
    this.#stopWatching = () => {
      stopAddress();
      stopVisibility();
      stopWake();
    };
    this.#notices.start();
    this.#timers = [
      every(CONDITIONS_EVERY_MS, () => void this.readConditions()),
      every(LISTS_EVERY_MS, () => {
        void this.#readLists();
        // No event reports a change for the installation to a user without a group.
        this.#noteTrading();
      }),
      every(NO_ACCOUNT_EVERY_MS, () => {
        if (this.account.value === undefined) void this.#readAccounts();
      }),
    ];
    await this.#readLists();
  }

  close(): void {
    this.#isClosed = true;
    this.#stream.stop();
    this.#stopWatching();
    this.#notices.close();
    this.#rows?.close();
    this.#prices.close();
    this.#setups.close();
    this.#botWork.close();
    this.#doubtNews.close();
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Learns the name of a bot of which no event may have come. */
  findBotName(systemId: number): void {
    this.#bots.find(systemId);
  }

  /** The steps of a symbol's prices. */
  tickTableOf(symbol: string): TickTable {
    return this.#prices.tickTableOf(symbol);
  }

  /** The zone of a symbol's exchange. */
  zoneOf(symbol: string): string {
    return this.#prices.zoneOf(symbol);
  }

  choose(account: Account): Promise<void> {
    this.#rows?.close();
    this.areRowsKnown.set(false);
    this.groups.set([]);
    this.account.set(account);
    this.#rows = new AccountRows({
      onNextFrame: (act) => void requestAnimationFrame(act),
      account,
      get: (path) => this.session.get(path),
      onGroups: (groups) => this.groups.set(groups),
      onRead: (rows) => {
        this.areRowsKnown.set(true);
        for (const { symbol, status } of rows) if (status === ACTIVE) this.#prices.priceOf(symbol);
      },
      onFault: (fault) => this.#say("rows", fault),
    });
    return this.followRows();
  }

  /** Reads all rows of the account again, until they are there. Never rejects. */
  async followRows(): Promise<void> {
    await this.#rows?.read();
  }

  /** The last price of a symbol; asked for from here on, if the symbol exists. */
  price(symbol: string): Store<Price | undefined> {
    return this.#prices.priceOf(symbol);
  }

  /**
   * The last price of a symbol as of now, or undefined if it has no price yet. Reads it if the page has no price, or
   * may have missed some; throws `RequestFailed` if that fails.
   */
  async priceNow(symbol: string): Promise<number | undefined> {
    if (this.streamState.value !== "live" || this.price(symbol).value === undefined) await this.#prices.readNow(symbol);
    return this.price(symbol).value?.price;
  }

  /** Whether the service lists the symbol, as far as that is read yet. */
  isKnown(symbol: string): boolean {
    return this.#prices.isKnown(symbol);
  }

  /** The prices of a symbol since it is looked at, oldest first. */
  points(symbol: string): ReturnType<Prices["pointsOf"]> {
    return this.#prices.pointsOf(symbol);
  }

  /** Runs what a person asked for. Returns the fault as text, or undefined. */
  async attempt(work: () => Promise<unknown>): Promise<string | undefined> {
    const failure = await failureOf(work);
    return failure === undefined ? undefined : withWait(failure.message, failure);
  }

  /** As {@link attempt}, with the fault as the service sent it: a form finds the field in it, and translates it then. */
  async attemptForm(work: () => Promise<unknown>): Promise<string | undefined> {
    const failure = await failureOf(work);
    if (failure === undefined) return undefined;
    return failure.retryAfterSeconds === undefined ? failure.sent : withWait(failure.message, failure);
  }

  /** Reads until it is answered, and as long as the dashboard is open. */
  ask<T>(read: () => Promise<T>, { isWanted, onFault }: Waiting): Promise<T | undefined> {
    return askUntilAnswered(read, { isWanted: () => !this.#isClosed && isWanted(), onFault });
  }

  async #readLists(): Promise<void> {
    await Promise.all([this.#readAccounts(), this.#readSymbols()]);
  }

  /** A brokerage that was away when it was asked before may give its accounts now. */
  #readAccounts(): Promise<void> {
    return this.#accountsReading.run(async () => {
      const accounts = await this.ask(() => this.session.get<readonly Account[]>("/api/v1/accounts"), {
        isWanted: () => true,
        onFault: (fault) => this.#onAccountsFault(fault),
      });
      if (accounts === undefined) return;
      const before = this.accounts.value;
      this.accounts.set(mergeAccounts(before, accounts));
      this.#bots.findEarly();
      if (this.accounts.value.length > before.length) this.#doubts.read();
      if (this.account.value !== undefined) return;
      const first = accounts.find(({ isDefault }) => isDefault) ?? accounts[0];
      if (first === undefined) this.areRowsKnown.set(true);
      else void this.choose(first);
    });
  }

  /** Before an account is known, the fault is shown in place of the page. */
  #onAccountsFault(fault: string | undefined): void {
    const isOpening = this.account.value === undefined;
    this.openingFault.set(isOpening ? fault : undefined);
    this.#say("accounts", isOpening ? undefined : fault);
  }

  #readSymbols(): Promise<void> {
    return this.#symbolsReading.run(async () => {
      const symbols = await this.ask(() => this.session.get<readonly ListedSymbol[]>("/api/v1/symbols"), {
        isWanted: () => true,
        onFault: (fault) => this.#say("symbols", fault),
      });
      if (symbols !== undefined) this.#prices.learnSymbols(symbols);
    });
  }

  /** If they cannot be read, nothing of them is known. */
  async readConditions(): Promise<void> {
    const before = upCodes(this.health.said.value);
    await this.attempt(() => this.health.read(() => this.session.get<Conditions>("/api/v1/conditions")));
    const isBack = [...upCodes(this.health.said.value)].some((code) => !before.has(code));
    if (isBack && this.accounts.value.length > 0) void this.#readAccounts();
  }

  /** One fault of each kind is known, and the oldest of them is shown. */
  #say(kind: "accounts" | "prices" | "rows" | "symbols" | `orders of ${string}`, fault: string | undefined): void {
    if (fault === undefined) this.#faults.delete(kind);
    else this.#faults.set(kind, fault);
    const [shown] = this.#faults.values();
    this.fault.set(shown);
  }

  #onEvent(event: ToldEvent): void {
    if (event.type === "price") {
      this.#prices.take(String(event.symbol), Number(event.price), String(event.time));
      return;
    }
    if (event.type === "end") return;
    if (event.type === "gap") {
      this.#onGap(event);
      return;
    }
    this.keptEvents.hear(event);
    this.#notices.hear(event);
    this.#bots.hear(event);
    this.#doubts.hear(event);
    this.alarms.update((alarms) => hearAlarm(alarms, event));
    this.#hearRows(event);
    const [family] = event.type.split(".");
    if (family === "setup") this.#setups.note();
    if (family === "bot" || family === "pair" || family === "signal") this.#botWork.note();
    if (family === "order" || family === "oco" || family === "pair") {
      this.brokerageChanges.update((count) => count + 1);
    }
    if (family === "price") this.notePriceAlerts();
    if (event.type === "trading.stateChanged") this.#noteTrading();
    if (event.type === "setup.converted") void this.followRows();
  }

  /** Takes the rows of an event into the list. */
  #hearRows(event: ToldEvent): void {
    const rows = this.#rows;
    if (rows === undefined) return;
    const { accountNumber } = rows.account;
    const isShared = this.accounts.value.filter((account) => account.accountNumber === accountNumber).length > 1;
    for (const row of rowsOf(event) as readonly OcoRow[]) {
      if (row.accountNumber !== accountNumber) continue;
      // A row names no brokerage: if two have an account of this number, the list shows whose row it is.
      if (isShared && !rows.has(row.id)) rows.readFor(row.id);
      else rows.hear(row);
    }
  }

  #onGap(event: ToldEvent): void {
    this.keptEvents.hear({ ...event, id: `gap ${performance.now()}`, time: new Date().toISOString() });
    this.#readAllAgain();
  }

  /** Reads everything again, as events may have been missed. */
  #readAllAgain(): void {
    void this.followRows();
    this.#doubts.read();
    this.#setups.note();
    this.#botWork.note();
    this.#noteTrading();
    this.notePriceAlerts();
    this.brokerageChanges.update((count) => count + 1);
  }

  /** A price alert was made, changed, removed, reached or expired. */
  notePriceAlerts(): void {
    this.priceAlertChanges.update((count) => count + 1);
  }

  #noteTrading(): void {
    this.tradingChanges.update((count) => count + 1);
  }
}

/** Runs the work only while the page is in view. */
function every(periodMs: number, work: () => void): ReturnType<typeof setInterval> {
  return setInterval(() => {
    if (!document.hidden) work();
  }, periodMs);
}

function upCodes(said: Said | undefined): ReadonlySet<string> {
  const up = said?.isAnswered === true ? said.conditions.brokerages.filter(({ state }) => state === "up") : [];
  return new Set(up.map(({ code }) => code));
}

async function failureOf(work: () => Promise<unknown>): Promise<RequestFailed | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    return error;
  }
}

function withWait(message: string, { retryAfterSeconds: wait }: RequestFailed): string {
  return wait === undefined ? message : `${message} ${say("Try again in {wait} s.", { wait })}`;
}
