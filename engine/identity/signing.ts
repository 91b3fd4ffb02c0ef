/**
 * Signing of access tokens (behaviour 2.3).
 *
 * Owns: the installation's RSA key pair, the header and claims of an access token, the public key set. Does not own:
 * verification (the edge's), who gets a token.
 *
 * Invariants:
 * 1. The key pair is made once and kept in `signing-key.json` of the data folder, readable by its owner only. Without
 *    the file a new pair is made, and access tokens of the old pair are no longer valid.
 * 2. The public key set is built from named public fields: no private part can get into it.
 * 3. `kid` is the thumbprint of the public key (RFC 7638), checked when the file is read.
 */

import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { z } from "zod";
import { assert } from "../../src/assert.ts";
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_LIFETIME_SECONDS,
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  accessTokenClaims,
  type Jwks,
  type PublicKey,
  publicKeySchema,
} from "../../src/contract/operator/identity.ts";
import type { Scope } from "../../src/domain/family.ts";
import { writeDurableFile } from "../../src/runtime/durable-file.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Log } from "../../src/runtime/ports.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import { readPrivateFile } from "./private-file.ts";

/** In the data folder of partition 0. */
export const SIGNING_KEY_FILE = "signing-key.json";
const MODULUS_BITS = 2048;

const part = z.string().regex(/^[A-Za-z0-9_-]+$/);
const privateKeySchema = z.strictObject({
  ...publicKeySchema.shape,
  d: part,
  p: part,
  q: part,
  dp: part,
  dq: part,
  qi: part,
});
type PrivateKey = z.infer<typeof privateKeySchema>;

interface SignerOptions {
  /** The data folder of partition 0; it exists. */
  readonly dataFolder: string;
  /**
   * The key file given to every engine, if several can keep partition 0; absent: the engine has its own, in that
   * folder.
   */
  readonly keyFile?: string | undefined;
  /** `iss` of grants without one. */
  readonly issuer: string;
  readonly audience: string;
  readonly log: Log;
}

/** The holder and content of an access token. */
export interface Grant {
  readonly userId: number;
  readonly scopes: readonly Scope[];
  /** The API key that the family was made of. */
  readonly keyId: number;
  readonly familyId: number;
  /** Unique within the family: with it, the token's id is unique. */
  readonly generation: number;
  readonly issuedAtMs: number;
  /** `iss`, if it differs from the signer's. */
  readonly issuer?: string | undefined;
}

export interface Signer {
  /** The public keys with which access tokens are verified. */
  jwks(): Jwks;
  /** Signs an access token, valid for 24 hours from `issuedAtMs`, counted in whole seconds. */
  sign(grant: Grant): Promise<string>;
}

/** Reads the key pair, or makes it on the first start. Throws if the file is not a key pair. */
export async function openSigner(options: SignerOptions): Promise<Signer> {
  const { keyFile, dataFolder, log } = options;
  if (keyFile !== undefined) await checkSigningKey(keyFile, log);
  const path = keyFile ?? join(dataFolder, SIGNING_KEY_FILE);
  const text = await readPrivateFile(path, log);
  const stored = text === undefined ? await makeSigningKey(path) : await parseKeyPair(path, text);
  if (text === undefined) log.info({ event: "signingKey.made", path, kid: stored.kid }, "a new signing key");
  const key = await importJWK(stored, ACCESS_TOKEN_ALGORITHM);
  assert(!(key instanceof Uint8Array), "an RSA key is not a secret key");
  const publicKey = publicPartOf(stored);
  const header = { alg: ACCESS_TOKEN_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: publicKey.kid };
  return {
    jwks: () => ({ keys: [publicKey] }),
    sign: (grant) => new SignJWT(claimsOf(grant, options)).setProtectedHeader(header).sign(key),
  };
}

function claimsOf(grant: Grant, { issuer, audience }: SignerOptions): AccessTokenClaims {
  const iat = Math.floor(grant.issuedAtMs / 1000);
  return accessTokenClaims.parse({
    iss: grant.issuer ?? issuer,
    aud: audience,
    sub: String(grant.userId),
    client_id: String(grant.keyId),
    scope: grant.scopes.join(" "),
    fid: grant.familyId,
    jti: `${grant.familyId}.${grant.generation}`,
    iat,
    exp: iat + ACCESS_TOKEN_LIFETIME_SECONDS,
  });
}

/** Throws a {@link UserError} if the file is not a signing key. */
export async function checkSigningKey(path: string, log: Log): Promise<void> {
  const text = await readPrivateFile(path, log);
  if (text === undefined) {
    throw new UserError(`SIGNING_KEY_FILE: ${path} does not exist; npm run signing-key -- <file> makes one`);
  }
  await parseKeyPair(path, text);
}

/** Makes a key pair and writes it to a file that only its owner can read. Replaces an existing file. */
export async function makeSigningKey(path: string): Promise<PrivateKey> {
  const made = await makeKeyPair();
  await writeDurableFile(path, `${JSON.stringify(made)}\n`);
  return made;
}

async function makeKeyPair(): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair(ACCESS_TOKEN_ALGORITHM, {
    modulusLength: MODULUS_BITS,
    extractable: true,
  });
  const exported = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(exported);
  const { kty, n, e, d, p, q, dp, dq, qi } = exported;
  return privateKeySchema.parse({ kty, n, e, d, p, q, dp, dq, qi, alg: ACCESS_TOKEN_ALGORITHM, use: "sig", kid });
}

/** Errors name the file and never its content. */
async function parseKeyPair(path: string, text: string): Promise<PrivateKey> {
  const parsed = privateKeySchema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new UserError(`${path} is not a signing key: restore it, or remove it to have a new one made`, {
      reason: "data",
    });
  }
  if ((await calculateJwkThumbprint(parsed.data)) !== parsed.data.kid) {
    throw new UserError(`${path} is damaged (its kid differs): restore it, or remove it to have a new one made`, {
      reason: "data",
    });
  }
  return parsed.data;
}

function publicPartOf({ kty, n, e, alg, use, kid }: PrivateKey): PublicKey {
  return publicKeySchema.parse({ kty, n, e, alg, use, kid });
}
