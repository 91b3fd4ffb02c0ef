/**
 * The part of a configuration file that is about the session: shared by connectors and price feeds.
 *
 * Owns: names, forms and defaults. Does not own: what goes over the session.
 */
import { z } from "zod";
import { readTextFile } from "../../../src/runtime/text-file.ts";
import {
  buildReconnect,
  type ConfigReader,
  keepReadable,
  reconnectShape,
  seconds,
  secretSchema,
  text,
} from "../host/config-file.ts";
import type { TlsSettings } from "./session/connection.ts";
import { isTimeZone, type Schedule } from "./session/schedule.ts";
import type { SessionSettings } from "./session/settings.ts";
import type { Field } from "./wire/message.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const BODY_LENGTH_MAX = 256 * 1024;

export const fieldMap = z.record(z.string(), z.string().nullable()).default({});

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

export const sessionSchema = z.strictObject({
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
  ...reconnectShape,
  clockSkewSecondsMax: seconds(1, 600).default(120),
});

/** The settings of a session, with the secrets that the file points at. */
export function buildSession(session: z.infer<typeof sessionSchema>, reader: ConfigReader): SessionSettings {
  const { senderCompId, targetCompId, resetOn, onUnexpectedReset, version: beginString } = session;
  return {
    ...{ beginString, senderCompId, targetCompId, resetOn, onUnexpectedReset },
    addresses: session.addresses.map((address) => {
      const colon = address.lastIndexOf(":");
      return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
    }),
    header: fieldsOf(session.header),
    logon: buildLogon(session, reader),
    ...(session.schedule === undefined ? {} : { schedule: buildSchedule(session.schedule) }),
    heartbeatMs: session.heartbeatSeconds * 1_000,
    logonTimeoutMs: session.logonTimeoutSeconds * 1_000,
    logoutTimeoutMs: session.logoutTimeoutSeconds * 1_000,
    ...buildReconnect(session),
    clockSkewMsMax: session.clockSkewSecondsMax * 1_000,
    bodyLengthMax: BODY_LENGTH_MAX,
  };
}

/** The further fields of each logon, with the secrets as they are then. */
function buildLogon(session: z.infer<typeof sessionSchema>, reader: ConfigReader): () => readonly Field[] {
  const { username, password, rawData } = session;
  const readRaw = rawData === undefined ? undefined : reader.latin1Secret("session.rawData", rawData);
  const readPassword = password === undefined ? undefined : reader.latin1Secret("session.password", password);
  const named: readonly Field[] = username === undefined ? [] : [[553, username]];
  const rest = fieldsOf(session.logon);
  return () => {
    const raw = readRaw?.();
    const secret = readPassword?.();
    return [
      ...(raw === undefined ? [] : ([[95, String(Buffer.byteLength(raw, "latin1"))] as const, [96, raw]] as const)),
      ...named,
      ...(secret === undefined ? [] : [[554, secret] as const]),
      ...rest,
    ];
  };
}

/** The certificates of a session: read now, and again for each connection. */
export function buildTls(tls: true | z.infer<typeof tlsSchema>, reader: ConfigReader): () => TlsSettings {
  if (tls === true) return () => ({});
  const first = readTls(tls, (field, name) => reader.file(field, name));
  return keepReadable(first, () => readTls(tls, (_field, name) => readTextFile(reader.path(name))));
}

function readTls(
  { caFile, certFile, keyFile, serverName }: z.infer<typeof tlsSchema>,
  read: (field: string, name: string) => string,
): TlsSettings {
  return {
    ...(caFile === undefined ? {} : { ca: read("session.tls.caFile", caFile) }),
    ...(certFile === undefined ? {} : { cert: read("session.tls.certFile", certFile) }),
    ...(keyFile === undefined ? {} : { key: read("session.tls.keyFile", keyFile) }),
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

/** Returns what is wrong with the certificates that a file names. */
export function faultsOfTls({ tls }: Pick<z.infer<typeof sessionSchema>, "tls">): string[] {
  if (tls === undefined || tls === true || (tls.certFile === undefined) === (tls.keyFile === undefined)) return [];
  return ["session.tls: certFile and keyFile go together"];
}

/** The fields that the session itself writes into every header and logon. */
const SESSION_OWNED = /^(8|9|10|34|35|43|49|52|56|89|93|95|96|97|98|108|122|141|554|925)$/;

/** Returns what is wrong with further fields of header or logon. */
export function faultsOfFields(place: "header" | "logon", map: Readonly<Record<string, string | null>>): string[] {
  return Object.entries(map).flatMap(([tag, value]) => {
    if (!/^[1-9]\d{0,4}$/.test(tag)) return [`session.${place}: ${tag} is not a field number`];
    if (SESSION_OWNED.test(tag)) return [`session.${place}: ${tag} belongs to the session`];
    return value === null || value === "" ? [`session.${place}: ${tag} has no value`] : [];
  });
}
