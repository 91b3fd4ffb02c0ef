/** The fields of the messages that this connector sends. Plain functions. */
import type { PlaceRequest } from "../../../../src/contract/trading/order.ts";
import { LIMIT, SELL } from "../../../../src/domain/order/order.ts";
import { renderUtc } from "../session/schedule.ts";
import type { Field } from "../wire/message.ts";
import { Tag } from "../wire/tag.ts";
import type { MappedType } from "./dictionary.ts";
import { type KnownOrder, wireNameOf } from "./order.ts";
import type { FixAccount, OrderSettings } from "./settings.ts";

const DAY = "0";
const IMMEDIATE_OR_CANCEL = "3";
const PRICE_DECIMALS = 8;

export interface Subject {
  readonly settings: OrderSettings;
  readonly account: FixAccount;
  readonly userId: number;
  readonly symbol: string;
}

/** NewOrderSingle under `name`. `limitPrice`: of a limit order, or of a market order that is sent as one. */
export function newOrder(
  subject: Subject,
  order: Pick<PlaceRequest, "quantity" | "buySell" | "orderType">,
  name: string,
  limitPrice: number | undefined,
  isRepeat: boolean,
  nowMs: number,
): Field[] {
  const isMarketAsLimit = order.orderType !== LIMIT && limitPrice !== undefined;
  return [
    // In the header: a repeat under a new number, for brokers that know names from it.
    ...(isRepeat ? [[Tag.PossResend, "Y"] as const] : []),
    ...mapped(subject, "D", [
      [Tag.ClOrdID, name],
      [Tag.Account, subject.account.number],
      [Tag.HandlInst, "1"],
      [Tag.Symbol, brokerSymbol(subject)],
      [Tag.Side, order.buySell === SELL ? "2" : "1"],
      [Tag.TransactTime, renderUtc(nowMs)],
      [Tag.OrderQty, String(order.quantity)],
      [Tag.OrdType, limitPrice === undefined ? "1" : "2"],
      ...(limitPrice === undefined ? [] : [[Tag.Price, renderPrice(limitPrice)] as const]),
      [Tag.TimeInForce, isMarketAsLimit ? IMMEDIATE_OR_CANCEL : DAY],
    ]),
  ];
}

/** OrderCancelRequest under a name of its own. */
export function cancelRequest(subject: Subject, order: KnownOrder, name: string, nowMs: number): Field[] {
  return mapped(subject, "F", [
    [Tag.OrigClOrdID, wireNameOf(order)],
    ...(order.orderId === null ? [] : [[Tag.OrderID, order.orderId] as const]),
    [Tag.ClOrdID, name],
    [Tag.Account, subject.account.number],
    [Tag.Symbol, brokerSymbol(subject)],
    [Tag.Side, order.buySell === SELL ? "2" : "1"],
    [Tag.TransactTime, renderUtc(nowMs)],
    [Tag.OrderQty, String(order.quantity)],
  ]);
}

/** OrderStatusRequest. `name`: by which the answer is known (FIX 4.4). */
export function statusRequest(subject: Subject, order: KnownOrder, name: string): Field[] {
  return mapped(subject, "H", [
    ...(order.orderId === null ? [] : [[Tag.OrderID, order.orderId] as const]),
    [Tag.ClOrdID, wireNameOf(order)],
    ...(subject.settings.beginString === "FIX.4.4" ? [[Tag.OrdStatusReqID, name] as const] : []),
    [Tag.Account, subject.account.number],
    [Tag.Symbol, brokerSymbol(subject)],
    [Tag.Side, order.buySell === SELL ? "2" : "1"],
  ]);
}

/** OrderMassStatusRequest for all orders. */
export function massStatusRequest(name: string): Field[] {
  return [
    [Tag.MassStatusReqID, name],
    [Tag.MassStatusReqType, "7"],
  ];
}

/** RequestForPositions of one account, a snapshot. */
export function positionsRequest(account: FixAccount, name: string, nowMs: number): Field[] {
  return [
    [Tag.PosReqID, name],
    [Tag.PosReqType, "0"],
    [Tag.SubscriptionRequestType, "0"],
    [Tag.Account, account.number],
    [Tag.AccountType, "1"],
    [Tag.ClearingBusinessDate, renderUtc(nowMs).slice(0, 8)],
    [Tag.TransactTime, renderUtc(nowMs)],
  ];
}

/** A price as the wire has it: no exponent, no binary dust. */
function renderPrice(price: number): string {
  return price.toFixed(PRICE_DECIMALS).replace(/\.?0+$/, "");
}

function brokerSymbol({ settings, symbol }: Subject): string {
  return settings.symbols[symbol] ?? symbol;
}

/** Puts the settings' map into the fields: adds, replaces or takes out. */
function mapped(subject: Subject, type: MappedType, fields: readonly Field[]): Field[] {
  const map = subject.settings.fields[type];
  const kept = fields.filter(([tag]) => !(String(tag) in map));
  const added = Object.entries(map).flatMap(([tag, value]): Field[] =>
    value === null ? [] : [[Number(tag), placed(subject, value)]],
  );
  return [...kept, ...added];
}

function placed(subject: Subject, value: string): string {
  if (value === "$account") return subject.account.number;
  if (value === "$user") return String(subject.userId);
  return value === "$symbol" ? brokerSymbol(subject) : value;
}
