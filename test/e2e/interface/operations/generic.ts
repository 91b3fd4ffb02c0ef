/**
 * The refusals of every operation, derived from the OpenAPI document.
 */
import assert from "node:assert/strict";
import type { Row } from "./row.ts";
import type { Answer, Given, World } from "./world.ts";

const WRONG_IDS = ["abc", "0", "-1", "1.5", "1e3", "99999999999999999999"];

function tokenOf(row: Row, world: World): string {
  return row.scope === "admin" ? world.operator.token : world.alice.token;
}

/** Fails unless the answer refuses with this status; without a token the message is in `error`. */
export function assertRefused(answer: Answer, status: number, message: RegExp, what: string): void {
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  assert.equal(answer.body.success, false, what);
  const { error } = answer.body as { error?: { message?: string } };
  assert.match(String(answer.body.message ?? error?.message), message, what);
}

/** Tries no token, a malformed token and a token with a wrong signature. */
export async function checkUnauthorized(row: Row, world: World): Promise<void> {
  const given = row.given(world);
  for (const token of [undefined, "x", `${world.alice.token.slice(0, -6)}AAAAAA`]) {
    assertRefused(await world.send(row.operation, given, token), 401, /access token/, `token ${token?.length}`);
  }
}

/** Tries tokens that have every scope but the required one. */
export async function checkForbidden(row: Row, world: World): Promise<void> {
  const token = { read: world.tradeOnly, trade: world.readOnly, admin: world.alice.token }[row.scope];
  const answer = await world.send(row.operation, row.given(world), token);
  assertRefused(answer, 403, new RegExp(`lacks the scope ${row.scope}`), "scope");
}

/** Tries parameters that are missing, doubled or malformed. */
export async function checkParameters(row: Row, world: World): Promise<void> {
  const right = row.given(world);
  const token = tokenOf(row, world);
  for (const { name, in: place, required, schema } of world.document.find(row.operation).parameters) {
    if (place === "query") {
      const { [name]: value = "1", ...rest } = right.query ?? {};
      if (required) {
        const answer = await world.send(row.operation, { ...right, query: rest }, token);
        assertRefused(answer, 400, new RegExp(`^${name} is required$`), name);
      }
      const doubled = await sendDoubled(row, world, right, name, value);
      assertRefused(doubled, 400, new RegExp(`^${name} must be given once$`), name);
    }
    if (place === "path" && schema.type === "integer") {
      for (const wrong of WRONG_IDS) {
        const answer = await world.send(row.operation, { ...right, path: { ...right.path, [name]: wrong } }, token);
        assertRefused(answer, 400, new RegExp(`^${name} must be a whole number above 0$`), `${name} ${wrong}`);
      }
    }
    if (name === "Idempotency-Key") {
      const answer = await world.send(row.operation, right, token, { "Idempotency-Key": "k".repeat(201) });
      assertRefused(answer, 400, /^Idempotency-Key/, name);
    }
  }
}

async function sendDoubled(row: Row, world: World, right: Given, name: string, value: string): Promise<Answer> {
  const [method = "", template = ""] = row.operation.split(" ");
  const path = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(right.path?.[key] ?? ""));
  const url = new URL(world.stack.url + path);
  for (const [key, given] of Object.entries(right.query ?? {})) url.searchParams.append(key, given);
  url.searchParams.delete(name);
  url.searchParams.append(name, value);
  url.searchParams.append(name, value);
  return world.sendTo(row.operation, method, url, right, tokenOf(row, world));
}

/** Tries bodies that are not JSON, of another type, too large, too deep, without a field, or with a mistyped field. */
export async function checkBody(row: Row, world: World): Promise<void> {
  const { requestBody } = world.document.find(row.operation);
  const content = requestBody?.content["application/json"];
  if (requestBody === undefined || content === undefined) return;
  const right = row.given(world);
  const token = tokenOf(row, world);
  const refused = async (given: Given, status: number, message: RegExp, what: string): Promise<void> =>
    assertRefused(await world.send(row.operation, given, token), status, message, what);
  await refused({ ...right, raw: '{"a":' }, 400, /^the body is not valid JSON$/, "cut off");
  await refused({ ...right, raw: "[".repeat(1_000) }, 400, /^the body is nested deeper/, "deep");
  await refused({ ...right, raw: "[]" }, 400, /^the body/, "array");
  await refused({ ...right, contentType: "text/plain" }, 400, /^Content-Type/, "type");
  await refused({ ...right, raw: `"${"x".repeat(1_048_577)}"` }, 413, /larger than/, "large");
  const schema = world.document.resolve(content.schema);
  const required = (schema.required ?? []) as readonly string[];
  const json = right.json as Readonly<Record<string, unknown>>;
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, object>)) {
    const { [name]: _, ...without } = json;
    if (required.includes(name)) {
      await refused({ ...right, json: without }, 400, new RegExp(`^${name} is required$`), `without ${name}`);
    }
    const isTyped = "type" in property || "anyOf" in property;
    if (isTyped)
      await refused({ ...right, json: { ...json, [name]: { a: 1 } } }, 400, new RegExp(`^${name}[ .]`), name);
  }
}

/** Tries the refusals of the row. */
export async function checkRefusals(row: Row, world: World): Promise<void> {
  const right = row.given(world);
  const token = tokenOf(row, world);
  for (const { given, status, message } of row.refused ?? []) {
    assertRefused(await world.send(row.operation, given(right, world), token), status, message, String(message));
  }
  if (row.absent !== undefined) {
    assertRefused(
      await world.send(row.operation, row.absent(right), token),
      404,
      /not found|not know|nothing|no order/,
      "absent",
    );
  }
}

/** Sends Alice's own request as Bob. */
export async function checkForeign(row: Row, world: World): Promise<void> {
  if (row.scope === "admin") return;
  const answer = await world.send(row.operation, row.given(world), world.bob.token);
  if (row.foreign !== undefined) assert.equal(answer.status, row.foreign, answer.text);
  for (const { accountNumber } of [world.account(), world.account("LOGIN"), world.account("TINY")]) {
    assert.equal(answer.text.includes(`"${accountNumber}"`), false, "nothing of Alice's is in it");
  }
}

/** Sends the request that succeeds; a repeat with the same idempotency key gets the first answer. */
export async function checkSuccess(row: Row, world: World): Promise<void> {
  const right = row.given(world);
  const token = tokenOf(row, world);
  const honoursKey = world.document.find(row.operation).parameters.some(({ name }) => name === "Idempotency-Key");
  const headers = honoursKey ? { "Idempotency-Key": `key of ${row.operation}` } : {};
  const answer = await world.send(row.operation, right, token, headers);
  assert.equal(answer.status, 200, answer.text);
  if (honoursKey) {
    const again = await world.send(row.operation, right, token, headers);
    assert.equal(again.text, answer.text, "the first answer is given again");
    const other = { ...right, raw: `${JSON.stringify(right.json ?? {})} ` };
    const misused = await world.send(row.operation, other, token, headers);
    assertRefused(misused, 422, /^Idempotency-Key was used with another request$/, "another body");
  }
  await row.success(answer, world);
}
