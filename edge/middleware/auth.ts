/**
 * The caller of a request: its bearer token, verified (behaviour 2).
 *
 * Owns: reading the header, verifying a token, remembering verified ones. Does not own: keys and revocations
 * (`IdentityWatch`), signing (the engine).
 *
 * Invariants:
 * 1. One algorithm, one audience, one type, an issuer that can be ours, all claims present: jose checks these only if
 *    it is asked to.
 * 2. A remembered token is checked for expiry and revocation at every use. It is found by the end of its signature and
 *    compared whole: a digest of the token of every request would be a thirtieth of a read.
 * 3. No request is let in while keys or revocations are not known to be current: that is 503, not 401.
 */
import { errors, jwtVerify } from "jose";
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_CLAIMS,
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  accessTokenClaims,
  scopesOfClaim,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from "../../src/contract/operator/identity.ts";
import type { Scope } from "../../src/domain/family.ts";
import { LruCache } from "../../src/runtime/lru-cache.ts";
import type { MonotonicClock } from "../../src/runtime/ports.ts";
import type { Refusal } from "../client/engine-client.ts";
import type { IdentityWatch } from "../client/identity-watch.ts";
import { refusal } from "./errors.ts";

const TOKEN_LENGTH_MAX = 8_192;
const REMEMBERED_TOKENS_MAX = 10_000;
/** Characters of a signature's end, of which no two tokens share as many. */
const KEY_LENGTH = 43;
/** Clocks of two machines may differ by this much; `exp` has no leeway. */
const ISSUED_AHEAD_SECONDS_MAX = 60;

/** The scheme is not case-sensitive and may be followed by several spaces (RFC 9110, 11.1 and 11.4). */
const SCHEME = /^bearer +/i;
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/;

/** A caller with a valid token. */
export interface Caller {
  readonly ok: true;
  readonly userId: number;
  readonly scopes: ReadonlySet<Scope>;
  readonly familyId: number;
  readonly expiresAtMs: number;
}

interface Remembered {
  readonly token: string;
  readonly caller: Caller;
}

interface AuthenticatorOptions {
  readonly identity: IdentityWatch;
  readonly clock: MonotonicClock;
  /** The address under which clients know the installation; undefined: any under which they reached it. */
  readonly publicUrl: string | undefined;
}

export class Authenticator {
  readonly #options: AuthenticatorOptions;
  /** By the ends of their signatures. */
  readonly #remembered = new LruCache<string, Remembered>(REMEMBERED_TOKENS_MAX);

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** Returns the caller that an `Authorization` header represents. Synchronously for a token seen before. */
  authenticate(header: string | undefined): Caller | Refusal | Promise<Caller | Refusal> {
    if (!this.#options.identity.isReady) return refusal("UNAVAILABLE", "the service is not ready");
    if (header === undefined) return unauthorized("an access token is required");
    if (header.length > TOKEN_LENGTH_MAX) return unauthorized("the access token is too long");
    const [scheme] = SCHEME.exec(header) ?? [];
    if (scheme === undefined) return unauthorized(MALFORMED);
    const token = header.slice(scheme.length);
    const key = token.slice(-KEY_LENGTH);
    const known = this.#remembered.get(key);
    if (known?.token !== token) return this.#verifyNew(token, key);
    const broken = this.whyNotValid(known.caller);
    if (broken !== undefined) this.#remembered.delete(key);
    return broken ?? known.caller;
  }

  /** Returns why a caller let in earlier would not be let in now; for streams that outlive their request. */
  whyNotValid(caller: Caller): Refusal | undefined {
    if (caller.expiresAtMs <= this.#options.clock.nowMs()) return unauthorized("the access token has expired");
    if (this.#options.identity.isRevoked(caller.familyId)) return unauthorized("the access token was revoked");
    return undefined;
  }

  #verifyNew(token: string, key: string): Refusal | Promise<Caller | Refusal> {
    const [, signature] = TOKEN.exec(token) ?? [];
    return signature === undefined ? unauthorized(MALFORMED) : this.#verify(token, signature, key);
  }

  async #verify(token: string, signature: string, key: string): Promise<Caller | Refusal> {
    // Base64 leaves bits over at the end: one signature, one spelling.
    if (Buffer.from(signature, "base64url").toString("base64url") !== signature) return unauthorized(INVALID);
    const claims = await this.#claimsOf(token);
    if (claims === undefined) return unauthorized(INVALID);
    if (claims === "expired") return unauthorized("the access token has expired");
    const nowMs = this.#options.clock.nowMs();
    if (claims.iat * 1000 > nowMs + ISSUED_AHEAD_SECONDS_MAX * 1000) return unauthorized(INVALID);
    const caller: Caller = {
      ok: true,
      userId: Number(claims.sub),
      scopes: new Set(scopesOfClaim(claims.scope)),
      familyId: claims.fid,
      expiresAtMs: claims.exp * 1000,
    };
    const broken = this.whyNotValid(caller);
    if (broken === undefined) this.#remembered.set(key, { token, caller });
    return broken ?? caller;
  }

  async #claimsOf(token: string): Promise<AccessTokenClaims | "expired" | undefined> {
    const { identity, clock } = this.#options;
    try {
      const { payload } = await jwtVerify(token, (header) => identity.keyFor(header), {
        algorithms: [ACCESS_TOKEN_ALGORITHM],
        audience: TOKEN_AUDIENCE,
        typ: ACCESS_TOKEN_TYPE,
        requiredClaims: [...ACCESS_TOKEN_CLAIMS],
        currentDate: new Date(clock.nowMs()),
      });
      const claims = accessTokenClaims.safeParse(payload);
      return claims.success && this.#isOurs(claims.data.iss) ? claims.data : undefined;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return "expired";
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** Only the installation's engine has the key, so a valid signature proves more than the issuer does. */
  #isOurs(issuer: string): boolean {
    const { publicUrl } = this.#options;
    return issuer === TOKEN_ISSUER || (publicUrl === undefined ? ORIGIN.test(issuer) : issuer === publicUrl);
  }
}

/** An address and no more, as `originOf` makes it. */
const ORIGIN = /^https?:\/\/[^/?#]+$/;

const INVALID = "the access token is not valid";
const MALFORMED = "the access token is malformed";

function unauthorized(message: string): Refusal {
  return refusal("UNAUTHORIZED", message);
}

/** Refuses a caller whose token lacks the scope (behaviour 2.2). */
export function requireScope(scope: Scope): (caller: Caller) => Refusal | undefined {
  const missing = refusal("FORBIDDEN", `the access token lacks the scope ${scope}`);
  return (caller) => (caller.scopes.has(scope) ? undefined : missing);
}
