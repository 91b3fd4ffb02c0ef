/**
 * Checks what came in against a schema and says what is wrong with it.
 *
 * Invariant: a message names the field and the rule; it never repeats a value.
 */
import { z } from "zod";
import { Recent } from "../../src/recent.ts";
import type { Refusal } from "../client/engine-client.ts";
import type { EdgeContext } from "../exchange.ts";
import { refusal } from "../middleware/errors.ts";

/** Of one operation. */
const REMEMBERED_QUERIES_MAX = 2_000;
const REMEMBERED_LENGTH_MAX = 256;

export type Checked<T> = { readonly ok: true; readonly value: T } | Refusal;

/** Checks a body. */
export function checkBody<S extends z.ZodType>(schema: S, body: unknown): Checked<z.output<S>> {
  const parsed = schema.safeParse(body);
  return parsed.success ? { ok: true, value: parsed.data } : explain(parsed.error, "the body");
}

/**
 * Makes the check of the query parameters that the schema names; others are ignored, and each may stand there once.
 * Clients ask for the same again and again: what an address stands for is remembered, so the schema must look at
 * nothing else.
 */
export function queryCheck<S extends z.ZodObject>(schema: S): (context: EdgeContext) => Checked<z.output<S>> {
  const recent = new Recent<string, Checked<z.output<S>>>(REMEMBERED_QUERIES_MAX);
  return (context) => {
    const { url } = context.req;
    const known = recent.get(url);
    if (known !== undefined) return known;
    const checked = checkQuery(schema, context);
    if (checked.ok && url.length <= REMEMBERED_LENGTH_MAX) recent.set(url, checked);
    return checked;
  };
}

function checkQuery<S extends z.ZodObject>(schema: S, context: EdgeContext): Checked<z.output<S>> {
  const given: Record<string, string> = {};
  const query = context.req.queries();
  for (const name of Object.keys(schema.shape)) {
    const values = query[name];
    if (values === undefined) continue;
    if (values.length > 1) return refusal("INVALID", `${name} must be given once`);
    given[name] = values[0] ?? "";
  }
  const parsed = schema.safeParse(given);
  return parsed.success ? { ok: true, value: parsed.data } : explain(parsed.error, "the query");
}

/** Checks the parameters of the path. */
export function checkParams<S extends z.ZodObject>(schema: S, context: EdgeContext): Checked<z.output<S>> {
  const parsed = schema.safeParse(context.req.param());
  return parsed.success ? { ok: true, value: parsed.data } : explain(parsed.error, "the path");
}

/** The first thing that is wrong, in words for the client. */
function explain(error: z.ZodError, whole: string): Refusal {
  const [issue] = error.issues;
  if (issue === undefined) return refusal("INVALID", `${whole} is not valid`);
  const field = issue.path.reduce<string>((path, part) => {
    if (typeof part === "number") return `${path}[${part}]`;
    return path === "" ? String(part) : `${path}.${String(part)}`;
  }, "");
  return refusal("INVALID", `${field === "" ? whole : field} ${ruleOf(issue)}`);
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined") ? "is required" : `must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return oneOf(issue.values);
    case "too_small":
      if (issue.minimum === 1 && unitOf(issue.origin) !== "") return "must not be empty";
      if (issue.inclusive === false) return `must be above ${issue.minimum}`;
      return `${verbOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      if (issue.inclusive === false) return `must be below ${issue.maximum}`;
      return `${verbOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_union": {
      const options = unionOptions.safeParse(issue);
      return options.success ? oneOf(options.data.options) : ruleOfAny(issue.errors.flat());
    }
    case "invalid_format":
    case "custom":
      return issue.message;
    default:
      return "is not valid";
  }
}

/** What a field that says of which kind a body is may say; Zod knows it, its types do not. */
const unionOptions = z.object({ options: z.array(z.unknown()).min(1) });

/** The rule of a field that may be one of several things, each of which it is not. */
function ruleOfAny(issues: readonly z.core.$ZodIssue[]): string {
  const values = issues.flatMap((issue) => (issue.code === "invalid_value" ? issue.values : []));
  if (values.length > 0 && values.length === issues.length) return oneOf(values);
  return issues.length === 0 ? "is not valid" : [...new Set(issues.map(ruleOf))].join(" or ");
}

function oneOf(values: readonly unknown[]): string {
  return `must be ${values.map((value) => JSON.stringify(value)).join(" or ")}`;
}

function verbOf(origin: string): string {
  return origin === "array" ? "must have" : "must be";
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}

function withArticle(type: string): string {
  if (type === "int") return "a whole number";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
