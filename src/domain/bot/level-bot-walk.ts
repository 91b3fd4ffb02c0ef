/**
 * A level bot's walk through ticks: every one counts, in order (behaviour 8.2).
 *
 * Owns: which ticks reach a level of the bot after the effects of the ticks before. Does not own: the effect of a
 * reached level (`level-bot.ts`).
 *
 * Invariant: a walk through ticks ends in the same state for every division of the same ticks into walks.
 */

import type { LiveTick } from "../price/price.ts";
import { isAtEntrance } from "../price/price-range.ts";
import { isFromBefore } from "../price/tick-time.ts";
import type { BotDecision } from "./bot.ts";
import { reachLevels } from "./level-bot.ts";
import { type LevelBot, type LevelWatch, levelWatches } from "./level-bot-levels.ts";
import type { PairSubmit } from "./pair.ts";

/**
 * Walks a bot through ticks; returns undefined if nothing changes. A tick that was read back counts only if it is newer
 * than the last change of the levels: it can have been walked before.
 */
export function walkTicks(bot: LevelBot, ticks: readonly LiveTick[]): BotDecision<LevelBot> | undefined {
  let now = bot;
  let watches = watchesBySymbol(bot);
  const orders: PairSubmit[] = [];
  for (const tick of ticks) {
    const { symbol, price, timeMs, stored, ownTimeMs } = tick;
    const reached = watches.get(symbol)?.filter((watch) => isAtEntrance(price, watch)) ?? [];
    if (reached.length === 0 || isFromBefore(tick, now.levelsChangedAtMs, now.levelsChangedBy)) continue;
    const numbers = reached.map(({ watch }) => watch);
    const decision = reachLevels(now, { watches: numbers, price: price.value, timeMs, stored, ownTimeMs });
    if (decision === undefined) continue;
    now = decision.bot;
    orders.push(...decision.orders);
    watches = watchesBySymbol(now);
  }
  return now === bot ? undefined : { bot: now, orders, notices: [], closed: [] };
}

function watchesBySymbol(bot: LevelBot): ReadonlyMap<string, readonly LevelWatch[]> {
  const bySymbol = new Map<string, LevelWatch[]>();
  for (const watch of levelWatches(bot)) {
    const known = bySymbol.get(watch.symbol);
    if (known === undefined) bySymbol.set(watch.symbol, [watch]);
    else known.push(watch);
  }
  return bySymbol;
}
