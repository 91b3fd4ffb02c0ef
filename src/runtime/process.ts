/**
 * What every process has in common: its fatal end, its orderly end, and the report of a start that failed.
 */
import closeWithGrace from "close-with-grace";
import type { BusErrorListener } from "../bus/port.ts";
import { loopTimers } from "./clock.ts";
import type { Fatal, Log, ProcessLog } from "./ports.ts";
import { explainFileFault, explainRunningFault } from "./running-fault.ts";
import { exitCodeOf, tellFailure, type UserError } from "./user-error.ts";

const STOP_WITHIN_MS = 9_000;
/** Once the stores are closed only replies are left to be sent; a hanging reply must not make the end a failure. */
const FINISH_WITHIN_MS = 1_000;

/**
 * Ends the process immediately: durable data is safe, and starting again is recovery (behaviour 12.4). The exit code
 * and the text equal the ones of a start that meets the same fault.
 */
export function exitFatally(log: ProcessLog): Fatal {
  return (reason, cause) => process.exit(logFault(log, explainFileFault(cause), reason, cause));
}

/** Logs an error that nothing caught. Returns the exit code that the process must end with. */
export function logUnexpectedFault(log: ProcessLog, err: unknown): number {
  return logFault(log, explainRunningFault(err), "an unexpected fault", err);
}

function logFault(log: ProcessLog, explained: UserError | undefined, during: string, err: unknown): number {
  if (explained === undefined) log.fatal({ event: "process.failed", err }, during);
  else log.fatal({ event: "process.failed", err, during }, explained.message);
  return exitCodeOf(explained);
}

/** Logs failures on the bus that no caller awaits: a fault of ours with its stack, others as text. */
export function tellBusErrors(log: Pick<Log, "warn">): BusErrorListener {
  return (error, context) => {
    const reason = error instanceof Error ? error.message : String(error);
    if (context.what === "connection") log.warn({ event: "bus.connectionFailed" }, `NATS: ${reason}; trying on`);
    else
      log.warn(
        { event: "bus.messageFailed", err: error, ...context },
        `a message on the bus was not handled: ${reason}`,
      );
  };
}

/** The steps of an orderly end: `stop` must succeed, `finish` may be cut short. */
type WhenStopped = (stop: () => Promise<void>, finish: () => Promise<void>) => void;

/**
 * SIGHUP ends a process at a terminal, which is being closed. Elsewhere it asks for a new read of renewed files, and
 * their readers listen for it. Returns the signal that close-with-grace must leave out.
 */
export function endingSignals(log: Pick<Log, "info">): { readonly skip: "SIGHUP"[] } {
  if (process.stdin.isTTY) return { skip: [] };
  process.on("SIGHUP", () =>
    log.info({ event: "process.hangUp" }, "SIGHUP: files that are read again while the process runs are read now"),
  );
  return { skip: ["SIGHUP"] };
}

/**
 * SIGTERM, SIGINT: an orderly end with code 0, a second one immediately. An unhandled fault: {@link logUnexpectedFault}.
 * Until the returned function is called the process is still starting: it just ends, as starting is recovering.
 */
export function endPolitely(log: ProcessLog): WhenStopped {
  let end: () => Promise<void> = async () => undefined;
  closeWithGrace({ ...endingSignals(log), delay: STOP_WITHIN_MS, logger: false }, async ({ err, signal }) => {
    // Memory is not to be trusted after an error that nothing caught, the store is.
    if (err !== undefined) process.exit(logUnexpectedFault(log, err));
    log.info({ event: "process.stopping", signal }, "stopping");
    await end().catch((error: unknown) => process.exit(logUnexpectedFault(log, error)));
    log.info({ event: "process.stopped" }, "stopped");
  });
  return (stop, finish) => {
    end = async () => {
      await stop();
      await atMost(FINISH_WITHIN_MS, finish());
    };
  };
}

/** Resolves when `work` does, or after `delayMs`. Rejects if `work` rejects before; a later rejection is ignored. */
export async function atMost(delayMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise<void>((resolve) => loopTimers.after(delayMs, resolve))]);
}

/** The end of a start that failed: a plain line for each mistake of the operator, else the stack of a fault of ours. */
export function explainFailedStart(name: string): (error: unknown) => void {
  return (error) => {
    const lines = tellFailure(error).split("\n");
    process.stderr.write(`${name} cannot start: ${lines.join("\n  ")}\n`);
    process.exit(exitCodeOf(error));
  };
}
