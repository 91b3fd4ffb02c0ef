/**
 * Every event that an actor can receive, kind by kind: a closed union. A misspelt event, or an event that the kind does
 * not receive, does not compile.
 */
import type { LevelBot } from "../domain/bot/level-bot-levels.ts";
import type { WebhookBot } from "../domain/bot/webhook-bot.ts";
import type { TokenFamily } from "../domain/family.ts";
import type { OcoGroup } from "../domain/oco/group.ts";
import type { ClientOrder } from "../domain/order/client-order.ts";
import type { PriceAlert } from "../domain/price-alert.ts";
import type { PendingSetup } from "../domain/setup.ts";
import type { ClientOrderEvent } from "./client-order.ts";
import type { FamilyEvent } from "./family.ts";
import type { GroupEvent } from "./group.ts";
import type { LevelBotEvent } from "./level-bot.ts";
import type { PriceAlertEvent } from "./price-alert.ts";
import type { SetupEvent } from "./setup.ts";
import type { WakeEvent } from "./wake-event.ts";
import type { WebhookBotEvent } from "./webhook-bot.ts";

/** The events that each kind of actor receives. */
export interface EventsOf {
  readonly group: GroupEvent;
  readonly setup: SetupEvent;
  readonly levelBot: LevelBotEvent;
  readonly webhookBot: WebhookBotEvent;
  readonly clientOrder: ClientOrderEvent;
  readonly family: FamilyEvent;
  readonly priceAlert: PriceAlertEvent;
}

/** What each kind of actor keeps. */
export interface ContextOf {
  readonly group: OcoGroup;
  readonly setup: PendingSetup;
  readonly levelBot: LevelBot;
  readonly webhookBot: WebhookBot;
  readonly clientOrder: ClientOrder;
  readonly family: TokenFamily;
  readonly priceAlert: PriceAlert;
}

export type ActorKindName = keyof EventsOf;

export type ActorEvent = EventsOf[ActorKindName] | WakeEvent;

/** The types of each kind's events; the compiler keeps every table complete. */
export const EVENTS_HEARD: { readonly [K in ActorKindName]: Readonly<Record<EventsOf[K]["type"], true>> } = {
  group: {
    priceReached: true,
    ticksPassed: true,
    orderPlaced: true,
    orderRefused: true,
    orderUpdated: true,
    orderMissing: true,
    orderDecided: true,
    cancel: true,
    sellNow: true,
    stopExit: true,
    change: true,
    grow: true,
    corporateAction: true,
    symbolRenamed: true,
    releaseHold: true,
    deadline: true,
  },
  setup: {
    corporateAction: true,
    symbolRenamed: true,
    orderPlaced: true,
    orderRefused: true,
    orderUpdated: true,
    orderMissing: true,
    orderDecided: true,
    deadline: true,
    remove: true,
    changePlan: true,
    groupOpened: true,
    groupRefused: true,
    endEntry: true,
    cancelRefused: true,
    priceReached: true,
  },
  levelBot: {
    corporateAction: true,
    symbolRenamed: true,
    priceReached: true,
    ticksPassed: true,
    deadline: true,
    update: true,
    delete: true,
    orderPlaced: true,
    orderRefused: true,
    orderUpdated: true,
    orderMissing: true,
    orderDecided: true,
  },
  webhookBot: {
    corporateAction: true,
    symbolRenamed: true,
    signal: true,
    deadline: true,
    update: true,
    delete: true,
    rotateSecret: true,
    orderPlaced: true,
    orderRefused: true,
    orderUpdated: true,
    orderMissing: true,
    orderDecided: true,
  },
  clientOrder: { orderUpdated: true, orderMissing: true, orderDecided: true, symbolRenamed: true, deadline: true },
  family: { refresh: true, revoke: true, deadline: true },
  priceAlert: {
    priceReached: true,
    ticksPassed: true,
    deadline: true,
    corporateAction: true,
    symbolRenamed: true,
    changeTerms: true,
    remove: true,
  },
};

/** Whether actors of a kind receive events of a type. */
export function isHeardBy(kind: ActorKindName, type: string): boolean {
  return Object.hasOwn(EVENTS_HEARD[kind], type);
}

/** Whether a stored event of an actor has a type that any kind receives. */
export function isActorEvent(stored: { readonly type: string }): stored is ActorEvent {
  return Object.values(EVENTS_HEARD).some((heard) => Object.hasOwn(heard, stored.type));
}
