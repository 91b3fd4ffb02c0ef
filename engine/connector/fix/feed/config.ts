/** The configuration file of a FIX price feed. */
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { OperatorMistake } from "../../../../src/operator-mistake.ts";
import type { TlsSettings } from "../session/connection.ts";
import type { SessionSettings } from "../session/settings.ts";
import {
  buildSession,
  buildTls,
  faultsOfFields,
  PlaceReader,
  parseJson,
  sessionSchema,
  type Variables,
} from "../session-config.ts";
import type { FeedSettings } from "./price-feed.ts";

const symbol = z.string().regex(/^[A-Z0-9_]{1,16}$/, "must be a symbol of A-Z, 0-9 and _");
const venueSymbol = z.string().regex(/^[\x20-\x7e]{1,60}$/, "must have 1 to 60 printable characters");

const fileSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_]{1,32}$/, "must be a name of letters, digits and _"),
  session: sessionSchema.omit({ resetOn: true, onUnexpectedReset: true }),
  /** A list, or the venue's name by ours. */
  symbols: z.union([z.array(symbol).min(1), z.record(symbol, venueSymbol)]),
  ignoredConditions: z.array(z.string().min(1).max(10)).default([]),
  lagMsMax: z.number().int().min(100).max(600_000).default(5_000),
  silentSeconds: z.number().min(1).max(86_400).default(60),
  symbolsPerRequest: z.number().int().min(1).max(1_000).default(50),
});

export interface FixFeedConfig {
  readonly session: SessionSettings;
  readonly tls: TlsSettings | undefined;
  readonly feed: FeedSettings;
}

/** Reads and checks a configuration file. Throws an `OperatorMistake` that names every mistake. */
export function readFixFeedConfig(path: string, variables: Variables): FixFeedConfig {
  return parseFixFeedConfig(parseJson(path), dirname(resolve(path)), variables);
}

/** As `readFixFeedConfig`, of a value. Relative paths are relative to `folder`. */
export function parseFixFeedConfig(value: unknown, folder: string, variables: Variables): FixFeedConfig {
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    throw new OperatorMistake(
      parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"),
    );
  }
  const file = parsed.data;
  const mistakes = [...faultsOfFields("header", file.session.header), ...faultsOfFields("logon", file.session.logon)];
  const reader = new PlaceReader(folder, variables, mistakes);
  // A price feed has no past: both sides begin at 1 at every logon.
  const session = buildSession({ ...file.session, resetOn: "logon", onUnexpectedReset: "reconcile" }, reader);
  const tls = file.session.tls === undefined ? undefined : buildTls(file.session.tls, reader);
  const symbols = Array.isArray(file.symbols)
    ? Object.fromEntries(file.symbols.map((one) => [one, one]))
    : file.symbols;
  if (Object.keys(symbols).length === 0) mistakes.push("symbols: there are none");
  const venues = Object.values(symbols);
  const twice = venues.filter((one, index) => venues.indexOf(one) !== index);
  mistakes.push(...twice.map((one) => `symbols: ${one} stands there twice`));
  if (mistakes.length > 0) throw new OperatorMistake(mistakes.join("\n"));
  const { name, ignoredConditions, lagMsMax, silentSeconds, symbolsPerRequest } = file;
  return {
    ...{ session, tls },
    feed: {
      name,
      symbols,
      ignoredConditions,
      lagMsMax,
      silentMs: silentSeconds * 1_000,
      symbolsARequest: symbolsPerRequest,
    },
  };
}
