/**
 * The effect of a rename of its symbol on a group (behaviour 30.2).
 *
 * Invariant: a group follows a rename once: it has the new name then.
 */
import { type Renaming, renameExecution, renamingText, withRenaming } from "../market/rename.ts";
import { isActive, isOpen, type OcoGroup, STOP_LOSS } from "./group.ts";
import { type Decision, type Notice, unchanged } from "./oco.ts";

/** The group under the new name; undefined if its symbol has another one. Prices from before `timeMs` fire no level. */
export function renameGroup(group: OcoGroup, renaming: Renaming, timeMs: number): Decision | undefined {
  if (group.symbol !== renaming.from) return undefined;
  const { changes = 0, armings = [] } = group;
  const followed = group.followed.map((sell) => ({ ...sell, execution: renameExecution(sell.execution, renaming) }));
  const open = group.rows.flatMap((row, index) => (isOpen(row) ? [index] : []));
  const kept = armings.filter(([row]) => !open.includes(row));
  const armed = [...kept, ...open.map((row) => [row, timeMs] as const)];
  const renamed: OcoGroup = {
    ...group,
    symbol: renaming.to,
    followed,
    changes: changes + 1,
    ...(armed.length > 0 && { armings: armed }),
    renamed: withRenaming(group.renamed, renaming),
  };
  const notices: Notice[] = [{ type: "oco.adjusted", row: STOP_LOSS, message: renamingText(renaming) }];
  return { ...unchanged(renamed), notices: isActive(group) ? notices : [] };
}
