/** The configuration file of a feed of AlgoLab's prices. */
import { z } from "zod";
import { describeIssues } from "../../../../src/contract/issue.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";
import { PlaceReader, type Secret, type Variables } from "../../host/config-file.ts";
import { buildFeed, feedShape } from "../../host/price/feed-config.ts";
import type { FeedSettings } from "../../host/price/trade-feed.ts";
import { loginShape, readableKey } from "../config.ts";
import { faultOfApiKey } from "../protocol.ts";

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
}

/** Reads and checks the value of a configuration file. Throws a `UserError` that names every mistake. */
export function parseAlgolabFeedConfig(value: unknown, folder: string, variables: Variables): AlgolabFeedConfig {
  const parsed = algolabFeedFileSchema.safeParse(value);
  const mistakes = parsed.success ? [] : describeIssues(parsed.error);
  const place = z.object(readableKey).catch({}).parse(value).apiKey;
  const reader = new PlaceReader(folder, variables, mistakes);
  const apiKey = place && reader.secret("apiKey", place, faultOfApiKey);
  const feed = parsed.data && buildFeed(parsed.data, mistakes);
  if (!parsed.success || apiKey === undefined || feed === undefined || mistakes.length > 0)
    throw new UserError(mistakes.join("\n"));
  const file = parsed.data;
  return { feed, url: file.url.replace(/\/$/, ""), apiKey, sessionFile: reader.path(file.sessionFile) };
}
