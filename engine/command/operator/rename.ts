/**
 * Levels follow a symbol that its exchange renamed (behaviour 30). The edge checks that the caller is an operator.
 *
 * Invariant: a partition that does not know the rename yet waits a moment for the shared partition's report.
 */
import { RENAME_COMMANDS, renamingBody } from "../../../src/contract/operator/rename.ts";
import type { Renaming } from "../../../src/domain/market/rename.ts";
import { type AnyCommandHandler, type CommandContext, checked, replyOf } from "../context.ts";

/** How long, and how often in that time, a partition looks for the report of the shared one. */
const KNOWN_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

const checkRename = checked({
  schema: renamingBody,
  handle: async ({ renames }, renaming, turn) => {
    // From here on all that was decided before is in the store.
    await turn.decide(() => ({ ok: true, data: true }));
    return replyOf(await renames.check(renaming));
  },
});

const followRename = checked({
  schema: renamingBody,
  handle: async (context, renaming, turn) => {
    await untilKnown(context, renaming);
    return turn.decide(() => replyOf(context.renames.followInTurn(renaming)));
  },
});

async function untilKnown({ symbols, steadyClock, timers }: CommandContext, { from, to }: Renaming): Promise<void> {
  const endMs = steadyClock.nowMs() + KNOWN_WITHIN_MS;
  const isKnown = (): boolean => symbols.renames().some((known) => known.from === from && known.to === to);
  while (!isKnown() && steadyClock.nowMs() < endMs) {
    await new Promise<void>((resolve) => void timers.after(LOOK_EVERY_MS, resolve));
  }
}

export const renameCommands: ReadonlyMap<string, AnyCommandHandler> = new Map([
  [RENAME_COMMANDS.check, checkRename],
  [RENAME_COMMANDS.follow, followRename],
]);
