/**
 * Bots, their open pairs, the history of an account, and the list of all systems (behaviour 11.4).
 *
 * Invariant: another user's data is not found, as if it did not exist (behaviour 1.7): every key begins with the user.
 */

import { z } from "zod";
import {
  type BotTotalsView,
  LEVEL_BOT,
  type LevelBotView,
  levelBotSchema,
  listSystemsBody,
  type SellTargetView,
  type SystemView,
  WEBHOOK_BOT,
  type WebhookBotRow,
  webhookBotRowSchema,
} from "../../../src/contract/trading/bot.ts";
import { openPairs } from "../../../src/domain/bot/bot.ts";
import { buyTarget, type LevelBot, nextSellTarget, sellTarget } from "../../../src/domain/bot/level-bot-levels.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { type Hundredths, priceToNumber } from "../../../src/domain/price/price.ts";
import { accept, type Result, refuse } from "../../../src/domain/refusal.ts";
import { parseTime } from "../../../src/domain/time.ts";
import { textOf } from "../../../src/runtime/json.ts";
import type { Store } from "../../ports/storage.ts";
import { type BotKind, type BotPlace, botListPrefix, botPlaceKey, deletedBotsOf } from "../../projection/bots.ts";
import { historyPrefix, pairListPrefix } from "../../projection/pairs.ts";
import { actorKey, viewKey } from "../../table/keys.ts";
import { padded, under } from "../../table/tables.ts";
import { forUser, type QueryContext } from "../context.ts";
import { pageOfRecords, pageOfRows } from "../pages.ts";
import { accountOfRows } from "./account-of-rows.ts";
import { closedTotalsOf, openTotalsOf, viewOfTotals } from "./bot-totals.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

const from = z.string().max(100).nullish();
const ofAccount = z.object({ brokerageCode: z.string(), accountNumber: z.string(), from });
const ofBot = z.object({ id: z.number().int().positive(), brokerageCode: z.string(), from });
/** The part that is read of a stored actor. */
const versionedSchema = z.looseObject({ context: z.looseObject({ changes: z.number().exactOptional() }) });
const listedSchema = z.looseObject({ id: z.number().int() });
const placeSchema = z.object({ brokerageCode: z.string(), accountNumber: z.string() });

export const listLevelBots = listOf("level");
export const listWebhookBots = listOf("webhook");
export const readLevelBot = readOf("level");
export const readWebhookBot = readOf("webhook");
export const listLevelPairs = pairsOf("level");
export const listWebhookPairs = pairsOf("webhook");
export const listLevelPairHistory = historyOf("level");
export const listWebhookPairHistory = historyOf("webhook");
export const listLevelTotals = totalsOf("level");
export const listWebhookTotals = totalsOf("webhook");

/** The bots of an account, by id. */
function listOf(kind: BotKind) {
  return forUser({
    schema: ofAccount,
    handle: async (context, userId, body, pageBytesMax) => {
      const prefix = await listPrefixOf(context, kind, userId, body);
      if (!prefix.ok) return prefix;
      return pageOfRows(context.store, prefix.value, body.from ?? null, pageBytesMax);
    },
  });
}

function readOf(kind: BotKind) {
  return forUser({
    schema: ofBot,
    handle: async (context, userId, { id, brokerageCode }) => {
      const place = placeOf(context, kind, userId, id, brokerageCode);
      if (!place.ok) return place;
      const prefix = botListPrefix(kind, userId, place.value.brokerageCode, place.value.accountNumber);
      // Both of one moment: nothing is written between two synchronous reads.
      const row = context.store.read(viewKey(prefix + padded(id)));
      const snapshot = context.store.read(actorKey(id));
      if (row === undefined || snapshot === undefined) return notFound(id);
      const { context: bot } = versionedSchema.parse(readJson(snapshot));
      return { ok: true, data: readJson(row), version: versionOf(bot) };
    },
  });
}

/** The open pairs of a bot, oldest first. */
function pairsOf(kind: BotKind) {
  return forUser({
    schema: ofBot,
    handle: async (context, userId, body, pageBytesMax) => {
      const place = placeOf(context, kind, userId, body.id, body.brokerageCode);
      if (!place.ok) return place;
      return pageOfRows(context.store, pairListPrefix(userId, body.id), body.from ?? null, pageBytesMax);
    },
  });
}

/** One page of the closed pairs of an account's bots, newest first, with the number of all of them. */
function historyOf(kind: BotKind) {
  return forUser({
    schema: ofAccount.extend({ page: z.number().int().min(1), pageSize: z.number().int().min(1).max(100) }),
    handle: async (context, userId, { brokerageCode, accountNumber, page, pageSize }) => {
      const account = await accountOfRows(context, userId, brokerageCode, accountNumber);
      if (!account.ok) return account;
      const prefix = historyPrefix(kind, userId, brokerageCode, account.value.accountNumber);
      const { rows, totalCount } = await sliceOf(context.store, prefix, (page - 1) * pageSize, pageSize);
      return { ok: true, data: { items: rows.map(readJson), totalCount, page, pageSize } };
    },
  });
}

/**
 * The totals of an account's bots, by id: of all that exist, and of deleted ones that have closed pairs (behaviour 8.6).
 */
function totalsOf(kind: BotKind) {
  return forUser({
    schema: ofAccount,
    handle: async (context, userId, body, pageBytesMax) => {
      const account = await accountOfRows(context, userId, body.brokerageCode, body.accountNumber);
      if (!account.ok) return account;
      const { accountNumber } = account.value;
      const { store } = context;
      const closed = await closedTotalsOf(store, historyPrefix(kind, userId, body.brokerageCode, accountNumber));
      const list = botListPrefix(kind, userId, body.brokerageCode, accountNumber);
      const existing = new Set((await allOf(store, [list], listedSchema)).map(({ id }) => id));
      const ids = new Set([...closed.keys(), ...existing]);
      const totals: object[] = [];
      for (const id of [...ids].sort((left, right) => left - right)) {
        const view = viewOfTotals(id, closed.get(id), await openTotalsOf(store, pairListPrefix(userId, id)));
        const bot = kind === "level" && existing.has(id) ? context.actors.find("levelBot", id)?.context : undefined;
        totals.push(bot === undefined ? view : { ...view, next: nextLevelsOf(bot) });
      }
      return pageOfRecords(totals, body.from ?? null, pageBytesMax);
    },
  });
}

/** The next levels of a bot by symbol: of its details, and of left out ones with open pairs. */
function nextLevelsOf(bot: LevelBot): NonNullable<BotTotalsView["next"]> {
  return bot.details.map((detail) => ({
    symbol: detail.symbol,
    buyPrice: priceOrNull(buyTarget(bot, detail)),
    sellPrice: priceOrNull(nextSellTarget(detail)),
  }));
}

/** The prices at which the open pairs of a level bot are sold, oldest pair first (behaviour 8.6a). */
export const listLevelTargets = forUser({
  schema: ofBot,
  handle: async (context, userId, { id, brokerageCode, from: start }, pageBytesMax) => {
    const place = placeOf(context, "level", userId, id, brokerageCode);
    if (!place.ok) return place;
    const bot = context.actors.find("levelBot", id)?.context;
    if (bot === undefined) return notFound(id);
    const targets = openPairs(bot).map(({ detail, pair }): SellTargetView => {
      return { id: pair.pairId, sellPrice: priceOrNull(sellTarget(detail, pair)) };
    });
    targets.sort((left, right) => left.id - right.id);
    return pageOfRecords(targets, start ?? null, pageBytesMax);
  },
});

/** Rows `start` to `start + count` under a prefix, and the count of all. Only the returned rows are read, else keys. */
async function sliceOf(store: Store, prefix: string, start: number, count: number) {
  const range = under(viewKey(prefix));
  let totalCount = 0;
  let firstKey: string | undefined;
  for await (const page of store.scan({ ...range, keysOnly: true })) {
    firstKey ??= page[start - totalCount]?.[0];
    totalCount += page.length;
  }
  const rows: Uint8Array[] = [];
  if (firstKey !== undefined) {
    for await (const page of store.scan({ ...range, gte: firstKey, limit: count })) {
      rows.push(...page.map(([, row]) => row));
    }
  }
  return { rows, totalCount };
}

/**
 * The bots of an account, both kinds by id, deleted ones if they are asked for. The list of any other kind of system is
 * empty: such systems are not made here (behaviour 10.4).
 */
export const listSystems = forUser({
  schema: listSystemsBody.extend({ from }),
  handle: async (context, userId, body, pageBytesMax) => {
    const times = timesOf(body);
    if (!times.ok) return times;
    const levels = await listPrefixOf(context, "level", userId, body);
    if (!levels.ok) return levels;
    const webhooks = await listPrefixOf(context, "webhook", userId, body);
    if (!webhooks.ok) return webhooks;
    const systems: SystemView[] = [];
    const levelPlaces = placesOf(body.isDeleted, levels.value);
    const webhookPlaces = placesOf(body.isDeleted, webhooks.value);
    const isWanted = (botType: number, bot: LevelBotView | WebhookBotRow): boolean =>
      isOfType(body.botType, botType) &&
      isOfActivity(body.isActive, bot.isActive) &&
      isWithin(bot.createdDate, times.value);
    for (const bot of await allOf(context.store, levelPlaces, levelBotSchema)) {
      if (isWanted(LEVEL_BOT, bot)) {
        systems.push({ ...systemFields(bot, LEVEL_BOT), levelBotDetails: bot.levelBotDetails });
      }
    }
    for (const bot of await allOf(context.store, webhookPlaces, webhookBotRowSchema)) {
      if (isWanted(WEBHOOK_BOT, bot)) {
        systems.push(systemFields(bot, WEBHOOK_BOT));
      }
    }
    systems.sort((left, right) => left.id - right.id);
    return pageOfRecords(systems, body.from ?? null, pageBytesMax);
  },
});

function systemFields({ id, name, isActive, isRunning }: LevelBotView | WebhookBotRow, botType: number): SystemView {
  return { id, name, botType, isActive, isRunning };
}

function isOfType(wanted: readonly number[] | null | undefined, botType: number): boolean {
  return wanted === null || wanted === undefined || wanted.length === 0 || wanted.includes(botType);
}

/** `wanted`: 1 or nothing = all, 2 = active, 3 = passive. */
function isOfActivity(wanted: number | null | undefined, isActive: boolean): boolean {
  return wanted === 2 ? isActive : wanted === 3 ? !isActive : true;
}

interface Times {
  readonly startMs: number;
  readonly endMs: number;
}

function timesOf(body: { startDate?: string | null | undefined; endDate?: string | null | undefined }): Result<Times> {
  const start = body.startDate ? parseTime(body.startDate, "startDate") : accept(Number.NEGATIVE_INFINITY);
  if (!start.ok) return start;
  const end = body.endDate ? parseTime(body.endDate, "endDate") : accept(Number.POSITIVE_INFINITY);
  if (!end.ok) return end;
  // An end that is a date means the whole of that day.
  const endMs = DATE_ONLY.test(body.endDate ?? "") ? end.value + DAY_MS - 1 : end.value;
  return start.value > endMs
    ? refuse("INVALID", "startDate must not be after endDate")
    : accept({ startMs: start.value, endMs });
}

function isWithin(createdDate: string, { startMs, endMs }: Times): boolean {
  const createdMs = Date.parse(createdDate);
  return createdMs >= startMs && createdMs <= endMs;
}

/** The prefixes to read: `wanted` 1 = all bots, 2 or nothing = bots that are not deleted, 3 = deleted bots. */
function placesOf(wanted: number | null | undefined, prefix: string): string[] {
  const deleted = deletedBotsOf(prefix);
  if (wanted === 3) return [deleted];
  return wanted === 1 ? [prefix, deleted] : [prefix];
}

async function allOf<T>(store: Store, prefixes: readonly string[], schema: z.ZodType<T>): Promise<T[]> {
  const rows: T[] = [];
  for (const prefix of prefixes) {
    for await (const page of store.scan(under(viewKey(prefix)))) {
      for (const [, row] of page) rows.push(schema.parse(readJson(row)));
    }
  }
  return rows;
}

async function listPrefixOf(
  context: QueryContext,
  kind: BotKind,
  userId: number,
  { brokerageCode, accountNumber }: BotPlace,
): Promise<Result<string>> {
  const account = await accountOfRows(context, userId, brokerageCode, accountNumber);
  if (!account.ok) return account;
  return accept(botListPrefix(kind, userId, brokerageCode, account.value.accountNumber));
}

/** The account whose list contains a bot of the user; the bot must be at the named brokerage. */
function placeOf(
  context: QueryContext,
  kind: BotKind,
  userId: number,
  id: number,
  brokerageCode: string,
): Result<BotPlace> {
  if (context.brokerages.find(brokerageCode) === undefined) return refuse("INVALID", "brokerageCode is not known");
  const bytes = context.store.read(viewKey(botPlaceKey(kind, userId, id)));
  const place = bytes === undefined ? undefined : placeSchema.parse(readJson(bytes));
  return place === undefined || place.brokerageCode !== brokerageCode ? notFound(id) : accept(place);
}

function notFound(id: number) {
  return refuse("NOT_FOUND", `bot ${id} was not found`);
}

function priceOrNull(price: Hundredths | null): number | null {
  return price === null ? null : priceToNumber(price);
}

function readJson(bytes: Uint8Array): unknown {
  return JSON.parse(textOf(bytes));
}
