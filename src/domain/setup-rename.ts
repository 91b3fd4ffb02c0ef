/**
 * The effect of a rename of its symbol on a pending OCO (behaviour 30.2).
 *
 * Invariant: a setup follows a rename once: it has the new name then.
 */
import { type Renaming, renameExecution, withRenaming } from "./market/rename.ts";
import type { PendingSetup } from "./setup.ts";
import { waitingTrigger } from "./setup-trigger.ts";

/** The setup under the new name; undefined if its symbol has another one. Its trigger is newly armed at `timeMs`. */
export function renameSetup(setup: PendingSetup, renaming: Renaming, timeMs: number): PendingSetup | undefined {
  if (setup.symbol !== renaming.from) return undefined;
  const trigger = waitingTrigger(setup);
  const { entry, changes = 0 } = setup;
  const isArmed = entry !== undefined && trigger !== undefined;
  return {
    ...setup,
    symbol: renaming.to,
    buy: renameExecution(setup.buy, renaming),
    changes: changes + 1,
    ...(isArmed && { entry: { ...entry, trigger: { ...trigger, armedAtMs: timeMs } } }),
    renamed: withRenaming(setup.renamed, renaming),
  };
}
