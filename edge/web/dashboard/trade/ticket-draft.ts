/** An order in the making: its fields as text, and the rules that they keep. */
import { BUY, type BuySell, LIMIT, MARKET, SELL } from "../../../../src/domain/order/order.ts";
import { type PercentKind, parsePercent } from "../../../../src/domain/price/percent.ts";
import { QUANTITY_MAX, QUANTITY_MIN } from "../../../../src/domain/price/quantity.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { readLevel, readPrice } from "../group/levels.ts";
import { numberRule, readNumber } from "../part/number-text.ts";
import type { Account } from "../state/model.ts";
import type { OrderBody, Protection } from "../state/order-plan.ts";

export interface TicketDraft {
  readonly symbol: string;
  readonly side: BuySell;
  readonly kind: typeof MARKET | typeof LIMIT;
  /** Of a limit order. */
  readonly price: string;
  readonly lots: string;
  /** Of a buy: whether a pending OCO is registered on its number. */
  readonly isProtected: boolean;
  readonly stopLossPercent: string;
  readonly takeProfitPercent: string;
}

/** A message for each field that breaks a rule. */
export type TicketFaults = Readonly<Partial<Record<keyof TicketDraft | "", string>>>;

export const EMPTY_TICKET: TicketDraft = {
  symbol: "",
  side: BUY,
  kind: MARKET,
  price: "",
  lots: "",
  isProtected: true,
  stopLossPercent: "3",
  takeProfitPercent: "5",
};

const PERCENT_DECIMALS_MAX = 4;
/** Whether the draft is protected when it is sent: a sale is not. */
function isProtectedBuy({ side, isProtected }: TicketDraft): boolean {
  return side === BUY && isProtected;
}

/** Checks a draft as the service will; `table` is that of its symbol. */
export function findTicketFaults(draft: TicketDraft, table: TickTable): TicketFaults {
  const faults: Partial<Record<keyof TicketDraft, string>> = {};
  if (!/^[A-Z0-9_]{1,16}$/.test(draft.symbol)) faults.symbol = "Choose a symbol.";
  if (draft.kind === LIMIT) {
    const read = readLevel(draft.price, table);
    if (typeof read !== "number") faults.price = read.fault;
  }
  const lots = readNumber(draft.lots, 0);
  if (lots === undefined || lots < QUANTITY_MIN || lots > QUANTITY_MAX) faults.lots = "Whole lots, 1 or more.";
  if (!isProtectedBuy(draft)) return faults;
  const checkPercent = (field: "stopLossPercent" | "takeProfitPercent", kind: PercentKind): void => {
    const percent = readNumber(draft[field], PERCENT_DECIMALS_MAX);
    const read = percent === undefined ? undefined : parsePercent(percent, "The percent", kind);
    if (read === undefined) faults[field] = numberRule(PERCENT_DECIMALS_MAX);
    else if (!read.ok) faults[field] = `${read.message}.`;
  };
  checkPercent("stopLossPercent", "stopLoss");
  checkPercent("takeProfitPercent", "takeProfit");
  return faults;
}

/** Puts a refusal at the field that it names; under "" otherwise. */
export function placeTicketRefusal(message: string): TicketFaults {
  const [, field] = /^(symbol|price|quantity|stopLossPercent) /.exec(message) ?? [];
  return { [field === "quantity" ? "lots" : (field ?? "")]: message };
}

/** The order of a draft without faults. */
export function orderOf(draft: TicketDraft, { brokerageCode, accountNumber }: Account): OrderBody {
  const { symbol, side, kind } = draft;
  const price = kind === LIMIT ? (readPrice(draft.price) ?? 0) : 0;
  const quantity = readNumber(draft.lots, 0) ?? 0;
  return { brokerageCode, accountNumber, symbol, quantity, buySell: side, orderType: kind, price };
}

/** The protection of a draft without faults; null if it is not protected. */
export function protectionOf(draft: TicketDraft): Protection | null {
  if (!isProtectedBuy(draft)) return null;
  return {
    stopLossPercent: readNumber(draft.stopLossPercent, PERCENT_DECIMALS_MAX) ?? 0,
    takeProfitPercent: readNumber(draft.takeProfitPercent, PERCENT_DECIMALS_MAX) ?? 0,
  };
}

/** The price that an order is expected to fill at: its limit, or the last price. */
export function expectedPrice({ kind, price }: TicketDraft, last: number | undefined): number | undefined {
  return kind === LIMIT ? readPrice(price) : last;
}

/** Whether a limit order fills as soon as it is placed, as the last price has passed its limit. */
export function fillsNow(order: OrderBody, last: number | undefined): boolean {
  if (order.orderType !== LIMIT || last === undefined) return false;
  return order.buySell === SELL ? order.price <= last : order.price >= last;
}
