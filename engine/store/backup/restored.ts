/**
 * An installation that continues from a backup: its life after the backup is lost, but not what the world received.
 *
 * Owns: ids and sequences that are surely new, and which orders the lost life may have sent. Does not own: what is done
 * about those (order/gateway/look-up-before-resend.ts).
 *
 * Invariants:
 * 1. No id, and so no order's name, is given out that the lost life gave out, nor one of an earlier restoration of the
 *    same backup: ids continue after a reserve, which grows with the age of the backup.
 * 2. A row that was armed at the backup keeps its id, and its order its name: a brokerage that knows it can report it.
 */
import { PAIR_NUMBER_MAX } from "../../../src/domain/bot/bot.ts";
import type { Head } from "../journal/head.ts";

/**
 * Of the whole installation, as pair ids leave bots no more than some nine thousand millions: more than is given out
 * between a backup and its end.
 */
export const RESTORE_RESERVE = 100_000_000;
/** What all partitions together give out a second, on the average over the time between two restorations. */
export const RESTORE_RATE = 100;
const NAME = /-([a-z])(\d+)/;

/** The head with which a restored backup continues; undefined if the given head is not a backup's. */
export function asRestored(head: Head, nowMs: number): Head | undefined {
  const { copiedAtMs, ...rest } = head;
  if (copiedAtMs === undefined) return undefined;
  const sinceSeconds = Math.max(0, nowMs - copiedAtMs) / 1_000;
  const reserve = Math.ceil((RESTORE_RESERVE + sinceSeconds * RESTORE_RATE) / head.partitions);
  return { ...rest, ids: head.ids + reserve, sequence: head.sequence + reserve, restoredIds: head.ids };
}

/** Whether an order may have been sent in a life that was lost: it is named after something older than the backup. */
export function isOfLostLife({ restoredIds, partition, partitions }: Head, clientOrderId: string): boolean {
  if (restoredIds === undefined) return false;
  const [, letter, digits] = NAME.exec(clientOrderId) ?? [];
  if (letter === undefined) return true;
  // Pairs are numbered within their bot.
  const id = letter === "p" ? Math.floor(Number(digits) / (PAIR_NUMBER_MAX + 1)) : Number(digits);
  return (id - partition) / partitions <= restoredIds;
}
