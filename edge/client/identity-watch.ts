/**
 * The facts that the edge needs to check tokens: the keys that sign them and the families that were revoked.
 *
 * Owns: receiving both and the engine's time, updates, reporting when it is not current. Does not own: signing and
 * revoking (the engine).
 *
 * Invariants:
 * 1. Ready means: subscribed to revocations first, then keys and the list of revoked families read, and the bus has not
 *    been lost since. A revocation while an edge was away is known before it serves again.
 * 2. An unknown key id makes the edge ask the engine again, at most once in a few seconds for any requests of
 *    strangers.
 * 3. A revoked family is forgotten once its last access token has expired.
 */

import { type CryptoKey, createLocalJWKSet, errors, type JWSHeaderParameters } from "jose";
import { z } from "zod";
import type { Bus } from "../../src/bus/port.ts";
import { QUERIES } from "../../src/contract/command.ts";
import {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  type Jwks,
  jwksSchema,
  type PublicKey,
  revocationPageSchema,
  revocationSchema,
} from "../../src/contract/operator/identity.ts";
import { REVOKED_SUBJECT } from "../../src/contract/subject.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Log, Schedule } from "../../src/runtime/ports.ts";
import { type EngineClient, SHARED_PARTITION } from "./engine-client.ts";
import type { EngineTime } from "./engine-time.ts";

/** Query on the shared partition, no body: a `Jwks`. */
const READ_KEYS = "identity.keys";
/** Query on the shared partition, body `listRevocationsBody`: a `RevocationPage`. */
const LIST_REVOCATIONS = "identity.revocations";

const RETRY_MS = 250;
/** A crash of the engine can swallow the message about a revocation, but not the revocation. */
const REFRESH_MS = 15_000;
const KEYS_ASKED_AGAIN_MS = 3_000;
const REVOCATIONS_PER_PAGE = 10_000;
/** After this no access token of a family revoked earlier is left, for every difference of the clocks. */
const REMEMBERED_MS = ACCESS_TOKEN_LIFETIME_SECONDS * 1000 + 60 * 60 * 1000;

/** A partition's facts of its installation. */
const healthSchema = z.object({ partitions: z.number().int().optional(), timeMs: z.number().optional() });

interface IdentityWatchOptions {
  readonly bus: Bus;
  readonly engine: EngineClient;
  readonly clock: Pick<EngineTime, "monotonicMs" | "read">;
  readonly schedule: Schedule;
  readonly log: Log;
}

export class IdentityWatch {
  readonly #options: IdentityWatchOptions;
  /** When each revoked family was last reported, oldest first. */
  readonly #revoked = new Map<number, number>();
  readonly #stops: (() => void)[] = [];
  #cancelNext: () => void = () => undefined;
  #publicKeys: readonly PublicKey[] = [];
  #keys = createLocalJWKSet({ keys: [] });
  #keysReadAtMs = Number.NEGATIVE_INFINITY;
  #readingKeys: Promise<void> | undefined;
  #isReady = false;
  #isFailureTold = false;
  /** Grows with every loss of the bus, so that data read before it does not count after it. */
  #epoch = 0;
  #isStopped = false;

  constructor(options: IdentityWatchOptions) {
    this.#options = options;
  }

  /** Starts to watch; `isReady` returns whether it knows. */
  start(): void {
    const { bus } = this.#options;
    this.#stops.push(bus.subscribe(REVOKED_SUBJECT, (message) => this.#onRevoked(message.data)));
    this.#stops.push(bus.onStatus((status) => (status === "connected" ? this.#read() : this.#lose())));
    this.#read();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNext();
    for (const stop of this.#stops) stop();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** The public keys, as they are published. */
  get publicKeys(): readonly PublicKey[] {
    return this.#publicKeys;
  }

  isRevoked(familyId: number): boolean {
    return this.#revoked.has(familyId);
  }

  /** Returns the key that a token names. Rejects with a `JOSEError` if it does not exist. */
  async keyFor(header: JWSHeaderParameters): Promise<CryptoKey> {
    if (typeof header.kid !== "string") throw new errors.JWKSNoMatchingKey();
    try {
      return await this.#keys(header);
    } catch (error) {
      const isOld = this.#options.clock.monotonicMs() - this.#keysReadAtMs >= KEYS_ASKED_AGAIN_MS;
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(isOld || this.#readingKeys !== undefined)) throw error;
      this.#readingKeys ??= this.#readKeys().then(() => {
        this.#readingKeys = undefined;
      });
      await this.#readingKeys;
      return this.#keys(header);
    }
  }

  #lose(): void {
    this.#epoch += 1;
    this.#isReady = false;
  }

  /** Reads keys and revocations, and plans to do it again: soon after a failure, later after a success. */
  #read(): void {
    this.#cancelNext();
    const epoch = this.#epoch;
    const again = (isRead: boolean): void => {
      if (this.#isStopped || epoch !== this.#epoch) return;
      // A refresh that failed takes nothing away: events still come, as the bus was not lost.
      if (isRead && !this.#isReady)
        this.#options.log.info({ event: "identity.known" }, "keys and revocations are known");
      this.#isReady ||= isRead;
      if (isRead) this.#isFailureTold = false;
      this.#cancelNext = this.#options.schedule(isRead ? REFRESH_MS : RETRY_MS, () => this.#read());
    };
    void this.#readAll().then(again, (error: unknown) => {
      // Once, not four times a second for as long as the bus is away.
      if (!this.#isFailureTold)
        this.#options.log.warn(
          { event: "identity.unreadable", error },
          "keys and revocations cannot be read; trying on",
        );
      this.#isFailureTold = true;
      again(false);
    });
  }

  async #readAll(): Promise<boolean> {
    // The subscription must be in force at the server before the list is read: between them nothing is lost.
    await this.#options.bus.flush();
    const known = await Promise.all([this.#readKeys(), this.#readRevocations(), this.#countsAsEngines()]);
    return known.every((isKnown) => isKnown);
  }

  /**
   * Whether edge and engine count the same partitions. Otherwise users would be sent to other partitions than theirs,
   * where their data is missing and could be made a second time.
   */
  async #countsAsEngines(): Promise<boolean> {
    const { engine, clock, log } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const health = await this.#ask(QUERIES.readHealth, {}, healthSchema);
    if (health?.timeMs !== undefined) {
      clock.read({ timeMs: health.timeMs, askedAtMs, answeredAtMs: clock.monotonicMs() });
    }
    if (health?.partitions === undefined || health.partitions === engine.partitions) return true;
    if (!this.#isFailureTold) {
      log.error(
        { event: "partitions.differ", ofEngines: health.partitions, ofEdge: engine.partitions },
        "PARTITIONS differs between this edge and the engines: no client is served until both values are the same",
      );
    }
    this.#isFailureTold = true;
    return false;
  }

  async #readKeys(): Promise<boolean> {
    this.#keysReadAtMs = this.#options.clock.monotonicMs();
    const jwks: Jwks | undefined = await this.#ask(READ_KEYS, {}, jwksSchema);
    if (jwks === undefined) return false;
    this.#publicKeys = jwks.keys;
    this.#keys = createLocalJWKSet(jwks);
    return true;
  }

  async #readRevocations(): Promise<boolean> {
    for (let afterFamilyId = 0; ; ) {
      const body = { afterFamilyId, limit: REVOCATIONS_PER_PAGE };
      const page = await this.#ask(LIST_REVOCATIONS, body, revocationPageSchema);
      if (page === undefined) return false;
      for (const familyId of page.familyIds) this.#remember(familyId);
      const last = page.familyIds.at(-1);
      if (page.isLast || last === undefined) break;
      afterFamilyId = last;
    }
    this.#forgetOld();
    return true;
  }

  #onRevoked(data: Uint8Array): void {
    const revocation = revocationSchema.safeParse(parseJson(data));
    if (revocation.success) this.#remember(revocation.data.familyId);
    else
      this.#options.log.error(
        { event: "identity.malformedRevocation", error: revocation.error },
        "malformed revocation message",
      );
  }

  #remember(familyId: number): void {
    this.#revoked.delete(familyId);
    this.#revoked.set(familyId, this.#options.clock.monotonicMs());
  }

  #forgetOld(): void {
    const before = this.#options.clock.monotonicMs() - REMEMBERED_MS;
    for (const [familyId, heardOfMs] of this.#revoked) {
      if (heardOfMs >= before) return;
      this.#revoked.delete(familyId);
    }
  }

  async #ask<T>(type: string, body: object, schema: z.ZodType<T>): Promise<T | undefined> {
    const ask = { userId: null, requestId: "identity-watch", body };
    const reply = await this.#options.engine.query(type, ask, { partition: SHARED_PARTITION });
    if (!reply.ok) return undefined;
    const read = schema.safeParse(reply.data);
    if (!read.success)
      this.#options.log.error(
        { event: "identity.malformedAnswer", type, error: read.error },
        "malformed answer about identity",
      );
    return read.data;
  }
}
