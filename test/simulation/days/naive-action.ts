/**
 * A corporate action once more, the plain way (behaviour 28): two whole numbers for prices, two for lots, and cash. It
 * shares nothing with the engine's rules.
 */
import { gridDown, gridUp } from "../oracle/naive-grid.ts";

type Factor = readonly [numerator: number, denominator: number];

/** An action as an operator enters it, and its effect. */
export interface NaiveAction {
  readonly symbol: string;
  readonly exDate: string;
  readonly exMs: number;
  readonly type: "split" | "bonus" | "rights" | "dividend";
  /** The fields of its type. */
  readonly terms: Readonly<Record<string, number>>;
  readonly prices: Factor;
  readonly lots: Factor;
  readonly cashMilli: number;
}

/** In this order several actions of a day count. */
const ORDER = ["dividend", "rights", "bonus", "split"];
const ONE: Factor = [1, 1];
/** A hundred-millionth of a unit: so exact an entry price is kept. */
const ENTRY_UNITS_PER_MILLI = 100_000n;

export function inOrder<T extends NaiveAction>(actions: readonly T[]): T[] {
  return [...actions].sort((left, right) => ORDER.indexOf(left.type) - ORDER.indexOf(right.type));
}

export function effectOf(
  type: NaiveAction["type"],
  terms: NaiveAction["terms"],
): Pick<NaiveAction, "prices" | "lots" | "cashMilli"> {
  const { sharesBefore = 1, sharesAfter = 1, ratio = 0, subscriptionPrice = 0, closePrice = 0, cash = 0 } = terms;
  const percent = Math.round(ratio * 100);
  switch (type) {
    case "split":
      return { prices: [sharesBefore, sharesAfter], lots: [sharesAfter, sharesBefore], cashMilli: 0 };
    case "bonus":
      return { prices: [100, 100 + percent], lots: [100 + percent, 100], cashMilli: 0 };
    case "rights": {
      const [close, subscription] = [Math.round(closePrice * 1000), Math.round(subscriptionPrice * 1000)];
      // A right under its own price is worth nothing.
      const isWorthless = close <= subscription;
      const prices: Factor = [100 * close + percent * subscription, (100 + percent) * close];
      return { prices: isWorthless ? ONE : prices, lots: ONE, cashMilli: 0 };
    }
    case "dividend":
      return { prices: ONE, lots: ONE, cashMilli: Math.round(cash * 1000) };
  }
}

/** The price of the market after an action, on no grid. */
export function marketAfter({ prices: [numerator, denominator], cashMilli }: NaiveAction, milli: number): number {
  return (milli * numerator) / denominator - cashMilli;
}

/** A stop-loss: rounded down, and never under the lowest price. */
export function stopAfter({ prices: [numerator, denominator], cashMilli }: NaiveAction, milli: number): number {
  return Math.max(10, gridDown(Math.floor((milli * numerator) / denominator) - cashMilli));
}

/** Take-profits by price: rounded up, each above the stop-loss, and above the one before it if it was. */
export function takeProfitsAfter(action: NaiveAction, levels: readonly number[], stopMilli: number): readonly number[] {
  const { type, prices } = action;
  if (type === "dividend") return levels;
  const [numerator, denominator] = prices;
  const after: number[] = [];
  for (const [index, level] of levels.entries()) {
    const before = after.at(-1) ?? stopMilli;
    const exact = gridUp(Math.ceil((level * numerator) / denominator));
    const isTie = index > 0 && level === levels[index - 1];
    after.push(isTie ? before : exact > before ? exact : gridUp(before + 1));
  }
  return after;
}

export function lotsAfter({ lots: [numerator, denominator] }: NaiveAction, quantity: number): number {
  return Math.floor((quantity * numerator) / denominator);
}

/** An entry price in hundred-millionths of a unit. */
export function entryAfter({ type, prices: [numerator, denominator] }: NaiveAction, entry: bigint): bigint {
  return type === "dividend" ? entry : (entry * BigInt(numerator)) / BigInt(denominator);
}

/** An offset in whole hundredths, rounded down. */
export function offsetAfter({ type, prices: [numerator, denominator] }: NaiveAction, milli: number): number {
  return type === "dividend" ? milli : Math.floor((milli * numerator) / denominator / 10) * 10;
}

export function entryUnits(milli: number): bigint {
  return BigInt(milli) * ENTRY_UNITS_PER_MILLI;
}

/** An entry price with an offset, on the grid. */
export function overEntry(entry: bigint, offsetMilli: number): number {
  return gridDown(Math.floor(Number(entry / ENTRY_UNITS_PER_MILLI)) + offsetMilli);
}
