/** What a row tells of a sell that its brokerage ended before all of it was sold (behaviour 4.5a). */

const SOLD_TEXT = /^\d+ of \d+ sold/;

/** How many lots were sold, and of how many. */
export function soldText(soldQuantity: number, unsoldQuantity: number): string {
  return `${soldQuantity} of ${soldQuantity + unsoldQuantity} sold`;
}

/** What the row tells after more was sold; of a row that tells of no such sell, what it told before. */
export function countedText(told: string | null, soldQuantity: number, unsoldQuantity: number): string | null {
  return unsoldQuantity === 0 || told === null ? told : told.replace(SOLD_TEXT, soldText(soldQuantity, unsoldQuantity));
}
