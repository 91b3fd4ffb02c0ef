/**
 * The configuration file of a FIX connector.
 *
 * Owns: names, forms and defaults; the report of all mistakes together, a line each; the rule that the file contains no
 * secret.
 * Does not own: whether the counterparty agrees (`check.ts`).
 */
import { z } from "zod";
import { describeIssues } from "../../../src/contract/issue.ts";
import { UserError } from "../../../src/runtime/user-error.ts";
import { brokerageCode, listedTwice, PlaceReader, seconds, text, type Variables } from "../host/config-file.ts";
import { faultOf, type MappedType } from "./order/dictionary.ts";
import type { OrderSettings } from "./order/settings.ts";
import type { TlsSettings } from "./session/connection.ts";
import type { SessionSettings } from "./session/settings.ts";
import { buildSession, buildTls, faultsOfFields, faultsOfTls, fieldMap, sessionSchema } from "./session-config.ts";

const ordersSchema = z.strictObject({
  marketAs: z.enum(["market", "limitIOC"]).default("market"),
  collarPercent: z.number().positive().max(50).default(5),
  exchange: z.string().min(1).max(32).default("BIST"),
  lookUp: z.enum(["H", "none"]).default("H"),
  massStatus: z.boolean().default(false),
  positions: z.boolean().default(false),
  answerTimeoutSeconds: seconds(0.05, 60).default(5),
  fields: z.strictObject({ D: fieldMap, F: fieldMap, H: fieldMap }).partial().default({}),
  symbols: z.record(z.string(), text).default({}),
});

const accountSchema = z.strictObject({
  accountNumber: text,
  number: text.optional(),
  name: z.string().min(1).max(100).optional(),
  users: z.array(z.number().int().positive()).min(1),
});

const fileSchema = z.strictObject({
  code: brokerageCode,
  folder: z.string().min(1),
  session: sessionSchema,
  orders: ordersSchema.prefault({}),
  accounts: z.array(accountSchema).min(1),
});

export interface FixConnectorConfig {
  readonly code: string;
  readonly folder: string;
  readonly session: SessionSettings;
  readonly tls: (() => TlsSettings) | undefined;
  readonly orders: OrderSettings;
}

/**
 * Reads and checks the value of a configuration file; relative paths are relative to `folder`. Throws a `UserError`
 * that names every mistake.
 */
export function parseFixConfig(value: unknown, folder: string, variables: Variables): FixConnectorConfig {
  const parsed = fileSchema.safeParse(value);
  const mistakes = parsed.success ? [] : describeIssues(parsed.error);
  const maps = looseMaps(value);
  mistakes.push(...maps.flatMap(([type, map]) => faultsOfMap(type, map)));
  if (!parsed.success) throw new UserError(mistakes.join("\n"));
  const reader = new PlaceReader(folder, variables, mistakes);
  const config = build(parsed.data, reader);
  mistakes.push(...faultsOfTls(parsed.data.session), ...contradictions(config));
  if (mistakes.length > 0) throw new UserError(mistakes.join("\n"));
  return config;
}

function build(file: z.infer<typeof fileSchema>, reader: PlaceReader): FixConnectorConfig {
  const { session, orders } = file;
  return {
    code: file.code,
    folder: reader.path(file.folder),
    tls: session.tls === undefined ? undefined : buildTls(session.tls, reader),
    session: buildSession(session, reader),
    orders: {
      ...orders,
      beginString: session.version,
      answerTimeoutMs: orders.answerTimeoutSeconds * 1_000,
      fields: { D: orders.fields.D ?? {}, F: orders.fields.F ?? {}, H: orders.fields.H ?? {} },
      accounts: file.accounts.map((account, index) => ({
        ...account,
        number: account.number ?? account.accountNumber,
        name: account.name ?? account.accountNumber,
        isDefault: index === 0,
      })),
    },
  };
}

/** Reads the maps of orders, header and logon from a file that can have other mistakes. */
function looseMaps(value: unknown): [MappedType | "header" | "logon", Readonly<Record<string, string | null>>][] {
  const loose = z.object({
    orders: z.object({ fields: z.record(z.string(), z.unknown()).catch({}) }).catch({ fields: {} }),
    session: z
      .object({ header: z.unknown().optional(), logon: z.unknown().optional() })
      .catch({ header: {}, logon: {} }),
  });
  const found = loose.safeParse(value);
  if (!found.success) return [];
  const { orders, session } = found.data;
  const map = z.record(z.string(), z.string().nullable());
  const named = [
    ...(["D", "F", "H"] as const).map((type) => [type, orders.fields[type]] as const),
    ["header", session.header] as const,
    ["logon", session.logon] as const,
  ];
  return named.flatMap(([type, one]) => {
    const parsed = map.safeParse(one);
    return parsed.success ? [[type, parsed.data] as const] : [];
  }) as [MappedType | "header" | "logon", Readonly<Record<string, string | null>>][];
}

function faultsOfMap(type: MappedType | "header" | "logon", map: Readonly<Record<string, string | null>>): string[] {
  if (type === "header" || type === "logon") return faultsOfFields(type, map);
  return Object.entries(map).flatMap(([tag, value]) => {
    const fault = faultOf(type, tag, value);
    return fault === undefined ? [] : [`orders.fields.${type}: ${fault}`];
  });
}

function contradictions({ session, orders }: FixConnectorConfig): string[] {
  const names = orders.accounts.map(({ accountNumber }) => accountNumber);
  const bad = session.addresses.filter(({ port }) => port < 1 || port > 65_535);
  const { startMinute, endMinute } = session.schedule ?? { startMinute: 0, endMinute: 1 };
  return [
    ...listedTwice("accounts", names),
    ...bad.map(({ port }) => `session.addresses: ${port} is not a port`),
    ...(startMinute === endMinute ? ["session.schedule: start and end are the same"] : []),
    ...(orders.massStatus && session.beginString === "FIX.4.2" ? ["orders.massStatus: FIX.4.2 has no AF"] : []),
    ...(orders.positions && session.beginString === "FIX.4.2" ? ["orders.positions: FIX.4.2 has no AN"] : []),
  ];
}
