/**
 * The levels of a group in the list: its stop-loss, and the take-profit that the price reaches next.
 *
 * Rule: a level is near while it is at most 1 % of the last price away, as its distance is shown (two decimals).
 */
import { say } from "../language/say.ts";
import { ACTIVE, type OcoRow, STOP_LOSS } from "../state/model.ts";

/** In percent of the last price. */
export const NEAR_PERCENT = 1;

interface EntryLevel {
  readonly id: number;
  readonly kind: "stopLoss" | "takeProfit";
  readonly price: number;
  /** Counts take-profits from the lowest, if the group has several: the next one is shown. */
  readonly name: string;
  readonly isNear: boolean;
}

type LevelRow = Pick<OcoRow, "id" | "orderType" | "status" | "price">;

/** The levels under watch to show, the stop-loss first. `last`: the last price. */
export function entryLevels(rows: readonly LevelRow[], last: number | undefined): readonly EntryLevel[] {
  const stop = rows.find(({ orderType, status }) => orderType === STOP_LOSS && status === ACTIVE);
  const targets = rows.filter(({ orderType }) => orderType !== STOP_LOSS).toSorted((one, two) => one.price - two.price);
  const next = targets.find(({ status }) => status === ACTIVE);
  const levelOf = ({ id, price }: LevelRow, kind: EntryLevel["kind"], name: string): EntryLevel => {
    return { id, kind, price, name, isNear: isNear(price, last) };
  };
  return [
    ...(stop === undefined ? [] : [levelOf(stop, "stopLoss", say("SL"))]),
    ...(next === undefined ? [] : [levelOf(next, "takeProfit", targetName(targets.indexOf(next) + 1, targets.length))]),
  ];
}

function targetName(number: number, count: number): string {
  return count === 1 ? say("TP") : say("Next TP ({number} of {count})", { number, count });
}

function isNear(price: number, last: number | undefined): boolean {
  if (last === undefined || last <= 0) return false;
  return Math.abs(Math.round((price / last - 1) * 10_000)) <= NEAR_PERCENT * 100;
}
