/**
 * What is wrong with something that came in, in words for the client (behaviour 1.3).
 *
 * Invariant: the field and the rule are named; no value is repeated.
 */
import { z } from "zod";
import { isShownName } from "./fields.ts";

/**
 * The first thing wrong, of which a field that does not exist is the first of all: it mostly is the misspelt name of one
 * that is said to be missing. `whole` names what the fields are in, for what is wrong with it as such.
 */
export function describeIssue(error: z.ZodError, whole = "the body"): string {
  return listFaults(error, whole)[0]?.message ?? `${whole} is not valid`;
}

function describe(issue: z.core.$ZodIssue, whole: string): string {
  const field = fieldOf(issue);
  // The message names the field itself, as it lies in the object of the path.
  if (issue.code === "unrecognized_keys") return `${field === "" ? "" : `${field}.`}${issue.message}`;
  return `${field === "" ? whole : field} ${ruleOf(issue)}`;
}

/** What kind of rule a field broke; `RULE`: one that a schema does not know, such as the tick table. */
export const FIELD_FAULT_CODES = [
  "REQUIRED",
  "WRONG_TYPE",
  "OUT_OF_RANGE",
  "WRONG_FORMAT",
  "NOT_A_CHOICE",
  "UNKNOWN_FIELD",
  "RULE",
] as const;
export type FieldFaultCode = (typeof FIELD_FAULT_CODES)[number];

/** One thing that is wrong with a request. */
export interface FieldFault {
  readonly code: FieldFaultCode;
  /** The field as a path (`takeProfitItems[0].price`); null: the request as a whole. */
  readonly field: string | null;
  readonly message: string;
}

/** Most faults of one request that are told. */
const FAULTS_MAX = 50;

/**
 * What is wrong, each field once for each kind of rule, at most `FAULTS_MAX`; the first is what `describeIssue` tells. No
 * more is looked at, however much is wrong.
 */
export function listFaults(error: z.ZodError, whole = "the body"): readonly FieldFault[] {
  const isUnknown = ({ code }: z.core.$ZodIssue): boolean => code === "unrecognized_keys";
  const unknown = error.issues.filter(isUnknown);
  const issues = [...unknown, ...error.issues.filter((issue) => !isUnknown(issue))].slice(0, FAULTS_MAX);
  const faults = new Map<string, FieldFault>();
  for (const given of issues) {
    const issue = ownBound(given, issues);
    const [code, field] = [codeOf(issue), namedField(issue)];
    const key = `${code} ${field}`;
    if (!faults.has(key)) faults.set(key, { code, field, message: describe(issue, whole) });
  }
  return [...faults.values()];
}

function namedField(issue: z.core.$ZodIssue): string | null {
  const field = fieldOf(issue);
  const [name] = issue.code === "unrecognized_keys" ? issue.keys : [];
  if (name === undefined || !isShownName(name)) return field === "" ? null : field;
  return field === "" ? name : `${field}.${name}`;
}

function codeOf(issue: z.core.$ZodIssue): FieldFaultCode {
  switch (issue.code) {
    case "unrecognized_keys":
      return "UNKNOWN_FIELD";
    case "invalid_type":
      return issue.message.endsWith("received undefined") ? "REQUIRED" : "WRONG_TYPE";
    case "invalid_value":
      return issue.message === "is required" ? "REQUIRED" : "NOT_A_CHOICE";
    case "too_small":
    case "too_big":
      return "OUT_OF_RANGE";
    case "invalid_format":
    case "invalid_key":
      return "WRONG_FORMAT";
    case "invalid_union":
      return unionOptions.safeParse(issue).success ? "NOT_A_CHOICE" : "WRONG_TYPE";
    default:
      return "RULE";
  }
}

/** All that is wrong with a file of an operator, a line each: the field, and its rule. */
export function describeIssues(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const field = fieldOf(issue);
    const within = field === "" ? "" : `${field}.`;
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => `${within}${key}: there is no such field`);
    const rule = WORDS_OF_ZOD.test(issue.message) ? ruleOf(issue) : issue.message;
    return field === "" ? `the file ${rule}` : `${field}: ${rule}`;
  });
}

/** How the messages begin that no schema of ours gave. */
const WORDS_OF_ZOD = /^(Invalid|Too|Unrecognized) /;

/** Of the bounds of one field that are passed the last: the first is that of all whole numbers, then comes its own. */
function ownBound(first: z.core.$ZodIssue, issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  if (first.code !== "too_big" && first.code !== "too_small") return first;
  const field = fieldOf(first);
  return issues.findLast((issue) => issue.code === first.code && fieldOf(issue) === field) ?? first;
}

function fieldOf(issue: z.core.$ZodIssue): string {
  return issue.path.reduce<string>((path, part) => {
    if (typeof part === "number") return `${path}[${part}]`;
    return path === "" ? String(part) : `${path}.${String(part)}`;
  }, "");
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined") ? "is required" : `must be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return issue.message === "is required" ? issue.message : oneOf(issue.values);
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
    case "invalid_key":
      return `has a name that ${ruleOfAny(issue.issues)}`;
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
  if (type === "record") return "an object";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
