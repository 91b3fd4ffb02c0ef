/**
 * Sells of an OCO group after the brokerage took them: each is followed to its end (behaviour 4.5a).
 *
 * Owns: what an end that sold less than was asked for does to the rows. Does not own: the rows' life until a sell is
 * taken (`oco.ts`).
 *
 * Invariants:
 * 1. A sell ends once; what is told of it later changes nothing.
 * 2. Take-profits come back under watch only where nothing of the stop-loss was sold and nothing of it can be any more.
 * 3. With the oversell guard, what a take-profit did not sell after the stop-loss fired follows as an extra sell.
 */
import {
  askForRest,
  changeRows,
  closeSoldOut,
  countSold,
  type Decision,
  type FollowedSell,
  failStopLoss,
  isStopLossUnsold,
  type Notice,
  type OcoGroup,
  rowAt,
  STOP_LOSS,
  TRIGGER_FAILED,
} from "../oco/oco.ts";
import { rowIdOfSell } from "../oco/sell-name.ts";
import { soldText } from "../oco/sold-text.ts";
import { isEnded, ORDER_COMPLETED, ORDER_REJECTED, type OrderNotice, SELL } from "./order.ts";

/** What the brokerage tells of an order, and when that was heard. */
interface SellNews {
  readonly record: OrderNotice;
  readonly timeMs: number;
  /** Whether no other group has taken this one's place meanwhile. */
  readonly mayReclaim: boolean;
}

/** What the news changes; undefined where it ends no sell of the group. */
export function endSell(group: OcoGroup, news: SellNews): Decision | undefined {
  const { record } = news;
  const sell = group.followed.find(({ orderNo }) => orderNo === record.orderNo);
  if (sell === undefined || !isEnded(record) || !isAbout(record, group, sell)) return undefined;
  const rest = { ...group, followed: group.followed.filter((other) => other !== sell) };
  const soldQuantity =
    record.orderStatus === ORDER_COMPLETED ? sell.quantity : Math.min(record.filledQuantity, sell.quantity);
  return sell.row === STOP_LOSS
    ? endStopLoss(rest, sell, soldQuantity, news)
    : endTakeProfit(rest, sell, soldQuantity, news);
}

/** A brokerage that renumbers its orders, or mixes them up, may tell of another one. */
function isAbout({ symbol, buySell, clientOrderId }: OrderNotice, group: OcoGroup, { row }: FollowedSell): boolean {
  const isNamed = !clientOrderId || rowIdOfSell(clientOrderId) === rowAt(group, row).id;
  return isNamed && symbol === group.symbol && buySell === SELL;
}

function endTakeProfit(group: OcoGroup, sell: FollowedSell, soldQuantity: number, news: SellNews): Decision {
  const { row, quantity } = sell;
  const { timeMs } = news;
  const unsoldQuantity = quantity - soldQuantity;
  const notices: Notice[] = [];
  let ended = group;
  if (unsoldQuantity > 0) {
    ended = soldQuantity === 0 ? fail(group, row, news) : noteUnsold(group, sell, soldQuantity, news);
    notices.push({ type: soldQuantity === 0 ? "oco.triggerFailed" : "oco.sellIncomplete", row });
    const rest = askForRest(ended, row, unsoldQuantity);
    if (rest !== undefined) return { ...rest, notices };
  }
  const closed = closeSoldOut(ended, timeMs);
  if (closed !== ended) notices.push({ type: "oco.cancelled", row: STOP_LOSS });
  return { group: closed, sells: [], notices };
}

function endStopLoss(group: OcoGroup, sell: FollowedSell, soldQuantity: number, news: SellNews): Decision {
  const ended = countSold(group, soldQuantity);
  if (soldQuantity === sell.quantity) return { group: { ...ended, cancelledByStopLoss: [] }, sells: [], notices: [] };
  if (isStopLossUnsold(ended)) return failStopLoss(ended, reasonOf(news.record), news.timeMs, news.mayReclaim);
  const noted = noteUnsold(ended, sell, soldQuantity, news);
  return { group: noted, sells: [], notices: [{ type: "oco.sellIncomplete", row: STOP_LOSS }] };
}

/** Nothing was sold: as if the brokerage had refused it (behaviour 4.4). */
function fail(group: OcoGroup, index: number, { record, timeMs }: SellNews): OcoGroup {
  return changeRows(group, [index], (row) => ({
    ...row,
    status: TRIGGER_FAILED,
    triggerErrorMessage: reasonOf(record),
    updatedAtMs: timeMs,
  }));
}

/** A part was sold: the row says how much, and why no more. A stop-loss counts all its sells that ended. */
function noteUnsold(group: OcoGroup, sell: FollowedSell, soldQuantity: number, { record, timeMs }: SellNews): OcoGroup {
  const unsoldQuantity = rowAt(group, sell.row).unsoldQuantity + sell.quantity - soldQuantity;
  const soldInAll = sell.row === STOP_LOSS ? group.stopLossSoldQuantity : soldQuantity;
  return changeRows(group, [sell.row], (row) => ({
    ...row,
    unsoldQuantity,
    triggerErrorMessage: `${soldText(soldInAll, unsoldQuantity)}: ${reasonOf(record)}`,
    updatedAtMs: timeMs,
  }));
}

function reasonOf({ message, orderStatus }: OrderNotice): string {
  if (message) return message;
  return orderStatus === ORDER_REJECTED ? "rejected by the brokerage" : "cancelled by the brokerage";
}
