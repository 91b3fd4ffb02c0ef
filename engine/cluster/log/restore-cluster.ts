/**
 * Begins the log of a new life: its stream, and the record from which all copies continue.
 *
 * Invariant: no engine leads an empty log of a new life, because the log holds its first record before it is released.
 */
import type { LogRecord } from "../../ports/log.ts";
import { StreamLog } from "./replicated-log.ts";

type NewLifeOptions = Omit<ConstructorParameters<typeof StreamLog>[0], "keepBytes" | "heldByOthers">;

/** Stores `first` as the log's first record. Rejects with the reason of `signal` once that is aborted. */
export async function beginLife(options: NewLifeOptions, first: LogRecord, signal: AbortSignal): Promise<void> {
  const log = new StreamLog({ ...options, keepBytes: Number.POSITIVE_INFINITY, heldByOthers: () => undefined });
  const fail = (reason: string): never => {
    throw new Error(`the log of the new life cannot be used: ${reason}`);
  };
  const nothing = { owns: () => true, onRecord: () => undefined, onClaim: () => undefined };
  await log.follow(undefined, { ...nothing, onHole: fail, onDamage: fail });
  const leadership = await log.claim(0, signal);
  await leadership.log.append(first.sequence - 1, [first.bytes]);
  await leadership.release();
}
