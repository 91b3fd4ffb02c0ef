/**
 * Level bots as clients see them (behaviour 8).
 */
import type { LevelBotView, LevelDetailView } from "../../src/contract/trading/bot.ts";
import { openPairs } from "../../src/domain/bot/bot.ts";
import { isLevelBotRunning } from "../../src/domain/bot/level-bot.ts";
import type { LevelBot, LevelDetail } from "../../src/domain/bot/level-bot-levels.ts";
import type { PairOrder } from "../../src/domain/bot/pair.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import type { ViewRow } from "../ports/actor.ts";
import { botDates, botFields, botRows, detailFields, remembered, shownDetails } from "./bots.ts";
import { levelPairView, pairRow } from "./pairs.ts";

/** The stored rows of a bot: itself, and each of its open pairs. */
export const levelBotViews = remembered((bot: LevelBot): readonly ViewRow[] => {
  const rows = botRows("level", bot, levelBotView(bot));
  for (const { detail, pair } of openPairs(bot)) {
    rows.push(pairRow(bot, pair, () => levelPairView(bot.botId, detail.symbol, pair)));
  }
  return rows;
});

/** A level bot as it is shown. */
export function levelBotView(bot: LevelBot): LevelBotView {
  return {
    ...botFields(bot, isLevelBotRunning(bot)),
    levelBotDetails: shownDetails(bot).map(levelDetailView),
    ...botDates(bot),
  };
}

/** The payload of a bot's event: the pair it is about as it left it, and a message where something went wrong. */
export function botEvent(bot: Pick<LevelBot, "botId">, data: Readonly<Record<string, unknown>>): object {
  const { symbol, pair, message } = data as { symbol: string; pair?: PairOrder; message?: string };
  return {
    systemId: bot.botId,
    symbol,
    ...(pair === undefined ? {} : { row: { ...levelPairView(bot.botId, symbol, pair), ...sellPriceOf(pair) } }),
    ...(message === undefined ? {} : { message }),
  };
}

/** The average price of the sells of a pair that was sold; null if the brokerage gave none. */
function sellPriceOf({ sell, soldQuantity, unpricedQuantity, soldAmount }: PairOrder): { sellPrice?: number | null } {
  if (sell.completedAtMs === null) return {};
  const priced = soldQuantity - unpricedQuantity;
  return { sellPrice: priced > 0 ? Number(soldAmount) / priced : null };
}

function levelDetailView(detail: LevelDetail): LevelDetailView {
  return {
    ...detailFields(detail),
    buyGap: priceToNumber(detail.buyGap),
    sellGap: priceToNumber(detail.sellGap),
    targetProfit: detail.targetProfit,
    profit: detail.profit,
    ...(detail.confirmTicks === 2 && { confirmTicks: 2 }),
  };
}
