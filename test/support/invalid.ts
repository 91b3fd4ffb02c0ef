/** The body of every 400: its exact shape (behaviour 1.2). */
import assert from "node:assert/strict";
import { FIELD_FAULT_CODES, type FieldFault } from "../../src/contract/issue.ts";

/** Checks the body of a 400 with this message; returns all its faults. `rest`: further fields of the body. */
export function assertInvalid(body: unknown, message: string, rest: object = {}): readonly FieldFault[] {
  const { errors } = body as { readonly errors: readonly FieldFault[] };
  const [first] = errors;
  assert.ok(first !== undefined, JSON.stringify(body));
  assert.equal(first.message, message);
  const error = { code: first.code, field: first.field };
  assert.deepEqual(body, { success: false, message, ...rest, error, errors });
  for (const { code, field, message: told } of errors) {
    assert.ok(FIELD_FAULT_CODES.includes(code), code);
    assert.ok(field === null || told.startsWith(field) || code === "UNKNOWN_FIELD", `${field}: ${told}`);
  }
  return errors;
}
