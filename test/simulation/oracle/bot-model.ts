/**
 * What is known of a bot from outside: what its owner asked for and was answered, and what of it was found on the disk.
 */
import type { GroupOwner } from "./model.ts";
import type { PlainBot, PlainDisk, PlainPair } from "./plain-rows.ts";

/** One detail as the owner writes it; prices and gaps in whole units, 0 = no limit. */
export interface DetailTerms {
  readonly symbol: string;
  readonly quantity: number;
  readonly minBuyPrice: number;
  readonly maxBuyPrice: number;
  readonly minSellPrice: number;
  readonly maxSellPrice: number;
}

export interface BotModel {
  readonly number: number;
  readonly kind: "levelBot" | "webhookBot";
  readonly owner: GroupOwner;
  /** Every version that was ever asked for. */
  readonly versions: { readonly isActive: boolean; readonly details: readonly DetailTerms[] }[];
  /** Updates that were sent and not answered in this life of the engine. */
  readonly openUpdates: Set<object>;
  /** Symbols that an update left out: what was realised before may be forgotten. */
  readonly leftOut: Set<string>;
  isAcknowledged: boolean;
  /** Known once it was found on the disk. */
  botId: number | undefined;
  /** Whether its owner deleted it: a deletion that was not answered may have happened. */
  deletion: "none" | "asked" | "acknowledged";
  /** Addresses that lead nowhere any more. */
  readonly givenUp: string[];
  /** Names of orders that may still leave though the bot is switched off; undefined while it may be on. */
  mayLeave: ReadonlySet<string> | undefined;
}

/** An order that a stored bot asks for. */
export interface AskedOrder {
  readonly name: string;
  readonly bot: BotModel;
  readonly pairId: number;
  readonly symbol: string;
  /** Algorithm and period for a webhook bot. */
  readonly target: string;
  readonly side: "buy" | "sell";
  readonly quantity: number;
  readonly atMs: number;
  /** Of a sell that was asked for as its buy completed: since when a signal for it may have waited. */
  readonly sinceMs: number;
}

/** The bot as it is stored, undefined where it is not. */
export function storedBot(disk: PlainDisk, { botId }: BotModel): PlainBot | undefined {
  return botId === undefined ? undefined : disk.botUnder(`a/${String(botId).padStart(16, "0")}`);
}

/** The bot as it is kept after its deletion, undefined where it was not deleted. */
export function deletedBot(disk: PlainDisk, { botId }: BotModel): PlainBot | undefined {
  return botId === undefined ? undefined : disk.botUnder(`z/${String(botId).padStart(16, "0")}`);
}

/** The orders of a stored pair by their names. */
export function askedOrders(bot: BotModel, stored: PlainBot): AskedOrder[] {
  return stored.details.flatMap(({ symbol, algoName, period, pairs }) =>
    pairs.flatMap((pair) => {
      const shared = { bot, pairId: pair.pairId, symbol, target: `${algoName}/${period}` };
      const orders: AskedOrder[] = [];
      if (pair.buy.sentAtMs !== null) {
        const { quantity, sentAtMs: atMs } = pair.buy;
        orders.push({ ...shared, name: buyName(pair), side: "buy", quantity, atMs, sinceMs: atMs });
      }
      if (pair.sell.sentAtMs !== null) {
        const { quantity, sentAtMs: atMs } = pair.sell;
        const isAsBought = pair.buy.completedAtMs === atMs && pair.sellAttempts === 1;
        // A pair without a buy of its own holds what an earlier one bought: the signal may have come for that one.
        const sinceMs = isAsBought ? (pair.buy.sentAtMs ?? 0) : atMs;
        orders.push({ ...shared, name: sellName(pair), side: "sell", quantity, atMs, sinceMs });
      }
      return orders;
    }),
  );
}

/** The names of these orders alone: they are asked for at every tick. */
export function askedNames({ details }: PlainBot): string[] {
  const names: string[] = [];
  for (const { pairs } of details) {
    for (const pair of pairs) {
      if (pair.buy.sentAtMs !== null) names.push(buyName(pair));
      if (pair.sell.sentAtMs !== null) names.push(sellName(pair));
    }
  }
  return names;
}

export function buyName({ pairId }: Pick<PlainPair, "pairId">): string {
  return `p${pairId}b`;
}

export function sellName({ pairId, sellAttempts }: Pick<PlainPair, "pairId" | "sellAttempts">): string {
  return `p${pairId}s${sellAttempts}`;
}

/** Whether a price in thousandths lies between two limits in whole units. */
export function isInside(milli: number, low: number, high: number): boolean {
  return (low === 0 || milli >= low * 1000) && (high === 0 || milli <= high * 1000);
}
