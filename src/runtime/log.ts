/**
 * The real log.
 *
 * Invariant: nothing secret is meant to reach it. What does by mistake under a known name is cut out.
 */
import fs from "node:fs";
import { type DestinationStream, type Level, pino, stdSerializers, stdTimeFunctions } from "pino";
import { build } from "pino-pretty";
import type { ProcessLog } from "./ports.ts";

/** Fields that must never be written, wherever they turn up. */
const SECRET_FIELDS = [
  ...["authorization", "x-api-key", "cookie", "set-cookie", "body"],
  ...["password", "sms", "username", "sessionId"],
  ...["apiKey", "token", "access_token", "refresh_token", "refreshToken"],
];

/** Where they can occur. A wildcard would cost more than the rest of a line. */
const PARENTS = ["headers", "request", "error", "err", "login", "data", "order"];

/** The keys that every line has. A field of the same name would make a line with a key twice, which strict parsers refuse. */
const LINE_KEYS = ["level", "time", "pid", "name", "msg"];

/** The most bytes of lines that the reader has not taken yet: further lines are dropped. */
const UNREAD_BYTES_MAX = 16 * 1024 * 1024;
/** Lines are written together: so many bytes of them, or the lines of so long a time. At most so many in one write. */
const WRITTEN_BYTES_MIN = 16 * 1024;
const WRITTEN_BYTES_MAX = 64 * 1024;
const LINE_HELD_MS_MAX = 50;
/** What is left at the end of a process is tried so often, a tenth of a second apart: its reader may be slow, or gone. */
const LAST_TRIES_MAX = 20;

/** How much a process logs, and how its JSON lines name the moment: milliseconds since 1970, or ISO 8601 in UTC. */
export interface LogSettings {
  readonly level: Level | "silent";
  readonly times?: "epoch" | "iso";
}

/**
 * Makes the log of a process. `destination` is for tests; without it lines are written to standard output: readable
 * ones to a terminal, immediately; else JSON, as fast as it is read, so that a slow reader of the log delays no order.
 * The remaining lines are written when the process ends.
 */
export function createLog({ level, times }: LogSettings, name: string, destination?: DestinationStream): ProcessLog {
  const quoted = SECRET_FIELDS.map((field) => `["${field}"]`);
  const paths = [...quoted, ...PARENTS.flatMap((parent) => quoted.map((field) => parent + field))];
  const options = {
    level,
    name,
    timestamp: times === "iso" ? stdTimeFunctions.isoTime : stdTimeFunctions.epochTime,
    base: { pid: process.pid },
    formatters: { log: withoutLineKeys },
    redact: { paths, censor: "[redacted]" },
    serializers: { error: stdSerializers.err, err: stdSerializers.err },
  };
  if (destination !== undefined) return pino(options, destination);
  return pino(options, process.stdout.isTTY ? readable() : unhurried());
}

/** Renames fields whose names belong to the line: `name` becomes `field_name`. */
function withoutLineKeys(fields: Record<string, unknown>): Record<string, unknown> {
  if (!LINE_KEYS.some((key) => Object.hasOwn(fields, key))) return fields;
  const renamed = Object.entries(fields).map(([key, value]) => [LINE_KEYS.includes(key) ? `field_${key}` : key, value]);
  return Object.fromEntries(renamed);
}

/**
 * A full pipe would hold a synchronous writer up for a tenth of a second, and a write a line costs as much as the line.
 * Lines are kept as bytes: of text the destination would measure all that it holds with every line.
 */
function unhurried(): DestinationStream & { flushSync(): void } {
  const destination = pino.destination({
    sync: false,
    minLength: WRITTEN_BYTES_MIN,
    maxWrite: WRITTEN_BYTES_MAX,
    periodicFlush: LINE_HELD_MS_MAX,
    maxLength: UNREAD_BYTES_MAX,
    contentMode: "buffer",
  });
  const flushSync = destination.flushSync.bind(destination);
  // Also what the library calls when the process exits.
  destination.flushSync = () => withBoundedWrites(flushSync);
  return {
    // The types of the package know only texts.
    write: (line) => void destination.write(Buffer.from(line) as Uint8Array as unknown as string),
    flushSync: () => destination.flushSync(),
  };
}

/**
 * Lets `flush` end if no program reads the output: the library repeats a failed write forever, and a process that must
 * end, and be started again, would not.
 */
function withBoundedWrites(flush: () => void): void {
  const { writeSync } = fs;
  let triesLeft = LAST_TRIES_MAX;
  const bounded = (file: number, bytes: Uint8Array): number => {
    try {
      return writeSync(file, bytes);
    } catch (error) {
      triesLeft -= 1;
      if (triesLeft > 0 && (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
      return bytes.length;
    }
  };
  Object.assign(fs, { writeSync: bounded });
  try {
    flush();
  } finally {
    Object.assign(fs, { writeSync });
  }
}

/** For a person at a terminal: time, level, words; what else a line has, behind them. */
function readable(): DestinationStream {
  return build({
    sync: true,
    translateTime: "SYS:HH:MM:ss.l",
    ignore: "pid,hostname",
    singleLine: true,
    messageFormat: "{msg}",
  });
}
