/**
 * Measures of Borsa Istanbul from the text of an announcement on KAP, sentence by sentence. A pure function.
 *
 * Owns: which sentence puts a measure into force, ends or prolongs it, for which symbols, of which types, on which
 * days.
 * Does not own: codes, days and words (share-codes.ts, days.ts, words.ts), what the installation has already
 * (plan-measures.ts).
 *
 * Invariants:
 * 1. A sentence is certain only if every part of it is known: codes of shares, whole dates, the order of the words, and
 *    each word from the last code on. Every other sentence about a symbol or a measure is left to a person.
 * 2. No sentence is left out: what states no measure is a note.
 */
import type { Effects } from "../../../src/domain/market/measure.ts";
import { plainTurkish } from "../../../src/runtime/plain-turkish.ts";
import { type Day, type FoundDay, findDays, periodOf, shiftDay, withoutDays } from "./days.ts";
import { findShareCodes, type ShareCodes } from "./share-codes.ts";
import {
  CHANGE,
  ENDED,
  EXTENDED,
  effectsOf,
  IN_FORCE,
  isClosingUnclear,
  LIMITING,
  typesOf,
  unknownWordOf,
} from "./words.ts";

interface OfShare {
  readonly symbol: string;
  /** A number of behaviour 10.6. */
  readonly restrictionType: number;
  /** Absent: the effects of its type. */
  readonly effects?: Effects;
}

export interface Measure extends OfShare {
  readonly kind: "applies";
  /** The first and the last day. `until` is `undefined` if the announcement sets no end. */
  readonly from: Day;
  readonly until: Day | undefined;
}

/** A measure ends before its announced end. */
export interface EndedMeasure extends OfShare {
  readonly kind: "ends";
  /** The first day without it. */
  readonly freeFrom: Day;
}

/** The running measure lasts until another day; the sentence does not state its earlier days. */
export interface ExtendedMeasure extends OfShare {
  readonly kind: "extends";
  readonly until: Day;
}

export type Statement = Measure | EndedMeasure | ExtendedMeasure;

export type ReadSentence = { readonly text: string } & (
  | { readonly kind: "certain"; readonly statements: readonly Statement[] }
  | { readonly kind: "person"; readonly why: string; readonly symbols: readonly string[] }
  | { readonly kind: "note" }
);

type Certain = Extract<ReadSentence, { readonly kind: "certain" }>;

/** A sentence whose codes are certain, as its readers need it. */
interface Sentence {
  readonly plain: string;
  readonly codes: ShareCodes;
  readonly days: readonly FoundDay[];
  /** The text behind the last code, without the name of its company. */
  readonly rest: string;
}

const WHOLE_MARKET = /(tum|butun) (pay|islem sira)/;
const ABBREVIATIONS =
  "San|Tic|Hold|Yat|Ort|End|Tur|Elekt|Ltd|Şti|Ürün|Ürt|Paz|Gıd|Teks|Müh|İnş|Mad|Kim|Mak|Oto|Gay|Ulus";
const SENTENCE_END = new RegExp(
  `(?<=[^\\s.]{3}\\.["”“']?)(?<!(?<!\\p{L})(?:${ABBREVIATIONS})\\.) (?=["“”']?\\p{Lu})`,
  "u",
);

/** Reads the text of one or more announcements. Line breaks within a paragraph count as spaces. */
export function readMeasures(text: string): readonly ReadSentence[] {
  const read: ReadSentence[] = [];
  for (const paragraph of text
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)) {
    let before: Certain | undefined;
    for (const sentence of sentencesOf(paragraph)) {
      const one = withEffects(readSentence(sentence, before));
      // "The share concerned" of a next sentence is the share of the last measure, unless an unclear sentence came
      // between.
      before = one.kind === "certain" ? one : one.kind === "person" ? undefined : before;
      read.push(one);
    }
  }
  return read;
}

/** A point ends a sentence only before a space and a capital letter, and not in the name of a company. */
function sentencesOf(paragraph: string): readonly string[] {
  return paragraph
    .replace(/\s+/g, " ")
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

function withEffects(read: ReadSentence): ReadSentence {
  if (read.kind !== "certain") return read;
  const plain = plainTurkish(read.text);
  const statements = read.statements.map((statement) => {
    const effects = statement.kind === "ends" ? undefined : effectsOf(plain, statement.restrictionType);
    return effects === undefined ? statement : { ...statement, effects };
  });
  return { ...read, statements };
}

function readSentence(text: string, before: Certain | undefined): ReadSentence {
  const plain = plainTurkish(text);
  const codes = findShareCodes(text);
  if (codes === undefined) return readWithoutCode(text, plain, before);
  const statements = codes.why ?? readStatements({ plain, codes, days: findDays(plain), rest: restOf(plain, codes) });
  return typeof statements === "string"
    ? { text, kind: "person", why: statements, symbols: codes.symbols }
    : { text, kind: "certain", statements };
}

function readWithoutCode(text: string, plain: string, before: Certain | undefined): ReadSentence {
  const person = (why: string): ReadSentence => ({ text, kind: "person", why, symbols: [] });
  if (before !== undefined && /^"?ilgili pay/.test(plain)) return continueMeasures(text, plain, before);
  if (WHOLE_MARKET.test(plain)) return person("it concerns the whole market");
  const isMeasure = [IN_FORCE, ENDED, EXTENDED].some((verbs) => verbs.test(plain)) && typesOf(plain).length > 0;
  return isMeasure && findDays(plain).length > 0 ? person("it names no code of a share") : { text, kind: "note" };
}

/** The name in brackets behind the last code is not a statement, unless it names a measure. */
function restOf(plain: string, { endIndex }: ShareCodes): string {
  const rest = plain.slice(endIndex);
  const name = /^\)?\s*(\([^()]*\))/.exec(rest);
  return name !== null && typesOf(name[1] ?? "").length === 0 ? rest.slice(name[0].length) : rest;
}

/** What a sentence about shares states, or why that is not certain. */
function readStatements(sentence: Sentence): readonly Statement[] | string {
  const { plain, codes, days } = sentence;
  const isBehind = days.every(({ startIndex }) => startIndex >= codes.endIndex);
  const isBefore = days.every(({ endIndex }) => endIndex <= codes.startIndex);
  if (typesOf(plain.slice(codes.startIndex, codes.endIndex)).length > 0) return "its shares have different measures";
  if (LIMITING.test(plain)) return "it limits or corrects a measure";
  const between = wordBetween(codes);
  if (between !== undefined || /\byerine\b/.test(plain.slice(0, codes.endIndex))) {
    return `"${between ?? "yerine"}" before its last share is not known`;
  }
  if (EXTENDED.test(plain)) return isBehind ? readExtension(sentence) : "its dates come before its shares";
  const isEnding = ENDED.test(plain);
  if (!isEnding && CHANGE.test(plain)) return "it changes or repeats a measure";
  if (!isEnding && !IN_FORCE.test(plain)) return "it does not state that a measure applies";
  if (!isBehind && !isBefore) return "its shares come between its dates";
  return isEnding ? readEnd(sentence) : readMeasure(sentence, isBehind);
}

/** A word between codes that is neither a part of a company's name nor known. */
function wordBetween({ text }: ShareCodes): string | undefined {
  const words = text.replace(/\([^()]*\)?/g, " ").match(/(?<!\p{L})\p{Ll}\p{L}*/gu) ?? [];
  return unknownWordOf(plainTurkish(words.join(" ")));
}

function readMeasure(sentence: Sentence, areDaysBehind: boolean): readonly Statement[] | string {
  const { plain, codes, days, rest } = sentence;
  const period = periodOf(plain, days);
  if (typeof period === "string") return period;
  const { from, until, startIndex, endIndex } = period;
  if (!areDaysBehind && typesOf(plain.slice(endIndex, codes.startIndex)).length > 0) return "its measure is not clear";
  const unknown = unknownWordOf(withoutDays(rest));
  if (unknown !== undefined) return `"${unknown}" is not known`;
  const parts = areDaysBehind ? [plain.slice(codes.endIndex, startIndex), plain.slice(endIndex)] : [rest];
  const named = parts.flatMap((part) => part.split(/\byerine\b/).map(typesOf)).filter((types) => types.length > 0);
  const hasReplaced = /\byerine\b/.test(rest);
  const [first = [], second = []] = named;
  if (named.length === 0 || isClosingUnclear(named.flat(), plain)) return "its measure is not known";
  if (named.length !== (hasReplaced ? 2 : 1) || /\byerine\b.*\byerine\b/.test(rest)) return "its measure is not clear";
  const types = hasReplaced ? second : first;
  if (hasReplaced && first.some((type) => types.includes(type))) return "it replaces a measure by itself";
  const applies = forEach(codes, types, { kind: "applies", from, until } as const);
  return hasReplaced ? [...applies, ...forEach(codes, first, { kind: "ends", freeFrom: from } as const)] : applies;
}

/** The end of a measure. Its day is certain only if the sentence states the session that it ends with. */
function readEnd({ plain, codes, days, rest }: Sentence): readonly Statement[] | string {
  const [found] = days;
  if (found === undefined) return "it ends a measure and has no date";
  const { day, text, endIndex } = found;
  if (days.length > 1) return "it ends a measure and has more than one date";
  if (day === undefined) return `${text} is not a whole date`;
  const unknown = unknownWordOf(withoutDays(rest));
  if (unknown !== undefined) return `"${unknown}" is not known`;
  const types = typesOf(rest);
  if (types.length === 0) return "it ends a measure that is not known";
  if (/\b(yerine|kadar)\b/.test(rest) || IN_FORCE.test(rest)) return "it ends a measure and states more";
  const behind = plain.slice(endIndex);
  const isLastDay = /\b(seans|gun|gunu|islemlerin|islem gunu) sonu|\bkapanis/.test(behind);
  const isFirstFree = /^[^.]{0,60}?\b(itibaren)\b|\bseans (basi|acilisi)/.test(behind);
  if (!isLastDay && !isFirstFree) return "it does not state whether the measure still applies on its day";
  return forEach(codes, types, { kind: "ends", freeFrom: isLastDay ? shiftDay(day, 1) : day } as const);
}

/** A prolongation: of the days that it repeats, or of the running measure if it repeats none. */
function readExtension({ plain, codes, days, rest }: Sentence): readonly Statement[] | string {
  const whole = days.find(({ day }) => day === undefined);
  if (whole !== undefined) return `${whole.text} is not a whole date`;
  const last = days.at(-1);
  if (last?.day === undefined || days.length > 3) return "it prolongs a measure, and its dates are not clear";
  const unknown = unknownWordOf(withoutDays(rest), true);
  if (unknown !== undefined) return `"${unknown}" is not known`;
  const types = typesOf(rest);
  if (types.length === 0) return "it prolongs a measure that is not known";
  const isUntil = ({ endIndex }: FoundDay): boolean => /^[^.\d]{0,80}?\bkadar\b/.test(plain.slice(endIndex));
  if (/\byerine\b/.test(rest) || !isUntil(last)) return "it prolongs a measure, and its dates are not clear";
  const { day: until } = last;
  const earlier = days.at(-2);
  if (earlier?.day === undefined) return forEach(codes, types, { kind: "extends", until } as const);
  // The earlier last day, as its own announcement stated it.
  const isClear =
    isUntil(earlier) && (days.length === 2 || typeof periodOf(textBefore(plain, last), days.slice(0, 2)) !== "string");
  if (!isClear || until <= earlier.day) return "it prolongs a measure, and its dates are not clear";
  return forEach(codes, types, { kind: "applies", from: shiftDay(earlier.day, 1), until } as const);
}

function textBefore(plain: string, { startIndex }: FoundDay): string {
  return plain.slice(0, startIndex);
}

function forEach<T extends object>(
  { symbols }: Pick<ShareCodes, "symbols">,
  types: readonly number[],
  what: T,
): (T & OfShare)[] {
  return symbols.flatMap((symbol) => types.map((restrictionType) => ({ ...what, symbol, restrictionType })));
}

/** Earlier measures of the same share, named in brackets, that a later stage keeps for as long as it lasts. */
function continueMeasures(text: string, plain: string, before: Certain): ReadSentence {
  const symbols = [...new Set(before.statements.map(({ symbol }) => symbol))];
  const named = /\(([^)]*)\)/.exec(plain)?.[1];
  const types = named === undefined ? [] : typesOf(named);
  const isClear =
    /suresi? boyunca devam edecek|sure boyunca devam edecek/.test(plain) &&
    !LIMITING.test(plain) &&
    !CHANGE.test(plain);
  const measure = before.statements.find((statement) => statement.kind === "applies");
  if (!isClear || types.length === 0 || measure === undefined) {
    return { text, kind: "person", why: "it speaks of earlier measures", symbols };
  }
  const { from, until } = measure;
  return { text, kind: "certain", statements: forEach({ symbols }, types, { kind: "applies", from, until } as const) };
}
