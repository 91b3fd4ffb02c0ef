/** The configuration file of a feed of AlgoLab's prices. */
import { z } from "zod";
import { parserOf, type Secret } from "../../host/config-file.ts";
import { buildFeed, feedShape } from "../../host/price/feed-config.ts";
import type { FeedSettings } from "../../host/price/trade-feed.ts";
import { loginShape, readApiKey, readableKey } from "../config.ts";

/** Prices of an account without the contract for live data come a quarter of an hour late. */
const LAG_MS_MAX = 600_000;

/** The form of the file. */
export const algolabFeedFileSchema = z.strictObject({
  ...feedShape,
  ...loginShape,
  /** AlgoLab stamps whole seconds. */
  lagMsMax: z.number().int().min(2_000).max(LAG_MS_MAX).default(10_000),
});

export interface AlgolabFeedConfig {
  readonly feed: FeedSettings;
  readonly url: string;
  readonly apiKey: Secret;
  /** The file of the login's hash, which the connector writes. */
  readonly sessionFile: string;
  /** How long until a lost stream is made again. The file has no such field: tests shorten it. */
  readonly reconnectMs?: number;
}

/** Parses the file of a feed of AlgoLab's prices. */
export const parseAlgolabFeedConfig = parserOf({
  schema: algolabFeedFileSchema,
  build(file, reader): AlgolabFeedConfig {
    const apiKey = readApiKey(file.apiKey, reader);
    const feed = buildFeed(file, reader.mistakes);
    return { feed, url: file.url.replace(/\/$/, ""), apiKey, sessionFile: reader.path(file.sessionFile) };
  },
  checkParts(value, reader) {
    const { apiKey } = z.object(readableKey).catch({}).parse(value);
    if (apiKey !== undefined) readApiKey(apiKey, reader);
  },
});
