/**
 * Checks input against a schema and describes its faults.
 *
 * Invariant: a message names the field and the rule; it never repeats a value.
 */
import type { z } from "zod";
import { isShownName, refuseField } from "../../src/contract/fields.ts";
import { type FieldFault, listFaults } from "../../src/contract/issue.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { Refusal } from "../client/engine-client.ts";
import { refuseFaults } from "../middleware/errors.ts";
import type { EdgeContext } from "../server/request-state.ts";

/** The most remembered queries of one operation. */
const REMEMBERED_QUERIES_MAX = 2_000;
const REMEMBERED_LENGTH_MAX = 256;

type Checked<T> = { readonly ok: true; readonly value: T } | Refusal;

/** Checks a body. */
export function checkBody<S extends z.ZodType>(schema: S, body: unknown): Checked<z.output<S>> {
  const parsed = schema.safeParse(body);
  return parsed.success ? { ok: true, value: parsed.data } : invalid(parsed.error, "the body");
}

/**
 * Makes the check of the query parameters that the schema names. Each can occur there once; an unknown one is refused,
 * as a misspelt filter would give another answer than the requested one. Clients repeat the same queries: the result
 * for an address is remembered, so the schema must use nothing else.
 */
export function queryCheck<S extends z.ZodObject>(schema: S): (context: EdgeContext) => Checked<z.output<S>> {
  const recent = new LruCache<string, Checked<z.output<S>>>(REMEMBERED_QUERIES_MAX);
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
  const known = Object.keys(schema.shape);
  for (const [name, values] of Object.entries(query)) {
    if (!known.includes(name)) {
      const field = isShownName(name) ? name : null;
      return refuseParameter({ code: "UNKNOWN_FIELD", field, message: refuseField([name], known, "parameter") });
    }
    if (values.length > 1) return refuseParameter({ code: "RULE", field: name, message: `${name} must be given once` });
    given[name] = values[0] ?? "";
  }
  const parsed = schema.safeParse(given);
  return parsed.success ? { ok: true, value: parsed.data } : invalid(parsed.error, "the query");
}

function refuseParameter(fault: FieldFault): Refusal {
  return refuseFaults([fault], "the query");
}

/** Checks the parameters of the path. */
export function checkParams<S extends z.ZodObject>(schema: S, context: EdgeContext): Checked<z.output<S>> {
  const parsed = schema.safeParse(context.req.param());
  return parsed.success ? { ok: true, value: parsed.data } : invalid(parsed.error, "the path");
}

function invalid(error: z.ZodError, whole: string): Refusal {
  return refuseFaults(listFaults(error, whole), whole);
}
