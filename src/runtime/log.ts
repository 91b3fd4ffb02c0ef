/**
 * The real log.
 *
 * Invariant: nothing secret is meant to reach it. What does by mistake under a known name is cut out.
 */
import { type DestinationStream, type Level, type Logger, pino, stdSerializers } from "pino";
import { build } from "pino-pretty";

/** Fields that must never be written, wherever they turn up. */
const SECRET_FIELDS = [
  ...["authorization", "x-api-key", "cookie", "set-cookie", "body"],
  ...["password", "sms", "username", "sessionId"],
  ...["apiKey", "token", "access_token", "refresh_token", "refreshToken"],
];

/** Where they might stand. A wildcard would cost more than the rest of a line. */
const PARENTS = ["headers", "request", "error", "err", "login", "data", "order"];

/**
 * Makes the log of a process. `destination` is for tests; without it lines go to standard output, at once:
 * readable ones to a terminal, else JSON.
 */
export function createLog(level: Level | "silent", name: string, destination?: DestinationStream): Logger {
  const quoted = SECRET_FIELDS.map((field) => `["${field}"]`);
  const paths = [...quoted, ...PARENTS.flatMap((parent) => quoted.map((field) => parent + field))];
  const options = {
    level,
    name,
    base: { pid: process.pid },
    redact: { paths, censor: "[redacted]" },
    serializers: { error: stdSerializers.err, err: stdSerializers.err },
  };
  if (destination !== undefined) return pino(options, destination);
  return process.stdout.isTTY ? pino(options, readable()) : pino(options, pino.destination({ sync: true }));
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
