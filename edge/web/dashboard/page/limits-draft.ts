/** The limits of an account as a form has them (behaviour 27): texts in fields, what they come to, what is looser. */
import { say } from "../language/say.ts";
import { numberRule, readNumber, typedText } from "../part/number-text.ts";

/** Null: no limit. Amounts are in the currency of the account. */
export interface Limits {
  readonly maxDailyLoss: number | null;
  readonly maxOrdersPerMinute: number | null;
  readonly maxOrderValue: number | null;
}

/** Limits with what is used of them; null: not counted. */
export interface UsedLimits extends Limits {
  /** What own fills of the day have realised; negative: a loss. */
  readonly realisedToday: number | null;
  readonly ordersLastMinute: number | null;
}

export const LIMIT_NAMES = ["maxDailyLoss", "maxOrdersPerMinute", "maxOrderValue"] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** The texts of the fields; empty: no limit. */
export type LimitsDraft = Readonly<Record<LimitName, string>>;

const DECIMALS: Readonly<Record<LimitName, number>> = { maxDailyLoss: 2, maxOrdersPerMinute: 0, maxOrderValue: 2 };

export function draftOfLimits(limits: Limits): LimitsDraft {
  const textOf = (name: LimitName): string => (limits[name] === null ? "" : typedText(limits[name]));
  return {
    maxDailyLoss: textOf("maxDailyLoss"),
    maxOrdersPerMinute: textOf("maxOrdersPerMinute"),
    maxOrderValue: textOf("maxOrderValue"),
  };
}

/** What is wrong with a field; undefined: nothing is. */
export function limitFault(draft: LimitsDraft, name: LimitName): string | undefined {
  const text = draft[name].trim();
  if (text === "") return undefined;
  const value = readNumber(text, DECIMALS[name]);
  if (value === undefined) return numberRule(DECIMALS[name]);
  return value > 0 ? undefined : say("Must be greater than 0. Leave the field empty for no limit.");
}

/** Returns the typed limits. A field with a fault counts as no limit: a form with one is not sent. */
export function limitsOfDraft(draft: LimitsDraft): Limits {
  const limitOf = (name: LimitName): number | null => readNumber(draft[name].trim(), DECIMALS[name]) ?? null;
  return {
    maxDailyLoss: limitOf("maxDailyLoss"),
    maxOrdersPerMinute: limitOf("maxOrdersPerMinute"),
    maxOrderValue: limitOf("maxOrderValue"),
  };
}

/** The limits that differ. */
export function changedLimits(before: Limits, after: Limits): readonly LimitName[] {
  return LIMIT_NAMES.filter((name) => before[name] !== after[name]);
}

/** Whether a change raises or removes a limit. */
export function isLooser(before: Limits, after: Limits): boolean {
  return LIMIT_NAMES.some((name) => {
    const [old, next] = [before[name], after[name]];
    return old !== null && (next === null || next > old);
  });
}

/** The used part of a limit, from 0 to 1; undefined without a limit, or if its use is not counted. */
export function usedShareOf(limits: UsedLimits, name: LimitName): number | undefined {
  const { maxDailyLoss, realisedToday, maxOrdersPerMinute, ordersLastMinute } = limits;
  const [used, most] =
    name === "maxDailyLoss"
      ? [realisedToday === null ? null : Math.max(0, -realisedToday), maxDailyLoss]
      : name === "maxOrdersPerMinute"
        ? [ordersLastMinute, maxOrdersPerMinute]
        : [null, null];
  return used === null || most === null ? undefined : Math.min(1, used / most);
}
