/**
 * The results of sales at the levels of a new group, in units of the account's currency: against the cost of the lots, as
 * in the rows of a running group, and against the last price.
 */
import { readNumber } from "../part/number-text.ts";
import { type Draft, readPrice } from "./levels.ts";

interface LevelLots {
  readonly price: number;
  readonly lots: number;
}

/** The sum over all levels of a kind. */
interface DraftResult {
  /** Undefined: the cost is not known. */
  readonly fromCost: number | undefined;
  readonly fromLast: number;
}

interface DraftResults {
  readonly stop: DraftResult;
  /** Undefined: the group has no take-profit. */
  readonly targets: DraftResult | undefined;
  /**
   * The gain at the targets for each unit of loss at the stop-loss: against the cost if that is known, else from the last
   * price. Undefined without both.
   */
  readonly ratio: number | undefined;
}

/**
 * Returns undefined while the last price, a level or its lots are missing. `averagePrice`: the cost of a lot of
 * the position; zero or undefined if it is not known.
 */
export function draftResults(
  draft: Draft,
  last: number | undefined,
  averagePrice: number | undefined,
): DraftResults | undefined {
  if (last === undefined) return undefined;
  const stops = readLevels([{ price: draft.stopLossPrice, quantity: draft.stopLossQuantity }]);
  const takeProfits = readLevels(draft.takeProfits);
  if (stops === undefined || takeProfits === undefined) return undefined;
  const resultOf = (levels: readonly LevelLots[]): DraftResult => ({
    fromCost: averagePrice === undefined || averagePrice <= 0 ? undefined : changeOf(levels, averagePrice),
    fromLast: changeOf(levels, last),
  });
  const stop = resultOf(stops);
  const targets = takeProfits.length === 0 ? undefined : resultOf(takeProfits);
  const result = stop.fromCost ?? stop.fromLast;
  const gain = (stop.fromCost === undefined ? targets?.fromLast : targets?.fromCost) ?? 0;
  return { stop, targets, ratio: result < 0 && gain > 0 ? gain / -result : undefined };
}

function changeOf(levels: readonly LevelLots[], basis: number): number {
  return levels.reduce((sum, { price, lots }) => sum + (price - basis) * lots, 0);
}

/** Returns undefined if a price or its lots cannot be read. */
function readLevels(
  levels: readonly { readonly price: string; readonly quantity: string }[],
): readonly LevelLots[] | undefined {
  const read = levels.map(({ price, quantity }) => ({
    price: readPrice(price) ?? 0,
    lots: readNumber(quantity, 0) ?? 0,
  }));
  return read.every(({ price, lots }) => price > 0 && lots > 0) ? read : undefined;
}
