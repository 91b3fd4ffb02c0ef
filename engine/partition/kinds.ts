/**
 * Every kind of actor that the engine hosts, made of its chart, its stored form and its projection.
 */
import { assert } from "../../src/assert.ts";
import { familySnapshot } from "../../src/contract/operator/identity.ts";
import { parseLevelBot, parseWebhookBot } from "../../src/contract/stored/bot-snapshot.ts";
import { clientOrderSnapshot } from "../../src/contract/stored/client-order-snapshot.ts";
import { priceAlertSnapshot } from "../../src/contract/stored/price-alert-snapshot.ts";
import { parseSetup } from "../../src/contract/stored/setup-snapshot.ts";
import { packGroup, parseGroup } from "../../src/contract/stored/snapshot.ts";
import { awaitsOrders, type Bot, type BotDetail, openPairs } from "../../src/domain/bot/bot.ts";
import type { LevelBot } from "../../src/domain/bot/level-bot-levels.ts";
import type { WebhookBot } from "../../src/domain/bot/webhook-bot.ts";
import type { TokenFamily } from "../../src/domain/family.ts";
import { isActive, type OcoGroup } from "../../src/domain/oco/group.ts";
import { awaitsAnswers, hasOpenSells } from "../../src/domain/oco/oco.ts";
import { isTrailing } from "../../src/domain/oco/trailing.ts";
import type { ClientOrder } from "../../src/domain/order/client-order.ts";
import { isUnderWay } from "../../src/domain/order/execution.ts";
import { countsEveryTick, type PriceAlert } from "../../src/domain/price-alert.ts";
import type { PendingSetup } from "../../src/domain/setup.ts";
import type { EventsOf } from "../../src/machine/actor-event.ts";
import { clientOrderFacts, clientOrderMachine } from "../../src/machine/client-order.ts";
import { familyFacts, familyMachine } from "../../src/machine/family.ts";
import { groupFacts, groupMachine } from "../../src/machine/group.ts";
import { levelBotFacts, levelBotMachine } from "../../src/machine/level-bot.ts";
import { priceAlertFacts, priceAlertMachine } from "../../src/machine/price-alert.ts";
import { setupFacts, setupMachine } from "../../src/machine/setup.ts";
import { webhookBotFacts, webhookBotMachine } from "../../src/machine/webhook-bot.ts";
import { type ActorKind, kindOf, type OrderNameOf } from "../actor/kind.ts";
import { hydrate } from "../actor/stored-actor.ts";
import type { RenderPayload } from "../event/event-row.ts";
import { botEvent, levelBotView, levelBotViews } from "../projection/level-bot.ts";
import { isOcoShownAlike, ocoEvent, ocoEventJson, ocoViews } from "../projection/oco.ts";
import { keepPair } from "../projection/pairs.ts";
import { alertEvent, alertViews } from "../projection/price-alert.ts";
import { setupEvent, setupViews } from "../projection/setup.ts";
import { publicWebhookBotView, webhookBotViews } from "../projection/webhook-bot.ts";

const group = kindOf<OcoGroup, EventsOf["group"]>({
  name: "group",
  chart: groupMachine,
  initialState: "watching",
  pack: packGroup,
  parse: parseGroup,
  facts: groupFacts,
  countsEveryTick: isTrailing,
  isExpecting: (context) => awaitsAnswers(context) || hasOpenSells(context) || isTrailing(context),
  profile: (context) => context,
  symbols: (context) => (isActive(context) ? [context.symbol] : []),
  views: ocoViews,
  isShownAlike: isOcoShownAlike,
  present: ocoEvent,
  presentJson: ocoEventJson,
});

const setup = kindOf<PendingSetup, EventsOf["setup"]>({
  name: "setup",
  chart: setupMachine,
  initialState: "registered",
  parse: parseSetup,
  facts: setupFacts,
  profile: (context) => context,
  symbols: ({ outcome, symbol }) => (outcome === null ? [symbol] : []),
  views: setupViews,
  present: (context) => setupEvent(context),
});

/** A bot that is switched off asks for nothing, but its orders are still settled. */
function isTrading(bot: Bot<BotDetail>): boolean {
  return bot.isActive || awaitsOrders(bot);
}

function symbolsOfBot({ details }: Bot<BotDetail>): readonly string[] {
  return details.map(({ symbol }) => symbol);
}

/** Names a pair's order. The creation time separates pairs that got the same number because the disk was set back. */
function namePairOrder(bot: Bot<BotDetail>, name: string): string {
  const pair = openPairs(bot).find(
    ({ pair: { pairId } }) => name.startsWith(`p${pairId}b`) || name.startsWith(`p${pairId}s`),
  );
  const madeAtMs = pair?.pair.buy.sentAtMs ?? pair?.pair.buy.completedAtMs;
  assert(madeAtMs !== undefined && madeAtMs !== null, `the order ${name} is of an open pair`);
  return `${name}-${madeAtMs.toString(36)}`;
}

const levelBot = kindOf<LevelBot, EventsOf["levelBot"]>({
  name: "levelBot",
  chart: levelBotMachine,
  initialState: "active",
  parse: parseLevelBot,
  facts: levelBotFacts,
  countsEveryTick: () => true,
  profile: (context) => context,
  symbols: symbolsOfBot,
  views: levelBotViews,
  nameOrder: namePairOrder,
  needsBrokerage: isTrading,
  keep: keepPair("level"),
  present: (bot, event, data) =>
    event === "bot.updated" ? { systemId: bot.botId, row: levelBotView(bot) } : botEvent(bot, data),
});

const webhookBot = kindOf<WebhookBot, EventsOf["webhookBot"]>({
  name: "webhookBot",
  chart: webhookBotMachine,
  initialState: "active",
  parse: parseWebhookBot,
  facts: webhookBotFacts,
  profile: (context) => context,
  symbols: symbolsOfBot,
  views: webhookBotViews,
  nameOrder: namePairOrder,
  needsBrokerage: isTrading,
  keep: keepPair("webhook"),
  present: (bot, event, data) =>
    event === "bot.updated" ? { systemId: bot.botId, row: publicWebhookBotView(bot) } : botEvent(bot, data),
});

const clientOrder = kindOf<ClientOrder, EventsOf["clientOrder"]>({
  name: "clientOrder",
  chart: clientOrderMachine,
  initialState: "followed",
  parse: (context) => clientOrderSnapshot.parse(context),
  facts: clientOrderFacts,
  isExpecting: ({ execution }) => isUnderWay(execution),
  profile: (context) => context,
  // A start does not need the brokerage: the actor reports the brokerage's actions and decides nothing.
  needsBrokerage: () => false,
  isForgottenAtEnd: true,
  views: () => [],
  present: (_context, _event, data) => ({ ...data }),
});

const family = kindOf<TokenFamily, EventsOf["family"]>({
  name: "family",
  chart: familyMachine,
  initialState: "live",
  parse: (context) => familySnapshot.parse(context),
  facts: familyFacts,
  profile: ({ userId }) => ({ userId, brokerageCode: "", accountNumber: "" }),
  views: () => [],
  present: (_context, _event, data) => ({ ...data }),
});

const priceAlert = kindOf<PriceAlert, EventsOf["priceAlert"]>({
  name: "priceAlert",
  chart: priceAlertMachine,
  initialState: "watching",
  parse: (context) => priceAlertSnapshot.parse(context),
  facts: priceAlertFacts,
  countsEveryTick,
  isExpecting: () => false,
  profile: ({ userId }) => ({ userId, brokerageCode: "", accountNumber: "" }),
  needsBrokerage: () => false,
  isForgottenAtEnd: true,
  views: alertViews,
  present: alertEvent,
});

/** All kinds. */
export const actorKinds: readonly ActorKind[] = [group, setup, levelBot, webhookBot, clientOrder, family, priceAlert];

/** Returns the kind of a name. Throws if it is unknown. */
export function kindNamed(name: string): ActorKind {
  const kind = actorKinds.find((known) => known.name === name);
  assert(kind !== undefined, `actor kind ${name} is known`);
  return kind;
}

/** Renders the payload of an actor's event from its stored form. The result throws if the stored form does not fit. */
export function renderStored(orderName: OrderNameOf): RenderPayload {
  return ({ kind: name, context, data }, type) => {
    const kind = kindNamed(name);
    return kind.present(kind.parse(context), type, data, orderName);
  };
}

/** Returns the symbols of a stored live actor that watches levels or trades by signals; none if it cannot be read. */
export function symbolsOf(row: Uint8Array): readonly string[] {
  try {
    const { kind, snapshot } = hydrate(row, kindNamed);
    return kind.symbols?.(snapshot.context) ?? [];
  } catch {
    return [];
  }
}
