/**
 * Runs a table of bad requests against a running application: each gets the answer of its row, never more than a
 * refusal, and together they change nothing.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { UnsoldType } from "../../../src/contract/event/event-words.ts";
import { assertInvalid } from "../../support/invalid.ts";
import { type Answer, type AppUser, type FaultApp, type SendOptions, until } from "./app.ts";

export interface FaultCase extends SendOptions {
  readonly name: string;
  /** Default: POST. */
  readonly method?: string;
  /** Default: the path of the table. */
  readonly path?: string;
  readonly status: number;
  /** The required form of the message. */
  readonly message?: RegExp;
}

interface FaultTable {
  readonly app: FaultApp;
  readonly user: AppUser;
  readonly path: string;
  /** `data` of the table's 400s; default: none. */
  readonly invalidData?: number;
  readonly cases: readonly FaultCase[];
}

/** One test for each row, and one for all of them together. */
export function faultTable(name: string, { app, user, path, cases, invalidData }: FaultTable): void {
  describe(name, () => {
    let fingerprint = "";
    before(async () => {
      fingerprint = await app.fingerprint();
    });
    for (const row of cases) {
      test(row.name, async () => {
        const options = { token: user.token, ...row };
        const answer = await app.send(row.method ?? "POST", row.path ?? path, options);
        assert.equal(answer.status, row.status, answer.text.slice(0, 500));
        assertRefusal(answer, invalidData);
        if (row.message !== undefined) assert.match(messageOf(answer), row.message);
      });
    }
    after(async () => {
      assert.equal(await app.fingerprint(), fingerprint, `${name} changed something`);
      assertNoFault(app);
    });
  });
}

/** Fails if an inner error was logged, independent of the answers. */
export function assertNoFault(app: FaultApp): void {
  assert.deepEqual(app.log.faults.slice(0, 3), []);
}

/**
 * Waits for the error line of an event that a person must act on, and removes it: the engine is not at fault.
 * Exactly one line has this type and all parts; a second one fails the next `assertNoFault`.
 */
export async function assertLoggedEvent(app: FaultApp, type: UnsoldType, ...parts: readonly string[]): Promise<void> {
  const all = [`"type":"${type}"`, ...parts];
  await until(() => app.log.faults.some((line) => all.every((part) => line.includes(part))));
  assert.equal(app.log.forgive(...all), 1, "the event is logged once");
}

/** Returns the message of a refusal of any shape. */
export function messageOf({ body }: Answer): string {
  const error = body.error as { readonly message?: unknown } | undefined;
  return String(body.message ?? error?.message);
}

const CODES = new Map<unknown, number>([
  ["UNAUTHORIZED", 401],
  ["FORBIDDEN", 403],
  ["NOT_FOUND", 404],
  ["METHOD_NOT_ALLOWED", 405],
  ["CONFLICT", 409],
  ["PAYLOAD_TOO_LARGE", 413],
  ["UNPROCESSABLE", 422],
]);

/** Checks the shape of a refusal (behaviour 1.2), exactly. */
export function assertRefusal(answer: Answer, invalidData?: number): void {
  const { status, headers, body, text } = answer;
  assert.ok(status >= 400 && status < 500, `${status} ${text.slice(0, 500)}`);
  assert.equal(headers.get("content-type"), "application/json");
  assert.ok(headers.get("x-request-id") !== null, "an answer has its request's id");
  const message = messageOf(answer);
  assert.ok(message.length > 0 && message.length < 400, `a readable message: ${message.slice(0, 500)}`);
  if (status === 400) {
    const data = invalidData === undefined ? {} : { data: invalidData };
    assertInvalid(body, message, data);
  } else if (status === 429) {
    const { retryAfterSeconds } = body;
    assert.deepEqual(body, { success: false, message, retryAfterSeconds });
    assert.equal(headers.get("retry-after"), String(retryAfterSeconds));
  } else {
    const { code } = body.error as { readonly code: unknown };
    assert.equal(CODES.get(code), status, text);
    const error = { code, message };
    assert.deepEqual(body, status === 401 ? { success: false, error } : { success: false, message, error });
  }
}
