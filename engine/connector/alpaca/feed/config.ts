/** The configuration file of a feed of Alpaca's prices. */
import { z } from "zod";
import { describeIssues } from "../../../../src/contract/issue.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";
import {
  buildReconnect,
  PlaceReader,
  type ReconnectSettings,
  reconnectShape,
  type Secret,
  secretSchema,
  type Variables,
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

/** Reads and checks the value of a configuration file. Throws a `UserError` that names every mistake. */
export function parseAlpacaFeedConfig(value: unknown, folder: string, variables: Variables): AlpacaFeedConfig {
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw new UserError(describeIssues(parsed.error).join("\n"));
  const file = parsed.data;
  const mistakes: string[] = [];
  const reader = new PlaceReader(folder, variables, mistakes);
  const config: AlpacaFeedConfig = {
    feed: buildFeed(file, mistakes),
    url: file.url ?? `${HOST}/${file.feed}`,
    keyId: reader.secret("keyId", file.keyId),
    secret: reader.secret("secret", file.secret),
    reconnect: buildReconnect(file),
  };
  if (mistakes.length > 0) throw new UserError(mistakes.join("\n"));
  return config;
}
