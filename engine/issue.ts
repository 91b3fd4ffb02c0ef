/**
 * What is wrong with a body, in words for the client.
 *
 * Invariant: the field and the rule are named; no value is repeated.
 */
import type { z } from "zod";

/** The first thing wrong with a body, or with another `whole`. */
export function describeIssue(error: z.ZodError, whole = "the body"): string {
  const [issue] = error.issues;
  if (issue === undefined) return `${whole} is not valid`;
  const field = issue.path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return `${field.replace(/^\./, "") || whole} ${ruleOf(issue)}`;
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined") ? "is required" : `must be ${article(issue.expected)}`;
    case "too_small":
      return issue.minimum === 1 ? "must not be empty" : `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}`;
    case "invalid_format":
    case "custom":
      return issue.message;
    default:
      return "is not valid";
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
