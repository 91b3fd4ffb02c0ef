/** An order in the making: its fields as text, and the rules that they keep. */
import { BUY, type BuySell, LIMIT, MARKET, SELL } from "../../../../src/domain/order/order.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { checkQuantity, readLevel, readPrice } from "../group/levels.ts";
import type { Faults } from "../group/terms.ts";
import { readNumber } from "../part/number-text.ts";
import {
  describeSetup,
  EMPTY_SETUP,
  exitsBody,
  findSetupFaults,
  placeSetupRefusal,
  type SetupDraft,
  withSetupLots,
} from "../setup/setup-draft.ts";
import type { Account, OrderBody, PlannedExits } from "../state/model.ts";

export interface TicketDraft {
  readonly symbol: string;
  readonly side: BuySell;
  readonly kind: typeof MARKET | typeof LIMIT;
  /** Of a limit order. */
  readonly price: string;
  readonly lots: string;
  /** Of a buy: whether it is placed with its exits. */
  readonly isProtected: boolean;
  readonly exits: SetupDraft;
}

export const EMPTY_TICKET: TicketDraft = {
  symbol: "",
  side: BUY,
  kind: MARKET,
  price: "",
  lots: "",
  isProtected: true,
  exits: EMPTY_SETUP,
};

/** The draft for other lots: its exits are for all of them. */
export function withTicketLots(draft: TicketDraft, lots: string): Pick<TicketDraft, "lots" | "exits"> {
  return { lots, exits: withSetupLots(draft.exits, lots) };
}

/** Whether the draft is protected when it is sent: a sale is not. */
export function isProtectedBuy({ side, isProtected }: TicketDraft): boolean {
  return side === BUY && isProtected;
}

/** Checks a draft as the service will; `table` is that of its symbol. */
export function findTicketFaults(draft: TicketDraft, table: TickTable): Faults {
  const faults: Record<string, string> = {};
  if (!/^[A-Z0-9_]{1,16}$/.test(draft.symbol)) faults.symbol = "Choose a symbol.";
  const limit = draft.kind === LIMIT ? readLevel(draft.price, table) : undefined;
  if (typeof limit === "object") faults.price = limit.fault;
  checkQuantity(faults, "lots", draft.lots);
  if (!isProtectedBuy(draft)) return faults;
  const exits = findSetupFaults(draft.exits, table, typeof limit === "number" ? limit : undefined);
  const { stopLossQuantity, ...others } = exits;
  return { ...others, ...(stopLossQuantity === undefined ? {} : { lots: stopLossQuantity }), ...faults };
}

/** Puts a refusal at the field that it names; under "" otherwise. */
export function placeTicketRefusal({ exits }: TicketDraft, message: string): Faults {
  const [, field] = /^(?:entry\.)?(symbol|price|quantity) /.exec(message) ?? [];
  if (field !== undefined) return { [field === "quantity" ? "lots" : field]: message };
  const { stopLossQuantity, ...others } = placeSetupRefusal(exits, message);
  return stopLossQuantity === undefined ? others : { lots: stopLossQuantity };
}

/** The order of a draft without faults. */
export function orderOf(draft: TicketDraft, { brokerageCode, accountNumber }: Account): OrderBody {
  const { symbol, side, kind } = draft;
  const price = kind === LIMIT ? (readPrice(draft.price) ?? 0) : 0;
  const quantity = readNumber(draft.lots, 0) ?? 0;
  return { brokerageCode, accountNumber, symbol, quantity, buySell: side, orderType: kind, price };
}

/** The exits of a draft without faults; null if it has none. `zone`: that of the exchange. */
export function exitsOf(draft: TicketDraft, zone: string): PlannedExits | null {
  if (!isProtectedBuy(draft)) return null;
  const text = describeSetup(draft.exits, zone).map((term) => `${term.what}: ${term.text}.`);
  return { body: exitsBody(draft.exits, zone), text: text.join(" ") };
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
