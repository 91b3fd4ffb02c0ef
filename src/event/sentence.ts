/**
 * Events as sentences for whoever trades, in the dashboard and at a terminal. (The log tells the same with all numbers:
 * `src/contract/event/event-words.ts`.)
 *
 * Invariant: whatever an event lacks, it has a sentence; a type without words of its own is told by its name.
 */

/** An event as a stream brings it: its fields are what its type says, and are read as if they might not. */
export interface ToldEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What is told of a row. */
interface ToldRow {
  readonly id: number;
  readonly groupId: number;
  readonly accountNumber: string;
  readonly symbol: string;
  readonly orderType: 1 | 2;
  readonly quantity: number;
  readonly price: number;
  readonly triggeredPrice: number | null;
  readonly triggerErrorMessage: string | null;
}

const STOP_LOSS = 2;

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

/** The row that an event is about, where it is about one. */
function rowOf(event: ToldEvent): ToldRow | undefined {
  return isRow(event.row) ? event.row : undefined;
}

/** The rows of an event that tells of a whole group. */
export function rowsOf(event: ToldEvent): readonly ToldRow[] {
  const rows = Array.isArray(event.rows) ? event.rows.filter(isRow) : [];
  const row = rowOf(event);
  return row === undefined ? rows : [...rows, row];
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function fieldOf(value: unknown, field: string): string {
  return typeof value === "object" && value !== null && field in value ? textOf(Reflect.get(value, field)) : "";
}

/** An event as a sentence. */
export function eventSentence(event: ToldEvent): string {
  const row = rowOf(event);
  const order = event.order;
  const symbol = row?.symbol ?? textOf(event.symbol) ?? "";
  const why = textOf(event.message) || textOf(event.reason);
  switch (event.type) {
    case "price":
      return `${symbol} ${priceText(Number(event.price))}`;
    case "oco.created":
      return `${rowsOf(event)[0]?.symbol ?? "A"} group is under watch`;
    case "oco.triggered":
      return row === undefined
        ? "A level was reached"
        : `${symbol} ${rowName(row).toLowerCase()} at ${priceText(row.price)} fired at ${priceText(row.triggeredPrice)}: market order to sell ${quantityText(row.quantity)} placed`;
    case "oco.triggerFailed":
      return row === undefined
        ? "A sell failed"
        : `${symbol} ${rowName(row).toLowerCase()} at ${priceText(row.price)} was reached and could not be sold: ${why || (row.triggerErrorMessage ?? "")}`;
    case "oco.sellIncomplete":
      return `${symbol} was sold only in part: ${why || (row?.triggerErrorMessage ?? "")}`;
    case "oco.cancelled":
      return row === undefined
        ? "A row was cancelled"
        : `${symbol} ${rowName(row).toLowerCase()} at ${priceText(row.price)} is no longer watched`;
    case "setup.registered":
      return `A pending OCO waits for order ${fieldOf(event.row, "brokerOrderNo")} (${fieldOf(event.row, "symbol")})`;
    case "setup.converted":
      return `Order ${fieldOf(event.row, "brokerOrderNo")} filled: its OCO group is under watch`;
    case "setup.conversionFailed":
      return `Order ${fieldOf(event.row, "brokerOrderNo")} filled, but no group was made: ${why}`;
    case "setup.removed":
      return `The pending OCO of order ${fieldOf(event.row, "brokerOrderNo")} is gone`;
    case "order.placed":
      return `Order ${fieldOf(order, "orderNo")} placed: ${fieldOf(order, "quantity")} ${fieldOf(order, "symbol")}`;
    case "order.cancelled":
      return `Order ${fieldOf(order, "orderNo")} for ${fieldOf(order, "symbol")} cancelled`;
    case "order.refused":
      return `Order for ${fieldOf(order, "symbol")} refused: ${why}`;
    case "order.quarantined":
      return `Order ${fieldOf(order, "clientOrderId")} for ${fieldOf(order, "symbol")} needs a person: ${why}`;
    default:
      return [sentenceOf(event.type), symbol, why].filter((part) => part !== "").join(" · ");
  }
}

/** `pair.buyFailed` as "Pair buy failed". */
function sentenceOf(type: string): string {
  const words = type.replaceAll(".", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** How much an event matters to whoever trades. */
export function weightOf(type: string): "bad" | "good" | "plain" {
  if (/(Failed|refused|quarantined|Incomplete|unmatched|revoked)$/i.test(type)) return "bad";
  return /(triggered|converted|sold|bought|placed)$/.test(type) ? "good" : "plain";
}
