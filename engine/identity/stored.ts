/**
 * What the identity part keeps in the store: its keys, and the JSON under them, checked on reading.
 *
 * | key | holds |
 * |---|---|
 * | `u/<user>` | a user |
 * | `ku/<user>/<key>` | an API key without its secret |
 * | `k/<hash>` | whose API key has this SHA-256 |
 * | `kf/<key>/<family>` | a family of the API key that has not ended, as far as is known |
 * | `rv/<family>` | a revoked family whose access tokens may not have expired |
 *
 * The families themselves are actors and stored as such.
 */

import { z } from "zod";
import { scopeSchema } from "../../src/contract/operator/identity.ts";
import { textOf } from "../../src/runtime/json.ts";
import { TABLES } from "../table/tables.ts";

export const userKey = (userId: number): string => TABLES.users.key(userId);
export const apiKeysOf = (userId: number): string => TABLES.apiKeys.within(userId);
export const apiKeyKey = (userId: number, keyId: number): string => TABLES.apiKeys.key(userId, keyId);
export const apiKeyHashKey = (hash: string): string => TABLES.apiKeyHashes.key(hash);
export const familiesOf = (keyId: number): string => TABLES.keyFamilies.within(keyId);
export const keyFamilyKey = (keyId: number, familyId: number): string => TABLES.keyFamilies.key(keyId, familyId);
export const revocationKey = (familyId: number): string => TABLES.revocations.key(familyId);

const version = z.literal(1);
const id = z.number().int().positive();
const timeMs = z.number().int().nonnegative();

export const storedUser = z.strictObject({ version, userId: id, name: z.string(), createdAtMs: timeMs });
export type StoredUser = z.infer<typeof storedUser>;

export const storedApiKey = z.strictObject({
  version,
  userId: id,
  keyId: id,
  name: z.string(),
  scopes: z.array(scopeSchema).min(1),
  createdAtMs: timeMs,
  revokedAtMs: timeMs.nullable(),
});
export type StoredApiKey = z.infer<typeof storedApiKey>;

export const storedApiKeyOwner = z.strictObject({ version, userId: id, keyId: id });

export const storedKeyFamily = z.strictObject({ version, userId: id, keyId: id, familyId: id, expiresAtMs: timeMs });
export type StoredKeyFamily = z.infer<typeof storedKeyFamily>;

export const storedRevocation = z.strictObject({ version, familyId: id, expiresAtMs: timeMs });
export type StoredRevocation = z.infer<typeof storedRevocation>;

/** Reads stored JSON. Throws if `schema` does not accept it: the store is damaged. */
export function decode<T>(schema: z.ZodType<T>, bytes: Uint8Array): T {
  return schema.parse(JSON.parse(textOf(bytes)));
}

/** Writes what {@link decode} reads back with the same schema. Throws on anything else. */
export function encode<T>(schema: z.ZodType<T>, value: T): string {
  return JSON.stringify(schema.parse(value));
}
