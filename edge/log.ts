/**
 * The log: structured lines on standard output.
 *
 * Invariant: nothing secret is meant to reach it; what does by mistake under a known name is cut out.
 */
import { type DestinationStream, type Level, pino, stdSerializers } from "pino";
import type { Log } from "./ports.ts";

const SECRET_FIELDS = [
  "authorization",
  "x-api-key",
  "apiKey",
  "cookie",
  "set-cookie",
  "password",
  "sms",
  "sessionId",
  "access_token",
  "refresh_token",
  "refreshToken",
  "body",
];

/** Makes the log. `destination` is for tests; default: standard output. */
export function createLog(level: Level | "silent", destination?: DestinationStream): Log {
  const quoted = SECRET_FIELDS.map((field) => `["${field}"]`);
  const options = {
    level,
    redact: { paths: [...quoted, ...quoted.map((field) => `*${field}`)], censor: "[redacted]" },
    serializers: { error: stdSerializers.err },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
