/**
 * Prices of a FIX venue: subscribes at every logon and reads the messages.
 *
 * Does not own: the session, which trades become ticks (host/price/trade-feed.ts).
 */
import { type FeedPorts, type FeedSettings, TradeFeed } from "../../host/price/trade-feed.ts";
import type { SessionUser } from "../session/reader.ts";
import { type Field, type FixMessage, readText } from "../wire/message.ts";
import { MsgType, Tag } from "../wire/tag.ts";
import { tradesOf } from "./trade.ts";

export interface FixFeedSettings extends FeedSettings {
  readonly symbolsARequest: number;
}

interface FeedOptions extends FeedPorts {
  readonly settings: FixFeedSettings;
  readonly send: (type: string, fields: readonly Field[]) => void;
}

export class PriceFeed implements SessionUser {
  readonly #options: FeedOptions;
  readonly #feed: TradeFeed;
  readonly #requests = new Map<string, readonly string[]>();
  #requestCount = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#feed = new TradeFeed(options.settings, options);
  }

  /** Reports the status from here on. */
  start(): void {
    this.#feed.start();
  }

  stop(): void {
    this.#feed.stop();
  }

  status() {
    return this.#feed.status();
  }

  onLive(): void {
    this.#feed.turn(true);
    this.#requests.clear();
    const all = this.#feed.venueSymbols;
    const { symbolsARequest } = this.#options.settings;
    for (let start = 0; start < all.length; start += symbolsARequest) {
      this.#subscribe(all.slice(start, start + symbolsARequest));
    }
  }

  onDown(): void {
    this.#feed.turn(false);
  }

  /** Prices that the venue left out are lost: the next ones count. */
  onFilled(): void {}

  onMessage(message: FixMessage): void {
    switch (message.type) {
      case MsgType.MarketDataSnapshot:
      case MsgType.MarketDataIncremental:
        this.#feed.hear();
        for (const trade of tradesOf(message)) this.#feed.take(trade);
        break;
      case MsgType.MarketDataReject:
        this.#feed.refuse(this.#requests.get(message.get(Tag.MDReqID) ?? "") ?? [], readText(message.get(Tag.Text)));
        break;
      case MsgType.Reject:
      case MsgType.BusinessReject:
        this.#options.log.error(
          { event: "fix.venueRejected", text: readText(message.get(Tag.Text)) },
          "the venue rejected a message",
        );
        break;
      default:
        break;
    }
  }

  #subscribe(symbols: readonly string[]): void {
    this.#requestCount += 1;
    const name = `R${this.#requestCount}`;
    this.#requests.set(name, symbols);
    this.#options.send(MsgType.MarketDataRequest, [
      [Tag.MDReqID, name],
      // A snapshot, then updates as they happen, one entry each.
      [Tag.SubscriptionRequestType, "1"],
      [Tag.MarketDepth, "1"],
      [Tag.MDUpdateType, "1"],
      [Tag.NoMDEntryTypes, "1"],
      [Tag.MDEntryType, "2"],
      [Tag.NoRelatedSym, String(symbols.length)],
      ...symbols.map((symbol): Field => [Tag.Symbol, symbol]),
    ]);
  }
}
