/**
 * The effect of a rename of a symbol on a bot (behaviour 30.2).
 *
 * Invariant: a bot follows a rename once: no detail of it has the former name then.
 */
import { type Renaming, renameExecution, withRenaming } from "../market/rename.ts";
import type { Bot, BotDetail, PastOrder } from "./bot.ts";
import { levelsChanged } from "./level-bot.ts";
import type { LevelBot } from "./level-bot-levels.ts";
import type { PairOrder } from "./pair.ts";
import { renamedTarget, type WebhookBot } from "./webhook-bot.ts";

/** A level bot under the new name; undefined if nothing of it has the former one. */
export function renameLevelBot(bot: LevelBot, renaming: Renaming, timeMs: number): LevelBot | undefined {
  if (!names(bot, renaming)) return undefined;
  const { from, to } = renaming;
  const pastOrders = pastOrdersAfter(bot, renaming, (key) => (key === from ? to : key));
  const renamed = withRenaming(bot.renamed, renaming);
  return levelsChanged({ ...bot, details: detailsAfter(bot.details, renaming), pastOrders, renamed }, timeMs);
}

/** As `renameLevelBot`. */
export function renameWebhookBot(bot: WebhookBot, renaming: Renaming): WebhookBot | undefined {
  if (!names(bot, renaming)) return undefined;
  const pastOrders = pastOrdersAfter(bot, renaming, (key) => renamedTarget(key, renaming));
  const renamed = withRenaming(bot.renamed, renaming);
  return { ...bot, details: detailsAfter(bot.details, renaming), pastOrders, renamed };
}

function names({ details, pastOrders }: Bot, { from }: Renaming): boolean {
  return details.some(({ symbol }) => symbol === from) || pastOrders.some(({ execution }) => execution.symbol === from);
}

function detailsAfter<P extends PairOrder, D extends BotDetail<P>>(details: readonly D[], renaming: Renaming): D[] {
  return details.map((detail) => {
    if (detail.symbol !== renaming.from) return detail;
    const pairs = detail.pairs.map((pair) => ({
      ...pair,
      executions: pair.executions.map((execution) => renameExecution(execution, renaming)),
    }));
    return { ...detail, symbol: renaming.to, pairs };
  });
}

function pastOrdersAfter({ pastOrders }: Bot, renaming: Renaming, keyAfter: (key: string) => string): PastOrder[] {
  return pastOrders.map((past) => ({
    ...past,
    detailKey: keyAfter(past.detailKey),
    execution: renameExecution(past.execution, renaming),
  }));
}
