/**
 * A user's accounts, positions and daily orders, as the brokerages report them now (behaviour 11.1).
 *
 * Owns: asking, and how the answers are shown. Does not own: what of it is remembered (holdings.ts).
 *
 * Invariants:
 * 1. A brokerage that is slow, down or not logged in to takes nothing from the accounts of the others.
 * 2. Rows show the account's `accountNumber`, whichever of its names was asked for (behaviour 1.8).
 */
import { z } from "zod";
import type { AccountRecord, BrokerReply, OrderRecord, PositionRecord } from "../../../src/contract/trading/order.ts";
import {
  type AccountView,
  balanceBody,
  type DailyOrderView,
  dailyOrdersBody,
  type PositionView,
  positionsBody,
  readOrderBody,
  resolveAccountBody,
} from "../../../src/contract/trading/trading.ts";
import type { Refusal, Result } from "../../../src/domain/refusal.ts";
import { refuse } from "../../../src/domain/refusal.ts";
import { formatTime, parseTime } from "../../../src/domain/time.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import { forUser, type QueryContext } from "../context.ts";
import { pageOfRecords } from "../pages.ts";
import { clientOrderOf, followedOrderOf } from "./orders.ts";

/** Less than the 30 s that a client is given (behaviour 7). */
const PATIENCE_MS = 27_000;

const from = z.string().max(20).nullish();

/** All accounts of all brokerages, in the order in which the brokerages are configured. */
export const listAccounts = forUser({
  schema: z.unknown(),
  handle: async (context, userId) => {
    const lists = await Promise.all(
      context.brokerages.all().map((brokerage) => accountsAt(context, brokerage, userId)),
    );
    return { ok: true, data: lists.flat() };
  },
});

async function accountsAt(
  context: QueryContext,
  brokerage: Brokerage,
  userId: number,
): Promise<readonly AccountView[]> {
  const { code, name, timeoutMs } = brokerage.settings;
  const asked = brokerage.accounts({ userId }).catch(
    (error: unknown): BrokerReply<readonly AccountRecord[]> => ({
      ok: false,
      code: "UNAVAILABLE",
      message: String(error),
    }),
  );
  const answer = await within(context, Math.min(timeoutMs, PATIENCE_MS), asked);
  if (answer?.ok) return answer.data.map((account) => accountView(account, code, name));
  context.log.debug(
    { event: "brokerage.noAccounts", brokerageCode: code, userId, code: answer?.code ?? "SLOW" },
    "a brokerage gave no accounts",
  );
  return [];
}

function accountView(account: AccountRecord, brokerageCode: string, brokerageName: string): AccountView {
  const { accountNumber, number, name, isActive, isDefault } = account;
  return { accountNumber, number, name, brokerageCode, brokerageName, isActive, isDefault };
}

/** Which account a name means; for the edge, which counts by accounts (behaviour 7.1). */
export const resolveAccount = forUser({
  schema: resolveAccountBody,
  handle: async (context, userId, body) => {
    const account = await context.accounts.resolve(userId, body.brokerageCode, body.accountNumber);
    return account.ok ? { ok: true, data: { accountNumber: account.value.accountNumber } } : account;
  },
});

export const listPositions = forUser({
  schema: positionsBody.extend({ from }),
  handle: async (context, userId, body, pageBytesMax) => {
    const place = await placeOf(context, userId, body.brokerageCode, body.accountNumber);
    if (!place.ok) return place;
    const { brokerage, accountNumber } = place.value;
    const includeOrders = body.includeOrders ?? false;
    const answer = await brokerage.positions({ userId, accountNumber, includeOrders });
    if (!answer.ok) return refusalOf(answer);
    context.holdings.learn({ userId, brokerageCode: body.brokerageCode, accountNumber }, answer.data);
    const views = answer.data.map((position) => positionView(position, accountNumber, includeOrders));
    return pageOfRecords(views, body.from ?? null, pageBytesMax);
  },
});

/** The balance of the account. Not every brokerage reports it (behaviour 11.1a). */
export const readBalance = forUser({
  schema: balanceBody,
  handle: async (context, userId, body) => {
    const place = await placeOf(context, userId, body.brokerageCode, body.accountNumber);
    if (!place.ok) return place;
    const { brokerage, accountNumber } = place.value;
    const answer = await brokerage.balance?.({ userId, accountNumber });
    if (answer === undefined) return refuse("INVALID", "the brokerage does not report balances");
    return answer.ok ? { ok: true, data: answer.data } : refusalOf(answer);
  },
});

/**
 * The day's orders of an account, oldest first. A list too long for one message is asked for page by page, and from
 * the brokerage each time: orders are only ever added at the end, so that no page misses one.
 */
export const listDailyOrders = forUser({
  schema: dailyOrdersBody.extend({ from }),
  handle: async (context, userId, body, pageBytesMax) => {
    const place = await placeOf(context, userId, body.brokerageCode, body.accountNumber);
    if (!place.ok) return place;
    const { brokerage, accountNumber } = place.value;
    const answer = await brokerage.dailyOrders({ userId, accountNumber });
    if (!answer.ok) return refusalOf(answer);
    const views = answer.data.map((order) => orderView(order, accountNumber));
    views.sort((left, right) =>
      left.createdDate < right.createdDate ? -1 : left.createdDate > right.createdDate ? 1 : 0,
    );
    return pageOfRecords(views, body.from ?? null, pageBytesMax);
  },
});

/**
 * One order of an account by its number at the brokerage, of any day that the brokerage remembers, with what is followed
 * of it. A client's order that the brokerage cannot show is answered as it is known here (behaviour 13.8).
 */
export const readOrder = forUser({
  schema: readOrderBody,
  handle: async (context, userId, { brokerageCode, accountNumber: name, orderNo }) => {
    const account = await context.accounts.resolve(userId, brokerageCode, name);
    if (!account.ok) return account;
    const { accountNumber, number } = account.value;
    const brokerage = context.brokerages.find(brokerageCode);
    if (brokerage === undefined) return refuse("INVALID", "brokerageCode is not known");
    const found = await brokerage.findOrder({ userId, accountNumber, orderNo });
    const isOfAccount = found.ok && [accountNumber, number].includes(found.data.accountNumber);
    const place = { userId, brokerageCode, accountNumber };
    const followed = followedOrderOf(context, place, orderNo) ?? null;
    if (isOfAccount && found.data.orderNo === orderNo) {
      return { ok: true, data: { ...orderView(found.data, accountNumber), followed } };
    }
    const known = clientOrderOf(context, place, orderNo);
    if (known !== undefined) return { ok: true, data: { ...known, followed } };
    if (found.ok || found.code === "NOT_FOUND") return refuse("NOT_FOUND", "the order was not found at the brokerage");
    return refusalOf(found);
  },
});

interface Place {
  readonly brokerage: Brokerage;
  readonly accountNumber: string;
}

async function placeOf(context: QueryContext, userId: number, code: string, name: string): Promise<Result<Place>> {
  const account = await context.accounts.resolve(userId, code, name);
  if (!account.ok) return account;
  const brokerage = context.brokerages.find(code);
  if (brokerage === undefined) return refuse("INVALID", "brokerageCode is not known");
  return { ok: true, value: { brokerage, accountNumber: account.value.accountNumber } };
}

function refusalOf({ code, message }: Extract<BrokerReply<never>, { ok: false }>): Refusal {
  switch (code) {
    case "UNAUTHORIZED":
      return refuse("FORBIDDEN", "log in to the brokerage first");
    case "NOT_FOUND":
      return refuse("FORBIDDEN", "accountNumber is not one of your accounts");
    case "REJECTED":
      return refuse("INVALID", `the brokerage refused this: ${message}`);
    case "UNAVAILABLE":
    case "NOT_SENT":
    case "NOT_NOW":
    case "UNKNOWN":
    case "FENCED":
      return refuse("UNAVAILABLE", "the brokerage cannot be reached now");
  }
}

function positionView(position: PositionRecord, accountNumber: string, includeOrders: boolean): PositionView {
  const { symbol, quantity, availableQuantity, averagePrice, lastPrice, profit } = position;
  const view = { symbol, quantity, availableQuantity, averagePrice, lastPrice, profit };
  if (!includeOrders) return view;
  return { ...view, orders: (position.orders ?? []).map((order) => orderView(order, accountNumber)) };
}

/** An order as it is shown (behaviour 6.5). */
function orderView(order: OrderRecord, accountNumber: string): DailyOrderView {
  return {
    symbol: order.symbol,
    quantity: order.quantity,
    buySell: order.buySell,
    orderNo: order.orderNo,
    orderStatus: order.orderStatus,
    accountNumber,
    orderType: order.orderType,
    price: order.price,
    filledQuantity: order.filledQuantity,
    averagePrice: order.averagePrice,
    clientOrderId: order.clientOrderId,
    createdDate: inUtc(order.createdDate),
    updatedDate: order.updatedDate === null ? null : inUtc(order.updatedDate),
  };
}

/** A brokerage's time as times go out (behaviour 1.5); what cannot be read stays as it came. */
function inUtc(text: string): string {
  const timeMs = parseTime(text, "date");
  return timeMs.ok ? formatTime(timeMs.value) : text;
}

/** What `answer` brings within `limitMs`, else undefined. */
function within<T>(context: QueryContext, limitMs: number, answer: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = context.timers.after(limitMs, () => resolve(undefined));
    answer.then(resolve, reject).finally(cancel);
  });
}
