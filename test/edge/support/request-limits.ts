/** The limits that the document shows of a request, each with a value just inside and one just outside. */
import type { ApiDocument, ExampleRequest } from "../../support/client/api-document.ts";

export interface RequestLimit {
  /** As a message names it: `takeProfitItems[0].price`. */
  readonly field: string;
  /** `maximum 100`. */
  readonly rule: string;
  readonly inside: unknown;
  readonly outside: unknown;
  /** The example of the operation with this value in the field's place. */
  requestWith(value: unknown): ExampleRequest;
  headersWith(value: unknown): Readonly<Record<string, string>>;
}

/** Longer texts of an address are lists. */
const LISTED_MIN = 1_000;

type Schema = Readonly<Record<string, unknown>>;

interface Probe {
  readonly rule: string;
  readonly inside: unknown;
  readonly outside: unknown;
}

/** Of parameters and body. Values of a batch's items are not among them: an item fails alone. */
export function limitsOf(document: ApiDocument, name: string): RequestLimit[] {
  const example = document.exampleRequest(name);
  const none = () => ({});
  const ofBody = document.leavesOf(name).flatMap(({ field, path, schema, value }) =>
    probesOf(schema, value).map((probe) => ({
      field,
      ...probe,
      requestWith: (given: unknown) => ({ ...example, body: replaced(example.body, path, given) }),
      headersWith: none,
    })),
  );
  const ofParameters = document.find(name).parameters.flatMap(({ name: field, in: place, schema, example: shown }) =>
    // A path without a part is another path. A list in an address has rules of its own for its parts.
    probesOf(schema, shown ?? "x", place === "header" ? "x" : undefined)
      .filter(({ outside }) => place !== "path" || outside !== "")
      .filter(
        ({ rule }) => place !== "query" || !rule.startsWith("maxLength") || Number(schema.maxLength) <= LISTED_MIN,
      )
      .map((probe) => ({
        field,
        ...probe,
        requestWith: (given: unknown): ExampleRequest => {
          const text = encodeURIComponent(String(given));
          if (place === "query") return { ...example, query: { ...example.query, [field]: String(given) } };
          if (place !== "path") return example;
          return { ...example, path: example.path.replace(encodeURIComponent(String(shown)), text) };
        },
        headersWith: (given: unknown) => (place === "header" ? { [field]: String(given) } : {}),
      })),
  );
  return [...ofBody, ...ofParameters].filter(({ field }) => field !== "X-API-Key");
}

/** `filler`: what texts are made longer with; by default a character of two units, which counts as one. */
function probesOf(schema: Schema, value: unknown, filler = "\u{1F600}"): Probe[] {
  const probes: Probe[] = [];
  const add = (rule: string, inside: unknown, outside: unknown) => probes.push({ rule, inside, outside });
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } =
    schema as Readonly<Record<string, number | undefined>>;
  const step = schema.type === "integer" ? 1 : 0.001;
  if (schema.type === "integer" && typeof value === "number") add("integer", value, value + 0.5);
  if (minimum !== undefined) add(`minimum ${minimum}`, minimum, minimum - step);
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) add(`maximum ${maximum}`, maximum, maximum + step);
  if (exclusiveMinimum !== undefined) add(`above ${exclusiveMinimum}`, exclusiveMinimum + step, exclusiveMinimum);
  if (exclusiveMaximum !== undefined) add(`below ${exclusiveMaximum}`, exclusiveMaximum - step, exclusiveMaximum);
  const text = typeof value === "string" && value !== "" ? value : "x";
  const longText = (length: number) => text.slice(0, length) + filler.repeat(Math.max(0, length - text.length));
  if (minLength !== undefined && minLength > 0) add(`minLength ${minLength}`, "x".repeat(minLength), "");
  if (maxLength !== undefined) add(`maxLength ${maxLength}`, longText(maxLength), longText(maxLength + 1));
  const item = Array.isArray(value) ? (value as readonly unknown[])[0] : undefined;
  const list = (length: number) => Array.from({ length }, () => item);
  if (minItems !== undefined && minItems > 0) add(`minItems ${minItems}`, list(minItems), list(minItems - 1));
  if (maxItems !== undefined) add(`maxItems ${maxItems}`, list(maxItems), list(maxItems + 1));
  if (Array.isArray(schema.enum)) add("enum", (schema.enum as readonly unknown[])[0], "none of them");
  const wrong = wrongFor(schema.pattern);
  const isExample = typeof schema.pattern === "string" && new RegExp(schema.pattern, "u").test(String(value));
  if (wrong !== undefined && isExample) add(`pattern ${String(schema.pattern)}`, value, wrong);
  return probes;
}

function wrongFor(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") return undefined;
  const expression = new RegExp(pattern, "u");
  return ["a!", "   ", "a\u0007b"].find((text) => !expression.test(text));
}

/** The value with another one at the end of the path, whose parts are there or made. */
function replaced(whole: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof first === "number") {
    const items = Array.isArray(whole) ? (whole as readonly unknown[]) : [];
    return Object.assign([...items], { [first]: replaced(items[first], rest, value) });
  }
  const fields = typeof whole === "object" && whole !== null ? (whole as Schema) : {};
  return { ...fields, [first]: replaced(fields[first], rest, value) };
}
