/**
 * The effect of a corporate action on a pending OCO (behaviour 28.5).
 *
 * Owns: its fixed levels, trailing, ladder and trigger on the new base. Does not own: its quantities, which belong to an
 * order at the brokerage; levels in percent, which follow the fill; how its group begins (`setup-corporate.ts`).
 *
 * Invariant: an action counts once: the setup keeps its id, and passes it to its group.
 */
import {
  type Adjustment,
  actionText,
  adjustedStop,
  adjustedTakeProfits,
  type CorporateAction,
  needsClose,
} from "./market/corporate-action.ts";
import { ladderAfter, trailingTermsAfter } from "./oco/adjust.ts";
import { type Hundredths, PRICE_MAX } from "./price/price.ts";
import type { TickTable } from "./price/tick-table.ts";
import type { Entry, PendingSetup, SetupTier } from "./setup.ts";
import { waitingTrigger } from "./setup-trigger.ts";

/** The setup after an action; undefined if that counted before. `timeMs`: from when prices are on the new base. */
export function adjustSetup(
  setup: PendingSetup,
  { action, tickTable, sinceMs, move }: Adjustment,
  timeMs: number,
): PendingSetup | undefined {
  const { corporate = {} } = setup;
  const { counted = [] } = corporate;
  if (counted.includes(action.actionId)) return undefined;
  const known: PendingSetup = { ...setup, corporate: { ...corporate, counted: [...counted, action.actionId] } };
  if (sinceMs !== null && setup.createdAtMs >= sinceMs) return known;
  const noted: PendingSetup =
    move === null || action.type === "dividend" ? known : { ...known, corporate: { ...known.corporate, move } };
  const isHeld: PendingSetup = {
    ...noted,
    corporate: { ...noted.corporate, note: `${actionText(action)}: its levels are of the base before`, isHeld: true },
  };
  if (corporate.policy === "hold" || needsClose(action)) return hasFixedLevel(setup) ? isHeld : noted;
  const { stopLoss, takeProfits, trailing, ladder, entry } = setup;
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
    ...(entry !== undefined && { entry: entryAfter(setup, entry, action, tickTable, timeMs) }),
    changes: (setup.changes ?? 0) + 1,
  };
}

/** A trigger that waits is newly armed at its new level. */
function entryAfter(
  setup: PendingSetup,
  entry: Entry,
  action: CorporateAction,
  table: TickTable,
  timeMs: number,
): Entry {
  const trigger = waitingTrigger(setup);
  if (trigger === undefined || action.type === "dividend") return entry;
  const [level = PRICE_MAX] = adjustedTakeProfits([trigger.level], 0, action, table) ?? [];
  return { ...entry, trigger: { level, armedAtMs: timeMs } };
}

function hasFixedLevel({ stopLoss, takeProfits }: PendingSetup): boolean {
  return [stopLoss, ...takeProfits].some((tier) => "price" in tier);
}

function at(tier: SetupTier, price: Hundredths): SetupTier {
  return "price" in tier ? { ...tier, price } : tier;
}
