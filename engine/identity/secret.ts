/**
 * API keys and refresh tokens: their form, their creation, their stored hashes.
 *
 * Owns: their form and their hashes. Does not own: their owners, the storage of hashes.
 *
 * Invariants:
 * 1. Both hold 256 random bits. Only SHA-256 hashes are ever stored. A look-up uses the hash, so that its duration
 *    reveals nothing about a key.
 * 2. All refresh tokens of a family share their first 128 bits, the family's proof: a token with the proof was issued
 *    by the family, any other token was not. The other 128 bits are new in every token.
 */
import { createHash } from "node:crypto";
import { assert } from "../../src/assert.ts";
import { REFRESH_TOKEN_PREFIX } from "../../src/contract/operator/identity.ts";

/** A source of random bytes fit for secrets. */
export type RandomBytes = (byteCount: number) => Uint8Array;

const API_KEY = /^tdk_live_[A-Za-z0-9_-]{43}$/;
const REFRESH_TOKEN = new RegExp(`^${REFRESH_TOKEN_PREFIX}([1-9]\\d{0,15})_([A-Za-z0-9_-]{43})$`);
const API_KEY_BYTES = 32;
const PROOF_BYTES = 16;
const NONCE_BYTES = 16;

/** A refresh token that a client presented. */
export interface PresentedToken {
  readonly familyId: number;
  readonly tokenHash: string;
  /** The family's secret, copied into the next token. Never stored. */
  readonly proof: Uint8Array;
  readonly proofHash: string;
}

/** SHA-256 in hexadecimal. */
export function hashOf(secret: string | Uint8Array): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function makeApiKey(random: RandomBytes): string {
  return `tdk_live_${textOf(draw(random, API_KEY_BYTES))}`;
}

export function isApiKey(text: string): boolean {
  return API_KEY.test(text);
}

/** A new family's proof. */
export function makeProof(random: RandomBytes): Uint8Array {
  return draw(random, PROOF_BYTES);
}

/** Makes a new refresh token of the family that `proof` belongs to. */
export function makeRefreshToken(familyId: number, proof: Uint8Array, random: RandomBytes): string {
  assert(proof.length === PROOF_BYTES, `a proof has ${PROOF_BYTES} bytes`);
  return `${REFRESH_TOKEN_PREFIX}${familyId}_${textOf(Buffer.concat([proof, draw(random, NONCE_BYTES)]))}`;
}

/** Parses a refresh token; undefined for any other text. */
export function readRefreshToken(text: string): PresentedToken | undefined {
  const [, digits, secret] = REFRESH_TOKEN.exec(text) ?? [];
  if (digits === undefined || secret === undefined) return undefined;
  const familyId = Number(digits);
  if (!Number.isSafeInteger(familyId)) return undefined;
  const proof = Buffer.from(secret, "base64url").subarray(0, PROOF_BYTES);
  return { familyId, tokenHash: hashOf(text), proof, proofHash: hashOf(proof) };
}

function draw(random: RandomBytes, byteCount: number): Uint8Array {
  const bytes = random(byteCount);
  assert(bytes.length === byteCount, `the random source gives ${byteCount} bytes`);
  return bytes;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
