/**
 * Which refusals of Alpaca concern the moment and not the order (docs/brokerage.md, `NOT_NOW`). A plain function.
 *
 * Alpaca keeps an order for shares until the next opening, so it hardly ever refuses one because of the hour. One
 * published answer states it. Any other refusal is final: an order must not be repeated for a reason that no person has
 * read.
 */

/** The status and the number with which Alpaca states it. */
const STATUS = 422;
const CODE = 42_210_000;
const PHRASE = "only allowed during market hours";

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly text: string;
}

/** Whether a refusal states that the market does not take such an order now. */
export function isNotNow({ status, code, text }: Refusal): boolean {
  return status === STATUS && code === CODE && text.toLowerCase().includes(PHRASE);
}
