/**
 * The chart of a webhook bot.
 *
 * Owns: which events a webhook bot receives, and what the engine keeps for it. Does not own: the life of a bot
 * (`machine/bot.ts`), the rules (`domain/bot/webhook-bot.ts`).
 */
import { unreachable } from "../assert.ts";
import { adjustWebhookBot } from "../domain/bot/adjust-bot.ts";
import { type BotDecision, deleteBot } from "../domain/bot/bot.ts";
import { nextAskMs } from "../domain/bot/bot-orders.ts";
import { renameWebhookBot } from "../domain/bot/rename-bot.ts";
import type { Signal, WebhookBot, WebhookBotPlan } from "../domain/bot/webhook-bot.ts";
import * as rules from "../domain/bot/webhook-bot.ts";
import { underPresentName } from "../domain/market/rename.ts";
import { becomes, becomesRenamed, botChart, botFollows, type SharedBotEvent } from "./bot.ts";
import type { Facts } from "./effect.ts";

/** The event that only an active webhook bot receives. */
type SignalEvent = Signal & { readonly type: "signal" };

/** The owner has the bot listen at another address. */
interface RotateSecretEvent {
  readonly type: "rotateSecret";
  readonly webhookSecret: string;
  readonly timeMs: number;
}

export type WebhookBotEvent = SharedBotEvent<WebhookBotPlan> | SignalEvent | RotateSecretEvent;

/** Decides on `event`; undefined if the event does not affect the bot. */
function decide(bot: WebhookBot, event: WebhookBotEvent): BotDecision<WebhookBot> | undefined {
  switch (event.type) {
    case "signal":
      return rules.hearSignal(bot, event);
    case "update":
      return rules.updateWebhookBot(bot, event.plan, event.timeMs);
    case "corporateAction":
      return becomes(adjustWebhookBot(bot, event.adjustment));
    case "symbolRenamed":
      return becomesRenamed(renameWebhookBot(bot, event.renaming), event.renaming);
    case "deadline":
      return rules.askForWebhookOrders(bot, event.timeMs);
    case "delete":
      return deleteBot(bot, event.timeMs);
    case "rotateSecret":
      return rules.rotateSecret(bot, event.webhookSecret, event.timeMs);
    case "orderPlaced":
    case "orderRefused":
      return rules.settleWebhookOrder(bot, event);
    case "orderUpdated":
    case "orderMissing":
    case "orderDecided":
      return rules.settleWebhookOrder(bot, underPresentName(event, bot));
    default:
      return unreachable(event);
  }
}

/** The chart of one webhook bot. Its context is the bot; pairs that ended are kept as history. */
export const webhookBotMachine = botChart<WebhookBot, WebhookBotPlan, SignalEvent | RotateSecretEvent>({
  id: "webhookBot",
  decide,
  alwaysHears: ["rotateSecret"],
});

/** What the engine must keep for a webhook bot: no levels, its address, and the orders that are on their way. */
export function webhookBotFacts(bot: WebhookBot): Facts {
  return {
    watches: [],
    armedSinceMs: bot.createdAtMs,
    deadlineMs: nextAskMs(bot),
    claims: bot.deletedAtMs === null ? [webhookClaim(bot)] : [],
    follows: botFollows(bot),
  };
}

/** The claim by which a webhook bot is found: its holder is the bot that a signal is for. */
export function webhookClaim({ webhookSecret }: Pick<WebhookBot, "webhookSecret">): string {
  return `webhook/${webhookSecret}`;
}
