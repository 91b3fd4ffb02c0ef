/**
 * The configuration file of a FIX connector.
 *
 * Owns: names, forms and defaults; the report of all mistakes together, a line each; the rule that the file contains no
 * secret.
 * Does not own: whether the counterparty agrees (`check.ts`).
 */
import { z } from "zod";
import { brokerageCode, type ConfigReader, listedTwice, parserOf, seconds, text } from "../host/config-file.ts";
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

export interface FixSettings {
  readonly code: string;
  readonly folder: string;
  readonly session: SessionSettings;
  readonly tls: (() => TlsSettings) | undefined;
  readonly orders: OrderSettings;
}

/** Parses the file of a FIX connector. */
export const parseFixConfig = parserOf({
  schema: fileSchema,
  build(file, reader) {
    reader.mistakes.push(...faultsOfMaps(file));
    const settings = build(file, reader);
    reader.mistakes.push(...faultsOfTls(file.session), ...contradictions(settings));
    return settings;
  },
  checkParts: (value, reader) => void reader.mistakes.push(...faultsOfMaps(value)),
});

function build(file: z.infer<typeof fileSchema>, reader: ConfigReader): FixSettings {
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

/** Checks the maps of orders, header and logon of a file that can have other mistakes. */
function faultsOfMaps(value: unknown): string[] {
  const map = z.record(z.string(), z.string().nullable()).catch({});
  const fields = z.object({ D: map, F: map, H: map }).catch({ D: {}, F: {}, H: {} });
  const orders = z.object({ fields }).catch({ fields: fields.parse({}) });
  const session = z.object({ header: map, logon: map }).catch({ header: {}, logon: {} });
  const { data } = z.object({ orders, session }).safeParse(value);
  if (data === undefined) return [];
  return [
    ...(["D", "F", "H"] as const).flatMap((type) => faultsOfMap(type, data.orders.fields[type])),
    ...faultsOfFields("header", data.session.header),
    ...faultsOfFields("logon", data.session.logon),
  ];
}

function faultsOfMap(type: MappedType, map: Readonly<Record<string, string | null>>): string[] {
  return Object.entries(map).flatMap(([tag, value]) => {
    const fault = faultOf(type, tag, value);
    return fault === undefined ? [] : [`orders.fields.${type}: ${fault}`];
  });
}

function contradictions({ session, orders }: FixSettings): string[] {
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
