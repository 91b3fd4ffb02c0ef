/** The configuration file of a feed of Alpaca's prices. */
import { z } from "zod";
import {
  buildReconnect,
  parserOf,
  type ReconnectSettings,
  reconnectShape,
  type Secret,
  secretSchema,
} from "../../host/config-file.ts";
import { buildFeed, feedShape } from "../../host/price/feed-config.ts";
import type { FeedSettings } from "../../host/price/trade-feed.ts";

const HOST = "wss://stream.data.alpaca.markets/v2";

/**
 * Trades that do not move the last price of the consolidated tape: average price, cash, price variation, odd lot, the
 * official open and close, next day, prior reference, seller's option, extended hours, contingent, derivatively priced,
 * qualified contingent, corrected close, and trades reported out of sequence.
 */
const NO_PRICES = ["B", "C", "H", "I", "M", "N", "P", "Q", "R", "T", "U", "V", "W", "Z", "4", "7", "9"];

const fileSchema = z.strictObject({
  ...feedShape,
  ignoredConditions: feedShape.ignoredConditions.unwrap().default(NO_PRICES),
  /** `iex` is free, `sip` is every US exchange. Alpaca's delayed feeds must not sell. */
  feed: z.enum(["iex", "sip"], 'must be "iex" or "sip": delayed prices must not sell').default("iex"),
  url: z.url({ protocol: /^wss?$/, error: "must be a ws or wss address" }).optional(),
  keyId: secretSchema,
  secret: secretSchema,
  ...reconnectShape,
});

export interface AlpacaFeedConfig {
  readonly feed: FeedSettings;
  readonly url: string;
  readonly keyId: Secret;
  readonly secret: Secret;
  readonly reconnect: ReconnectSettings;
}

/** Parses the file of a feed of Alpaca's prices. */
export const parseAlpacaFeedConfig = parserOf({
  schema: fileSchema,
  build: (file, reader): AlpacaFeedConfig => ({
    feed: buildFeed(file, reader.mistakes),
    url: file.url ?? `${HOST}/${file.feed}`,
    keyId: reader.secret("keyId", file.keyId),
    secret: reader.secret("secret", file.secret),
    reconnect: buildReconnect(file),
  }),
});
