/** Bots for tests. */
import assert from "node:assert/strict";
import { createLevelBot } from "../../../src/domain/bot/level-bot.ts";
import type { LevelBot } from "../../../src/domain/bot/level-bot-levels.ts";
import {
  type LevelBotPlan,
  type LevelBotRequest,
  type LevelDetailRequest,
  planLevelBot,
} from "../../../src/domain/bot/level-bot-plan.ts";
import {
  createWebhookBot,
  planWebhookBot,
  type WebhookBot,
  type WebhookBotPlan,
  type WebhookDetailRequest,
} from "../../../src/domain/bot/webhook-bot.ts";
import type { Result } from "../../../src/domain/refusal.ts";
import type { Effect } from "../../../src/machine/effect.ts";
import { type LevelBotEvent, levelBotFacts, levelBotMachine } from "../../../src/machine/level-bot.ts";
import { type WebhookBotEvent, webhookBotFacts, webhookBotMachine } from "../../../src/machine/webhook-bot.ts";
import { TestActor } from "../actor.ts";

export const CREATED_MS = 1_000;

const owner = { botId: 3, userId: 7, brokerageCode: "PAPER", accountNumber: "A1" };

/** The value of a result that must be one. */
function accepted<T>(result: Result<T>): T {
  assert.ok(result.ok, result.ok ? "" : result.message);
  return result.value;
}

export function levelPlan(change: Partial<LevelBotRequest>): LevelBotPlan {
  return accepted(
    planLevelBot({ name: "Levels", isActive: true, levelBotDetails: [{ symbol: "ACME", buyGap: 1 }], ...change }),
  );
}

/** A level bot with id 3: its pairs are 3000001 and up. */
export function levelActor(plan: LevelBotPlan): TestActor<LevelBot, LevelBotEvent> {
  const bot = createLevelBot(plan, owner, CREATED_MS);
  return new TestActor<LevelBot, LevelBotEvent>(levelBotMachine, "active", bot, levelBotFacts);
}

export function levelActorOf(...levelBotDetails: LevelDetailRequest[]): TestActor<LevelBot, LevelBotEvent> {
  return levelActor(levelPlan({ levelBotDetails }));
}

export function webhookPlan(isActive: boolean, ...webhookBotDetails: WebhookDetailRequest[]): WebhookBotPlan {
  return accepted(planWebhookBot({ name: "Signals", isActive, webhookBotDetails }));
}

/** A webhook bot with id 3: its pairs are 3000001 and up. */
export function webhookActor(plan: WebhookBotPlan): TestActor<WebhookBot, WebhookBotEvent> {
  const bot = createWebhookBot(plan, { ...owner, webhookSecret: "s3cret" }, CREATED_MS);
  return new TestActor<WebhookBot, WebhookBotEvent>(webhookBotMachine, "active", bot, webhookBotFacts);
}

/**
 * Sends an event and what the brokerage answers to the questions that follow: the same record once more. Gives the
 * effects of both without what only became known.
 */
export function sendAndConfirm<C extends object, E extends { readonly type: string }>(
  actor: TestActor<C, E>,
  event: E,
): Effect[] {
  const effects = actor.send(event);
  const looks = effects.flatMap((effect) => {
    if (effect.type !== "tell") return [];
    return effect.facts.flatMap((fact) => (fact.type === "lookUp" ? [fact.look] : []));
  });
  const answered =
    event.type === "orderUpdated" ? looks.flatMap((look) => sendAndConfirm(actor, { ...event, look })) : [];
  return [...effects.filter(({ type }) => type !== "tell"), ...answered];
}
