/**
 * Measures of Borsa Istanbul from the text of an announcement on KAP, sentence by sentence. A pure function.
 *
 * Owns: which sentence states a measure, for which symbols, of which types, from which day to which. Does not own: what
 * the installation has already (plan-measures.ts).
 *
 * Invariants:
 * 1. A sentence is certain only if every part of it is known: symbols with the suffix of a share, both days, the order of
 *    the words, and a verb that puts a measure into force. Every other sentence about a symbol is left to a person.
 * 2. No sentence is left out: what states no measure is a note.
 */
import { plainTurkish } from "../../../src/runtime/plain-turkish.ts";

/** A calendar day in Istanbul, as 2026-03-02. */
type Day = string;

export interface Measure {
  readonly symbol: string;
  /** A number of behaviour 10.6. */
  readonly restrictionType: number;
  /** The first and the last day. `until` is `undefined` if the announcement sets no end. */
  readonly from: Day;
  readonly until: Day | undefined;
}

export type ReadSentence = { readonly text: string } & (
  | { readonly kind: "certain"; readonly measures: readonly Measure[] }
  | { readonly kind: "person"; readonly why: string; readonly symbols: readonly string[] }
  | { readonly kind: "note" }
);

type Certain = Extract<ReadSentence, { readonly kind: "certain" }>;

const CLOSED = 8;
/** Types of behaviour 10.6 by the words of announcements, without Turkish letters. */
const TYPES: readonly (readonly [RegExp, number])[] = [
  [/aciga satis/, 1],
  [/kredili islem/, 2],
  [/brut takas/, 3],
  [/tek fiyat/, 4],
  [/emir paketi/, 5],
  [/kapatil(acaktir|mistir)/, CLOSED],
  [/internet emir yasagi|emir iletim kanal/, 99],
];
/** Verbs that put a measure into force. */
const IN_FORCE =
  /konu edilemeyecek|uygulanacaktir|uygulanmaya baslanacaktir|islem gorecek|yapilamayacak|kapatilacaktir|kapatilmistir|devam edecek/;
/** Words that end, change or limit a measure, or that speak of an earlier announcement. */
const UNCERTAIN =
  /kaldiril|sona er|son veril|iptal edilmis|uygulanmayacak|edilebilecek|duyurulan|haric|disinda|sadece|degistiril|duzeltil|ertelen|sirasiyla|gecici|saat /;
const WHOLE_MARKET = /(tum|butun) (pay|islem sira)/;
const UNTIL_FURTHER_NOTICE = /(ikinci|yeni) bir duyuru(ya| yapilincaya) kadar/;

const MONTHS = "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik".split(" ");
const DAY = new RegExp(`(\\d{1,2})[/.](\\d{1,2})[/.](\\d{4})|(\\d{1,2}) (${MONTHS.join("|")})(?: (\\d{4}))?`, "g");
/** A share of the equity market; other suffixes are rights, warrants and special orders. */
const CODE = /(?<![\p{L}\d.])([A-Z][A-Z0-9]{1,9})\.([A-Z]{1,2})(?![\p{L}\d])/gu;
const SHARE = "E";

/** Reads the text of one or more announcements. Line breaks within a paragraph count as spaces. */
export function readMeasures(text: string): readonly ReadSentence[] {
  const read: ReadSentence[] = [];
  for (const paragraph of text.replace(/\r\n?/g, "\n").split(/\n\s*\n/)) {
    let before: Certain | undefined;
    for (const sentence of sentencesOf(paragraph)) {
      const one = readSentence(sentence, before);
      // "The share concerned" of a next sentence is that of the last measure, unless something unclear came between.
      before = one.kind === "certain" ? one : one.kind === "person" ? undefined : before;
      read.push(one);
    }
  }
  return read;
}

/** A point ends a sentence only before a space and a capital letter: codes and dates contain points as well. */
function sentencesOf(paragraph: string): readonly string[] {
  return paragraph
    .replace(/\s+/g, " ")
    .split(/(?<=[^\s.]{3}\.["”“']?) (?=["“”']?\p{Lu})/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

function readSentence(text: string, before: Certain | undefined): ReadSentence {
  const plain = plainTurkish(text);
  const codes = [...text.matchAll(CODE)];
  const symbols = [...new Set(codes.map(([, symbol = ""]) => symbol))];
  const person = (why: string): ReadSentence => ({ text, kind: "person", why, symbols });
  if (symbols.length === 0) {
    if (before !== undefined && /^"?ilgili pay/.test(plain)) return continueMeasures(text, plain, before);
    return WHOLE_MARKET.test(plain) ? person("it concerns the whole market") : { text, kind: "note" };
  }
  const other = codes.find(([, , suffix]) => suffix !== SHARE);
  if (other !== undefined) return person(`${other[0]} is not the code of a share`);
  if (UNCERTAIN.test(plain)) return person("it ends, changes or repeats a measure");
  if (!IN_FORCE.test(plain)) return person("it does not state that a measure applies");
  const days = daysOf(plain);
  if (typeof days === "string") return person(days);
  if (codes.some(({ index }) => index > days.startIndex)) return person("a symbol comes after its dates");
  const types = typesOf(plain.slice(days.endIndex));
  if (types.length === 0 || (types.includes(CLOSED) && !/islem sira/.test(plain)))
    return person("its measure is not known");
  const { from, until } = days;
  return {
    ...{ text, kind: "certain" },
    measures: symbols.flatMap((symbol) => types.map((restrictionType) => ({ symbol, restrictionType, from, until }))),
  };
}

/** Earlier measures of the same share, named in brackets, that a later stage keeps for as long as it lasts. */
function continueMeasures(text: string, plain: string, before: Certain): ReadSentence {
  const symbols = [...new Set(before.measures.map(({ symbol }) => symbol))];
  const named = /\(([^)]*)\)/.exec(plain)?.[1];
  const types = named === undefined ? [] : typesOf(named);
  const isClear = /suresi? boyunca devam edecek|sure boyunca devam edecek/.test(plain) && !UNCERTAIN.test(plain);
  const [measure] = before.measures;
  if (!isClear || types.length === 0 || measure === undefined) {
    return { text, kind: "person", why: "it speaks of earlier measures", symbols };
  }
  const { from, until } = measure;
  return {
    ...{ text, kind: "certain" },
    measures: symbols.flatMap((symbol) => types.map((restrictionType) => ({ symbol, restrictionType, from, until }))),
  };
}

function typesOf(plain: string): readonly number[] {
  return TYPES.filter(([words]) => words.test(plain)).map(([, type]) => type);
}

interface Days {
  readonly from: Day;
  readonly until: Day | undefined;
  readonly startIndex: number;
  /** Where the text goes on after the days. */
  readonly endIndex: number;
}

/** The days of a sentence, or why they are not certain. */
function daysOf(plain: string): Days | string {
  const found = [...plain.matchAll(DAY)];
  const [first, last] = found;
  if (first === undefined) return "it has no date";
  if (found.length > 2) return "it has more than two dates";
  const from = dayOf(first);
  if (from === undefined) return `${first[0]} is not a whole date`;
  const untilNotice = UNTIL_FURTHER_NOTICE.exec(plain);
  if (last === undefined) {
    const isOpen = /itibaren/.test(plain) && (untilNotice !== null || !/kadar/.test(plain));
    return isOpen
      ? { from, until: undefined, startIndex: first.index, endIndex: first.index + first[0].length }
      : "it has one date only";
  }
  const until = dayOf(last);
  if (until === undefined) return `${last[0]} is not a whole date`;
  const between = plain.slice(first.index + first[0].length, last.index);
  const after = plain.slice(last.index + last[0].length);
  const kadar = /^[^.]{0,60}?kadar/.exec(after);
  if (untilNotice !== null || !/lerden|inden|itibaren/.test(between) || kadar === null)
    return "its dates are not a first and a last day";
  if (until < from) return "its last day lies before its first";
  return { from, until, startIndex: first.index, endIndex: last.index + last[0].length + kadar[0].length };
}

/** The day of a match of `DAY`; `undefined` if it has no year or does not exist. */
function dayOf([, day, month, year, namedDay, name, namedYear]: RegExpExecArray): Day | undefined {
  const numbers = [year ?? namedYear, month ?? MONTHS.indexOf(name ?? "") + 1, day ?? namedDay].map(Number);
  const [y = Number.NaN, m = Number.NaN, d = Number.NaN] = numbers;
  const moment = new Date(Date.UTC(y, m - 1, d));
  if (Number.isNaN(moment.getTime()) || moment.getUTCMonth() !== m - 1 || moment.getUTCDate() !== d) return undefined;
  return moment.toISOString().slice(0, 10);
}
