/** An order in the making: its fields as text, and the rules that they keep. */
import { BUY, type BuySell, type LIMIT, MARKET, SELL } from "../../../../src/domain/order/order.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { STOP_ENTRY } from "../../../../src/domain/setup.ts";
import { checkQuantity, readLevel, readPrice } from "../group/levels.ts";
import { dateFault, type Faults } from "../group/terms.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { numberRule, readNumber, typedPrice } from "../part/number-text.ts";
import {
  describeSetup,
  EMPTY_SETUP,
  exitsBody,
  findSetupFaults,
  placeSetupRefusal,
  type SetupDraft,
  setupDraftOf,
  withSetupLots,
} from "../setup/setup-draft.ts";
import type { Account, Holding, Order, OrderBody, PlannedExits, Setup } from "../state/model.ts";
import { expiryText, TEXT } from "./texts.ts";

export interface TicketDraft {
  readonly symbol: string;
  readonly side: BuySell;
  /** A stop entry is a buy with exits. */
  readonly kind: typeof MARKET | typeof LIMIT | typeof STOP_ENTRY;
  /** Of a limit order its limit, of a stop entry its trigger. */
  readonly price: string;
  readonly lots: string;
  /** The money that the lots are counted from, as it is typed; undefined: the lots are typed. */
  readonly amount: string | undefined;
  /** Of a buy with exits: when what is not filled is cancelled, as a field for date and time has it; empty: never. */
  readonly expires: string;
  /** Of a buy: whether it is placed with its exits. */
  readonly isProtected: boolean;
  readonly exits: SetupDraft;
  /** The number of the order whose values the ticket has; empty: none. While that order is open, both can fill. */
  readonly copiedFrom: string;
}

export const EMPTY_TICKET: TicketDraft = {
  symbol: "",
  side: BUY,
  kind: MARKET,
  price: "",
  lots: "",
  amount: undefined,
  expires: "",
  isProtected: true,
  exits: EMPTY_SETUP,
  copiedFrom: "",
};

const AMOUNT_DECIMALS_MAX = 2;

/** Larger than the error of a quotient or product of two numbers of the ticket, smaller than a part of a lot that counts. */
const TOLERANCE = 1e-6;

/** The draft that sells a holding at market. Zero: no lots yet. */
export function saleOf({ symbol, quantity }: Holding): TicketDraft {
  const lots = quantity > 0 ? String(quantity) : "";
  return { ...EMPTY_TICKET, symbol, side: SELL, ...withTicketLots(EMPTY_TICKET, lots) };
}

/**
 * The draft with the values of an order: the lots that are not filled yet, and the exits of its pending OCO. `zone`: the
 * exchange's.
 */
export function copyOf(order: Order, setup: Setup | undefined, zone: string): TicketDraft {
  const { orderNo, symbol, buySell, orderType, price, quantity, filledQuantity } = order;
  const exits = setup === undefined ? EMPTY_SETUP : setupDraftOf(setup, zone);
  const lots = String(Math.max(1, quantity - filledQuantity));
  return {
    ...{ symbol, side: buySell, kind: orderType, price: price > 0 ? typedPrice(price) : "" },
    ...{ expires: exits.expires, isProtected: setup !== undefined, copiedFrom: orderNo },
    amount: undefined,
    ...withTicketLots({ ...EMPTY_TICKET, exits }, lots),
  };
}

/** The draft for other lots: its exits are for all of them. */
export function withTicketLots(draft: TicketDraft, lots: string): Pick<TicketDraft, "lots" | "exits"> {
  return { lots, exits: withSetupLots(draft.exits, lots) };
}

/**
 * The draft for an amount of money: the whole lots that it pays, none while they cannot be counted. `lotPrice`: what a lot
 * counts; undefined if it is not known.
 */
export function withTicketAmount(
  draft: TicketDraft,
  amount: string,
  lotPrice: number | undefined,
): Pick<TicketDraft, "amount" | "lots" | "exits"> {
  const money = readNumber(amount, AMOUNT_DECIMALS_MAX);
  const lots = money === undefined || lotPrice === undefined ? "" : String(Math.floor(money / lotPrice + TOLERANCE));
  return { amount, ...withTicketLots(draft, lots) };
}

/** The least amount that pays the lots, as its field has it: {@link withTicketAmount} counts the same lots from it. */
export function amountOfLots(lots: number, lotPrice: number): string {
  return typedPrice(Math.ceil(lots * lotPrice * 100 - TOLERANCE) / 100);
}

/** The draft for the other side: a sale has no trigger. */
export function withSide({ kind }: TicketDraft, side: BuySell): Pick<TicketDraft, "side" | "kind"> {
  return { side, kind: side === SELL && kind === STOP_ENTRY ? MARKET : kind };
}

/** Whether the draft is protected when it is sent: a sale is not, and a stop entry always is. */
export function isProtectedBuy({ side, kind, isProtected }: TicketDraft): boolean {
  return side === BUY && (isProtected || kind === STOP_ENTRY);
}

/** The limit or the trigger of a draft, as it is typed; undefined at market, or if it cannot be read. */
function priceOf({ kind, price }: TicketDraft): number | undefined {
  return kind === MARKET ? undefined : readPrice(price);
}

/** Checks a draft as the service will; `table` is its symbol's. */
export function findTicketFaults(draft: TicketDraft, table: TickTable): Faults {
  const faults: Record<string, string> = {};
  if (!/^[A-Z0-9_]{1,16}$/.test(draft.symbol)) faults.symbol = say("Choose a symbol.");
  const price = draft.kind === MARKET ? undefined : readLevel(draft.price, table);
  if (typeof price === "object") faults.price = price.fault;
  const lots = checkQuantity(faults, "lots", draft.lots);
  if (lots === undefined && draft.amount !== undefined) faults.lots = amountFault(draft.amount, draft.lots);
  if (!isProtectedBuy(draft)) return faults;
  const expiry = dateFault(draft.expires);
  if (expiry !== undefined) faults.expiresAt = expiry;
  const exits = findSetupFaults(draft.exits, table, typeof price === "number" ? price : undefined);
  const { stopLossQuantity, ...others } = exits;
  return { ...others, ...(stopLossQuantity === undefined ? {} : { lots: stopLossQuantity }), ...faults };
}

/** Why an amount pays no lots. */
function amountFault(amount: string, lots: string): string {
  if (readNumber(amount, AMOUNT_DECIMALS_MAX) === undefined) return numberRule(AMOUNT_DECIMALS_MAX);
  return lots === "" ? say("The price of a lot is not known yet.") : say("It pays no whole lot.");
}

/** Fields of a request that have another name in a draft. */
const TICKET_FIELDS: Readonly<Record<string, string>> = { quantity: "lots", triggerPrice: "price" };

/** Puts a refusal at the field that it names; under "" otherwise. */
export function placeTicketRefusal({ exits }: TicketDraft, message: string): Faults {
  const [, field = ""] = /^(?:entry\.)?(symbol|price|triggerPrice|quantity|expiresAt) /.exec(message) ?? [];
  if (field !== "") return { [TICKET_FIELDS[field] ?? field]: serviceText(message) };
  const { stopLossQuantity, ...others } = placeSetupRefusal(exits, message);
  return stopLossQuantity === undefined ? others : { lots: stopLossQuantity };
}

/** The order of a draft without faults. */
export function orderOf(draft: TicketDraft, { brokerageCode, accountNumber }: Account): OrderBody {
  const { symbol, side, kind } = draft;
  const price = priceOf(draft) ?? 0;
  const quantity = readNumber(draft.lots, 0) ?? 0;
  return { brokerageCode, accountNumber, symbol, quantity, buySell: side, orderType: kind, price };
}

/** The exits of a draft without faults; null without exits. `zone`: the exchange's. */
export function exitsOf(draft: TicketDraft, zone: string): PlannedExits | null {
  if (!isProtectedBuy(draft)) return null;
  const text = describeSetup(draft.exits, zone).map((term) => `${term.what}: ${term.text}.`);
  if (draft.expires === "") return { body: exitsBody(draft.exits, zone), text: text.join(" ") };
  const entry = { expiresAt: new Date(draft.expires).toISOString() };
  return { body: exitsBody(draft.exits, zone), entry, text: [...text, expiryText(draft.expires)].join(" ") };
}

/** The price that an order is expected to fill at: its limit or trigger, or the last price. */
export function expectedPrice(draft: TicketDraft, last: number | undefined): number | undefined {
  return draft.kind === MARKET ? last : priceOf(draft);
}

/** Why an order fills as soon as it is placed, as text; undefined: it waits, or the last price is unknown. */
export function fillsNowText({ orderType, buySell, price }: OrderBody, last: number | undefined): string | undefined {
  if (orderType === MARKET || last === undefined) return undefined;
  const isPassed = orderType === STOP_ENTRY || buySell === SELL ? price <= last : price >= last;
  if (!isPassed) return undefined;
  return orderType === STOP_ENTRY ? TEXT.triggerReached : TEXT.limitPassed;
}
