/**
 * Commands of several parts: the names of the parts, and their common answer (behaviour 6.1).
 *
 * Invariant: a part's id is never the id of a command, for any `Idempotency-Key`: no command's id starts like it, and
 * the command's own id follows unchanged.
 */
import type { Reply } from "../../src/contract/command.ts";
import { orderStatusOf } from "../../src/contract/trading/trading.ts";
import { isUndone, placedWord } from "../../src/domain/order/order.ts";

/** The replies of a command's parts, in order; null for a part without a reply yet. */
export type Parts = readonly (Reply | null)[];

const PART_ID = /^part\/(\d+)\/(.+)$/s;

/** Returns the id under which the outcome of a part is delivered. */
export function partId(commandId: string, index: number): string {
  return `part/${index}/${commandId}`;
}

/** Returns the command and the index that a part's id names; undefined for the id of a whole command. */
export function readPartId(id: string): { readonly commandId: string; readonly index: number } | undefined {
  const [, index, commandId] = PART_ID.exec(id) ?? [];
  return index === undefined || commandId === undefined ? undefined : { commandId, index: Number(index) };
}

/** Returns the whole reply: a success with one record per part, even if parts failed. Undefined until all are there. */
export function replyOfParts(parts: Parts): Reply | undefined {
  let placedCount = 0;
  const records = parts.map((reply) => {
    if (reply === null) return undefined;
    if (!reply.ok) return { success: false, message: reply.message, data: null };
    const orderStatus = orderStatusOf(reply.data);
    if (!isUndone({ orderStatus })) placedCount += 1;
    return { success: true, message: `the order was ${placedWord(orderStatus)}`, data: reply.data };
  });
  if (records.includes(undefined)) return undefined;
  const orders = parts.length === 1 ? "1 order was" : `${parts.length} orders were`;
  return { ok: true, data: records, message: `${placedCount} of ${orders} placed` };
}

/** Whether a batch is remembered under its key: not if every part failed by a fault. */
export function isWorthKeeping(parts: Parts, isFinal: (reply: Reply) => boolean): boolean {
  return parts.some((reply) => reply !== null && isFinal(reply));
}
