/**
 * The configuration file of an AlgoLab connector.
 *
 * Owns: names, forms and defaults; that all mistakes are named together, a line each. Does not own: whether AlgoLab
 * agrees (start.ts).
 */
import { z } from "zod";
import {
  brokerageCode,
  type ConfigReader,
  listedTwice,
  parserOf,
  type Secret,
  seconds,
  secretSchema,
  text,
} from "../host/config-file.ts";
import { faultOfApiKey } from "./protocol.ts";

const ALGOLAB_URL = "https://www.algolab.com.tr";

/** The address, the key and the login, which connector and feed share. */
export const loginShape = {
  /** The address of a server that replaces AlgoLab: a proxy, or a server of tests. */
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).default(ALGOLAB_URL),
  apiKey: secretSchema,
  /** The file of the login's hash, which the connector writes and the feed reads. */
  sessionFile: z.string().min(1),
};

export const accountSchema = z.strictObject({
  accountNumber: text,
  name: z.string().min(1).max(100).optional(),
  users: z.array(z.number().int().positive()).min(1),
  /** AlgoLab's number of the sub-account; empty for the active one. */
  subAccount: z.string().max(40).default(""),
});

/** The form of the file. */
export const algolabFileSchema = z.strictObject({
  type: z.literal("algolab"),
  code: brokerageCode,
  folder: z.string().min(1),
  ...loginShape,
  sessionFile: z.string().min(1).optional(),
  accounts: z.array(accountSchema).min(1),
  /** AlgoLab's name of a symbol, if it differs. */
  symbols: z.record(z.string(), text).default({}),
  /** Whether orders are also placed by hand, in the bank's application. */
  manualTrading: z.boolean().default(true),
  requestIntervalSeconds: seconds(1, 60).default(5.1),
  requestTimeoutSeconds: seconds(1, 30).default(10),
  settleSeconds: seconds(30, 3_600).default(30),
  refreshSeconds: seconds(60, 840).default(300),
  pollSeconds: seconds(10, 600).default(30),
  /** Words of refusals that concern the moment, not the order, in addition to the built-in ones. */
  notNowPhrases: z.array(z.string().min(3).max(200)).default([]),
});

/** The key's place of a file in which other fields can be wrong; absent if it cannot be read. */
export const readableKey = { apiKey: secretSchema.optional().catch(undefined) };

/** Reads the key; a mistake if it is missing or has a wrong form. */
export function readApiKey(apiKey: z.infer<typeof secretSchema>, reader: ConfigReader): Secret {
  return reader.secret("apiKey", apiKey, faultOfApiKey);
}

/** Parts of a file whose mistakes are named also if another part has a wrong form. */
const readableSchema = z
  .object({
    ...readableKey,
    accounts: algolabFileSchema.shape.accounts.catch([]),
    symbols: algolabFileSchema.shape.symbols.catch({}),
  })
  .catch({ accounts: [], symbols: {} });

export interface AlgolabAccountSettings {
  readonly accountNumber: string;
  readonly name: string;
  readonly users: readonly number[];
  readonly subAccount: string;
}

export interface AlgolabSettings {
  readonly code: string;
  readonly folder: string;
  readonly url: string;
  readonly apiKey: Secret;
  readonly sessionFile: string;
  readonly accounts: readonly AlgolabAccountSettings[];
  readonly symbols: Readonly<Record<string, string>>;
  readonly manualTrading: boolean;
  readonly requestIntervalMs: number;
  readonly requestTimeoutMs: number;
  /** An order whose answer was lost and which is not listed this long after it was sent does not exist. */
  readonly settleMs: number;
  readonly refreshMs: number;
  readonly pollMs: number;
  /** How long until a lost stream is made again. The file has no such field: tests shorten it. */
  readonly reconnectMs?: number;
  readonly notNowPhrases: readonly string[];
}

/** Parses the file of an AlgoLab connector. */
export const parseAlgolabConfig = parserOf({
  schema: algolabFileSchema,
  build(file, reader): AlgolabSettings {
    reader.mistakes.push(...faultsOfParts(file));
    return {
      ...{ code: file.code, folder: reader.path(file.folder), url: file.url.replace(/\/$/, "") },
      apiKey: readApiKey(file.apiKey, reader),
      sessionFile: reader.path(file.sessionFile ?? `${file.folder}/session`),
      accounts: file.accounts.map((account) => ({ ...account, name: account.name ?? account.accountNumber })),
      ...{ symbols: file.symbols, manualTrading: file.manualTrading, notNowPhrases: file.notNowPhrases },
      requestIntervalMs: file.requestIntervalSeconds * 1_000,
      requestTimeoutMs: file.requestTimeoutSeconds * 1_000,
      settleMs: file.settleSeconds * 1_000,
      refreshMs: file.refreshSeconds * 1_000,
      pollMs: file.pollSeconds * 1_000,
    };
  },
  checkParts(value, reader) {
    const parts = readableSchema.parse(value);
    reader.mistakes.push(...faultsOfParts(parts));
    if (parts.apiKey !== undefined) readApiKey(parts.apiKey, reader);
  },
});

function faultsOfParts({ accounts, symbols }: Pick<z.infer<typeof algolabFileSchema>, "accounts" | "symbols">) {
  return [...faultsOfAccounts(accounts), ...listedTwice("symbols", Object.values(symbols))];
}

/** Without a sub-account of its own one account's orders would be taken for another account's orders. */
function faultsOfAccounts(accounts: readonly z.infer<typeof accountSchema>[]): string[] {
  const subAccounts = accounts.map(({ subAccount }) => subAccount);
  const named = subAccounts.filter((name) => name !== "");
  return [
    ...listedTwice(
      "accounts",
      accounts.map(({ accountNumber }) => accountNumber),
    ),
    ...listedTwice("accounts: subAccount", named),
    ...(accounts.length > 1 && named.length < accounts.length
      ? ["accounts: each of several must name its subAccount"]
      : []),
  ];
}
