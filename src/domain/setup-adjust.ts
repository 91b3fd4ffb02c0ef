/**
 * What a corporate action changes in a pending OCO (behaviour 23.5).
 *
 * Owns: its fixed levels, trailing and ladder on the new base. Does not own: its quantities, which are those of an order
 * that the brokerage has; levels in percent, which follow the fill.
 *
 * Invariant: an action counts once: its id stays in the setup.
 */
import { type Adjustment, adjustedStop, adjustedTakeProfits, needsClose } from "./market/corporate-action.ts";
import { ladderAfter, trailingTermsAfter } from "./oco/adjust.ts";
import type { Hundredths } from "./price/price.ts";
import type { PendingSetup, SetupTier } from "./setup.ts";

/** The setup after an action; undefined where it has counted before. */
export function adjustSetup(setup: PendingSetup, { action, tickTable, sinceMs }: Adjustment): PendingSetup | undefined {
  const { corporate = {} } = setup;
  const { counted = [] } = corporate;
  if (counted.includes(action.actionId)) return undefined;
  const noted: PendingSetup = { ...setup, corporate: { ...corporate, counted: [...counted, action.actionId] } };
  if (sinceMs !== null && setup.createdAtMs >= sinceMs) return noted;
  const isHeld: PendingSetup = { ...noted, corporate: { ...noted.corporate, isHeld: true } };
  if (corporate.policy === "hold" || needsClose(action)) return hasFixedLevel(setup) ? isHeld : noted;
  const { stopLoss, takeProfits, trailing, ladder } = setup;
  const stop = "price" in stopLoss ? adjustedStop(stopLoss.price, action, tickTable) : 0;
  const byPrice = takeProfits
    .flatMap((tier) => ("price" in tier ? [tier.price] : []))
    .sort((one, other) => one - other);
  const levels =
    stop === undefined || action.type === "dividend" ? byPrice : adjustedTakeProfits(byPrice, stop, action, tickTable);
  if (stop === undefined || levels === undefined) return isHeld;
  const levelOf = new Map(byPrice.map((price, place) => [price, levels[place] ?? price] as const));
  return {
    ...noted,
    stopLoss: at(stopLoss, stop),
    takeProfits: takeProfits.map((tier) => ("price" in tier ? at(tier, levelOf.get(tier.price) ?? tier.price) : tier)),
    tickTable,
    ...(trailing !== undefined && { trailing: trailingTermsAfter(trailing, action, tickTable) }),
    ...(ladder !== undefined && { ladder: ladderAfter(ladder, action, tickTable) }),
    changes: (setup.changes ?? 0) + 1,
  };
}

function hasFixedLevel({ stopLoss, takeProfits }: PendingSetup): boolean {
  return [stopLoss, ...takeProfits].some((tier) => "price" in tier);
}

function at(tier: SetupTier, price: Hundredths): SetupTier {
  return "price" in tier ? { ...tier, price } : tier;
}
