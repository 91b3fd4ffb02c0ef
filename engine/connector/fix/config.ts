/**
 * The configuration file of a FIX connector.
 *
 * Owns: names, forms and defaults; that all mistakes are named at once, a line each; that no secret stands in the file.
 * Does not own: whether the counterparty agrees (`check.ts`).
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { OperatorMistake } from "../../../src/operator-mistake.ts";
import { faultOf, type MappedType } from "./order/dictionary.ts";
import type { OrderSettings } from "./order/settings.ts";
import type { TlsSettings } from "./session/connection.ts";
import { isTimeZone, type Schedule } from "./session/schedule.ts";
import type { SessionSettings } from "./session/settings.ts";
import type { Field } from "./wire/message.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const BODY_LENGTH_MAX = 256 * 1024;

const text = z.string().regex(/^[\x20-\x7e]{1,100}$/, "must have 1 to 100 printable characters");
const seconds = (least: number, most: number) => z.number().min(least).max(most);

/** Where a secret is kept: never in the file itself. */
const secretSchema = z.union(
  [z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
  'must be {"env": "NAME"} or {"file": "path"}: a secret does not stand in this file',
);
type SecretPlace = z.infer<typeof secretSchema>;

const fieldMap = z.record(z.string(), z.string().nullable()).default({});

const scheduleSchema = z.strictObject({
  days: z.array(z.enum(DAYS)).min(1).default(["mon", "tue", "wed", "thu", "fri"]),
  start: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time like 09:30"),
  end: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time like 18:30"),
  timeZone: z.string().refine(isTimeZone, "must be a time zone like Europe/Istanbul"),
});

const tlsSchema = z.strictObject({
  caFile: z.string().optional(),
  certFile: z.string().optional(),
  keyFile: z.string().optional(),
  serverName: z.string().optional(),
});

const sessionSchema = z.strictObject({
  version: z.enum(["FIX.4.2", "FIX.4.4"]).default("FIX.4.4"),
  senderCompId: text,
  targetCompId: text,
  addresses: z.array(z.string().regex(/^[^\s:]+:\d{1,5}$/, "must be host:port")).min(1),
  tls: z.union([z.literal(true), tlsSchema]).optional(),
  username: text.optional(),
  password: secretSchema.optional(),
  /** RawData (96) of the logon, for counterparties that want it there. */
  rawData: secretSchema.optional(),
  header: fieldMap,
  logon: fieldMap,
  heartbeatSeconds: seconds(1, 3_600).default(30),
  resetOn: z.enum(["never", "daily", "logon"]).default("never"),
  onUnexpectedReset: z.enum(["stop", "reconcile"]).default("stop"),
  schedule: scheduleSchema.optional(),
  logonTimeoutSeconds: seconds(0.1, 300).default(10),
  logoutTimeoutSeconds: seconds(0.1, 60).default(2),
  reconnectSeconds: seconds(0.01, 600).default(1),
  reconnectSecondsMax: seconds(0.01, 3_600).default(30),
  refusedSeconds: seconds(0.01, 3_600).default(60),
  clockSkewSecondsMax: seconds(1, 600).default(120),
});

const ordersSchema = z.strictObject({
  marketAs: z.enum(["market", "limitIOC"]).default("market"),
  collarPercent: z.number().positive().max(50).default(5),
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
  code: z.string().regex(/^[A-Za-z0-9_]{1,32}$/, "must be a brokerage code of letters, digits and _"),
  folder: z.string().min(1),
  session: sessionSchema,
  orders: ordersSchema.prefault({}),
  accounts: z.array(accountSchema).min(1),
});

export interface FixConnectorConfig {
  readonly code: string;
  readonly folder: string;
  readonly session: SessionSettings;
  readonly tls: TlsSettings | undefined;
  readonly orders: OrderSettings;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads and checks a configuration file. Throws an `OperatorMistake` that names every mistake. */
export function readFixConfig(path: string, variables: Variables): FixConnectorConfig {
  return parseFixConfig(parseJson(path), dirname(resolve(path)), variables);
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new OperatorMistake(`${path} is not JSON: ${cause.message}`, { cause });
    throw cause;
  }
}

/** As `readFixConfig`, of a value. Relative paths are relative to `folder`. */
export function parseFixConfig(value: unknown, folder: string, variables: Variables): FixConnectorConfig {
  const parsed = fileSchema.safeParse(value);
  const mistakes = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const maps = looseMaps(value);
  mistakes.push(...maps.flatMap(([type, map]) => faultsOfMap(type, map)));
  if (!parsed.success) throw new OperatorMistake(mistakes.join("\n"));
  const reader = new PlaceReader(folder, variables, mistakes);
  const config = build(parsed.data, reader);
  mistakes.push(...contradictions(config));
  if (mistakes.length > 0) throw new OperatorMistake(mistakes.join("\n"));
  return config;
}

/** Reads what the file only points at, and collects what is not there. */
class PlaceReader {
  readonly #folder: string;
  readonly #variables: Variables;
  readonly #mistakes: string[];

  constructor(folder: string, variables: Variables, mistakes: string[]) {
    this.#folder = folder;
    this.#variables = variables;
    this.#mistakes = mistakes;
  }

  path(name: string): string {
    return resolve(this.#folder, name);
  }

  file(field: string, name: string): string {
    try {
      return readFileSync(this.path(name), "utf8");
    } catch {
      this.#mistakes.push(`${field}: ${name} cannot be read`);
      return "";
    }
  }

  secret(field: string, place: SecretPlace): string {
    const value = "env" in place ? (this.#variables[place.env] ?? "") : this.file(field, place.file).trim();
    if (value === "" && "env" in place) this.#mistakes.push(`${field}: the variable ${place.env} is not set`);
    return value;
  }
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

function buildSession(session: z.infer<typeof sessionSchema>, reader: PlaceReader): SessionSettings {
  const { senderCompId, targetCompId, resetOn, onUnexpectedReset, version: beginString } = session;
  return {
    ...{ beginString, senderCompId, targetCompId, resetOn, onUnexpectedReset },
    addresses: session.addresses.map((address) => {
      const colon = address.lastIndexOf(":");
      return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
    }),
    header: fieldsOf(session.header),
    logon: [...secretsOf(session, reader), ...fieldsOf(session.logon)],
    ...(session.schedule === undefined ? {} : { schedule: buildSchedule(session.schedule) }),
    heartbeatMs: session.heartbeatSeconds * 1_000,
    logonTimeoutMs: session.logonTimeoutSeconds * 1_000,
    logoutTimeoutMs: session.logoutTimeoutSeconds * 1_000,
    reconnectMsMin: session.reconnectSeconds * 1_000,
    reconnectMsMax: Math.max(session.reconnectSeconds, session.reconnectSecondsMax) * 1_000,
    refusedMsMin: session.refusedSeconds * 1_000,
    clockSkewMsMax: session.clockSkewSecondsMax * 1_000,
    bodyLengthMax: BODY_LENGTH_MAX,
  };
}

function secretsOf(session: z.infer<typeof sessionSchema>, reader: PlaceReader): Field[] {
  const { username, password, rawData } = session;
  const raw = rawData === undefined ? "" : reader.secret("session.rawData", rawData);
  const secret = password === undefined ? "" : reader.secret("session.password", password);
  return [
    ...(raw === ""
      ? []
      : ([
          [95, String(Buffer.byteLength(raw, "latin1"))],
          [96, raw],
        ] as const)),
    ...(username === undefined ? [] : [[553, username] as const]),
    ...(secret === "" ? [] : [[554, secret] as const]),
  ];
}

function buildTls(tls: true | z.infer<typeof tlsSchema>, reader: PlaceReader): TlsSettings {
  if (tls === true) return {};
  const { caFile, certFile, keyFile, serverName } = tls;
  return {
    ...(caFile === undefined ? {} : { ca: reader.file("session.tls.caFile", caFile) }),
    ...(certFile === undefined ? {} : { cert: reader.file("session.tls.certFile", certFile) }),
    ...(keyFile === undefined ? {} : { key: reader.file("session.tls.keyFile", keyFile) }),
    ...(serverName === undefined ? {} : { serverName }),
  };
}

function buildSchedule({ days, start, end, timeZone }: z.infer<typeof scheduleSchema>): Schedule {
  const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  return {
    days: days.map((day) => DAYS.indexOf(day) + 1),
    ...{ startMinute: minuteOf(start), endMinute: minuteOf(end), timeZone },
  };
}

function fieldsOf(map: Readonly<Record<string, string | null>>): Field[] {
  return Object.entries(map).flatMap(([tag, value]): Field[] => (value === null ? [] : [[Number(tag), value]]));
}

/** The maps of orders, header and logon as they stand in a file that may have other mistakes. */
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

/** What the session itself writes into every header and logon. */
const SESSION_OWNED = /^(8|9|10|34|35|43|49|52|56|89|93|95|96|97|98|108|122|141|554|925)$/;

function faultsOfMap(type: MappedType | "header" | "logon", map: Readonly<Record<string, string | null>>): string[] {
  if (type === "header" || type === "logon") {
    return Object.entries(map).flatMap(([tag, value]) => {
      if (!/^[1-9]\d{0,4}$/.test(tag)) return [`session.${type}: ${tag} is no field number`];
      if (SESSION_OWNED.test(tag)) return [`session.${type}: ${tag} belongs to the session`];
      return value === null || value === "" ? [`session.${type}: ${tag} has no value`] : [];
    });
  }
  return Object.entries(map).flatMap(([tag, value]) => {
    const fault = faultOf(type, tag, value);
    return fault === undefined ? [] : [`orders.fields.${type}: ${fault}`];
  });
}

function contradictions({ session, orders, tls }: FixConnectorConfig): string[] {
  const names = orders.accounts.map(({ accountNumber }) => accountNumber);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const bad = session.addresses.filter(({ port }) => port < 1 || port > 65_535);
  const { startMinute, endMinute } = session.schedule ?? { startMinute: 0, endMinute: 1 };
  return [
    ...twice.map((name) => `accounts: ${name} stands there twice`),
    ...bad.map(({ port }) => `session.addresses: ${port} is no port`),
    ...(tls !== undefined && (tls.cert === undefined) !== (tls.key === undefined)
      ? ["session.tls: certFile and keyFile go together"]
      : []),
    ...(startMinute === endMinute ? ["session.schedule: start and end are the same"] : []),
    ...(orders.massStatus && session.beginString === "FIX.4.2" ? ["orders.massStatus: FIX.4.2 has no AF"] : []),
    ...(orders.positions && session.beginString === "FIX.4.2" ? ["orders.positions: FIX.4.2 has no AN"] : []),
  ];
}
