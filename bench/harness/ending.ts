/** What the parts of the engine that run in a scenario's own process are told with: what goes wrong, and no more. */
import type { Fatal, Log } from "../../src/runtime/ports.ts";

/** Nothing of what is measured here is worth a line but what goes wrong. */
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
