/**
 * Answers on the bus as an engine does, with the replies of a test.
 */
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import type { Bus } from "../../../src/bus/port.ts";
import { type Envelope, envelopeSchema, type Reply } from "../../../src/contract/command.ts";
import { type PublicKey, publicKeySchema } from "../../../src/contract/operator/identity.ts";
import { CLUSTER_SUBJECT, commandSubject, querySubject, REVOKED_SUBJECT } from "../../../src/contract/subject.ts";

/** Values are sent as JSON, bytes unchanged. */
type Handler = (envelope: Envelope) => Reply | Uint8Array | Promise<Reply | Uint8Array>;

export interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: PublicKey;
}

/** Makes a fresh RSA key pair as the engine does. */
export async function makeSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const { kty, n, e } = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint({ kty: "RSA", n, e } as { kty: "RSA"; n: string; e: string });
  return { privateKey, publicKey: publicKeySchema.parse({ kty, n, e, alg: "RS256", use: "sig", kid }) };
}

export class FakeEngine {
  /** All requests in order, the edge's own included. */
  readonly asked: (Envelope & { readonly subject: string })[] = [];
  readonly handlers = new Map<string, Handler>();
  readonly revoked: number[] = [];
  readonly #bus: Bus;
  #keys: readonly PublicKey[];

  constructor(bus: Bus, partitions: number, key: SigningKey) {
    this.#bus = bus;
    this.#keys = [key.publicKey];
    this.on("health", () => ({ ok: true, data: {} }));
    this.on("identity.keys", () => ({ ok: true, data: { keys: this.#keys } }));
    this.on("identity.revocations", () => ({ ok: true, data: { familyIds: this.revoked, isLast: true } }));
    this.on("brokerages.list", () => ({ ok: true, data: [brokerage("PAPER", 60, 1), brokerage("SLOW", 5, 3)] }));
    this.on("operator.cluster", () => ({ ok: true, data: null }));
    bus.respond(CLUSTER_SUBJECT, (message) => this.#answer(message.subject, message.data));
    for (let partition = 0; partition < partitions; partition += 1) {
      bus.respond(commandSubject(partition), (message) => this.#answer(message.subject, message.data));
      bus.respond(querySubject(partition), (message) => this.#answer(message.subject, message.data));
    }
  }

  on(type: string, handler: Handler): void {
    this.handlers.set(type, handler);
  }

  /** Sets the keys that the engine publishes from now on. */
  setKeys(...keys: readonly SigningKey[]): void {
    this.#keys = keys.map((key) => key.publicKey);
  }

  revoke(familyId: number): void {
    this.revoked.push(familyId);
    this.#bus.publish(REVOKED_SUBJECT, Buffer.from(JSON.stringify({ familyId })));
  }

  async #answer(subject: string, data: Uint8Array): Promise<Uint8Array> {
    const envelope = envelopeSchema.parse(JSON.parse(Buffer.from(data).toString()));
    this.asked.push({ ...envelope, subject });
    const handler = this.handlers.get(envelope.type);
    const reply: Reply | Uint8Array = handler
      ? await handler(envelope)
      : { ok: false, code: "INVALID", message: "unknown command" };
    return reply instanceof Uint8Array ? reply : Buffer.from(JSON.stringify(reply));
  }
}

function brokerage(code: string, ordersPerMinute: number, portfolioIntervalSeconds: number) {
  return { code, name: code, ordersPerMinute, portfolioIntervalSeconds };
}

/** Makes a page of rows as the engine renders it. */
export function pageOf(next: string | null, ...rows: readonly object[]): Uint8Array {
  const text = rows.map((row) => JSON.stringify(row)).join(",");
  return Buffer.from(`${JSON.stringify({ ok: true, next })}\n${text}`);
}

export interface TokenParts {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Signs an access token as the engine does; `undefined` in `claims` removes a claim. */
export function signToken(key: SigningKey, { claims = {}, header = {} }: TokenParts = {}): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const payload = {
    iss: "trading-developer-api",
    aud: "trading-developer-api",
    sub: "1",
    client_id: "7",
    scope: "read trade admin",
    fid: 100,
    jti: "100.0",
    iat,
    exp: iat + 86_400,
    ...claims,
  };
  const kept = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  return new SignJWT(kept)
    .setProtectedHeader({ alg: "RS256", typ: "at+jwt", kid: key.publicKey.kid, ...header })
    .sign(key.privateKey);
}
