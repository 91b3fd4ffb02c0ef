/**
 * Messages of the service in the language of the page. The service answers in English; each pattern of the dictionary
 * names the values that a message fills in.
 *
 * Owns: how a message is recognized, and how its values are written. Does not own: the translations.
 *
 * Invariant: a message without a pattern is returned unchanged, and so is a text that is translated already.
 */

import { dateLocale, numberLocale, spokenLanguage } from "./say.ts";
import { SERVICE } from "./turkish/service.ts";
import { FIELD_NAMES, ITEM_NAMES } from "./turkish/service-fields.ts";

type Kind = "field" | "number" | "price" | "choices" | "time" | "sentence" | "list" | "word" | "text";

/** The kind of a value, by the name that the pattern gives it. All others are repeated unchanged. */
const KINDS: Readonly<Record<string, Kind>> = {
  ...kindsOf("field", ["field", "other", "third"]),
  ...kindsOf("number", ["number", "least", "most", "count", "lots", "total", "sold", "held", "selling", "committed"]),
  ...kindsOf("price", ["price", "level", "amount"]),
  ...kindsOf("choices", ["choices"]),
  ...kindsOf("time", ["time"]),
  ...kindsOf("sentence", ["rest", "why", "what"]),
  ...kindsOf("list", ["remains"]),
  ...kindsOf("word", [
    "symbol",
    "id",
    "key",
    "scope",
    "name",
    "suggestion",
    "version",
    "status",
    "calendar",
    "word",
    "day",
    "period",
  ]),
};

const FIELD = "the (?:body|query|path)|[A-Za-z][\\w-]*(?:\\[\\d+\\])?(?:\\.[A-Za-z]\\w*(?:\\[\\d+\\])?)*";
const CHOICE = '(?:"[^"]*"|-?[\\d.]+|true|false)';
const NUMBER = "-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?";
const FORMS: Readonly<Record<Kind, string>> = {
  field: FIELD,
  number: NUMBER,
  price: NUMBER,
  choices: `${CHOICE}(?: or ${CHOICE})*`,
  time: "\\S+",
  sentence: ".+",
  list: ".+",
  word: "\\S+",
  text: ".+?",
};

type OnPattern = (text: string) => void;

interface Pattern {
  readonly text: string;
  readonly form: RegExp;
  readonly names: readonly string[];
  readonly translation: string;
}

let compiled: readonly Pattern[] | undefined;

/** Returns a remark of the service for the end of a sentence: as {@link serviceText}, without capital and full stop. */
export function serviceRemark(message: string): string {
  return spokenLanguage() === "tr" ? (translate(message, () => undefined) ?? message) : message;
}

/**
 * Returns a message of the service as a sentence in the language of the page; unchanged if it has no pattern.
 * `onPattern` receives each pattern that the message or a part of it fits.
 */
export function serviceText(message: string, onPattern: OnPattern = () => undefined): string {
  if (spokenLanguage() !== "tr") return message;
  const translated = translate(message, onPattern);
  if (translated === undefined) return message;
  const sentence = `${translated.slice(0, 1).toLocaleUpperCase("tr")}${translated.slice(1)}`;
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Returns the Turkish label of a field that a message names: `takeProfitItems[0].price` is "Kâr al 1: fiyat". */
function fieldLabel(path: string): string {
  const labels: string[] = [];
  const parts = path.split(".");
  for (const [index, part] of parts.entries()) {
    const [, name = part, place] = /^(.*)\[(\d+)\]$/.exec(part) ?? [];
    const item = place === undefined ? undefined : ITEM_NAMES[name];
    if (item !== undefined) labels.push(item.replace("{number}", String(Number(place) + 1)));
    else if (index === parts.length - 1) labels.push(FIELD_NAMES[path] ?? FIELD_NAMES[name] ?? path);
  }
  return labels.map((label, index) => (index === 0 ? label : lowerFirst(label))).join(": ");
}

/** A message, or a part of one: without the capital and the full stop of a sentence. Undefined if it has no pattern. */
function translate(message: string, onPattern: OnPattern): string | undefined {
  compiled ??= compileAll();
  for (const pattern of compiled) {
    const found = pattern.form.exec(message);
    if (found === null) continue;
    onPattern(pattern.text);
    return fill(pattern, found.slice(1), onPattern);
  }
  return translateParts(message, onPattern);
}

/** A list of remarks, of which at least one has a pattern. */
function translateParts(message: string, onPattern: OnPattern): string | undefined {
  const parts = message.split("; ");
  if (parts.length === 1) return undefined;
  const translated = parts.map((part) => translate(part, onPattern));
  if (translated.every((part) => part === undefined)) return undefined;
  return translated.map((part, index) => part ?? parts[index]).join("; ");
}

function fill({ names, translation }: Pattern, values: readonly string[], onPattern: OnPattern): string {
  return translation.replaceAll(/\{(\w+)\}/g, (_, name: string, offset: number) => {
    const value = values[names.indexOf(name)] ?? "";
    const kind = KINDS[name] ?? "text";
    if (kind === "sentence") return translate(value, onPattern) ?? value;
    if (kind === "list") return translateList(value, onPattern);
    return write(kind, value, offset === 0);
  });
}

function write(kind: Exclude<Kind, "sentence" | "list">, value: string, isFirst: boolean): string {
  switch (kind) {
    case "field":
      return isFirst ? fieldLabel(value) : lowerFirst(fieldLabel(value));
    case "number":
      return new Intl.NumberFormat(numberLocale(), { maximumFractionDigits: 6 }).format(Number(value));
    case "price":
      return new Intl.NumberFormat(numberLocale(), { minimumFractionDigits: 2, maximumFractionDigits: 6 }).format(
        Number(value),
      );
    case "choices":
      return value.replaceAll('"', "").replaceAll(" or ", " veya ").replaceAll(" and ", " ve ");
    case "time":
      return timeText(value);
    case "word":
    case "text":
      return value;
  }
}

function translateList(value: string, onPattern: OnPattern): string {
  return value
    .split(", ")
    .map((part) => translate(part, onPattern) ?? part)
    .join(", ");
}

function timeText(value: string): string {
  const timeMs = Date.parse(value);
  if (!Number.isFinite(timeMs)) return value;
  return new Date(timeMs).toLocaleString(dateLocale(), { dateStyle: "short", timeStyle: "short" });
}

/** An abbreviation such as "OCO" keeps its capitals. */
function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Lu}/u.test(text) ? text : `${text.slice(0, 1).toLocaleLowerCase("tr")}${text.slice(1)}`;
}

/** The pattern with the most text of its own is tried first: it is the closest description of a message. */
function compileAll(): readonly Pattern[] {
  const texts = Object.values(SERVICE).flatMap((topic) => Object.entries(topic));
  const ownLength = (text: string): number => text.replaceAll(/\{\w+\}/g, "").length;
  return texts
    .toSorted(([left], [right]) => ownLength(right) - ownLength(left))
    .map(([text, translation]) => compile(text, translation));
}

function compile(text: string, translation: string): Pattern {
  const names: string[] = [];
  const form = text
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(name);
      return `(${FORMS[KINDS[name] ?? "text"]})`;
    })
    .join("");
  return { text, form: new RegExp(`^${form}$`, "s"), names, translation };
}

function kindsOf(kind: Kind, names: readonly string[]): Record<string, Kind> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}
