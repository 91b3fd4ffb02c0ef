/** The tick table (behaviour 3.6), written out price by price: the naive twin of src/domain/price/tick-table.ts. */

/** First price, last price and increment of each row of the table, in hundredths; the last row is cut at 10,000.00. */
const TABLE: readonly (readonly [number, number, number])[] = [
  [1, 1999, 1],
  [2000, 4999, 2],
  [5000, 9999, 5],
  [10_000, 24_999, 10],
  [25_000, 49_999, 25],
  [50_000, 99_999, 50],
  [100_000, 249_999, 100],
  [250_000, 1_000_000, 250],
];

/** Every grid price from 0.01 to 10,000.00 in hundredths, ascending. */
export const gridUnder10000: readonly number[] = TABLE.flatMap(([first, last, increment]) => {
  const prices: number[] = [];
  for (let price = first; price <= last; price += increment) prices.push(price);
  return prices;
});

/** The same prices as text with two decimals. */
export const gridTexts: readonly string[] = gridUnder10000.map((price) => {
  const digits = String(price).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
});
