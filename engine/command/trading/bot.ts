/**
 * Creates and updates bots (behaviour 11.4; behaviour 8 and 9).
 *
 * Owns: the owner of a bot, its allowed symbols, and the secret of a webhook. Does not own: what a valid bot is and
 * what an update changes (domain), when it trades.
 *
 * Invariant: a bot remains with its account forever.
 */

import type { z } from "zod";
import { deleteBotBody, ofBotBody, type Reply } from "../../../src/contract/command.ts";
import {
  type LevelBotBody,
  levelBotBody,
  type WebhookBotBody,
  webhookBotBody,
} from "../../../src/contract/trading/bot.ts";
import { type Bot, type BotOwner, canDelete, openPairs } from "../../../src/domain/bot/bot.ts";
import type { BotPlan, TableOf } from "../../../src/domain/bot/bot-plan.ts";
import { checkLevelBotUpdate, createLevelBot as newLevelBot } from "../../../src/domain/bot/level-bot.ts";
import type { LevelBot } from "../../../src/domain/bot/level-bot-levels.ts";
import { type LevelBotPlan, planLevelBot } from "../../../src/domain/bot/level-bot-plan.ts";
import {
  createWebhookBot as newWebhookBot,
  planWebhookBot,
  type WebhookBot,
  type WebhookBotPlan,
} from "../../../src/domain/bot/webhook-bot.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { accept, type Refusal, type Result, refuse } from "../../../src/domain/refusal.ts";
import type { Actors } from "../../ports/actor.ts";
import { levelBotView } from "../../projection/level-bot.ts";
import { publicWebhookBotView, webhookBotView } from "../../projection/webhook-bot.ts";
import {
  type AnyCommandHandler,
  type CommandContext,
  type CommandTurn,
  checked,
  refuseUnlessTraded,
  refuseWhileFollowing,
  waitsForMissed,
  waitsForOperator,
} from "../context.ts";
import { refuseOtherVersion } from "./oco.ts";

const SECRET_BYTES = 32;

type Versions = z.infer<typeof ofBotBody>["versions"];

interface AccountBody {
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

/** The differences between the two kinds of bots, for their commands. */
interface BotRules<B extends AccountBody, P extends BotPlan<{ readonly symbol: string }>, T extends Bot> {
  readonly kind: "levelBot" | "webhookBot";
  readonly schema: z.ZodType<B>;
  readonly plan: (body: B, tableOf: TableOf) => Result<P>;
  readonly start: (context: CommandContext, plan: P, owner: BotOwner) => T;
  readonly checkUpdate: (context: CommandContext, bot: T, plan: P) => Result<void>;
  readonly update: (actors: Actors, id: number, plan: P, timeMs: number) => void;
  /** The bot as its owner sees it. */
  readonly view: (bot: T) => object;
  /** The bot outside the owner's own requests, e.g. in events. */
  readonly publicView: (bot: T) => object;
  /** The answer to a create. */
  readonly created: (bot: T) => unknown;
}

/** The commands over bots of one kind. */
class BotCommands<B extends AccountBody, P extends BotPlan<{ readonly symbol: string }>, T extends Bot & P> {
  readonly #rules: BotRules<B, P, T>;

  constructor(rules: BotRules<B, P, T>) {
    this.#rules = rules;
  }

  create(): AnyCommandHandler {
    const rules = this.#rules;
    return checked<B>({
      schema: rules.schema,
      handle: async (context, body, turn) => {
        const plan = this.#planOf(context, body);
        if (!plan.ok) return plan;
        const account = await context.accounts.resolve(turn.userId, body.brokerageCode, body.accountNumber);
        if (!account.ok) return account;
        return turn.decide(() => {
          const [botId = 0] = context.journal.allocateIds(1);
          const { userId } = turn;
          const { brokerageCode } = body;
          const owner = { botId, userId, brokerageCode, accountNumber: account.value.accountNumber };
          const bot = rules.start(context, plan.value, owner);
          context.actors.create(rules.kind, botId, bot);
          this.tell(context, bot, "bot.created");
          return { ok: true, data: rules.created(bot), version: versionOf(bot) };
        });
      },
    });
  }

  update(): AnyCommandHandler {
    return checked<z.infer<typeof ofBotBody> & { readonly bot: B }>({
      schema: ofBotBody.extend({ bot: this.#rules.schema }),
      handle: async (context, { id, versions, bot: body }, turn) => {
        const found = this.find(context, id, turn);
        if (!found.ok) return found;
        const plan = this.#planOf(context, body);
        if (!plan.ok) return plan;
        const account = await context.accounts.resolve(turn.userId, body.brokerageCode, body.accountNumber);
        if (!account.ok) return account;
        const { brokerageCode, accountNumber } = found.value;
        if (brokerageCode !== body.brokerageCode || accountNumber !== account.value.accountNumber) {
          return { ok: false, code: "INVALID", message: "brokerageCode and accountNumber of a bot cannot be changed" };
        }
        return turn.decide(() => this.#updateNow(context, { id, versions, plan: plan.value }, turn));
      },
    });
  }

  #updateNow(
    context: CommandContext,
    { id, versions, plan }: { readonly id: number; readonly versions: Versions; readonly plan: P },
    turn: CommandTurn,
  ): Reply {
    const rules = this.#rules;
    const current = this.find(context, id, turn);
    if (!current.ok) return current;
    const other = refuseOtherVersion("bot", versionOf(current.value), versions);
    if (other !== undefined) return other;
    const check = rules.checkUpdate(context, current.value, plan);
    if (!check.ok) return check;
    if (context.actors.isQuarantined(id)) return waitsForOperator("the bot");
    rules.update(context.actors, id, plan, context.clock.nowMs());
    // No order leaves from now on (behaviour 8.4), also none that waits for its quota or a brokerage.
    if (!plan.isActive) context.outbox.withdrawOf(id, "withdrawn");
    const updated = this.find(context, id, turn);
    if (!updated.ok) return updated;
    this.tell(context, updated.value, "bot.updated");
    const message = leftOutMessage(current.value, updated.value);
    return { ok: true, data: rules.view(updated.value), version: versionOf(updated.value), message };
  }

  /** Ends a bot without open pairs: its address leads nowhere, its levels are no longer watched (behaviour 9.3). */
  delete(): AnyCommandHandler {
    return checked<z.infer<typeof deleteBotBody>>({
      schema: deleteBotBody,
      handle: async (context, { id, versions, brokerageCode }, turn) => {
        if (brokerageCode !== undefined && context.brokerages.find(brokerageCode) === undefined) {
          return refuse("INVALID", "brokerageCode is not known");
        }
        return turn.decide((): Reply => {
          const found = this.find(context, id, turn);
          if (!found.ok) return found;
          if (brokerageCode !== undefined && brokerageCode !== found.value.brokerageCode) return notFound(id);
          if (context.actors.isQuarantined(id)) return waitsForOperator("the bot");
          const other = refuseOtherVersion("bot", versionOf(found.value), versions);
          if (other !== undefined) return other;
          if (!canDelete(found.value)) {
            const count = openPairs(found.value).length;
            return refuse("CONFLICT", `the bot has open pair orders (${count}): it can be deleted once they are sold`);
          }
          this.end(context, id);
          return { ok: true, data: true };
        });
      },
    });
  }

  /** In a turn: switches an active bot off as its owner would, and withdraws its unsent orders (behaviour 8.4). */
  switchOff(context: CommandContext, id: number): void {
    const { kind, update } = this.#rules;
    const bot = context.actors.find(kind, id)?.context as T | undefined;
    if (bot === undefined) return;
    const details = bot.details.filter(({ isRemoved }) => !isRemoved);
    update(context.actors, id, { ...bot, details, isActive: false }, context.clock.nowMs());
    context.outbox.withdrawOf(id, "withdrawn");
    const off = context.actors.find(kind, id)?.context as T | undefined;
    if (off !== undefined && !context.actors.isQuarantined(id)) this.tell(context, off, "bot.updated");
  }

  /** In a turn: deletes a bot without open pairs as its owner would. */
  end(context: CommandContext, id: number): void {
    const { kind } = this.#rules;
    const bot = context.actors.find(kind, id)?.context as T | undefined;
    if (bot === undefined) return;
    context.actors.deliver(kind, id, { type: "delete", timeMs: context.clock.nowMs() });
    if (!context.actors.isQuarantined(id)) this.tell(context, bot, "bot.removed");
  }

  find(context: CommandContext, id: number, { userId }: CommandTurn): Result<T> {
    const found = context.actors.find(this.#rules.kind, id);
    const bot = found?.context as T | undefined;
    const isMine = found?.isEnded === false && bot !== undefined && bot.userId === userId;
    return isMine ? accept(bot) : notFound(id);
  }

  tell(
    context: CommandContext,
    bot: T,
    event: "bot.created" | "bot.updated" | "bot.removed" | "bot.secretRotated",
  ): void {
    context.events.emit(bot.userId, event, { systemId: bot.botId, row: this.#rules.publicView(bot) });
  }

  /** Checks the whole bot, that its symbols exist and, unless it is switched off, that they may be traded. */
  #planOf(context: CommandContext, body: B): Result<P> {
    const plan = this.#rules.plan(body, (symbol) => context.symbols.tickTableOf(symbol));
    if (!plan.ok) return plan;
    for (const { symbol } of plan.value.details) {
      const notTraded =
        plan.value.isActive || !context.symbols.isKnown(symbol) ? refuseUnlessTraded(context, symbol) : undefined;
      if (notTraded !== undefined) return notTraded;
      const behind = refuseWhileFollowing(context, symbol);
      if (behind !== undefined) return behind;
    }
    return plan;
  }
}

const levelBots = new BotCommands<LevelBotBody, LevelBotPlan, LevelBot>({
  kind: "levelBot",
  schema: levelBotBody,
  plan: planLevelBot,
  start: (context, plan, owner) => newLevelBot(plan, owner, context.clock.nowMs()),
  checkUpdate: (context, bot, plan) => {
    // Levels that change now would count no earlier tick, while the ticks that the bot missed are still being read
    // back.
    if (plan.isActive && context.feed.isCatchingUp()) return waitsForMissed("prices");
    return checkLevelBotUpdate(bot, plan);
  },
  update: (actors, id, plan, timeMs) => void actors.deliver("levelBot", id, { type: "update", plan, timeMs }),
  view: levelBotView,
  publicView: levelBotView,
  created: ({ botId: id, name, accountNumber, isActive }) => ({ id, name, accountNumber, isActive }),
});

const webhookBots = new BotCommands<WebhookBotBody, WebhookBotPlan, WebhookBot>({
  kind: "webhookBot",
  schema: webhookBotBody,
  plan: planWebhookBot,
  start: (context, plan, owner) =>
    newWebhookBot(plan, { ...owner, webhookSecret: newSecret(context) }, context.clock.nowMs()),
  checkUpdate: () => accept(undefined),
  update: (actors, id, plan, timeMs) => void actors.deliver("webhookBot", id, { type: "update", plan, timeMs }),
  view: webhookBotView,
  publicView: publicWebhookBotView,
  created: webhookBotView,
});

/** The commands by kind of actor. */
export const BOT_COMMANDS = { levelBot: levelBots, webhookBot: webhookBots } as const;

export const createLevelBot = levelBots.create();
export const updateLevelBot = levelBots.update();
export const createWebhookBot = webhookBots.create();
export const updateWebhookBot = webhookBots.update();
export const deleteLevelBot = levelBots.delete();
export const deleteWebhookBot = webhookBots.delete();

/** Gives a webhook bot a new address; the old address is unknown from now on (behaviour 9.3). */
export const rotateWebhookSecret = checked<z.infer<typeof ofBotBody>>({
  schema: ofBotBody,
  handle: async (context, { id, versions }, turn) =>
    turn.decide((): Reply => {
      const found = webhookBots.find(context, id, turn);
      if (!found.ok) return found;
      if (context.actors.isQuarantined(id)) return waitsForOperator("the bot");
      const other = refuseOtherVersion("bot", versionOf(found.value), versions);
      if (other !== undefined) return other;
      const timeMs = context.clock.nowMs();
      context.actors.deliver("webhookBot", id, { type: "rotateSecret", webhookSecret: newSecret(context), timeMs });
      const rotated = webhookBots.find(context, id, turn);
      if (!rotated.ok) return rotated;
      webhookBots.tell(context, rotated.value, "bot.secretRotated");
      return { ok: true, data: webhookBotView(rotated.value), version: versionOf(rotated.value) };
    }),
});

function notFound(id: number): Refusal {
  return refuse("NOT_FOUND", `bot ${id} was not found`);
}

/** Returns a message to the owner about details that an update left out. */
function leftOutMessage(before: Bot, after: Bot): string | undefined {
  const countOf = ({ details }: Bot): number => details.filter(({ isRemoved }) => isRemoved).length;
  if (countOf(after) <= countOf(before)) return undefined;
  return `The bot was updated; what was left out buys no more, and its open pair orders are still sold as before`;
}

/** Makes a secret: 256 random bits after the partition of the bot, by which an edge finds the bot. */
function newSecret(context: CommandContext): string {
  return `${context.partition.toString(36)}_${Buffer.from(context.randomBytes(SECRET_BYTES)).toString("base64url")}`;
}
