/** A row's message about a sell that its brokerage ended before all of it was sold (behaviour 4.5a). */

const SOLD_TEXT = /^\d+ of \d+ sold/;

/** How many lots were sold, and of how many. */
export function soldText(soldQuantity: number, unsoldQuantity: number): string {
  return `${soldQuantity} of ${soldQuantity + unsoldQuantity} sold`;
}

/** The row's message after more was sold; for a row without such a message, its message from before. */
export function countedText(told: string | null, soldQuantity: number, unsoldQuantity: number): string | null {
  return unsoldQuantity === 0 || told === null ? told : told.replace(SOLD_TEXT, soldText(soldQuantity, unsoldQuantity));
}
