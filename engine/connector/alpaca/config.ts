/**
 * The configuration file of an Alpaca connector.
 *
 * Owns: names, forms and defaults; that all mistakes are named together, a line each. Does not own: whether Alpaca
 * agrees (start.ts).
 */
import { z } from "zod";
import {
  brokerageCode,
  buildReconnect,
  listedTwice,
  parserOf,
  type ReconnectSettings,
  reconnectShape,
  type Secret,
  seconds,
  secretSchema,
  text,
} from "../host/config-file.ts";

const URLS = { paper: "https://paper-api.alpaca.markets", live: "https://api.alpaca.markets" } as const;

const accountSchema = z.strictObject({
  accountNumber: text,
  name: z.string().min(1).max(100).optional(),
  users: z.array(z.number().int().positive()).min(1),
  keyId: secretSchema,
  secret: secretSchema,
});

const fileSchema = z.strictObject({
  type: z.literal("alpaca"),
  code: brokerageCode,
  folder: z.string().min(1),
  environment: z.enum(["paper", "live"]).default("paper"),
  /** The address of a server that replaces Alpaca: a proxy, or a server of tests. */
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  accounts: z.array(accountSchema).min(1),
  /** Alpaca's name of a symbol, if it differs. */
  symbols: z.record(z.string(), text).default({}),
  requestTimeoutSeconds: seconds(0.05, 30).default(5),
  answerTimeoutSeconds: seconds(0.05, 60).default(5),
  settleSeconds: seconds(0.05, 3_600).default(60),
  ...reconnectShape,
  clockSkewSecondsMax: seconds(1, 600).default(120),
});

export interface AlpacaAccountSettings {
  readonly accountNumber: string;
  readonly name: string;
  readonly users: readonly number[];
  readonly keyId: Secret;
  readonly secret: Secret;
}

export interface AlpacaSettings extends ReconnectSettings {
  readonly code: string;
  readonly folder: string;
  /** REST; the stream of orders is at the same place under `/stream`. */
  readonly url: string;
  readonly accounts: readonly AlpacaAccountSettings[];
  readonly symbols: Readonly<Record<string, string>>;
  /** An answer is unknown after this time. */
  readonly requestTimeoutMs: number;
  /** How long the connector waits for a cancellation. */
  readonly answerTimeoutMs: number;
  /** After this time no part of an attempt in doubt is on its way any more. */
  readonly settleMs: number;
  readonly clockSkewMsMax: number;
}

/** Parses the file of an Alpaca connector. */
export const parseAlpacaConfig = parserOf({
  schema: fileSchema,
  build(file, reader): AlpacaSettings {
    const accounts = file.accounts.map((account, index) => ({
      ...{ accountNumber: account.accountNumber, name: account.name ?? account.accountNumber, users: account.users },
      keyId: reader.secret(`accounts[${index}].keyId`, account.keyId),
      secret: reader.secret(`accounts[${index}].secret`, account.secret),
    }));
    const names = accounts.map(({ accountNumber }) => accountNumber);
    reader.mistakes.push(...listedTwice("accounts", names), ...sharedKeys(accounts));
    reader.mistakes.push(...listedTwice("symbols", Object.values(file.symbols)));
    return {
      ...{ code: file.code, folder: reader.path(file.folder), accounts, symbols: file.symbols },
      url: (file.url ?? URLS[file.environment]).replace(/\/+$/, ""),
      requestTimeoutMs: file.requestTimeoutSeconds * 1_000,
      answerTimeoutMs: file.answerTimeoutSeconds * 1_000,
      settleMs: file.settleSeconds * 1_000,
      ...buildReconnect(file),
      clockSkewMsMax: file.clockSkewSecondsMax * 1_000,
    };
  },
});

/** Finds keys that two accounts share: each account would publish the orders of the other. */
function sharedKeys(accounts: readonly AlpacaAccountSettings[]): string[] {
  const keyIds = accounts.map(({ keyId }) => keyId());
  return accounts.flatMap(({ accountNumber }, index) => {
    const first = keyIds.findIndex((keyId) => keyId === keyIds[index] && keyId !== "");
    return first < 0 || first === index
      ? []
      : [`accounts: ${accounts[first]?.accountNumber} and ${accountNumber} have the same keyId`];
  });
}
