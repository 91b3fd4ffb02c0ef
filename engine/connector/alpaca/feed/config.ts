/** The configuration file of a feed of Alpaca's prices. */
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { describeIssues } from "../../../../src/contract/issue.ts";
import { OperatorMistake } from "../../../../src/operator-mistake.ts";
import {
  PlaceReader,
  readJsonFile,
  seconds,
  secretSchema,
  type Variables,
  withinFile,
} from "../../host/config-file.ts";
import { buildFeed, feedShape } from "../../host/price/feed-config.ts";
import type { FeedSettings } from "../../host/price/trade-feed.ts";
import type { ReconnectSettings } from "../reconnect.ts";

const HOST = "wss://stream.data.alpaca.markets/v2";

/**
 * Trades that do not move the last price of the consolidated tape: average price, cash, price variation, odd lot, the
 * official open and close, next day, prior reference, seller's option, extended hours, contingent, derivatively priced,
 * qualified contingent, corrected close, and what is told out of sequence.
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
  reconnectSeconds: seconds(0.01, 600).default(1),
  reconnectSecondsMax: seconds(0.01, 3_600).default(30),
  refusedSeconds: seconds(0.01, 3_600).default(60),
});

export interface AlpacaFeedConfig {
  readonly feed: FeedSettings;
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly reconnect: ReconnectSettings;
}

/** Reads and checks a configuration file. Throws an `OperatorMistake` that names every mistake. */
export function readAlpacaFeedConfig(path: string, variables: Variables): AlpacaFeedConfig {
  const value = readJsonFile(path);
  return withinFile(path, () => parseAlpacaFeedConfig(value, dirname(resolve(path)), variables));
}

/** As `readAlpacaFeedConfig`, of a value. Relative paths are relative to `folder`. */
export function parseAlpacaFeedConfig(value: unknown, folder: string, variables: Variables): AlpacaFeedConfig {
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw new OperatorMistake(describeIssues(parsed.error).join("\n"));
  const file = parsed.data;
  const mistakes: string[] = [];
  const reader = new PlaceReader(folder, variables, mistakes);
  const config: AlpacaFeedConfig = {
    feed: buildFeed(file, mistakes),
    url: file.url ?? `${HOST}/${file.feed}`,
    keyId: reader.secret("keyId", file.keyId),
    secret: reader.secret("secret", file.secret),
    reconnect: {
      reconnectMsMin: file.reconnectSeconds * 1_000,
      reconnectMsMax: Math.max(file.reconnectSeconds, file.reconnectSecondsMax) * 1_000,
      refusedMsMin: file.refusedSeconds * 1_000,
    },
  };
  if (mistakes.length > 0) throw new OperatorMistake(mistakes.join("\n"));
  return config;
}
