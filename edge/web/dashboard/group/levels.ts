/**
 * The levels of a group in the making, and the rules that they keep: the same functions that the service uses.
 */

import {
  type PercentKind,
  parsePercent,
  STOP_LOSS_PERCENT_LIMIT,
  TAKE_PROFIT_PERCENT_MAX,
} from "../../../../src/domain/price/percent.ts";
import { PRICE_MAX, PRICE_MIN, parsePrice } from "../../../../src/domain/price/price.ts";
import { QUANTITY_MAX, QUANTITY_MIN } from "../../../../src/domain/price/quantity.ts";
import {
  incrementAt,
  isOnGrid,
  nextDown,
  nextUp,
  roundToGrid,
  type TickTable,
} from "../../../../src/domain/price/tick-table.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { numberRule, readNumber, typedPrice, typedText } from "../part/number-text.ts";
import { quantityText } from "../part/words.ts";
import type { Holding } from "../state/model.ts";
import { type Faults, findTermsFaults, NO_TERMS, placeTermsRefusal, type TermsDraft, termsBody } from "./terms.ts";

/** Lots of one take-profit among several. */
export interface DraftLots {
  readonly key: number;
  readonly quantity: string;
}

interface DraftTakeProfit extends DraftLots {
  readonly price: string;
}

export interface Draft extends TermsDraft {
  readonly symbol: string;
  readonly stopLossPrice: string;
  readonly stopLossQuantity: string;
  readonly takeProfits: readonly DraftTakeProfit[];
  /** The prices that were put in by themselves, for this symbol. */
  readonly proposed: readonly string[];
  /** False: the lots are empty, or were put in by themselves for this symbol. */
  readonly areLotsTyped: boolean;
}

const STOP_DISTANCE = 0.03;
const PROFIT_DISTANCE = 0.05;
/** No tick table has finer steps. */
const PRICE_DECIMALS_MAX = 2;
export const PERCENT_DECIMALS_MAX = 4;

/** Reads a typed price; undefined if the text is not a price. */
export function readPrice(text: string): number | undefined {
  return readNumber(text, PRICE_DECIMALS_MAX);
}

/** A level that was typed, on the tick table; or the rule that it breaks. */
export function readLevel(text: string, table: TickTable): number | { readonly fault: string } {
  const price = readPrice(text);
  if (price === undefined) return { fault: text.trim() === "" ? say("Give a price.") : numberRule(PRICE_DECIMALS_MAX) };
  const read = parsePrice(price, "price");
  if (read.ok && isOnGrid(read.value, table)) return price;
  const given = typedText(price);
  if (!read.ok)
    return {
      fault: say("The price {price} is not a price from {least} to {most}.", {
        ...{ price: given, least: typedText(PRICE_MIN / 100), most: typedText(PRICE_MAX / 100) },
      }),
    };
  const step = typedText(incrementAt(read.value, table) / 100);
  return { fault: say("The price {price} is not a multiple of {step}.", { price: given, step }) };
}

/** A percent that was typed; or the rule that it breaks. */
export function readPercent(text: string, kind: PercentKind): number | { readonly fault: string } {
  const percent = readNumber(text, PERCENT_DECIMALS_MAX);
  if (percent === undefined) return { fault: numberRule(PERCENT_DECIMALS_MAX) };
  if (parsePercent(percent, "percent", kind).ok) return percent;
  const given = typedText(percent);
  if (percent <= 0) return { fault: say("The percent {percent} is not a percent greater than 0.", { percent: given }) };
  const fault =
    kind === "stopLoss"
      ? say("The percent {percent} is not below {limit}.", { percent: given, limit: STOP_LOSS_PERCENT_LIMIT })
      : say("The percent {percent} is over {limit}.", { percent: given, limit: TAKE_PROFIT_PERCENT_MAX });
  return { fault };
}

/** The nearest price of the tick table; undefined if none exists. */
export function snap(price: number, table: TickTable): number | undefined {
  if (!(price > 0)) return undefined;
  const snapped = roundToGrid({ numerator: BigInt(Math.round(price * 1e6)), denominator: 10_000n }, "down", table);
  return snapped === undefined ? undefined : snapped / 100;
}

/** The next price of the tick table in a direction, as text; the text itself if none exists. */
export function stepPrice(text: string, direction: "up" | "down", table: TickTable): string {
  const read = parsePrice(readPrice(text) ?? 0, "price");
  if (!read.ok) return text;
  const next = direction === "up" ? nextUp(read.value, table) : nextDown(read.value, table);
  return next === undefined ? text : typedPrice(next / 100);
}

export const emptyDraft: Draft = {
  symbol: "",
  stopLossPrice: "",
  stopLossQuantity: "",
  takeProfits: [{ key: 1, price: "", quantity: "" }],
  ...NO_TERMS,
  ...{ proposed: [], areLotsTyped: false },
};

/** A draft that protects lots of a position: all of them by the stop-loss, and by one take-profit. Zero: no lots yet. */
export function draftOf({ symbol, quantity }: Holding): Draft {
  const lots = quantity > 0 ? String(quantity) : "";
  const takeProfits = [{ key: 1, price: "", quantity: lots }];
  return { ...emptyDraft, symbol, stopLossQuantity: lots, takeProfits, areLotsTyped: true };
}

/** A draft with levels around a price, to be changed: 3 % under it and 5 % over it. */
export function proposeLevels(draft: Draft, price: number, table: TickTable): Draft {
  const textOf = (level: number): string => {
    const snapped = snap(level, table);
    return snapped === undefined ? "" : typedPrice(snapped);
  };
  const stop = textOf(price * (1 - STOP_DISTANCE));
  const profit = textOf(price * (1 + PROFIT_DISTANCE));
  return {
    ...draft,
    stopLossPrice: stop,
    takeProfits: draft.takeProfits.map((item) => ({ ...item, price: profit })),
    proposed: [stop, profit],
  };
}

/** The draft for so many lots: of the stop-loss, and of the take-profit if it is the only one. */
export function withLots(draft: Draft, lots: number): Draft {
  return { ...withAllLots(draft, String(lots)), areLotsTyped: true };
}

function withAllLots(draft: Draft, quantity: string): Draft {
  const { takeProfits } = draft;
  const items = takeProfits.length === 1 ? takeProfits.map((item) => ({ ...item, quantity })) : takeProfits;
  return { ...draft, stopLossQuantity: quantity, takeProfits: items };
}

/** The draft with all lots that can be protected, unless lots were typed. */
export function proposeLots(draft: Draft, lots: number): Draft {
  return draft.areLotsTyped ? draft : withAllLots(draft, lots > 0 ? String(lots) : "");
}

/** The draft with typed lots of the stop-loss. A single take-profit that sells all lots continues to do so. */
export function withTypedLots(draft: Draft, quantity: string): Draft {
  const [first] = draft.takeProfits;
  const follows = first?.quantity === draft.stopLossQuantity;
  return { ...(follows ? withAllLots(draft, quantity) : draft), stopLossQuantity: quantity, areLotsTyped: true };
}

/** The draft with changed take-profits. */
export function withTakeProfits(draft: Draft, takeProfits: Draft["takeProfits"]): Draft {
  const lotsOf = (items: Draft["takeProfits"]): string => items.map(({ quantity }) => quantity).join();
  const areLotsTyped = draft.areLotsTyped || lotsOf(takeProfits) !== lotsOf(draft.takeProfits);
  return { ...draft, takeProfits, areLotsTyped };
}

/** The draft for another symbol: what was proposed for the former one is taken back, what was typed remains. */
export function withSymbol(draft: Draft, symbol: string): Draft {
  if (symbol === draft.symbol) return draft;
  const kept = (price: string): string => (draft.proposed.includes(price) ? "" : price);
  const lotsOf = (quantity: string): string => (draft.areLotsTyped ? quantity : "");
  const stopLossQuantity = lotsOf(draft.stopLossQuantity);
  const takeProfits = draft.takeProfits.map((item) => {
    return { ...item, price: kept(item.price), quantity: lotsOf(item.quantity) };
  });
  const areLotsTyped = [stopLossQuantity, ...takeProfits.map(({ quantity }) => quantity)].some((text) => text !== "");
  return {
    ...{ ...draft, symbol, stopLossPrice: kept(draft.stopLossPrice), stopLossQuantity },
    ...{ takeProfits, proposed: [], areLotsTyped },
  };
}

/** Checks a draft as the service will; `table` is its symbol's. */
export function findFaults(draft: Draft, table: TickTable): Faults {
  const isSymbol = /^[A-Z0-9_]{1,16}$/.test(draft.symbol);
  return {
    ...(isSymbol ? {} : { symbol: say("Choose a symbol.") }),
    ...findLevelFaults(draft, table),
    ...findTermsFaults(draft, table),
  };
}

/** The levels and lots of a draft. */
export type DraftLevels = Pick<Draft, "stopLossPrice" | "stopLossQuantity" | "takeProfits">;

/**
 * The faults of levels and lots, by field: `stopLossPrice`, `stopLossQuantity`, and `price` or `quantity` with the key of
 * a take-profit. `kept`: the fields of prices that remain valid on another tick table too.
 */
export function findLevelFaults(draft: DraftLevels, table: TickTable, kept: ReadonlySet<string> = new Set()): Faults {
  const faults: Record<string, string> = {};
  const check = (field: string, text: string): number | undefined => {
    const read = kept.has(field) ? readPrice(text) : readLevel(text, table);
    if (typeof read !== "object") return read;
    faults[field] = read.fault;
    return undefined;
  };
  const stop = check("stopLossPrice", draft.stopLossPrice);
  const lots = checkQuantity(faults, "stopLossQuantity", draft.stopLossQuantity);
  let total = 0;
  for (const { key, price, quantity } of draft.takeProfits) {
    const level = check(`price${key}`, price);
    if (stop !== undefined && level !== undefined && level <= stop)
      faults[`price${key}`] = say("Must be above the stop-loss.");
    total += checkQuantity(faults, `quantity${key}`, quantity) ?? 0;
  }
  if (lots !== undefined && total > lots) faults.stopLossQuantity = tooManyText(total);
  return faults;
}

/** The fault of lots if the take-profits sell more of them. */
export function tooManyText(total: number): string {
  return say("The take-profits sell {total} together: more than this.", { total });
}

/** Reads typed lots; if the text is not a number of lots, puts the broken rule at the field. */
export function checkQuantity(faults: Record<string, string>, field: string, text: string): number | undefined {
  const quantity = readNumber(text, 0);
  if (quantity !== undefined && quantity >= QUANTITY_MIN && quantity <= QUANTITY_MAX) return quantity;
  faults[field] = say("Whole lots, 1 or more.");
  return undefined;
}

/** A level that the last price has reached already: its lots are sold as soon as the group is made. */
export interface ReachedLevel {
  readonly kind: PercentKind;
  readonly price: number;
  readonly quantity: number | undefined;
}

export function findReached(draft: DraftLevels, price: number | undefined): readonly ReachedLevel[] {
  if (price === undefined) return [];
  const reachedOf = (kind: PercentKind, level: string, lots: string, isReached: (read: number) => boolean) => {
    const read = readPrice(level);
    return read !== undefined && isReached(read) ? [{ kind, price: read, quantity: readNumber(lots, 0) }] : [];
  };
  return [
    ...reachedOf("stopLoss", draft.stopLossPrice, draft.stopLossQuantity, (level) => price <= level),
    ...draft.takeProfits.flatMap((item) =>
      reachedOf("takeProfit", item.price, item.quantity, (level) => price >= level),
    ),
  ];
}

/**
 * Describes that the account holds less than the group may sell; undefined if it does not. `held` undefined: not known,
 * which differs from zero.
 */
export function findExcess(
  draft: Pick<Draft, "symbol" | "stopLossQuantity">,
  held: number | undefined,
): string | undefined {
  const lots = readNumber(draft.stopLossQuantity, 0);
  if (held === undefined || lots === undefined || lots <= held || draft.symbol === "") return undefined;
  const given = { symbol: draft.symbol, lots: quantityText(lots) };
  return held <= 0
    ? say("The account holds no {symbol}, and this group may sell {lots}.", given)
    : say("The account holds {held} {symbol}, and this group may sell {lots}.", { ...given, held: quantityText(held) });
}

/**
 * The lots of the holding that no other group protects; undefined if the holding or the groups are not known.
 * `protectedLots`: of the stop-losses that are under watch.
 */
export function unprotectedLots(held: number | undefined, protectedLots: number | undefined): number | undefined {
  return held === undefined || protectedLots === undefined ? undefined : Math.max(0, held - protectedLots);
}

/** Describes which lots are missing before a group can be made; undefined if none are. */
export function findMissingLots(
  { symbol, stopLossQuantity, takeProfits }: Draft,
  held: number | undefined,
  unprotected: number | undefined,
): string | undefined {
  if (isNone(stopLossQuantity)) {
    if (symbol === "") return say("Choose a symbol and give the lots to protect.");
    if (held !== undefined && held <= 0)
      return say("The account holds no {symbol}: there are no lots to protect.", { symbol });
    if (held !== undefined && unprotected === 0)
      return say("Other groups protect all {lots} {symbol}. Give the lots to protect.", {
        ...{ symbol, lots: quantityText(held) },
      });
    return say("Give the lots to protect.");
  }
  return takeProfits.some(({ quantity }) => isNone(quantity)) ? say("Give the lots of each take-profit.") : undefined;
}

function isNone(lots: string): boolean {
  return lots.trim() === "" || readNumber(lots, 0) === 0;
}

/** Puts a refusal at the field of the form that it names; a refusal without a field is under the key "". */
export function placeRefusal(draft: Draft, message: string): Faults {
  const text = serviceText(message);
  const [, index, part] = /^takeProfitItems\[(\d+)\]\.(price|quantity) /.exec(message) ?? [];
  const item = draft.takeProfits[Number(index)];
  if (item !== undefined) return { [`${part}${item.key}`]: text };
  const [, field = ""] = /^(symbol|stopLossPrice|stopLossQuantity) /.exec(message) ?? [];
  return { [placeTermsRefusal(message) ?? field]: text };
}

/** The body that creates the group. `zone`: the exchange's. */
export function bodyOf(draft: Draft, brokerageCode: string, accountNumber: string, zone: string): object {
  return {
    brokerageCode,
    accountNumber,
    symbol: draft.symbol,
    stopLossPrice: readPrice(draft.stopLossPrice),
    stopLossQuantity: readNumber(draft.stopLossQuantity, 0),
    takeProfitItems: draft.takeProfits.map(({ price, quantity }) => ({
      price: readPrice(price),
      quantity: readNumber(quantity, 0),
    })),
    ...termsBody(draft, zone),
  };
}
