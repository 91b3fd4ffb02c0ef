/**
 * The rules of a refresh-token family: the tokens that follow one another from one exchange of an API key
 * (behaviour 2).
 *
 * Owns: which presented token is the current one, what reuse, expiry and a revoked key do to the family; scopes and
 * lifetimes.
 * Does not own: making and hashing tokens, access tokens, storage, time.
 *
 * Invariants:
 * 1. Exactly one token of a live family is current, and only its hash is known here.
 * 2. A family ends once, for one reason, and never comes back.
 * 3. A presented token that does not carry the family's proof changes nothing: family numbers can be guessed, so
 *    without it anyone could have other users' families revoked as "reused".
 */
import { assert } from "../assert.ts";

/** The scopes of an API key and its access tokens (behaviour 2.2). */
export const SCOPES = ["read", "trade", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Returns the scopes that a token gets: all scopes that are both held and requested, in the order of `SCOPES`; all held
 * scopes if none were named (behaviour 2.8, RFC 6749 3.3). Empty: no requested scope can be given.
 */
export function narrowScopes(held: readonly Scope[], requested: readonly Scope[] | undefined): readonly Scope[] {
  return requested === undefined ? held : SCOPES.filter((scope) => held.includes(scope) && requested.includes(scope));
}

/** Behaviour 2 4. */
export const ACCESS_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;
export const REFRESH_TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** `handedBack`: a client that held a token of it had it revoked (RFC 7009). */
type FamilyEndReason = "reused" | "keyRevoked" | "handedBack" | "expired";

export interface TokenFamily {
  readonly version: 1;
  readonly familyId: number;
  readonly userId: number;
  readonly keyId: number;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the secret that all tokens of the family share. */
  readonly proofHash: string;
  /** SHA-256 of the only token that may be refreshed. */
  readonly currentTokenHash: string;
  /** How many tokens came before the current one. */
  readonly generation: number;
  readonly createdAtMs: number;
  /** When the current token expires, and the family with it. */
  readonly expiresAtMs: number;
  readonly end: { readonly reason: FamilyEndReason; readonly atMs: number } | null;
}

/** A refresh token as it was presented, and the token that is to follow it. */
export interface Refresh {
  readonly presentedHash: string;
  readonly presentedProofHash: string;
  readonly nextHash: string;
  readonly timeMs: number;
}

/** A new family with its first token. */
export function openFamily(
  owner: Pick<TokenFamily, "familyId" | "userId" | "keyId" | "scopes">,
  first: { readonly tokenHash: string; readonly proofHash: string },
  timeMs: number,
): TokenFamily {
  return {
    version: 1,
    familyId: owner.familyId,
    userId: owner.userId,
    keyId: owner.keyId,
    scopes: owner.scopes,
    proofHash: first.proofHash,
    currentTokenHash: first.tokenHash,
    generation: 0,
    createdAtMs: timeMs,
    expiresAtMs: timeMs + REFRESH_TOKEN_LIFETIME_MS,
    end: null,
  };
}

/** True while the family has neither been revoked nor expired. */
export function isLive(family: TokenFamily): boolean {
  return family.end === null;
}

/** True when the family ended otherwise than by its own expiry: its access tokens are no longer good. */
export function isRevoked(family: TokenFamily): boolean {
  return family.end !== null && family.end.reason !== "expired";
}

/** From the moment of its expiry on, a token cannot be refreshed. */
export function isExpiredAt(family: TokenFamily, timeMs: number): boolean {
  return timeMs >= family.expiresAtMs;
}

/** When the last access token that the family has given out expires. */
export function accessTokensEndAtMs(family: Pick<TokenFamily, "expiresAtMs">): number {
  return family.expiresAtMs - REFRESH_TOKEN_LIFETIME_MS + ACCESS_TOKEN_LIFETIME_MS;
}

/** Whether a presented token, current or used, was issued by this family. */
export function isOfFamily(family: TokenFamily, presentedProofHash: string): boolean {
  return family.proofHash === presentedProofHash;
}

/**
 * The family after a token of it was presented: the next token is current; or it has expired; or, when the presented
 * token is not the current one, it is revoked as reused (behaviour 2.4).
 */
export function refresh(family: TokenFamily, presented: Refresh): TokenFamily {
  assert(isLive(family), `family ${family.familyId} is live`);
  assert(isOfFamily(family, presented.presentedProofHash), `the token is of family ${family.familyId}`);
  if (isExpiredAt(family, presented.timeMs)) return endFamily(family, "expired", presented.timeMs);
  if (presented.presentedHash !== family.currentTokenHash) return endFamily(family, "reused", presented.timeMs);
  assert(presented.nextHash !== family.currentTokenHash, "the next token is another one");
  return {
    ...family,
    currentTokenHash: presented.nextHash,
    generation: family.generation + 1,
    expiresAtMs: presented.timeMs + REFRESH_TOKEN_LIFETIME_MS,
  };
}

/** Ends a live family for good. */
export function endFamily(family: TokenFamily, reason: FamilyEndReason, timeMs: number): TokenFamily {
  assert(isLive(family), `family ${family.familyId} ends once`);
  return { ...family, end: { reason, atMs: timeMs } };
}
