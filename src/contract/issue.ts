/**
 * The faults of a received request, as text for the client (behaviour 1.3).
 *
 * Invariant: the field and the rule are named; no value is repeated.
 */
import { z } from "zod";
import { isShownName } from "./fields.ts";

/**
 * Returns the first fault. An unknown field comes before all others: it mostly is the misspelt name of a field that is
 * reported as missing. `whole` names the object of the fields, for faults of the object as a whole.
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

/** The kind of rule that a field broke; `RULE`: a rule that a schema does not know, such as the tick table. */
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

/** One fault of a request. */
export interface FieldFault {
  readonly code: FieldFaultCode;
  /** The field as a path (`takeProfitItems[0].price`); null: the request as a whole. */
  readonly field: string | null;
  readonly message: string;
}

/** The most faults of one request that are reported. */
const FAULTS_MAX = 50;

/**
 * Returns the faults, each field once for each kind of rule, at most `FAULTS_MAX`; the first is the result of
 * `describeIssue`. It stops there, however many more faults exist.
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

/** All faults of an operator's file, a line each: the field, and its rule. */
export function describeIssues(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const field = fieldOf(issue);
    const within = field === "" ? "" : `${field}.`;
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => `${within}${key}: unknown field`);
    const rule = WORDS_OF_ZOD.test(issue.message) ? ruleOf(issue) : issue.message;
    return field === "" ? `the file ${rule}` : `${field}: ${rule}`;
  });
}

/** The beginnings of messages that no schema of ours gave. */
const WORDS_OF_ZOD = /^(Invalid|Too|Unrecognized) /;

/** Returns the last broken bound of one field: the first is the bound of all whole numbers, then comes its own. */
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

/** The permitted values of a field that names the kind of a body; Zod knows them, its types do not. */
const unionOptions = z.object({ options: z.array(z.unknown()).min(1) });

/** The rule of a field that has several permitted forms, if the value fits no form. */
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
