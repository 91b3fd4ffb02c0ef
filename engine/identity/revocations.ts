/**
 * Families that are revoked while their access tokens have not expired: the edges must refuse these.
 *
 * Owns: the durable list, its pruning, reporting each new entry. Does not own: why a family was revoked, the bus.
 *
 * Invariants:
 * 1. An entry outlives every access token of its family by an hour, so that an edge whose clock is behind does not
 *    accept a token again. A family whose access tokens have all expired gets no entry.
 * 2. `onRevoked` is called after the entry is durable. It is called once, and a crash can lose the call. An edge
 *    therefore asks for the list whenever it starts, the engine restarts or its connection was lost: first it
 *    subscribes, then it asks.
 */
import type { Revocation, RevocationPage } from "../../src/contract/operator/identity.ts";
import { accessTokensEndAtMs, type TokenFamily } from "../../src/domain/family.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";
import { decode, encode, revocationKey, type StoredRevocation, storedRevocation } from "./stored.ts";

/** How long an entry is kept after the last access token of its family has expired. */
const KEPT_LONGER_MS = 60 * 60 * 1000;

/** Runs `work` in a turn of its own, in arrival order with everything else; resolves once it is durable. */
export type Decide = <T>(work: () => T) => Promise<T>;

interface RevocationsOptions {
  readonly journal: Journal;
  readonly store: Pick<Store, "scan">;
  readonly clock: Clock;
  readonly decide: Decide;
  /** Called for each revoked family once that is durable. */
  readonly onRevoked: (revocation: Revocation) => void;
}

export class Revocations {
  readonly #options: RevocationsOptions;

  constructor(options: RevocationsOptions) {
    this.#options = options;
  }

  /** In a turn: records the family; once this is durable none of its access tokens is valid. */
  record(family: Pick<TokenFamily, "familyId" | "expiresAtMs">): void {
    const { journal, clock, onRevoked } = this.#options;
    const { familyId } = family;
    const revocation: StoredRevocation = { version: 1, familyId, expiresAtMs: accessTokensEndAtMs(family) };
    if (isOver(revocation, clock.nowMs())) return;
    journal.put(revocationKey(familyId), encode(storedRevocation, revocation));
    journal.afterDurable(() => onRevoked({ familyId }));
  }

  /** The durable revocations after a family, ascending, at most `limit` of them. */
  async list(afterFamilyId: number, limit: number): Promise<RevocationPage> {
    const range = { ...TABLES.revocations.range, gte: revocationKey(afterFamilyId + 1), limit };
    const familyIds: number[] = [];
    for await (const page of this.#options.store.scan(range)) {
      for (const [, bytes] of page) familyIds.push(decode(storedRevocation, bytes).familyId);
    }
    return { familyIds, isLast: familyIds.length < limit };
  }

  /** Forgets revocations whose access tokens have all expired. */
  async prune(): Promise<void> {
    const { store, journal, clock, decide } = this.#options;
    for await (const page of store.scan(TABLES.revocations.range)) {
      const nowMs = clock.nowMs();
      const over = page.filter(([, bytes]) => isOver(decode(storedRevocation, bytes), nowMs)).map(([key]) => key);
      if (over.length === 0) continue;
      await decide(() => {
        for (const key of over) journal.remove(key);
      });
    }
  }
}

function isOver({ expiresAtMs }: StoredRevocation, nowMs: number): boolean {
  return nowMs - expiresAtMs > KEPT_LONGER_MS;
}
