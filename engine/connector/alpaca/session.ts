/**
 * One Alpaca account: its stream of order updates, and whether it can be traded on now.
 *
 * Owns: connecting again after each end, the conditions before an order can leave, reading missed changes. Does not
 * own: the effect of an order's word (sent-orders.ts), answers (connector.ts).
 *
 * Invariants:
 * 1. It is up only while Alpaca has confirmed the subscription to updates, the two clocks agree, the account can trade,
 *    and everything that was submitted since the last seen order was read. Before that no order leaves.
 * 2. An update of the stream counts immediately, also while the past is read: words carry their own time.
 */
import { streaming } from "@alpacahq/alpaca-trade-api";
import type { Cancel, Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import { Reconnect } from "../host/reconnect.ts";
import type { AlpacaAccount, AlpacaApi } from "./api.ts";
import type { AlpacaAccountSettings, AlpacaSettings } from "./config.ts";
import { type AlpacaOrder, readOrder } from "./order.ts";

const LOGON_MS_MAX = 15_000;
/** Clocks differ, and an order is stamped after it was sent. */
const OVERLAP_MS = 600_000;
const CHANNEL = "trade_updates";

interface SessionOptions {
  readonly settings: AlpacaSettings;
  readonly account: AlpacaAccountSettings;
  readonly api: AlpacaApi;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Alpaca's word on an order. */
  readonly onOrder: (order: AlpacaOrder) => void;
  /** Reads the open sent orders by name, once the rest was read; returns false if that failed. */
  readonly settleOpen: (seen: ReadonlySet<string>) => Promise<boolean>;
  /** The moment from which on orders may have changed unseen, by Alpaca's clock. */
  readonly lastSeenMs: () => number;
}

export class AccountSession {
  readonly #options: SessionOptions;
  readonly #reconnect: Reconnect;
  readonly #log: { readonly accountNumber: string };
  #stream: streaming.TradingStream | undefined;
  #cancelLogon: Cancel = () => undefined;
  #isUp = false;
  #isRefused = false;
  #reason = "not connected yet";
  #sinceMs: number;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#reconnect = new Reconnect(options.settings, options.timers, () => this.start());
    this.#log = { accountNumber: options.account.accountNumber };
    this.#sinceMs = options.clock.nowMs();
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Why it is not up. */
  get reason(): string {
    return this.#reason;
  }

  /** True after an answer that another try does not change. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  start(): void {
    const { settings, account, timers } = this.#options;
    const { keyId, secret } = account;
    this.#isRefused = false;
    const stream = new streaming.TradingStream({
      credentials: { keyId: keyId(), secret: secret() },
      url: `${settings.url.replace(/^http/, "ws")}/stream`,
      reconnect: false,
    });
    this.#stream = stream;
    // The library gives up for good after some endings; so every try is a stream of its own.
    const isThis = (): boolean => this.#stream === stream;
    stream.on(streaming.EVENT.SUBSCRIPTION, (channels: unknown) => {
      if (isThis() && Array.isArray(channels) && channels.includes(CHANNEL)) void this.#begin(stream);
    });
    stream.onTradeUpdate(({ order }) => {
      if (isThis()) this.#read(order);
    });
    stream.onError((text) => {
      if (!isThis()) return;
      this.#reason = text;
      if (text === "auth failed") this.#isRefused = true;
    });
    stream.onDisconnect(() => {
      if (isThis()) this.#down();
    });
    this.#cancelLogon = timers.after(LOGON_MS_MAX, () =>
      this.#drop(stream, "no confirmed subscription in time", false),
    );
    stream.subscribeTradeUpdates();
    stream.connect();
  }

  stop(): void {
    this.#reconnect.stop();
    this.#stream?.disconnect();
  }

  #read(value: unknown): void {
    let order: AlpacaOrder;
    try {
      order = readOrder(value);
    } catch {
      this.#options.log.warn(
        { event: "brokerage.updateUnreadable", ...this.#log },
        "an update that this connector cannot read was ignored",
      );
      return;
    }
    this.#options.onOrder(order);
  }

  /** Checks the conditions for the first order, once subscribed. */
  async #begin(stream: streaming.TradingStream): Promise<void> {
    const obstacle = (await this.#obstacle()) ?? (await this.#readMissed());
    if (this.#stream !== stream) return;
    if (obstacle !== undefined) {
      this.#drop(stream, obstacle.text, obstacle.isLasting);
      return;
    }
    this.#cancelLogon();
    this.#reconnect.succeeded();
    this.#turn(true, "subscribed");
    this.#options.log.info({ event: "brokerage.sessionUp", ...this.#log }, "the session is up");
  }

  /** Why nothing may be traded now. */
  async #obstacle(): Promise<{ readonly text: string; readonly isLasting: boolean } | undefined> {
    const { api, clock, settings } = this.#options;
    const clocks = await api.clockMs();
    if (clocks.kind !== "ok") return { text: `clock: ${clocks.text}`, isLasting: clocks.kind === "refused" };
    const skewMs = Math.abs(clocks.value - clock.nowMs());
    if (skewMs > settings.clockSkewMsMax) {
      return { text: `Alpaca's clock and ours differ by ${Math.round(skewMs / 1_000)} s`, isLasting: true };
    }
    const account = await api.account();
    if (account.kind !== "ok") return { text: `account: ${account.text}`, isLasting: account.kind === "refused" };
    const text = whyNotTradable(account.value);
    return text === undefined ? undefined : { text, isLasting: true };
  }

  async #readMissed() {
    const { api, lastSeenMs, onOrder, settleOpen } = this.#options;
    const missed = await api.ordersAfter(lastSeenMs() - OVERLAP_MS);
    if (missed.kind !== "ok") return { text: `orders: ${missed.text}`, isLasting: false };
    for (const order of missed.value) onOrder(order);
    const seen = new Set(missed.value.map(({ clientOrderId }) => clientOrderId));
    return (await settleOpen(seen)) ? undefined : { text: "open orders could not be read", isLasting: false };
  }

  #drop(stream: streaming.TradingStream, reason: string, isLasting: boolean): void {
    if (this.#stream !== stream) return;
    this.#reason = reason;
    this.#isRefused = isLasting;
    stream.disconnect();
  }

  #down(): void {
    this.#stream = undefined;
    this.#cancelLogon();
    this.#turn(false, this.#isUp ? "the connection ended" : this.#reason);
    this.#options.log.warn(
      { event: "brokerage.sessionDown", ...this.#log, reason: this.#reason },
      "the session is down",
    );
    this.#reconnect.later(this.#isRefused);
  }

  #turn(isUp: boolean, reason: string): void {
    this.#reason = reason;
    if (isUp !== this.#isUp) this.#sinceMs = this.#options.clock.nowMs();
    this.#isUp = isUp;
  }
}

function whyNotTradable(account: AlpacaAccount): string | undefined {
  const { accountNumber, status, tradingBlocked, accountBlocked, tradeSuspendedByUser } = account;
  if (status !== "ACTIVE") return `Alpaca's account ${accountNumber} is ${status}`;
  if (tradingBlocked || accountBlocked) return `Alpaca's account ${accountNumber} is blocked`;
  return tradeSuspendedByUser ? `trading is suspended by the owner of Alpaca's account ${accountNumber}` : undefined;
}
