/**
 * Events as sentences for traders, in the dashboard and at a terminal. (The log contains the same with all numbers:
 * `src/contract/event/event-words.ts`.)
 *
 * Invariants:
 * 1. Every type has a sentence of its own, also if fields of the event are missing; a type of a newer service is shown
 *    by its name.
 * 2. Each text of a sentence passes through the reader's words. So does a remark of the service.
 */
import type { EventType, STREAM_EVENTS } from "../contract/event/event.ts";
import { ORDER_CANCELLED, ORDER_REJECTED } from "../domain/order/order.ts";
import { ENGLISH, type EventWords } from "./language.ts";

/** An event from a stream: its type defines its fields, and each is read as if it can be missing. */
export interface ToldEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The fields of a row in an event. */
interface ToldRow {
  readonly id: number;
  readonly groupId: number;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly orderType: 1 | 2;
  readonly quantity: number;
  readonly price: number;
  readonly status: number;
  readonly triggeredPrice: number | null;
  readonly triggerErrorMessage: string | null;
}

const STOP_LOSS = 2;
const ACTIVE = 1;

function isRow(value: unknown): value is ToldRow {
  return typeof value === "object" && value !== null && "groupId" in value && "orderType" in value;
}

/** The row that an event is about, if it is about a row. */
function rowOf(event: ToldEvent): ToldRow | undefined {
  return isRow(event.row) ? event.row : undefined;
}

/** The rows of an event about a whole group. */
export function rowsOf(event: ToldEvent): readonly ToldRow[] {
  const rows = Array.isArray(event.rows) ? event.rows.filter(isRow) : [];
  const row = rowOf(event);
  return row === undefined ? rows : [...rows, row];
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** The length of a list. */
function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** Whether flatten left a rest of an account unsold, or could not determine the rest. */
export function hasLeft({ type, left, message }: ToldEvent): boolean {
  return type === "account.flattened" && (countOf(left) > 0 || textOf(message) !== "");
}

function fieldOf(value: unknown, field: string): string {
  return typeof value === "object" && value !== null && field in value ? textOf(Reflect.get(value, field)) : "";
}

/** The names of bots, by their ids: most of their events carry the id alone. */
export type BotNames = ReadonlyMap<number, string>;

/** Returns an event as a sentence. `words`: the reader's language. */
export function eventSentence(event: ToldEvent, names: BotNames = new Map(), words: EventWords = ENGLISH): string {
  const why = textOf(event.message) || textOf(event.reason) || textOf(rowOf(event)?.triggerErrorMessage);
  const sentence = isTold(event.type) ? SENTENCES[event.type](event, { ...words, names }) : sentenceOf(event.type);
  return why === "" || isToldAlone(event.type) ? sentence : `${sentence}: ${words.remark(why)}`;
}

/** The types of a stream: stored events and the stream's own. */
type ToldType = EventType | keyof typeof STREAM_EVENTS;
interface Told extends EventWords {
  readonly names: BotNames;
}
type Sentence = (event: ToldEvent, told: Told) => string;

/** The ends of a pending OCO. */
const SETUP_GONE = {
  partFilled: ofSetup(
    "The pending OCO of order {order} is gone, and what was bought has no group",
    "The pending OCO of {symbol} is gone, and what was bought has no group",
  ),
  byOwner: ofSetup("The pending OCO of order {order} was removed", "The pending OCO of {symbol} was removed"),
  unfilled: ofSetup(
    "The pending OCO of order {order} is gone: nothing was bought",
    "The pending OCO of {symbol} is gone: nothing was bought",
  ),
} as const;

/** A sentence for each type, without the reason that follows it if the event has one. */
const SENTENCES: Readonly<Record<ToldType, Sentence>> = {
  "oco.created": ofLevels(
    "{symbol} group is under watch: stop-loss {stopLoss}, take-profit {takeProfits}",
    "A group is under watch",
  ),
  "oco.changed": ofLevels(
    "{symbol} group was changed: stop-loss {stopLoss}, take-profit {takeProfits}",
    "A group was changed",
  ),
  "oco.triggered": (event, told) => {
    const row = rowOf(event);
    if (row === undefined) return told.say("A level was reached");
    const level = levelOf(row, told);
    const order = textOf(event.clientOrderId);
    const lots = told.quantityText(row.quantity);
    const fired =
      row.triggeredPrice === null
        ? told.say("{level} fired", { level })
        : told.say("{level} fired at {price}", { level, price: told.priceText(row.triggeredPrice) });
    const placed =
      order === ""
        ? told.say("market order to sell {lots} lots placed", { lots })
        : told.say("market order {order} to sell {lots} lots placed", { order, lots });
    return `${fired}: ${placed}`;
  },
  "oco.triggerFailed": ofRow("{level} was reached and could not be sold"),
  "oco.cancelled": ofRow("{level} is no longer watched"),
  "oco.adjusted": ofRow("{level} and its group follow a change of their symbol"),
  "oco.trailingActivated": ofRow("{level} follows the price from now on"),
  "oco.stopRaised": ofRow("{level} was raised, as the price rose"),
  "oco.trailingUncertain": ofRow("{level} stays where it is, as prices were lost"),
  "oco.rearmed": ofRow("{level} is watched again"),
  "oco.reduced": ofRow("{level} sells less: its stop-loss sold lots after its end"),
  "oco.sentReduced": ofRow("{level} was refused and sent once more with what the take-profits left"),
  "oco.exitContinues": ofRow("{level} is being sold with further orders"),
  "oco.exitCompleted": ofRow("{level} is sold to the last lot"),
  "oco.exitStopped": ofRow("{level} is not sold any further"),
  "oco.lateFill": ofRow("{level} is sold with lots that were bought after it had fired"),
  "oco.waitsForSession": ofRow("{level} waits for the market to open at {until}"),
  "oco.sellIncomplete": ofRow("{level} was sold only in part"),
  "setup.registered": ofSetup("A pending OCO waits for order {order}", "A pending OCO waits for the buy of {symbol}"),
  "setup.changed": ofSetup("The pending OCO of order {order} was changed", "The pending OCO of {symbol} was changed"),
  "setup.converted": ofSetup(
    "Order {order} filled: its OCO group is under watch",
    "The buy of {symbol} filled: its OCO group is under watch",
  ),
  "setup.unprotected": ofSetup(
    "A part of order {order} is filled and not protected yet",
    "A part of the buy of {symbol} is filled and not protected yet",
  ),
  "setup.triggered": ofSetup("The price reached the trigger of the entry of {symbol}: its buy is sent"),
  "setup.cancelRefused": ofSetup("The buy of the entry of {symbol} could not be cancelled"),
  "setup.conversionFailed": ofSetup(
    "Order {order} filled, but no group was made",
    "The buy of {symbol} filled, but no group was made",
  ),
  "setup.orderLost": ofSetup(
    "The brokerage no longer knows order {order} of a pending OCO",
    "The brokerage no longer knows the buy of {symbol} of a pending OCO",
  ),
  "setup.orderFound": ofSetup(
    "The brokerage knows order {order} again",
    "The brokerage knows the buy of {symbol} again",
  ),
  "setup.entryRefused": ofSetup("The entry of {symbol} was refused: nothing was bought"),
  "setup.removed": (event, told) => {
    if (event.isPartFilled === true) return SETUP_GONE.partFilled(event, told);
    return event.isByOwner === true ? SETUP_GONE.byOwner(event, told) : SETUP_GONE.unfilled(event, told);
  },
  "bot.created": ofBot("{bot} was created"),
  "bot.updated": (event, told) => {
    const isOff = fieldOf(event.row, "isActive") === "false";
    return ofBot(isOff ? "{bot} was changed and is switched off" : "{bot} was changed")(event, told);
  },
  "bot.removed": ofBot("{bot} was deleted"),
  "bot.secretRotated": ofBot("{bot} has a new address for its signals; the old one no longer works"),
  "pair.leftOut": ofBot("{bot} still has an open trade of {symbol} that its details leave out"),
  "pair.bought": ofPair("buy", "{bot} bought {lots}"),
  "pair.buyFailed": ofPair("buy", "{bot} could not buy {lots}"),
  "pair.sold": ofPair("sell", "{bot} sold {lots}"),
  "pair.sellFailed": ofPair("sell", "{bot} could not sell {lots}; the trade stays open"),
  "signal.ignored": ofBot("A signal for {symbol} to {bot} ordered nothing"),
  "signal.deferred": ofBot("A sell signal for {symbol} to {bot} waits until the buy is filled"),
  "signal.unmatched": ofBot("A signal for {symbol} matches no detail of {bot}"),
  "signal.rejected": ofBot("A request to {bot} is not a signal: nothing was ordered"),
  "order.placed": (event, told) => {
    const status = Number(fieldOf(event.order, "orderStatus"));
    if (status === ORDER_CANCELLED)
      return ofOrder("{sideOrder} {orderNo} cancelled by the brokerage: {lots}")(event, told);
    if (status === ORDER_REJECTED)
      return ofOrder("{sideOrder} {orderNo} rejected by the brokerage: {lots}")(event, told);
    return ofOrder("{sideOrder} {orderNo} placed: {lots}")(event, told);
  },
  "order.refused": ofOrder("{sideOrder} refused: {lots}"),
  "order.cancelled": ofOrder("Order {orderNo} for {symbol} cancelled"),
  "order.postponed": ofOrder("The market does not accept the order {clientOrderId} for {lots} now; it is retried"),
  "order.quarantined": ofOrder("Order {clientOrderId} for {lots} must be checked at the brokerage"),
  "order.inDoubt": ofOrder("Order {order} is in doubt"),
  "order.settled": ofOrder("An operator settled order {order}: {filled} of it filled"),
  "order.found": ofOrder("Order {order} is known again"),
  "order.replaced": ofOrder("The brokerage replaced an order: it is {order} now"),
  "order.overfilled": ofOrder("Order {order} was filled beyond its quantity"),
  "order.corrected": ofOrder("Order {order} was corrected"),
  "alarm.filledAfterEnd": ofOrder("ALARM: order {order} filled {quantity} lots after its end"),
  "alarm.exitStopped": ofRow("ALARM: {level} was not sold to the last lot"),
  "alarm.quarantined": (event, told) => told.say("ALARM: {what} is stopped", { what: stoppedOf(event, told) }),
  "alarm.released": (event, told) => told.say("{what} continues", { what: stoppedOf(event, told) }),
  "alarm.soldAfterEnd": (event, told) =>
    told.say("ALARM: {filled} {symbol} of {what} were sold after all, by order {orderNo}", {
      filled: fieldOf(event.order, "filledQuantity"),
      symbol: fieldOf(event.order, "symbol"),
      what: stoppedOf(event, told),
      orderNo: fieldOf(event.order, "orderNo"),
    }),
  "alarm.ticksLost": (_, { say }) => say("ALARM: the service missed prices"),
  "alarm.pricesSilent": ({ symbols }, { say }) =>
    say("ALARM: no valid price of {symbols}", {
      symbols: Array.isArray(symbols) ? symbols.join(", ") : say("a symbol"),
    }),
  "trading.stateChanged": ({ state, scope, includingStops }, { say }) => {
    const what =
      scope === "installation"
        ? say("Trading")
        : scope === "user"
          ? say("Trading of your accounts")
          : say("Trading of your account");
    if (state === "active") return say("{what} continues", { what });
    if (state === "reducing") return say("{what} only reduces positions", { what });
    return includingStops === true
      ? say("{what} is halted, stop-losses as well", { what })
      : say("{what} is halted", { what });
  },
  "price.reached": (event, told) => {
    const { symbol, direction, note } = event;
    const price = told.priceText(Number(event.price));
    const values = { symbol: textOf(symbol), price, reached: told.priceText(Number(event.reachedPrice)) };
    const text =
      direction === "atOrBelow"
        ? told.say("{symbol} is at {reached}: at or below {price}", values)
        : told.say("{symbol} is at {reached}: at or above {price}", values);
    return textOf(note) === "" ? text : `${text} (${textOf(note)})`;
  },
  "price.expired": (event, told) => {
    const values = { symbol: textOf(event.symbol), price: told.priceText(Number(event.price)) };
    const text =
      event.direction === "atOrBelow"
        ? told.say("The price alert on {symbol} at or below {price} has ended", values)
        : told.say("The price alert on {symbol} at or above {price} has ended", values);
    return textOf(event.note) === "" ? text : `${text} (${textOf(event.note)})`;
  },
  "limits.changed": ({ accountNumber }, { say }) =>
    say("The limits of account {account} were set", { account: textOf(accountNumber) }),
  "alarm.lossLimit": ({ accountNumber }, { say }) =>
    say("ALARM: account {account} only reduces positions after its loss", { account: textOf(accountNumber) }),
  "ledger.foreignSell": (event, told) =>
    told.say("{quantity} {symbol} were sold elsewhere", {
      quantity: textOf(event.quantity),
      symbol: symbolOf(event, told),
    }),
  "account.flattened": (event, { say }) => {
    const values = { account: textOf(event.accountNumber), count: countOf(event.orders) };
    return hasLeft(event)
      ? say("ALARM: Account {account} was flattened, symbols that are sold: {count}", values)
      : say("Account {account} was flattened, symbols that are sold: {count}", values);
  },
  "oco.restricted": ofSymbol("The measures of {symbol} changed"),
  "oco.unrestricted": ofSymbol("{symbol} is no longer under a measure"),
  "alarm.measure": ofSymbol("ALARM: a measure keeps a sell of {symbol} back"),
  "symbol.held": ofSymbol("ALARM: the levels of {symbol} do not fire"),
  "symbol.released": ofSymbol("The levels of {symbol} fire again"),
  "alarm.clockOff": (_, { say }) => say("ALARM: the service's clock is wrong"),
  "token.familyRevoked": ({ keyId }, { say }) =>
    say("The access of API key {keyId} was revoked", { keyId: textOf(keyId) }),
  price: (event, told) => `${symbolOf(event, told)} ${told.priceText(Number(event.price))}`,
  gap: (_, { say }) => say("Some events are no longer stored and are left out"),
  end: (_, { say }) => say("The stream of events ended"),
};

function isTold(type: string): type is ToldType {
  return Object.hasOwn(SENTENCES, type);
}

/**
 * Whether the event's reason is left out: the event succeeded in spite of an earlier fault, or its sentence contains
 * the reason.
 */
function isToldAlone(type: string): boolean {
  return type === "oco.triggered" || type === "oco.cancelled" || type === "oco.rearmed";
}

function symbolOf(event: ToldEvent, { say }: Told): string {
  return textOf(event.symbol) || rowOf(event)?.symbol || say("a symbol");
}

function levelOf({ symbol, orderType, price }: ToldRow, { say, priceText }: Told): string {
  const values = { symbol, price: priceText(price) };
  return orderType === STOP_LOSS
    ? say("{symbol} stop-loss at {price}", values)
    : say("{symbol} take-profit at {price}", values);
}

/** A text about a group's levels that are under watch, and one for an event without rows. */
function ofLevels(text: string, bare: string): Sentence {
  return (event, { say, priceText }) => {
    const [stopLoss, ...others] = rowsOf(event);
    if (stopLoss === undefined) return say(bare);
    const takeProfits = others.filter(({ status }) => status === ACTIVE).map(({ price }) => priceText(price));
    return say(text, {
      symbol: stopLoss.symbol,
      stopLoss: priceText(stopLoss.price),
      takeProfits: takeProfits.join("; "),
    });
  };
}

function ofRow(text: string): Sentence {
  return (event, told) => {
    const row = rowOf(event);
    const level = row === undefined ? told.say("A level") : levelOf(row, told);
    return told.say(text, { level, until: textOf(event.until) });
  };
}

/** A text about the buy of a pending OCO. `bare`: for one without a number yet. */
function ofSetup(text: string, bare: string = text): Sentence {
  return (event, told) => {
    const symbol = fieldOf(event.row, "symbol");
    const orderNo = fieldOf(event.row, "brokerOrderNo");
    if (orderNo === "") return told.say(bare, { symbol: symbol || told.say("a symbol") });
    const order = told.say("{orderNo} ({symbol})", { orderNo, symbol });
    return told.say(text, { order, symbol });
  };
}

function ofSymbol(text: string): Sentence {
  return (event, told) => told.say(text, { symbol: symbolOf(event, told) });
}

function ofBot(text: string): Sentence {
  return (event, told) => told.say(text, { bot: botOf(event, told), symbol: symbolOf(event, told) });
}

function botOf({ systemId, row }: ToldEvent, { say, names }: Told): string {
  const name = fieldOf(row, "name") || names.get(Number(systemId));
  return name === undefined ? say("Bot {id}", { id: textOf(systemId) }) : say("Bot “{name}”", { name });
}

/** A text about one side of a pair: lots, symbol, and the price of its buy. */
function ofPair(side: "buy" | "sell", text: string): Sentence {
  return (event, told) => {
    const { say, priceText } = told;
    const lots = lotsText(fieldOf(event.row, `${side}Quantity`), symbolOf(event, told), told);
    const buyPrice = fieldOf(event.row, "buyPrice");
    const values = { lots, price: priceText(Number(buyPrice)) };
    const atPrice = side === "buy" ? say("{lots} at {price}", values) : say("{lots}, bought at {price}", values);
    const gain = side === "sell" ? gainOf(event) : undefined;
    if (gain === undefined) return say(text, { bot: botOf(event, told), lots: buyPrice === "" ? lots : atPrice });
    const sale = {
      ...{ bot: botOf(event, told), lots, buyPrice: values.price },
      ...{ sellPrice: priceText(Number(fieldOf(event.row, "sellPrice"))), amount: priceText(Math.abs(gain)) },
    };
    return gain < 0
      ? say("{bot} sold {lots} at {sellPrice}, bought at {buyPrice}: loss {amount}", sale)
      : say("{bot} sold {lots} at {sellPrice}, bought at {buyPrice}: profit {amount}", sale);
  };
}

function lotsText(quantity: string, symbol: string, { say }: Told): string {
  return quantity === "" || symbol === "" ? `${quantity}${symbol}` : say("{quantity} {symbol}", { quantity, symbol });
}

/** The gain of a pair that was sold, to hundredths; below zero for a loss, undefined if a price is not known. */
function gainOf({ type, row }: ToldEvent): number | undefined {
  const [buyPrice, sellPrice, quantity] = ["buyPrice", "sellPrice", "buyQuantity"].map((name) => fieldOf(row, name));
  if (type !== "pair.sold" || !buyPrice || !sellPrice || !quantity) return undefined;
  return Math.round((Number(sellPrice) - Number(buyPrice)) * Number(quantity) * 100) / 100;
}

function ofOrder(text: string): Sentence {
  return ({ order, quantity }, told) => {
    const { say } = told;
    const side = fieldOf(order, "buySell");
    const [symbol, orderNo, filled] = [
      fieldOf(order, "symbol"),
      fieldOf(order, "orderNo"),
      fieldOf(order, "filledQuantity"),
    ];
    const lots = lotsText(fieldOf(order, "quantity"), symbol, told);
    const values = { orderNo, filled, lots };
    return say(text, {
      ...{ ...values, symbol, clientOrderId: fieldOf(order, "clientOrderId"), quantity: textOf(quantity) },
      sideOrder: side === "1" ? say("Buy order") : side === "2" ? say("Sell order") : say("An order"),
      order:
        side === "1"
          ? say("{orderNo} (buy, {filled} of {lots} filled)", values)
          : side === "2"
            ? say("{orderNo} (sell, {filled} of {lots} filled)", values)
            : say("{orderNo} ({filled} of {lots} filled)", values),
    });
  };
}

function stoppedOf(event: ToldEvent, told: Told): string {
  const { groupId, setupId, systemId, orderId, familyId, alertId } = event;
  if (groupId !== undefined) return told.say("OCO group {id}", { id: textOf(groupId) });
  if (setupId !== undefined) return told.say("Pending OCO {id}", { id: textOf(setupId) });
  if (systemId !== undefined) return botOf(event, told);
  if (orderId !== undefined) return told.say("An order of yours");
  if (alertId !== undefined) return told.say("Price alert {id}", { id: textOf(alertId) });
  return familyId === undefined ? told.say("Something of yours") : told.say("A sign-in");
}

/** `pair.buyFailed` as "Pair buy failed". */
function sentenceOf(type: string): string {
  const words = type.replaceAll(".", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Events that report a loss, or that need an owner's attention. */
const BAD =
  /(Failed|refused|unprotected|quarantined|Incomplete|Uncertain|unmatched|revoked|ticksLost|clockOff|pricesSilent|soldAfterEnd|filledAfterEnd|inDoubt|exitStopped|overfilled|corrected|gap)$/i;

/**
 * How much an event matters to a trader. A stop-loss that fired is a loss taken, and not good news. A pair that was sold
 * is as good as its gain. Orders that were placed or bought are neither.
 */
export function weightOf(event: ToldEvent): "bad" | "good" | "plain" {
  const { type } = event;
  if (type === "oco.triggered" && rowOf(event)?.orderType === STOP_LOSS) return "bad";
  if (BAD.test(type) || hasLeft(event)) return "bad";
  const gain = gainOf(event) ?? 0;
  if (gain !== 0) return gain < 0 ? "bad" : "good";
  return /(triggered|converted|released)$/.test(type) ? "good" : "plain";
}
