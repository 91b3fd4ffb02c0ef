/**
 * The chart of a level bot.
 *
 * Owns: which events a level bot receives, and what the engine watches for it. Does not own: the life of a bot
 * (`machine/bot.ts`), the rules (`domain/bot/level-bot.ts`).
 */
import { unreachable } from "../assert.ts";
import { adjustLevelBot } from "../domain/bot/adjust-bot.ts";
import { type BotDecision, deleteBot } from "../domain/bot/bot.ts";
import { nextAskMs } from "../domain/bot/bot-orders.ts";
import * as rules from "../domain/bot/level-bot.ts";
import { type LevelBot, levelWatches } from "../domain/bot/level-bot-levels.ts";
import type { LevelBotPlan } from "../domain/bot/level-bot-plan.ts";
import { walkTicks } from "../domain/bot/level-bot-walk.ts";
import { renameLevelBot } from "../domain/bot/rename-bot.ts";
import { underPresentName } from "../domain/market/rename.ts";
import { becomes, becomesRenamed, botChart, botFollows, type SharedBotEvent } from "./bot.ts";
import { earlier, type Facts } from "./effect.ts";
import type { PriceReachedEvent, TicksPassedEvent } from "./wake-event.ts";

/** The events that only an active level bot receives. */
type LevelTradeEvent = TicksPassedEvent | PriceReachedEvent;

export type LevelBotEvent = SharedBotEvent<LevelBotPlan> | LevelTradeEvent;

/** Decides on `event`; undefined if the event does not affect the bot. */
function decide(bot: LevelBot, event: LevelBotEvent): BotDecision<LevelBot> | undefined {
  switch (event.type) {
    case "ticksPassed":
      return walkTicks(bot, event.ticks);
    case "priceReached":
      return rules.reachLevels(bot, event);
    case "corporateAction":
      return becomes(adjustLevelBot(bot, event.adjustment, event.timeMs));
    case "symbolRenamed":
      return becomesRenamed(renameLevelBot(bot, event.renaming, event.timeMs), event.renaming);
    case "deadline":
      return rules.passDeadline(bot, event.timeMs);
    case "update":
      return rules.updateLevelBot(bot, event.plan, event.timeMs);
    case "delete":
      return deleteBot(bot, event.timeMs);
    case "orderPlaced":
    case "orderRefused":
      return rules.settleLevelOrder(bot, event);
    case "orderUpdated":
    case "orderMissing":
    case "orderDecided":
      return rules.settleLevelOrder(bot, underPresentName(event, bot));
    default:
      return unreachable(event);
  }
}

/** The chart of one level bot. Its context is the bot; pairs that ended are kept as history. */
export const levelBotMachine = botChart<LevelBot, LevelBotPlan, LevelTradeEvent>({
  id: "levelBot",
  decide,
  alwaysHears: [],
});

/** What the engine must watch and keep for a level bot: inactive, only the orders that are on their way. */
export function levelBotFacts(bot: LevelBot): Facts {
  return {
    watches: levelWatches(bot).map((watch) => ({ ...watch, countsEveryTick: true })),
    armedSinceMs: bot.levelsChangedAtMs,
    deadlineMs: earlier(rules.nextRetryMs(bot), nextAskMs(bot)),
    claims: [],
    follows: botFollows(bot),
  };
}
