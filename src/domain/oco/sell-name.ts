/**
 * What a group calls the sells of its rows: `r<row id>`, and `r<group id>-<row id>` for an extra sell of its stop-loss.
 * At the brokerage the name of the engine's life stands before it (engine/store/order-names.ts).
 */

/** The sell of a row. */
export function sellName(rowId: number): string {
  return `r${rowId}`;
}

/**
 * A further sell of the stop-loss: with a take-profit's id of what that one did not sell after all, with the group's own id
 * of what the take-profits left of a refused one.
 */
export function extraSellName(groupId: number, rowId: number): string {
  return `r${groupId}-${rowId}`;
}

const SELL = /-r(\d+)(?:-\d+)?$/;

/** The row whose sell an order is, by the order's whole name; undefined for orders of bots and clients. */
export function rowIdOfSell(clientOrderId: string): number | undefined {
  const [, id] = SELL.exec(clientOrderId) ?? [];
  return id === undefined ? undefined : Number(id);
}
