/**
 * What every process of the engine's side does alike: its log, its fatal end, its polite end.
 */
import closeWithGrace from "close-with-grace";
import { type Logger, pino } from "pino";
import type { Fatal } from "./ports.ts";

const STOP_WITHIN_MS = 9_000;
/** Fields that must never be written, wherever they turn up. */
const SECRET_FIELDS = ["password", "sms", "username", "apiKey", "token", "authorization"];

/** A JSON log on standard output. */
export function createLog(level: string, name: string): Logger {
  const redact = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino({ level, name, redact, base: { name, pid: process.pid } }, pino.destination({ sync: true }));
}

/** Ends the process at once: what is durable is safe, and starting again is recovery (design, invariants 5 and 6). */
export function exitFatally(log: Logger): Fatal {
  return (reason, cause) => {
    log.fatal({ err: cause }, reason);
    process.exit(1);
  };
}

/** SIGTERM, SIGINT: `stop` and exit 0. An unhandled fault: log and exit 1. */
export function endPolitely(log: Logger, stop: () => Promise<void>): void {
  closeWithGrace({ delay: STOP_WITHIN_MS, logger: false }, async ({ err, signal }) => {
    if (err !== undefined) {
      // A fault nobody expected: memory is not to be trusted, the store is.
      log.fatal({ err }, "an unexpected fault");
      process.exit(1);
    }
    log.info({ signal }, "stopping");
    await stop();
    log.info({}, "stopped");
  });
}

/** The end of a start that failed: one line where the operator can mend it, the stack where it is a fault of ours. */
export function explainFailedStart(name: string): (error: unknown) => void {
  return (error) => {
    const isExpected = error instanceof Error && /(Refused|Error)$/.test(error.name) && error.name !== "TypeError";
    const text =
      error instanceof Error && !isExpected ? error.stack : error instanceof Error ? error.message : String(error);
    process.stderr.write(`${name} cannot start: ${text}\n`);
    process.exit(1);
  };
}
