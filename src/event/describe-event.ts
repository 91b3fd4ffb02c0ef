/**
 * Events as sentences for traders, in the dashboard and at a terminal. (The log contains the same with all numbers:
 * `src/contract/event/event-words.ts`.)
 *
 * Invariant: every type has a sentence of its own, also if fields of the event are missing; a type of a newer service
 * is shown by its name.
 */
import type { EventType, STREAM_EVENTS } from "../contract/event/event.ts";
import { placedWord } from "../domain/order/order.ts";

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

const priceFormat = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const quantityFormat = new Intl.NumberFormat("en-US");

export function priceText(price: number | null | undefined): string {
  return price === null || price === undefined ? "–" : priceFormat.format(price);
}

export function quantityText(quantity: number): string {
  return quantityFormat.format(quantity);
}

export function rowName(row: Pick<ToldRow, "orderType">): string {
  return row.orderType === STOP_LOSS ? "Stop-loss" : "Take-profit";
}

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

/** An event as a sentence. */
export function eventSentence(event: ToldEvent, names: BotNames = new Map()): string {
  const why = textOf(event.message) || textOf(event.reason) || textOf(rowOf(event)?.triggerErrorMessage);
  const sentence = isTold(event.type) ? SENTENCES[event.type](event, names) : sentenceOf(event.type);
  return why === "" || isToldAlone(event.type) ? sentence : `${sentence}: ${why}`;
}

/** The types of a stream: stored events and the stream's own. */
type ToldType = EventType | keyof typeof STREAM_EVENTS;
type Sentence = (event: ToldEvent, names: BotNames) => string;

/** A sentence for each type, without the reason that follows it if the event has one. */
const SENTENCES: Readonly<Record<ToldType, Sentence>> = {
  "oco.created": (event) => ofLevels(event, "is under watch"),
  "oco.changed": (event) => ofLevels(event, "was changed"),
  "oco.triggered": (event) => {
    const row = rowOf(event);
    if (row === undefined) return "A level was reached";
    const order = ["market order", textOf(event.clientOrderId)].filter((part) => part !== "").join(" ");
    const cause = row.triggeredPrice === null ? "" : ` at ${priceText(row.triggeredPrice)}`;
    return `${levelOf(row)} fired${cause}: ${order} to sell ${quantityText(row.quantity)} placed`;
  },
  "oco.triggerFailed": (event) => ofRow(event, "was reached and could not be sold"),
  "oco.cancelled": (event) => ofRow(event, "is no longer watched"),
  "oco.trailingActivated": (event) => ofRow(event, "follows the price from now on"),
  "oco.stopRaised": (event) => ofRow(event, "was raised, as the price rose"),
  "oco.trailingUncertain": (event) => ofRow(event, "stays where it is, as prices were lost"),
  "oco.rearmed": (event) => ofRow(event, "is watched again"),
  "oco.reduced": (event) => `${ofRow(event, "sells less")}: its stop-loss sold lots after its end`,
  "oco.sentReduced": (event) => ofRow(event, "was refused and sent once more with what the take-profits left"),
  "oco.exitContinues": (event) => ofRow(event, "is being sold with further orders"),
  "oco.exitCompleted": (event) => ofRow(event, "is sold to the last lot"),
  "oco.exitStopped": (event) => ofRow(event, "is not sold any further"),
  "oco.lateFill": (event) => ofRow(event, "is sold with lots that were bought after it had fired"),
  "oco.waitsForSession": (event) => ofRow(event, `waits for the market to open at ${textOf(event.until)}`),
  "oco.sellIncomplete": (event) => ofRow(event, "was sold only in part"),
  "setup.registered": (event) => `A pending OCO waits for order ${setupOrder(event)}`,
  "setup.changed": (event) => `The pending OCO of order ${setupOrder(event)} was changed`,
  "setup.converted": (event) => `Order ${setupOrder(event)} filled: its OCO group is under watch`,
  "setup.unprotected": (event) => `A part of order ${setupOrder(event)} is filled and not protected yet`,
  "setup.triggered": (event) =>
    `The price reached the trigger of the entry of ${fieldOf(event.row, "symbol")}: its buy is sent`,
  "setup.cancelRefused": (event) => `The buy of the entry of ${fieldOf(event.row, "symbol")} could not be cancelled`,
  "setup.conversionFailed": (event) => `Order ${setupOrder(event)} filled, but no group was made`,
  "setup.orderLost": (event) => `The brokerage does not know order ${setupOrder(event)} of a pending OCO any more`,
  "setup.orderFound": (event) => `The brokerage knows order ${setupOrder(event)} again`,
  "setup.entryRefused": (event) => `The entry of ${fieldOf(event.row, "symbol")} was refused: nothing was bought`,
  "setup.removed": (event) =>
    event.isPartFilled === true
      ? `The pending OCO of order ${setupOrder(event)} is gone, and what was bought has no group`
      : `The pending OCO of order ${setupOrder(event)} ${event.isByOwner === true ? "was removed" : "is gone: nothing was bought"}`,
  "bot.created": (event, names) => `${botOf(event, names)} was made`,
  "bot.updated": (event, names) =>
    `${botOf(event, names)} was changed${fieldOf(event.row, "isActive") === "false" ? " and is switched off" : ""}`,
  "bot.removed": (event, names) => `${botOf(event, names)} was ended`,
  "bot.secretRotated": (event, names) =>
    `${botOf(event, names)} has a new address for its signals; the old one is dead`,
  "pair.leftOut": (event, names) =>
    `${botOf(event, names)} still has an open pair of ${symbolOf(event)} that its details leave out`,
  "pair.bought": (event, names) => `${botOf(event, names)} bought ${legOf(event, "buy")}`,
  "pair.buyFailed": (event, names) => `${botOf(event, names)} could not buy ${legOf(event, "buy")}`,
  "pair.sold": (event, names) => `${botOf(event, names)} sold ${legOf(event, "sell")}`,
  "pair.sellFailed": (event, names) =>
    `${botOf(event, names)} could not sell ${legOf(event, "sell")}; the pair stays open`,
  "signal.ignored": (event, names) => `A signal for ${symbolOf(event)} to ${botOf(event, names)} ordered nothing`,
  "signal.deferred": (event, names) =>
    `A sell signal for ${symbolOf(event)} to ${botOf(event, names)} waits until the pair's buy is completed`,
  "signal.unmatched": (event, names) => `A signal for ${symbolOf(event)} fits no detail of ${botOf(event, names)}`,
  "signal.rejected": (event, names) => `A request to ${botOf(event, names)} is not a signal: nothing was ordered`,
  "order.placed": ({ order }) =>
    `${sideOf(order)} order ${fieldOf(order, "orderNo")} ${placedWord(Number(fieldOf(order, "orderStatus")))}: ${lotsOf(order)}`,
  "order.refused": ({ order }) => `${sideOf(order)} order refused: ${lotsOf(order)}`,
  "order.cancelled": ({ order }) => `Order ${fieldOf(order, "orderNo")} for ${fieldOf(order, "symbol")} cancelled`,
  "order.postponed": ({ order }) =>
    `The market does not take the order ${fieldOf(order, "clientOrderId")} for ${lotsOf(order)} now; it is tried again`,
  "order.quarantined": ({ order }) =>
    `Order ${fieldOf(order, "clientOrderId")} for ${lotsOf(order)} needs a person: look at the brokerage`,
  "order.inDoubt": ({ order }) => `Order ${reportedOf(order)} is in doubt`,
  "order.settled": ({ order }) =>
    `An operator settled order ${reportedOf(order)}: ${fieldOf(order, "filledQuantity")} of it filled`,
  "order.found": ({ order }) => `Order ${reportedOf(order)} is known again`,
  "order.replaced": ({ order }) => `The brokerage replaced an order: it is ${reportedOf(order)} now`,
  "order.overfilled": ({ order }) => `Order ${reportedOf(order)} was filled beyond its quantity`,
  "order.corrected": ({ order }) => `Order ${reportedOf(order)} was corrected`,
  "alarm.filledAfterEnd": ({ order, quantity }) =>
    `ALARM: ${textOf(quantity)} lots of order ${reportedOf(order)} were filled after its end`,
  "alarm.exitStopped": (event) => `ALARM: ${ofRow(event, "was not sold to the last lot")}`,
  "alarm.quarantined": (event, names) => `ALARM: ${stoppedOf(event, names)} is stopped`,
  "alarm.released": (event, names) => `${stoppedOf(event, names)} continues`,
  "alarm.soldAfterEnd": (event, names) =>
    `ALARM: ${fieldOf(event.order, "filledQuantity")} ${fieldOf(event.order, "symbol")} of ${stoppedOf(event, names)} were sold after all, by order ${fieldOf(event.order, "orderNo")}`,
  "alarm.ticksLost": () => "ALARM: prices did not reach the service",
  "alarm.pricesSilent": ({ symbols }) =>
    `ALARM: no price counts of ${Array.isArray(symbols) ? symbols.join(", ") : "a symbol"}`,
  "trading.stateChanged": ({ state, scope, includingStops }) => {
    const whose = scope === "installation" ? "Trading" : `Trading of your ${scope === "user" ? "accounts" : "account"}`;
    if (state === "active") return `${whose} continues`;
    if (state === "reducing") return `${whose} only reduces positions`;
    return `${whose} is halted${includingStops === true ? ", stop-losses as well" : ""}`;
  },
  "account.flattened": (event) => {
    const sold = `Account ${textOf(event.accountNumber)} was flattened, symbols that are sold: ${countOf(event.orders)}`;
    return hasLeft(event) ? `ALARM: ${sold}` : sold;
  },
  "oco.restricted": (event) => `The measures of ${symbolOf(event)} changed`,
  "oco.unrestricted": (event) => `${symbolOf(event)} is under no measure any more`,
  "alarm.measure": (event) => `ALARM: a measure keeps a sell of ${symbolOf(event)} back`,
  "symbol.held": (event) => `ALARM: the levels of ${symbolOf(event)} do not fire`,
  "symbol.released": (event) => `The levels of ${symbolOf(event)} fire again`,
  "alarm.clockOff": () => "ALARM: the service's clock is wrong",
  "token.familyRevoked": ({ keyId }) => `Access of API key ${textOf(keyId)} was ended`,
  price: (event) => `${symbolOf(event)} ${priceText(Number(event.price))}`,
  gap: () => "Some events are no longer stored and are left out",
  end: () => "The stream of events ended",
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

function symbolOf(event: ToldEvent): string {
  return textOf(event.symbol) || rowOf(event)?.symbol || "a symbol";
}

function levelOf(row: ToldRow): string {
  return `${row.symbol} ${rowName(row).toLowerCase()} at ${priceText(row.price)}`;
}

/** The levels of a group that are under watch. */
function ofLevels(event: ToldEvent, what: string): string {
  const [stopLoss, ...others] = rowsOf(event);
  if (stopLoss === undefined) return `A group ${what}`;
  const takeProfits = others.filter(({ status }) => status === ACTIVE);
  const levels = takeProfits.map(({ price }) => priceText(price)).join(", ");
  return `${stopLoss.symbol} group ${what}: stop-loss ${priceText(stopLoss.price)}, take-profit ${levels}`;
}

function ofRow(event: ToldEvent, what: string): string {
  const row = rowOf(event);
  return `${row === undefined ? "A level" : levelOf(row)} ${what}`;
}

function setupOrder({ row }: ToldEvent): string {
  return `${fieldOf(row, "brokerOrderNo") ?? "without a number yet"} (${fieldOf(row, "symbol")})`;
}

function botOf({ systemId, row }: ToldEvent, names: BotNames): string {
  const name = fieldOf(row, "name") || names.get(Number(systemId));
  return name === undefined ? `Bot ${textOf(systemId)}` : `Bot “${name}”`;
}

/** One side of a pair: lots, symbol, and the price of its buy. */
function legOf(event: ToldEvent, side: "buy" | "sell"): string {
  const lots = [fieldOf(event.row, `${side}Quantity`), symbolOf(event)].filter((part) => part !== "").join(" ");
  const price = fieldOf(event.row, "buyPrice");
  return price === "" ? lots : `${lots}${side === "buy" ? "" : ", bought"} at ${priceText(Number(price))}`;
}

function sideOf(order: unknown): string {
  const side = fieldOf(order, "buySell");
  return side === "1" ? "Buy" : side === "2" ? "Sell" : "An";
}

function lotsOf(order: unknown): string {
  return `${fieldOf(order, "quantity")} ${fieldOf(order, "symbol")}`;
}

/** `sell N1, 40 of 100 THYAO filled`. */
function reportedOf(order: unknown): string {
  const filled = `${fieldOf(order, "filledQuantity")} of ${lotsOf(order)} filled`;
  return `${fieldOf(order, "orderNo")} (${sideOf(order).toLowerCase()}, ${filled})`;
}

function stoppedOf(event: ToldEvent, names: BotNames): string {
  const { groupId, setupId, systemId, orderId, familyId } = event;
  if (groupId !== undefined) return `OCO group ${textOf(groupId)}`;
  if (setupId !== undefined) return `Pending OCO ${textOf(setupId)}`;
  if (systemId !== undefined) return botOf(event, names);
  if (orderId !== undefined) return "An order of yours";
  return familyId === undefined ? "Something of yours" : "A sign-in";
}

/** `pair.buyFailed` as "Pair buy failed". */
function sentenceOf(type: string): string {
  const words = type.replaceAll(".", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Events that report a loss, or that need an owner's attention. */
const BAD =
  /(Failed|refused|unprotected|quarantined|Incomplete|Uncertain|unmatched|revoked|ticksLost|clockOff|pricesSilent|soldAfterEnd|filledAfterEnd|inDoubt|exitStopped|overfilled|corrected|gap)$/i;

/** How much an event matters to a trader. A stop-loss that fired is a loss taken, and not good news. */
export function weightOf(event: ToldEvent): "bad" | "good" | "plain" {
  const { type } = event;
  if (type === "oco.triggered" && rowOf(event)?.orderType === STOP_LOSS) return "bad";
  if (BAD.test(type) || hasLeft(event)) return "bad";
  return /(triggered|converted|sold|bought|placed|released)$/.test(type) ? "good" : "plain";
}
