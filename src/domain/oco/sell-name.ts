/**
 * A group's names for the sells of its rows: `r<row id>`, `r<group id>-n<number>` from the second order of its
 * stop-loss on, and `r<group id>-<row id>` for an extra sell of its stop-loss. At the brokerage the name of the
 * engine's life comes before it (engine/store/order-names.ts).
 */

/** The sell of a row. */
export function sellName(rowId: number): string {
  return `r${rowId}`;
}

/**
 * A further sell of the stop-loss: with a take-profit's id, of the lots which that take-profit did not sell; with the
 * group's own id, of the lots that the take-profits left of a refused stop-loss.
 */
export function extraSellName(groupId: number, rowId: number): string {
  return `r${groupId}-${rowId}`;
}

/**
 * An order of the stop-loss by its number, from 2 on. It is never an extra sell's name: ids of rows can be small, too.
 */
export function numberedSellName(groupId: number, number: number): string {
  return `r${groupId}-n${number}`;
}

const SELL = /-r(\d+)(?:-n?\d+)?$/;

/** The row whose sell an order is, by the order's whole name; undefined for orders of bots and clients. */
export function rowIdOfSell(clientOrderId: string): number | undefined {
  const [, id] = SELL.exec(clientOrderId) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** Whether an order is the sell of a group, by the order's whole name. */
export function isSellOfGroup(clientOrderId: string): boolean {
  return SELL.test(clientOrderId);
}
