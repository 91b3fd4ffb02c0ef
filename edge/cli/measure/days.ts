/**
 * Days of an announcement, in plain Turkish. Plain functions.
 *
 * Owns: dates in their forms, and when two of them are a first and a last day. Does not own: what applies on those
 * days.
 */
import { unknownWordOf } from "./words.ts";

/** A calendar day in Istanbul, as 2026-03-02. */
export type Day = string;

/** A date in a text. `day` is `undefined` if it has no year or does not exist. */
export interface FoundDay {
  readonly text: string;
  readonly day: Day | undefined;
  readonly startIndex: number;
  readonly endIndex: number;
}

export interface Period {
  readonly from: Day;
  readonly until: Day | undefined;
  readonly startIndex: number;
  /** Behind the words that belong to the days. */
  readonly endIndex: number;
}

const DAY_MS = 86_400_000;
const MONTHS = "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik".split(" ");
const DATE = new RegExp(`(\\d{1,2})[/.](\\d{1,2})[/.](\\d{4})|(\\d{1,2}) (${MONTHS.join("|")})(?: (\\d{4}))?`, "g");
const UNTIL_FURTHER_NOTICE = /(ikinci|yeni) bir duyuru(ya| yapilincaya) kadar/;
/** The words behind a first day: "from". */
const FROM = /(inden|unden|lerden|itibaren|baslayarak|\b[dt][ae]n)\b/;
const UNTIL = /^[^.]{0,80}?\bkadar\b(?: \([a-z ]*dahil\))?/;
const BETWEEN = /^[^.]{0,40}?\barasinda\b/;

/** The dates of a text, in order. */
export function findDays(plain: string): readonly FoundDay[] {
  return [...plain.matchAll(DATE)].map((match) => ({
    ...{ text: match[0], day: dayOf(match), startIndex: match.index, endIndex: match.index + match[0].length },
  }));
}

/** The text without its dates. */
export function withoutDays(plain: string): string {
  return plain.replace(DATE, " ");
}

/** The day `count` days later; earlier if `count` is negative. */
export function shiftDay(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The first and the last day that a text states, or why they are not certain. */
export function periodOf(plain: string, found: readonly FoundDay[]): Period | string {
  const [first, last] = found;
  if (first === undefined) return "it has no date";
  if (found.length > 2) return "it has more than two dates";
  const { day: from, startIndex } = first;
  if (from === undefined) return `${first.text} is not a whole date`;
  const hasNotice = UNTIL_FURTHER_NOTICE.test(plain);
  if (last === undefined) return openPeriod(plain, first, from, hasNotice);
  const { day: until } = last;
  if (until === undefined) return `${last.text} is not a whole date`;
  const between = plain.slice(first.endIndex, last.startIndex);
  const after = plain.slice(last.endIndex);
  const words = hasNotice ? undefined : periodWords(between, after);
  if (words === undefined) return "its dates are not a first and a last day";
  if (words === "arasinda" && !/dahil/.test(plain)) return "it does not state whether its last day is included";
  const unknown = unknownWordOf(between) ?? unknownWordOf(words);
  if (unknown !== undefined) return `"${unknown}" between its dates is not known`;
  if (until < from) return "its last day lies before its first";
  const endIndex = last.endIndex + (words === "arasinda" ? (BETWEEN.exec(after)?.[0] ?? "") : words).length;
  return { from, until, startIndex, endIndex };
}

/** The words behind the last day that make it a last day; `undefined`: it is not. */
function periodWords(between: string, after: string): string | undefined {
  if (/^(?: tarihi)? ?(?:-|–|ile|ve) ?$/.test(between) && BETWEEN.test(after)) return "arasinda";
  return FROM.test(between) ? UNTIL.exec(after)?.[0] : undefined;
}

function openPeriod(plain: string, { startIndex, endIndex }: FoundDay, from: Day, hasNotice: boolean): Period | string {
  const isOpen = /itibaren/.test(plain) && (hasNotice || !/kadar/.test(plain));
  if (!isOpen) return "it has one date only";
  if (/sonu/.test(plain)) return "it begins at the end of a session";
  return { from, until: undefined, startIndex, endIndex };
}

function dayOf([, day, month, year, namedDay, name, namedYear]: RegExpExecArray): Day | undefined {
  const numbers = [year ?? namedYear, month ?? MONTHS.indexOf(name ?? "") + 1, day ?? namedDay].map(Number);
  const [y = Number.NaN, m = Number.NaN, d = Number.NaN] = numbers;
  const moment = new Date(Date.UTC(y, m - 1, d));
  if (Number.isNaN(moment.getTime()) || moment.getUTCMonth() !== m - 1 || moment.getUTCDate() !== d) return undefined;
  return moment.toISOString().slice(0, 10);
}
