/**
 * Users, API keys and tokens as they cross a process (behaviour 2 and "Authentication"; behaviour 2).
 */
import { z } from "zod";
import {
  ACCESS_TOKEN_LIFETIME_MS,
  REFRESH_TOKEN_LIFETIME_MS,
  SCOPES,
  type Scope,
  type TokenFamily,
} from "../../domain/family.ts";
import { body, line } from "../fields.ts";

/** For operators; only the shared partition answers these. */
export const IDENTITY_COMMANDS = {
  createUser: "users.create",
  createApiKey: "keys.create",
  revokeApiKey: "keys.revoke",
} as const;
export const IDENTITY_QUERIES = { listUsers: "users.list", listApiKeys: "keys.list" } as const;

/**
 * `iss` of access tokens if the edge has no configured address. Otherwise `iss` is that address, as in the metadata
 * (RFC 8414): a client that compares the two accepts the token.
 */
export const TOKEN_ISSUER = "trading-developer-api";
/** `aud` of access tokens. */
export const TOKEN_AUDIENCE = "trading-developer-api";
/** The prefix of refresh tokens, which access tokens never have. */
export const REFRESH_TOKEN_PREFIX = "tdr_";
/** Header `typ` and `alg` of access tokens (behaviour 2.3). */
export const ACCESS_TOKEN_TYPE = "at+jwt";
export const ACCESS_TOKEN_ALGORITHM = "RS256";
/** Claims that a verifier must require; without this list a library accepts a token without `exp`. */
export const ACCESS_TOKEN_CLAIMS = ["iss", "aud", "sub", "client_id", "scope", "fid", "jti", "iat", "exp"] as const;

export const ACCESS_TOKEN_LIFETIME_SECONDS = ACCESS_TOKEN_LIFETIME_MS / 1000;
export const REFRESH_TOKEN_LIFETIME_SECONDS = REFRESH_TOKEN_LIFETIME_MS / 1000;

const id = z.number().int().positive();
const seconds = z.number().int().nonnegative();
const timeMs = z.number().int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const scopeSchema = z.enum(SCOPES);

const decimalId = z.string().regex(/^[1-9]\d{0,15}$/);

/**
 * The payload of a verified access token. `sub` is the user, `client_id` the API key, `fid` the family, `scope` is
 * separated by spaces.
 */
export const accessTokenClaims = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: decimalId,
  client_id: decimalId,
  scope: z.string().regex(/^[a-z]+( [a-z]+)*$/),
  fid: id,
  jti: z.string().min(1),
  iat: seconds,
  exp: seconds,
});
export type AccessTokenClaims = z.infer<typeof accessTokenClaims>;

/** The scopes that a `scope` claim names; unknown words are left out. */
export function scopesOfClaim(scope: string): Scope[] {
  const words = scope.split(" ");
  return SCOPES.filter((known) => words.includes(known));
}

// ------------------------------------------------------------------------------------------------------------ tokens

/** The edge's request to the engine for `POST /oauth/token`, its form already checked. */
const issuer = z.string().max(300).optional();
/** The scopes that the client asked for, as far as they are known here; absent: it named none. */
const scopes = z.array(scopeSchema).optional();
export const tokenCommandBody = z.discriminatedUnion("grantType", [
  z.object({
    grantType: z.literal("api_key"),
    apiKey: z.string().max(200),
    /** With `client_credentials`: must be the key's id. */
    clientId: z.string().max(200).optional(),
    issuer,
    scopes,
  }),
  z.object({ grantType: z.literal("refresh_token"), refreshToken: z.string().max(200), issuer, scopes }),
]);
export type TokenCommandBody = z.infer<typeof tokenCommandBody>;

/**
 * The edge's request for `POST /oauth/revoke`: a refresh token, or the family of an access token that it has verified.
 */
export const revokeCommandBody = z.union([
  z.strictObject({ refreshToken: z.string().max(200) }),
  z.strictObject({ familyId: id }),
]);
export type RevokeCommandBody = z.infer<typeof revokeCommandBody>;

/**
 * Behaviour 2.5. `issued_at` is present on the exchange of an API key only; `scope` with `client_credentials` and if
 * the request named scopes (2.8).
 */
export const tokenSetSchema = z
  .object({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.literal(ACCESS_TOKEN_LIFETIME_SECONDS),
    refresh_token: z.string(),
    refresh_expires_in: z.literal(REFRESH_TOKEN_LIFETIME_SECONDS),
    issued_at: z.string().optional(),
    scope: z.string().optional(),
  })
  .meta({ id: "TokenSet" });
export type TokenSet = z.infer<typeof tokenSetSchema>;

/** Answer to `client_credentials`: a client that has the secret needs no refresh token (RFC 6749, 4.4.3). */
export const accessTokenSetSchema = tokenSetSchema
  .omit({ refresh_token: true, refresh_expires_in: true })
  .meta({ id: "AccessTokenSet" });

/** OAuth's own error codes (behaviour 2.1, 2.8). The engine answers the first three, the edge the others. */
const oauthErrorSchema = z.enum([
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "invalid_request",
  "invalid_target",
  "invalid_authorization_details",
  "unsupported_grant_type",
  "unsupported_response_type",
]);
export type OAuthError = z.infer<typeof oauthErrorSchema>;

/** The engine's answer to a token command. */
export const tokenOutcomeSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), tokens: tokenSetSchema }),
  z.object({ ok: z.literal(false), error: oauthErrorSchema, description: z.string() }),
]);
export type TokenOutcome = z.infer<typeof tokenOutcomeSchema>;

/** A family was revoked: access tokens with this `fid` are no longer good. */
export const revocationSchema = z.object({ familyId: id });
export type Revocation = z.infer<typeof revocationSchema>;

/** Body of the query for revoked families: those after `afterFamilyId` (0 at first). */
export const listRevocationsBody = z.object({
  afterFamilyId: z.number().int().nonnegative(),
  limit: z.number().int().min(1).max(10_000),
});

/** A page of revoked families, ascending. `isLast` false: ask again after the last one. */
export const revocationPageSchema = z.object({ familyIds: z.array(id), isLast: z.boolean() });
export type RevocationPage = z.infer<typeof revocationPageSchema>;

/** A public key as JWKS shows it. Strict: a private part in here would be a leak. */
export const publicKeySchema = z.strictObject({
  kty: z.literal("RSA"),
  n: z.string().min(1),
  e: z.string().min(1),
  alg: z.literal(ACCESS_TOKEN_ALGORITHM),
  use: z.literal("sig"),
  kid: z.string().min(1),
});
export type PublicKey = z.infer<typeof publicKeySchema>;
export const jwksSchema = z.object({ keys: z.array(publicKeySchema).min(1) });
export type Jwks = z.infer<typeof jwksSchema>;

// ------------------------------------------------------------------------------------------------------------- admin

const name = line(100);

export const createUserBody = body({ name });
export const userSchema = z.object({ userId: id, name: z.string() }).meta({ id: "User" });
export type UserView = z.infer<typeof userSchema>;

/** A user in the list of all. */
export const listedUserSchema = userSchema.extend({ createdDate: z.string() }).meta({ id: "ListedUser" });
export type ListedUserView = z.infer<typeof listedUserSchema>;
/** Body of `users.list`: the users after one, by id (0: from the first). */
export const listUsersBody = z.object({
  afterUserId: z.number().int().nonnegative(),
  limit: z.number().int().min(1).max(10_000),
});

export const createApiKeyBody = body({
  name,
  scopes: z
    .array(scopeSchema)
    .min(1, "must name at least one scope")
    .max(100)
    .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope))),
});
/** The answer to the making of an API key: the only time that the key itself is shown. */
export const createdApiKeySchema = z
  .object({
    keyId: id,
    apiKey: z.string(),
    name: z.string(),
    scopes: z.array(scopeSchema),
  })
  .meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof createdApiKeySchema>;

/** An API key in a list: no secret. */
export const apiKeySchema = z
  .object({
    keyId: id,
    name: z.string(),
    scopes: z.array(scopeSchema),
    createdDate: z.string(),
    revokedDate: z.string().nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKeyView = z.infer<typeof apiKeySchema>;

// ------------------------------------------------------------------------------------------------------------ stored

/** The stored context of a family, checked on reading as strictly as it was written. */
export const familySnapshot = z.strictObject({
  version: z.literal(1),
  familyId: id,
  userId: id,
  keyId: id,
  scopes: z.array(scopeSchema).min(1),
  proofHash: sha256,
  currentTokenHash: sha256,
  generation: z.number().int().nonnegative(),
  createdAtMs: timeMs,
  expiresAtMs: timeMs,
  end: z.strictObject({ reason: z.enum(["reused", "keyRevoked", "handedBack", "expired"]), atMs: timeMs }).nullable(),
}) satisfies z.ZodType<TokenFamily>;
