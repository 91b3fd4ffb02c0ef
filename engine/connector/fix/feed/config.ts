/** The configuration file of a FIX price feed. */
import { z } from "zod";
import { describeIssues } from "../../../../src/contract/issue.ts";
import { UserError } from "../../../../src/runtime/user-error.ts";
import { PlaceReader, type Variables } from "../../host/config-file.ts";
import { buildFeed, feedShape } from "../../host/price/feed-config.ts";
import type { TlsSettings } from "../session/connection.ts";
import type { SessionSettings } from "../session/settings.ts";
import { buildSession, buildTls, faultsOfFields, faultsOfTls, sessionSchema } from "../session-config.ts";
import type { FixFeedSettings } from "./price-feed.ts";

const fileSchema = z.strictObject({
  ...feedShape,
  session: sessionSchema.omit({ resetOn: true, onUnexpectedReset: true }),
  symbolsPerRequest: z.number().int().min(1).max(1_000).default(50),
});

export interface FixFeedConfig {
  readonly session: SessionSettings;
  readonly tls: (() => TlsSettings) | undefined;
  readonly feed: FixFeedSettings;
}

/**
 * Reads and checks the value of a configuration file; relative paths are relative to `folder`. Throws a `UserError`
 * that names every mistake.
 */
export function parseFixFeedConfig(value: unknown, folder: string, variables: Variables): FixFeedConfig {
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw new UserError(describeIssues(parsed.error).join("\n"));
  const file = parsed.data;
  const mistakes = [
    ...faultsOfFields("header", file.session.header),
    ...faultsOfFields("logon", file.session.logon),
    ...faultsOfTls(file.session),
  ];
  const reader = new PlaceReader(folder, variables, mistakes);
  // A price feed has no past: both sides begin at 1 at every logon.
  const session = buildSession({ ...file.session, resetOn: "logon", onUnexpectedReset: "reconcile" }, reader);
  const tls = file.session.tls === undefined ? undefined : buildTls(file.session.tls, reader);
  const feed = { ...buildFeed(file, mistakes), symbolsARequest: file.symbolsPerRequest };
  if (mistakes.length > 0) throw new UserError(mistakes.join("\n"));
  return { session, tls, feed };
}
