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

/** Where they might stand. A wildcard would cost more than the rest of a line. */
const PARENTS = ["headers", "request", "error", "login"];

/** Makes the log. `destination` is for tests; default: standard output. */
export function createLog(level: Level | "silent", destination?: DestinationStream): Log {
  const quoted = SECRET_FIELDS.map((field) => `["${field}"]`);
  const paths = [...quoted, ...PARENTS.flatMap((parent) => quoted.map((field) => parent + field))];
  const options = {
    level,
    name: "edge",
    base: { pid: process.pid },
    redact: { paths, censor: "[redacted]" },
    serializers: { error: stdSerializers.err },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
