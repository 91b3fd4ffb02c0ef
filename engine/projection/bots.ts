/**
 * Where bots are stored for their readers, and what the rows of both kinds have in common.
 *
 * A bot has a row in the list of its account, and under its id a small row that names the account.
 */
import type { Bot, BotDetail, PriceLimits } from "../../src/domain/bot/bot.ts";
import { type Hundredths, priceToNumber } from "../../src/domain/price/price.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { ViewRow } from "../ports/actor.ts";
import { padded } from "../table/tables.ts";

export type BotKind = "level" | "webhook";

/** Where the bots of an account are listed, by id. */
export function botListPrefix(kind: BotKind, userId: number, brokerageCode: string, accountNumber: string): string {
  return `bots/${kind}/${padded(userId)}/${brokerageCode}/${encodeURIComponent(accountNumber)}/`;
}

/** Where the deleted bots of a list of bots are listed. */
export function deletedBotsOf(listPrefix: string): string {
  return `deleted-${listPrefix}`;
}

/** The key of the row that names the account of a user's bot. */
export function botPlaceKey(kind: BotKind, userId: number, botId: number): string {
  return `${botPlacesOf(kind)}${padded(userId)}/${padded(botId)}`;
}

/** What the keys of the places of all bots of a kind begin with; the user comes next. */
export function botPlacesOf(kind: BotKind): string {
  return `bot-places/${kind}/`;
}

/** The account whose list contains a bot. */
export interface BotPlace {
  readonly brokerageCode: string;
  readonly accountNumber: string;
}

/**
 * Keeps the rows of each state of a bot for as long as that state is referenced: each step starts from the state that
 * the step before left, and changes one or two of the bot's many rows.
 */
export function remembered<B extends Bot>(render: (bot: B) => readonly ViewRow[]): (bot: B) => readonly ViewRow[] {
  const made = new WeakMap<B, readonly ViewRow[]>();
  return (bot) => {
    const known = made.get(bot);
    if (known !== undefined) return known;
    const rows = render(bot);
    made.set(bot, rows);
    return rows;
  };
}

/** The rows of a bot, without its pairs. A deleted bot is only in the list of deleted bots. */
export function botRows(kind: BotKind, bot: Bot, view: object): ViewRow[] {
  const { userId, brokerageCode, accountNumber, botId } = bot;
  const place: BotPlace = { brokerageCode, accountNumber };
  const list = botListPrefix(kind, userId, brokerageCode, accountNumber);
  if (bot.deletedAtMs !== null) return [{ key: deletedBotsOf(list) + padded(botId), json: JSON.stringify(view) }];
  return [
    {
      key: list + padded(botId),
      json: JSON.stringify(view),
    },
    { key: botPlaceKey(kind, userId, botId), json: JSON.stringify(place) },
  ];
}

/** The fields that both kinds show first. */
export function botFields(bot: Bot, isRunning: boolean) {
  const { botId: id, name, accountNumber, isActive } = bot;
  return { id, name, accountNumber, isActive, isRunning };
}

/** When the bot was made and last changed by its owner. */
export function botDates({ createdAtMs, updatedAtMs }: Bot) {
  return {
    createdDate: formatTime(createdAtMs),
    updatedDate: updatedAtMs === null ? null : formatTime(updatedAtMs),
  };
}

/** The fields that the details of both kinds show. */
export function detailFields({ symbol, quantity, limits }: Pick<BotDetail, "symbol" | "quantity" | "limits">) {
  return { symbol, quantity, ...limitFields(limits) };
}

/** What the owner configured: a detail that was taken out and only sells what it holds is not shown. */
export function shownDetails<D extends BotDetail>(bot: Bot<D>): readonly D[] {
  return bot.details.filter(({ isRemoved }) => !isRemoved);
}

function limitFields(limits: PriceLimits) {
  return {
    maxBuyPrice: limitToNumber(limits.maxBuyPrice),
    minBuyPrice: limitToNumber(limits.minBuyPrice),
    maxSellPrice: limitToNumber(limits.maxSellPrice),
    minSellPrice: limitToNumber(limits.minSellPrice),
  };
}

function limitToNumber(limit: Hundredths | null): number {
  return limit === null ? 0 : priceToNumber(limit);
}
