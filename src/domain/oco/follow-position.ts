/** A group whose lots were sold elsewhere shrinks with its position (behaviour 26.5). */
import type { GroupChange } from "./change.ts";
import { isBuying, isOpen, listedRows, type OcoGroup, rowAt, STOP_LOSS, stopLossOf, TRIGGERED } from "./group.ts";
import { awaitsAnswers, isStopLossSelling, soldQuantityOf } from "./oco.ts";

interface Fall {
  /** Lots that were sold elsewhere. */
  readonly fell: number;
  /** Lots that are still held. */
  readonly held: number;
}

/**
 * Returns the change that takes lots out of a group that it can no longer sell, the highest take-profit first; "cancel"
 * if none is left. Undefined if it can sell all of them, or if it cannot be changed now.
 */
export function followFall(group: OcoGroup, { fell, held }: Fall): GroupChange | "cancel" | undefined {
  const stopLoss = stopLossOf(group);
  if (!isOpen(stopLoss) || awaitsAnswers(group) || isStopLossSelling(group) || isBuying(group)) return undefined;
  const unsold = stopLoss.quantity - soldQuantityOf(group, ({ status }) => status === TRIGGERED);
  const taken = Math.min(fell, unsold - held);
  if (taken <= 0) return undefined;
  const left = unsold - taken;
  if (left <= 0) return "cancel";
  const { price, quantity } = stopLoss;
  const changed = [{ row: STOP_LOSS, price, quantity: quantity - taken }];
  const removed: number[] = [];
  const open = listedRows(group).filter((row) => row !== STOP_LOSS && isOpen(group.rows[row]));
  let excess = open.reduce((sum, row) => sum + rowAt(group, row).quantity, -left);
  for (const row of open.reverse()) {
    if (excess <= 0) break;
    const was = rowAt(group, row);
    if (was.quantity <= excess) removed.push(row);
    else changed.push({ row, price: was.price, quantity: was.quantity - excess });
    excess -= was.quantity;
  }
  return { changed, added: [], removed, dueAtMs: group.dueAtMs, notes: group.notes };
}
