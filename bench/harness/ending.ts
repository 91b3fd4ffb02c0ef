/** The log of engine parts that run in a scenario's own process: it reports faults only. */
import type { Fatal, Log } from "../../src/runtime/ports.ts";

/** Only faults are worth a line in a measurement. */
export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
  error: (fields, message) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
};

export const endNow: Fatal = (reason, cause) => {
  process.stderr.write(`${reason}: ${String(cause)}\n`);
  process.exit(1);
};
