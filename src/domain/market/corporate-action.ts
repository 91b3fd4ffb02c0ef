/**
 * Corporate actions: the effect of a split, a bonus issue, a rights issue or a dividend on prices and quantities
 * (behaviour 28).
 *
 * Owns: valid actions, the moment from which they count, the arithmetic. Does not own: the effect on a group, a setup or
 * a bot (`oco/adjust.ts`, `setup-adjust.ts`, `bot/adjust-bot.ts`), when an action is applied (the engine).
 *
 * Invariants:
 * 1. Arithmetic is exact: fractions up to the one rounding at the end.
 * 2. Prices of the levels of a group keep their order, by a step of the tick table if they must.
 */
import { type Fraction, fractionOf, type Hundredths, PRICE_MAX, PRICE_MIN } from "../price/price.ts";
import { nextUp, roundDownToGrid, roundUpToGrid, type TickTable } from "../price/tick-table.ts";
import { accept, type Result, refuse } from "../refusal.ts";
import { parseTime, utcDayOf } from "../time.ts";
import { dayIn, momentIn } from "../time-zone.ts";

export const ACTION_TYPES = ["split", "bonus", "rights", "dividend"] as const;
type ActionType = (typeof ACTION_TYPES)[number];

/** Whether levels follow a corporate action, or do not fire after it until their owner releases them (behaviour 28.7). */
export const ACTION_POLICIES = ["adjust", "hold"] as const;
export type ActionPolicy = (typeof ACTION_POLICIES)[number];

/** What an operator enters, already of the right shape. */
export interface ActionRequest {
  readonly symbol: string;
  readonly type: ActionType;
  /** Of a split: shares before, and their number after it. */
  readonly sharesBefore?: number | undefined;
  readonly sharesAfter?: number | undefined;
  /** Of a bonus or rights issue: new shares for each old one; 1 is 100 %. */
  readonly ratio?: number | undefined;
  /** Of a rights issue, in currency units. */
  readonly subscriptionPrice?: number | undefined;
  /** Of a rights issue: the last close before; absent: as the engine knows it then. */
  readonly closePrice?: number | undefined;
  /** Of a dividend: for each share, in currency units. */
  readonly cash?: number | undefined;
  /** The first day on the new base, `2026-03-02`. */
  readonly exDate: string;
}

type ActionTerms =
  | { readonly type: "split"; readonly sharesBefore: number; readonly sharesAfter: number }
  | { readonly type: "bonus"; readonly ratio: number }
  | {
      readonly type: "rights";
      readonly ratio: number;
      readonly subscriptionPrice: number;
      readonly closePrice: number | null;
    }
  | { readonly type: "dividend"; readonly cash: number };

/** A valid corporate action. */
export type CorporateAction = ActionTerms & {
  /** Of symbol, type and day: there is one of each. */
  readonly actionId: string;
  readonly symbol: string;
  readonly exDate: string;
  /** The beginning of that day at the exchange: prices from then on are on the new base. */
  readonly exMs: number;
};

/** An action as each actor receives it. */
export interface Adjustment {
  readonly action: CorporateAction;
  /** The symbol's tick table now. */
  readonly tickTable: TickTable;
  /** Not null: the action was entered late, and levels that were made or changed since are on the new base. */
  readonly sinceMs: number | null;
  /** Null: no price from before `exDate` is known. */
  readonly move: BaseMove | null;
}

/** The last price before `exDate`, and the price that all actions of the day make of it, in currency units. */
export interface BaseMove {
  readonly from: number;
  readonly to: number;
}

/** In this order several actions of a day apply. */
const DAY_ORDER: readonly ActionType[] = ["dividend", "rights", "bonus", "split"];

/** Compares two actions of a symbol by the order in which they apply. */
export function byOrderOfActions(left: CorporateAction, right: CorporateAction): number {
  return left.exMs - right.exMs || DAY_ORDER.indexOf(left.type) - DAY_ORDER.indexOf(right.type);
}

/** A price in currency units after an action; not above 0 if a dividend is as high as the price. */
export function valueAfter(action: CorporateAction, value: number): number {
  return action.type === "dividend" ? value - action.cash : adjustedValue(value, action);
}

/** Whether a price lies nearer to the base before than to the new one; false if both are close to each other. */
export function isOnOldBase(price: number, { from, to }: BaseMove): boolean {
  const isFar = Math.max(from, to) >= Math.min(from, to) * FAR_APART;
  // Distances between prices are ratios: price / to against from / price.
  return isFar && (to < from ? price * price > from * to : price * price < from * to);
}

/** How far ahead an action can be entered. */
const DAYS_AHEAD_MAX = 366;
const DATE_LENGTH = "2026-03-02".length;
/** So many decimals a ratio has at most: 1/3 is given as a split of 3 to 4. */
const RATIO_DECIMALS = 8;
export const RATIO_MAX = 1_000;
export const SHARES_MAX = 1_000_000;
/** Two prices this many times apart are not two prices of one day. */
const FAR_APART = 1.25;
const ONE: Fraction = { numerator: 1n, denominator: 1n };

const FIELDS_OF = {
  split: ["sharesBefore", "sharesAfter"],
  bonus: ["ratio"],
  rights: ["ratio", "subscriptionPrice", "closePrice"],
  dividend: ["cash"],
} as const;
const ALL_FIELDS = ["sharesBefore", "sharesAfter", "ratio", "subscriptionPrice", "closePrice", "cash"] as const;

/** Checks an action (behaviour 28.1). `zone`: the zone of the exchange. A refusal is INVALID and names field and rule. */
export function planAction(request: ActionRequest, nowMs: number, zone: string): Result<CorporateAction> {
  const { symbol, type, exDate } = request;
  const own: readonly string[] = FIELDS_OF[type];
  const foreign = ALL_FIELDS.find((field) => request[field] !== undefined && !own.includes(field));
  if (foreign !== undefined) return refuse("INVALID", `${foreign} is not a field of type ${type}`);
  const terms = planActionTerms(request);
  if (!terms.ok) return terms;
  const day = parseTime(exDate, "exDate");
  if (!day.ok) return day;
  if (exDate.length !== DATE_LENGTH) return refuse("INVALID", `exDate ${exDate} must be a date without a time`);
  const [exDay, today] = [utcDayOf(day.value), dayIn(zone, nowMs)];
  if (exDay < today) return refuse("INVALID", `exDate ${exDate} is over: change the levels by hand`);
  if (exDay > today + DAYS_AHEAD_MAX) return refuse("INVALID", `exDate ${exDate} is more than a year ahead`);
  const actionId = `${symbol}-${type}-${exDate}`;
  return accept({ actionId, symbol, exDate, exMs: momentIn(zone, exDay, 0), ...terms.value });
}

function planActionTerms(request: ActionRequest): Result<ActionTerms> {
  const { type } = request;
  if (type === "split") {
    const { sharesBefore = 0, sharesAfter = 0 } = request;
    for (const [field, shares] of Object.entries({ sharesBefore, sharesAfter })) {
      const isCount = Number.isInteger(shares) && shares >= 1 && shares <= SHARES_MAX;
      if (!isCount) return refuse("INVALID", `${field} must be a whole number from 1 to ${SHARES_MAX}`);
    }
    if (sharesBefore === sharesAfter) return refuse("INVALID", "sharesAfter must differ from sharesBefore");
    return accept({ type, sharesBefore, sharesAfter });
  }
  if (type === "dividend") {
    const cash = planPrice(request.cash, "cash");
    return cash.ok ? accept({ type, cash: cash.value }) : cash;
  }
  const { ratio = 0 } = request;
  if (!(ratio > 0 && ratio <= RATIO_MAX)) return refuse("INVALID", `ratio must be above 0 and at most ${RATIO_MAX}`);
  if (Number(ratio.toFixed(RATIO_DECIMALS)) !== ratio) {
    return refuse("INVALID", `ratio must have at most ${RATIO_DECIMALS} decimals`);
  }
  if (type === "bonus") return accept({ type, ratio });
  const subscriptionPrice = planPrice(request.subscriptionPrice, "subscriptionPrice");
  if (!subscriptionPrice.ok) return subscriptionPrice;
  if (request.closePrice === undefined) {
    return accept({ type, ratio, subscriptionPrice: subscriptionPrice.value, closePrice: null });
  }
  const closePrice = planPrice(request.closePrice, "closePrice");
  if (!closePrice.ok) return closePrice;
  if (closePrice.value <= subscriptionPrice.value) {
    return refuse("INVALID", "closePrice must be above subscriptionPrice: no right has a value otherwise");
  }
  return accept({ type, ratio, subscriptionPrice: subscriptionPrice.value, closePrice: closePrice.value });
}

/** A price, or cash, with any decimals. */
function planPrice(value: number | undefined, field: string): Result<number> {
  if (value !== undefined && value > 0 && value <= PRICE_MAX / 100) return accept(value);
  return refuse("INVALID", `${field} must be above 0 and at most ${PRICE_MAX / 100}`);
}

/** Whether two actions with one id are the same, so that the second changes nothing. */
export function isSameAction(left: CorporateAction, right: CorporateAction): boolean {
  const text = (action: CorporateAction) => JSON.stringify(Object.entries(action).sort());
  return text(left) === text(right);
}

/** Whether an action needs the last close and does not have it. */
export function needsClose(action: CorporateAction): boolean {
  return action.type === "rights" && action.closePrice === null;
}

/** The factor of prices; 1 for a dividend. */
function priceFactor(action: CorporateAction): Fraction {
  if (action.type !== "rights") return inverse(shareFactor(action));
  const { subscriptionPrice, closePrice } = action;
  // Under the subscription price a right has no value: prices do not change.
  if (closePrice === null || closePrice <= subscriptionPrice) return ONE;
  const [close, ratio] = [exactly(closePrice), exactly(action.ratio)];
  const after = sum(close, product(ratio, exactly(subscriptionPrice)));
  return product(after, inverse(product(sum(ONE, ratio), close)));
}

/** The factor of quantities; 1 for rights and a dividend, which give no shares by themselves. */
function shareFactor(action: CorporateAction): Fraction {
  if (action.type === "split") {
    return { numerator: BigInt(action.sharesAfter), denominator: BigInt(action.sharesBefore) };
  }
  return action.type === "bonus" ? sum(ONE, exactly(action.ratio)) : ONE;
}

/** Whether an action changes the number of shares that are held; rights and a dividend do not by themselves. */
export function changesShares({ type }: CorporateAction): boolean {
  return type === "split" || type === "bonus";
}

/** A quantity after an action, rounded down. */
export function adjustedQuantity(quantity: number, action: CorporateAction): number {
  return floorOf(product({ numerator: BigInt(quantity), denominator: 1n }, shareFactor(action)));
}

/** A price in hundredths after an action, exactly. */
export function adjustedPrice(price: Hundredths, action: CorporateAction): Fraction {
  return product({ numerator: BigInt(price), denominator: 1n }, priceFactor(action));
}

/** A price in currency units after an action, to eight decimals. */
export function adjustedValue(value: number, action: CorporateAction): number {
  const { numerator, denominator } = product(exactly(value), priceFactor(action));
  return Number((numerator * 100_000_000n) / denominator) / 100_000_000;
}

/** A difference of prices after an action: whole hundredths, rounded up, so that no level comes nearer. */
export function adjustedDistance(distance: Hundredths, action: CorporateAction): Hundredths {
  const { numerator, denominator } = adjustedPrice(distance, action);
  return Number((numerator + denominator - 1n) / denominator);
}

/** Whole hundredths at or under an adjusted number of hundredths, which may be negative. */
export function adjustedDown(hundredths: number, action: CorporateAction): number {
  return floorOf(adjustedPrice(hundredths, action));
}

/** A stop-loss level after an action: rounded down, the lowest price if less is left; undefined: too high. */
export function adjustedStop(price: Hundredths, action: CorporateAction, table: TickTable): Hundredths | undefined {
  const exact = action.type === "dividend" ? lessCash(price, action.cash) : adjustedPrice(price, action);
  if (floorOf(exact) < PRICE_MIN) return PRICE_MIN;
  return roundDownToGrid(exact, table);
}

/** A price less the cash of a dividend, in hundredths. */
export function lessCash(price: Hundredths, cash: number): Fraction {
  const { numerator, denominator } = exactly(cash);
  return { numerator: BigInt(price) * denominator - numerator * 100n, denominator };
}

/**
 * Take-profit levels after an action, in the given order, which is by price: rounded up, each above `stop`, and above
 * the level before it if it was. Undefined if a price would be too high.
 */
export function adjustedTakeProfits(
  prices: readonly Hundredths[],
  stop: Hundredths,
  action: CorporateAction,
  table: TickTable,
): readonly Hundredths[] | undefined {
  const adjusted: Hundredths[] = [];
  for (const [place, price] of prices.entries()) {
    const exact = roundUpToGrid(adjustedPrice(price, action), table);
    const isAsBefore = place > 0 && price === prices[place - 1];
    const before = adjusted.at(-1) ?? stop;
    const level = isAsBefore ? before : above(exact, before, table);
    if (level === undefined) return undefined;
    adjusted.push(level);
  }
  return adjusted;
}

function above(price: Hundredths | undefined, before: Hundredths, table: TickTable): Hundredths | undefined {
  return price === undefined || price > before ? price : nextUp(before, table);
}

/** An action as text: `bonus issue of 1 for 1 on 2026-03-02`. */
export function actionText(action: CorporateAction): string {
  const { type, exDate } = action;
  switch (type) {
    case "split":
      return `split ${action.sharesBefore} to ${action.sharesAfter} on ${exDate}`;
    case "bonus":
      return `bonus issue of ${action.ratio} for 1 on ${exDate}`;
    case "rights":
      return `rights issue of ${action.ratio} for 1 at ${action.subscriptionPrice} on ${exDate}`;
    case "dividend":
      return `dividend of ${action.cash} on ${exDate}`;
  }
}

function exactly(value: number): Fraction {
  // Checked when the action was entered.
  return fractionOf(value) ?? ONE;
}

function sum(left: Fraction, right: Fraction): Fraction {
  const numerator = left.numerator * right.denominator + right.numerator * left.denominator;
  return { numerator, denominator: left.denominator * right.denominator };
}

function product(left: Fraction, right: Fraction): Fraction {
  return { numerator: left.numerator * right.numerator, denominator: left.denominator * right.denominator };
}

/** Of a fraction above 0. */
function inverse({ numerator, denominator }: Fraction): Fraction {
  return { numerator: denominator, denominator: numerator };
}

/** The greatest whole number at or under a fraction. */
export function floorOf({ numerator, denominator }: Fraction): number {
  const quotient = numerator / denominator;
  return Number(numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient);
}
