/**
 * The texts of the page in the user's language. English is in the code and is the key of the Turkish text.
 *
 * Invariants:
 * 1. A text without a translation, and a value that its text does not name, do not compile.
 * 2. A key may end in a context after a bar, for an English word of which Turkish has two: `Sell|order`. The context is
 *    never shown.
 * 3. The language is chosen once for each page, before any other module runs: texts may be constants of a module.
 */
import { fillIn, type TextValues } from "../../../../src/event/language.ts";
import { TURKISH } from "./turkish.ts";

export const LANGUAGES = ["en", "tr"] as const;
export type Language = (typeof LANGUAGES)[number];

/** An English text that has a translation. It may name values: `Sell {lots} {symbol} now`. */
export type Text = keyof typeof TURKISH;

/** The context at the end of a key. */
const CONTEXT = /\|[a-z]+$/;

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<T extends string> = [NamesIn<T>] extends [never]
  ? readonly []
  : readonly [values: Readonly<Record<NamesIn<T>, string | number>>];

let spoken: Language = "en";

/** Chooses the language of the page. */
export function speak(language: Language): void {
  spoken = language;
}

/** Returns the language of the page. */
export function spokenLanguage(): Language {
  return spoken;
}

/** The text in the user's language, with its values. */
export function say<T extends Text>(text: T, ...[values]: ValuesOf<T>): string {
  return sayEvent(text, values);
}

/** Translates a text of `src/event`, which knows no other language. A test checks that each has a translation. */
export function sayEvent(text: string, values?: TextValues): string {
  return fillIn(spoken === "tr" && isText(text) ? TURKISH[text] : text.replace(CONTEXT, ""), values);
}

function isText(text: string): text is Text {
  return Object.hasOwn(TURKISH, text);
}

/** Whose way of writing numbers and dates is used. */
export function numberLocale(): string {
  return spoken === "tr" ? "tr-TR" : "en-US";
}

/** As {@link numberLocale}, with the day before the month in English too. */
export function dateLocale(): string {
  return spoken === "tr" ? "tr-TR" : "en-GB";
}
