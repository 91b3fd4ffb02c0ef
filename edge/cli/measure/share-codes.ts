/**
 * Codes of shares in a sentence. A pure function.
 *
 * A code with a suffix (`ARMGD.E`) is one anywhere. A code without one is one in brackets behind a name, and in a list
 * before the word for shares or their order book. A text in capitals alone does not show which words are codes: there
 * only brackets count.
 */
import { plainTurkish } from "../../../src/runtime/plain-turkish.ts";

export interface ShareCodes {
  readonly symbols: readonly string[];
  /** Where the first begins and the last ends in the plain text. */
  readonly startIndex: number;
  readonly endIndex: number;
  /** The text from the first to the last. */
  readonly text: string;
  /** Why they are not certain. */
  readonly why: string | undefined;
}

interface FoundCode {
  readonly symbol: string;
  readonly suffix: string | undefined;
  readonly index: number;
  readonly length: number;
}

const SUFFIXED = /(?<![\p{L}\d.])([A-Z][A-Z0-9]{1,9})\.([A-Z]{1,2})(?![\p{L}\d])/gu;
const IN_BRACKETS = /\([^()]*\)/gu;
const CODES_ONLY = /^\(\s*[A-Z][A-Z0-9]{3,4}(?:\s*[,;/]\s*[A-Z][A-Z0-9]{3,4})*\s*\)$/u;
const WORD = "[A-Z][A-Z0-9]{3,4}(?![\\p{L}\\d]|\\.[A-Z])";
/** Not the last of several words in capitals, which are a name. */
const BARE = `(?:(?<=\\s(?:VE|ILE|İLE)\\s)|(?<![\\p{L}\\d.]|\\p{Lu}{2}\\s))${WORD}`;
const ITEM = `(?:${SUFFIXED.source}|${BARE})(?:['’]\\p{L}{1,4})?(?:\\s*\\([^()]*\\))?`;
/** "ARMGD, METRO.E (Metro Holding) ve THYAO payları". */
const LIST = new RegExp(
  `(?:${ITEM}(?:\\s*[,;/]\\s*|\\s+(?:ve|ile|VE|ILE|İLE)\\s+))*${ITEM}\\s+` +
    "(?:[Pp]ay(?:ı|i|lar|a|d)|PAY(?:I|İ|LAR|A|D)|hisse|HİSSE|HISSE|işlem\\s+sıra|(?:İŞLEM|ISLEM)\\s+SIRA)",
  "gu",
);
/** A share of the equity market; other suffixes are rights, warrants and special orders. */
const SHARE = "E";
/** Abbreviations and words that look like a code. */
const NO_CODES = new Set("BIST BIAS VBTS VIOP TCMB MKYS ISIN TAKAS BORSA GRUP ADET".split(" "));

/** Returns the codes of a sentence; `undefined` if it contains no codes. */
export function findShareCodes(text: string): ShareCodes | undefined {
  const suffixed = [...text.matchAll(SUFFIXED)].map(
    ({ 0: whole, 1: symbol = "", 2: suffix, index }): FoundCode => ({ symbol, suffix, index, length: whole.length }),
  );
  const inBrackets = [...text.matchAll(IN_BRACKETS)].filter(([whole]) => CODES_ONLY.test(whole)).flatMap(bareCodes);
  const isCapitals = !/\p{Ll}/u.test(text);
  const listed = [...text.matchAll(LIST)].flatMap(bareCodes);
  const found = [...suffixed, ...inBrackets, ...(isCapitals ? [] : listed)].sort((a, b) => a.index - b.index);
  const [first] = found;
  const last = found.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const other = suffixed.find(({ suffix }) => suffix !== SHARE);
  const unclear = isCapitals ? listed[0] : undefined;
  return {
    symbols: [...new Set(found.map(({ symbol }) => symbol))],
    startIndex: plainTurkish(text.slice(0, first.index)).length,
    endIndex: plainTurkish(text.slice(0, last.index + last.length)).length,
    text: text.slice(first.index, last.index + last.length),
    why:
      other !== undefined
        ? `${other.symbol}.${other.suffix} is not the code of a share`
        : unclear && `${unclear.symbol} can be a word: in capitals a code needs its suffix`,
  };
}

/** Codes without a suffix in a match; the content of its brackets is a name, unless the match is a bracket. */
function bareCodes({ 0: whole, index }: RegExpMatchArray): readonly FoundCode[] {
  const isBracket = whole.startsWith("(");
  const searched = isBracket ? whole : whole.replace(IN_BRACKETS, (name) => " ".repeat(name.length));
  return [...searched.matchAll(new RegExp(isBracket ? WORD : BARE, "gu"))]
    .filter(([symbol]) => !NO_CODES.has(symbol))
    .map(({ 0: symbol, index: at }) => ({
      ...{ symbol, suffix: undefined, index: (index ?? 0) + at, length: symbol.length },
    }));
}
