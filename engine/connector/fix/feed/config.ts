/** The configuration file of a FIX price feed. */
import { z } from "zod";
import { parserOf } from "../../host/config-file.ts";
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

/** Parses the file of a FIX price feed. */
export const parseFixFeedConfig = parserOf({
  schema: fileSchema,
  build(file, reader): FixFeedConfig {
    reader.mistakes.push(
      ...faultsOfFields("header", file.session.header),
      ...faultsOfFields("logon", file.session.logon),
      ...faultsOfTls(file.session),
    );
    // A price feed has no past: both sides begin at 1 at every logon.
    const session = buildSession({ ...file.session, resetOn: "logon", onUnexpectedReset: "reconcile" }, reader);
    const tls = file.session.tls === undefined ? undefined : buildTls(file.session.tls, reader);
    return { session, tls, feed: { ...buildFeed(file, reader.mistakes), symbolsARequest: file.symbolsPerRequest } };
  },
});
