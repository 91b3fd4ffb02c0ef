/**
 * Trades from market data messages (35=W, 35=X), as plain values.
 *
 * Invariants:
 * 1. Only trades count: quotes, deletions and corrections make no tick.
 * 2. A trade keeps the venue's own time. A trade without a time gets the message's sending time. In a snapshot it is
 *    left out: it is old, and its time is not known.
 */
import type { VenueTrade } from "../../host/price/trade-feed.ts";
import { parseUtc } from "../session/schedule.ts";
import { FixMessage } from "../wire/message.ts";
import { MsgType, Tag } from "../wire/tag.ts";

const TRADE = "2";
const NEW = "0";
const HALF_DAY_MS = 43_200_000;
const DAY_MS = 86_400_000;

/** The trades of a message, in its order. */
export function tradesOf(message: FixMessage): VenueTrade[] {
  const isSnapshot = message.type === MsgType.MarketDataSnapshot;
  const first = isSnapshot ? Tag.MDEntryType : Tag.MDUpdateAction;
  const sentMs = parseUtc(message.get(Tag.SendingTime));
  const start = message.fields.findIndex(([tag]) => tag === Tag.NoMDEntries);
  // An entry names its symbol, or the message does before the entries. Without a symbol, an entry has the
  // symbol of the entry before it.
  let symbol = new FixMessage(message.fields.slice(0, Math.max(0, start))).get(Tag.Symbol);
  const trades: VenueTrade[] = [];
  for (const entry of message.groups(Tag.NoMDEntries, first)) {
    symbol = entry.get(Tag.Symbol) ?? symbol;
    const trade = symbol === undefined ? undefined : tradeOf(entry, symbol, isSnapshot, sentMs);
    if (trade !== undefined) trades.push(trade);
  }
  return trades;
}

function tradeOf(entry: FixMessage, symbol: string, isSnapshot: boolean, sentMs: number | undefined) {
  const price = entry.decimal(Tag.MDEntryPx);
  const isNew = isSnapshot || (entry.get(Tag.MDUpdateAction) ?? NEW) === NEW;
  if (entry.get(Tag.MDEntryType) !== TRADE || !isNew || price === undefined || price <= 0) return undefined;
  const timeMs = timeOf(entry, sentMs) ?? (isSnapshot ? undefined : sentMs);
  if (timeMs === undefined) return undefined;
  const conditions = (entry.get(Tag.TradeCondition) ?? "").split(" ").filter((code) => code !== "");
  return { symbol, price, timeMs, conditions, isSnapshot };
}

/**
 * Returns the entry's date and time. A time without a date gets the day that makes it nearest to the message's sending
 * time.
 */
function timeOf(entry: FixMessage, sentMs: number | undefined): number | undefined {
  const time = entry.get(Tag.MDEntryTime);
  const date = entry.get(Tag.MDEntryDate);
  if (time === undefined) return undefined;
  if (date !== undefined) return parseUtc(`${date}-${time}`);
  if (sentMs === undefined) return undefined;
  const sentDate = new Date(sentMs).toISOString().slice(0, 10).replaceAll("-", "");
  const timeMs = parseUtc(`${sentDate}-${time}`);
  if (timeMs === undefined) return undefined;
  if (timeMs - sentMs > HALF_DAY_MS) return timeMs - DAY_MS;
  return sentMs - timeMs > HALF_DAY_MS ? timeMs + DAY_MS : timeMs;
}
