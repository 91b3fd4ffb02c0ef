/**
 * The levels of a group in the making, and the rules that they keep: the same functions that the service uses.
 */

import { formatPrice, parsePrice } from "../../../../src/domain/price/price.ts";
import { QUANTITY_MAX, QUANTITY_MIN } from "../../../../src/domain/price/quantity.ts";
import {
  nextDown,
  nextUp,
  parseGridPrice,
  roundToGrid,
  type TickTable,
} from "../../../../src/domain/price/tick-table.ts";
import type { Holding } from "../state/model.ts";

export interface DraftTakeProfit {
  readonly key: number;
  readonly price: string;
  readonly quantity: string;
}

export interface Draft {
  readonly symbol: string;
  readonly stopLossPrice: string;
  readonly stopLossQuantity: string;
  readonly takeProfits: readonly DraftTakeProfit[];
  readonly dueDate: string;
  readonly notes: string;
}

/** A message for each field that breaks a rule. */
type DraftFaults = Readonly<Record<string, string>>;

const STOP_DISTANCE = 0.03;
const PROFIT_DISTANCE = 0.05;
const NOTES_MAX = 500;

/** The nearest price of the tick table; undefined where there is none. */
export function snap(price: number, table: TickTable): number | undefined {
  if (!(price > 0)) return undefined;
  const snapped = roundToGrid({ numerator: BigInt(Math.round(price * 1e6)), denominator: 10_000n }, "down", table);
  return snapped === undefined ? undefined : snapped / 100;
}

/** The next price of the tick table in a direction, as text; the text itself where there is none. */
export function stepPrice(text: string, direction: "up" | "down", table: TickTable): string {
  const read = parsePrice(Number(text), "price");
  if (!read.ok) return text;
  const next = direction === "up" ? nextUp(read.value, table) : nextDown(read.value, table);
  return next === undefined ? text : formatPrice(next);
}

export const emptyDraft: Draft = {
  symbol: "",
  stopLossPrice: "",
  stopLossQuantity: "",
  takeProfits: [{ key: 1, price: "", quantity: "" }],
  dueDate: "",
  notes: "",
};

/** A draft that protects lots of a position: all of them by the stop-loss, and by one take-profit. */
export function draftOf({ symbol, quantity }: Holding): Draft {
  const lots = String(quantity);
  return { ...emptyDraft, symbol, stopLossQuantity: lots, takeProfits: [{ key: 1, price: "", quantity: lots }] };
}

/** A draft with levels around a price, to be changed: 3 % under it and 5 % over it. */
export function proposeLevels(draft: Draft, price: number, table: TickTable): Draft {
  const textOf = (level: number): string => String(snap(level, table) ?? "");
  return {
    ...draft,
    stopLossPrice: textOf(price * (1 - STOP_DISTANCE)),
    takeProfits: draft.takeProfits.map((item) => ({ ...item, price: textOf(price * (1 + PROFIT_DISTANCE)) })),
  };
}

/** Checks a draft as the service will; `table` is that of its symbol. */
export function findFaults(draft: Draft, table: TickTable): DraftFaults {
  const faults: Record<string, string> = {};
  const check = (field: string, text: string): number | undefined => {
    const read = text.trim() === "" ? undefined : parseGridPrice(Number(text), "The price", table);
    if (read === undefined) faults[field] = "Give a price.";
    else if (!read.ok) faults[field] = `${read.message}.`;
    return read?.ok === true ? read.value : undefined;
  };
  if (!/^[A-Z0-9_]{1,16}$/.test(draft.symbol)) faults.symbol = "Choose a symbol.";
  const stop = check("stopLossPrice", draft.stopLossPrice);
  checkQuantity(faults, "stopLossQuantity", draft.stopLossQuantity);
  for (const { key, price, quantity } of draft.takeProfits) {
    const level = check(`price${key}`, price);
    if (stop !== undefined && level !== undefined && level <= stop)
      faults[`price${key}`] = "Must be above the stop-loss.";
    checkQuantity(faults, `quantity${key}`, quantity);
  }
  const total = draft.takeProfits.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  if (total > Number(draft.stopLossQuantity) && faults.stopLossQuantity === undefined) {
    faults.stopLossQuantity = `The take-profits sell ${total} together: more than this.`;
  }
  if (draft.dueDate !== "" && !(new Date(draft.dueDate).getTime() > Date.now()))
    faults.dueDate = "Must be in the future.";
  if ([...draft.notes].length > NOTES_MAX) faults.notes = `At most ${NOTES_MAX} characters.`;
  return faults;
}

function checkQuantity(faults: Record<string, string>, field: string, text: string): void {
  const quantity = Number(text);
  if (!(Number.isInteger(quantity) && quantity >= QUANTITY_MIN && quantity <= QUANTITY_MAX))
    faults[field] = "Whole lots, 1 or more.";
}

/** Levels that the last price has reached already: they sell as soon as the group is made. */
export function findReached(draft: Draft, price: number | undefined): readonly string[] {
  if (price === undefined) return [];
  const stop = Number(draft.stopLossPrice);
  return [
    ...(draft.stopLossPrice !== "" && price <= stop ? [`the stop-loss at ${draft.stopLossPrice}`] : []),
    ...draft.takeProfits
      .filter((item) => item.price !== "" && price >= Number(item.price))
      .map((item) => `the take-profit at ${item.price}`),
  ];
}

/** The body that creates the group. */
export function bodyOf(draft: Draft, brokerageCode: string, accountNumber: string): object {
  return {
    brokerageCode,
    accountNumber,
    symbol: draft.symbol,
    stopLossPrice: Number(draft.stopLossPrice),
    stopLossQuantity: Number(draft.stopLossQuantity),
    takeProfitItems: draft.takeProfits.map(({ price, quantity }) => ({
      price: Number(price),
      quantity: Number(quantity),
    })),
    ...(draft.dueDate === "" ? {} : { dueDate: new Date(draft.dueDate).toISOString() }),
    ...(draft.notes === "" ? {} : { notes: draft.notes }),
  };
}
