/**
 * The `Idempotency-Key` header (behaviour 1.6). The engine keeps the promise; here it is read and the request is
 * distinguished from another one under the same key.
 */
import { createHash } from "node:crypto";
import type { Envelope } from "../../src/contract/command.ts";
import type { Refusal } from "../client/engine-client.ts";
import type { EdgeContext } from "../server/request-state.ts";
import { refusal } from "./errors.ts";

export const KEY_LENGTH_MAX = 200;

export type Idempotency = NonNullable<Envelope["idempotency"]>;

/** Returns the key and the fingerprint of method, path and body; undefined if the request has no key. */
export function readIdempotency(context: EdgeContext, body: Uint8Array | undefined): Idempotency | Refusal | undefined {
  const key = context.req.header("idempotency-key");
  if (key === undefined) return undefined;
  if (key.length === 0 || key.length > KEY_LENGTH_MAX) {
    return refusal("INVALID", `Idempotency-Key must be 1 to ${KEY_LENGTH_MAX} characters`);
  }
  const hash = createHash("sha256").update(`${context.req.method}\n${context.req.path}\n`);
  return { key, fingerprint: hash.update(body ?? "").digest("base64url") };
}
