/**
 * The results of sales at the levels of a new group, in units of the account's currency: against the cost of the lots, as
 * in the rows of a running group, or against the last price if the cost is not known.
 */
import { readNumber } from "../part/number-text.ts";
import { type Draft, readPrice } from "./levels.ts";

interface LevelLots {
  readonly price: number;
  readonly lots: number;
}

interface DraftResults {
  /** The price of a lot that results count from. */
  readonly basis: number;
  /** Whether that is its cost; otherwise it is the last price. */
  readonly isFromCost: boolean;
  readonly stop: number;
  /** The sum over all take-profits. Undefined: the group has no take-profit. */
  readonly targets: number | undefined;
  /** The gain at the targets for each unit of loss at the stop-loss. Undefined without both. */
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
  const isFromCost = averagePrice !== undefined && averagePrice > 0;
  const basis = isFromCost ? averagePrice : last;
  const stop = changeOf(stops, basis);
  const targets = takeProfits.length === 0 ? undefined : changeOf(takeProfits, basis);
  return { basis, isFromCost, stop, targets, ratio: ratioOf(stop, targets) };
}

/** The gain for each unit of loss; undefined without both. */
export function ratioOf(stop: number, targets = 0): number | undefined {
  return stop < 0 && targets > 0 ? targets / -stop : undefined;
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
