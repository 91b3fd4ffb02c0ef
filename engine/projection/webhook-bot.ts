/**
 * Webhook bots as their owners see them (behaviour 9). The row holds the secret
 * of the bot's address: only the owner's own lists read it, and it goes into no event.
 */
import { WEBHOOK_PATH, type WebhookBotRow, type WebhookDetailView } from "../../src/contract/trading/bot.ts";
import { openPairs } from "../../src/domain/bot/bot.ts";
import { isWebhookBotRunning, type WebhookBot, type WebhookDetail } from "../../src/domain/bot/webhook-bot.ts";
import type { ViewRow } from "../ports/actor.ts";
import { botDates, botFields, botRows, detailFields, remembered, shownDetails } from "./bots.ts";
import { pairRow, webhookPairView } from "./pairs.ts";

/** The stored rows of a bot: itself, and each of its open pairs. */
export const webhookBotViews = remembered((bot: WebhookBot): readonly ViewRow[] => {
  const rows = botRows("webhook", bot, webhookBotView(bot));
  for (const { detail, pair } of openPairs(bot)) {
    rows.push(pairRow(bot, pair, () => webhookPairView(bot, detail, pair)));
  }
  return rows;
});

/** A webhook bot as its owner sees it. */
export function webhookBotView(bot: WebhookBot): WebhookBotRow {
  return {
    ...botFields(bot, isWebhookBotRunning(bot)),
    webhookBotDetails: shownDetails(bot).map(webhookDetailView),
    ...botDates(bot),
    webhookPath: WEBHOOK_PATH + bot.webhookSecret,
  };
}

/** A webhook bot without the secret of its address, for events. */
export function publicWebhookBotView(bot: WebhookBot): Omit<WebhookBotRow, "webhookPath"> {
  const { webhookPath: _, ...shown } = webhookBotView(bot);
  return shown;
}

function webhookDetailView(detail: WebhookDetail): WebhookDetailView {
  return { ...detailFields(detail), algoName: detail.algoName, period: detail.period };
}
