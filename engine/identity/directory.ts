/**
 * The directory: users and their API keys.
 *
 * Owns: their records. Does not own: tokens and families (`tokens.ts`), who is allowed to ask.
 *
 * Invariants:
 * 1. Only the SHA-256 of an API key is stored; the key itself is shown once, in the answer that made it.
 * 2. The names of users and keys are not secret; a key's scopes never change; a revoked key remains revoked.
 * 3. Methods that return no promise are called inside a turn; their results can leave once that is durable.
 */
import { assert } from "../../src/assert.ts";
import type { ApiKeyView, CreatedApiKey, ListedUserView, UserView } from "../../src/contract/operator/identity.ts";
import type { Scope } from "../../src/domain/family.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { TABLES, under } from "../table/tables.ts";
import { hashOf, isApiKey, makeApiKey, type RandomBytes } from "./secret.ts";
import {
  apiKeyHashKey,
  apiKeyKey,
  apiKeysOf,
  decode,
  encode,
  type StoredApiKey,
  type StoredUser,
  storedApiKey,
  storedApiKeyOwner,
  storedUser,
  userKey,
} from "./stored.ts";

interface DirectoryOptions {
  readonly journal: Journal;
  readonly store: Pick<Store, "scan">;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

export class Directory {
  readonly #options: DirectoryOptions;

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  /** In a turn: makes a new user. */
  createUser(name: string): UserView {
    const { journal, clock } = this.#options;
    const userId = this.#newId();
    const user: StoredUser = { version: 1, userId, name, createdAtMs: clock.nowMs() };
    journal.put(userKey(userId), encode(storedUser, user));
    return { userId, name };
  }

  /** In a turn: returns the user, if it exists. */
  findUser(userId: number): UserView | undefined {
    const bytes = this.#options.journal.read(userKey(userId));
    if (bytes === undefined) return undefined;
    const user = decode(storedUser, bytes);
    return { userId: user.userId, name: user.name };
  }

  /** The durable users whose ids are above `afterUserId`, at most `limit` of them, by id. */
  async listUsers(afterUserId: number, limit: number): Promise<readonly ListedUserView[]> {
    const users: ListedUserView[] = [];
    const range = { gte: userKey(afterUserId + 1), lt: TABLES.users.range.lt, limit };
    for await (const page of this.#options.store.scan(range)) {
      for (const [, bytes] of page) {
        const { userId, name, createdAtMs } = decode(storedUser, bytes);
        users.push({ userId, name, createdDate: formatTime(createdAtMs) });
      }
    }
    return users;
  }

  /** Whether any durable user exists. */
  async hasUsers(): Promise<boolean> {
    for await (const page of this.#options.store.scan({ ...TABLES.users.range, limit: 1 })) {
      if (page.length > 0) return true;
    }
    return false;
  }

  /** In a turn: makes a new API key of a user. NOT_FOUND for a user that does not exist. */
  createApiKey(userId: number, name: string, scopes: readonly Scope[]): Result<CreatedApiKey> {
    if (this.findUser(userId) === undefined) return refuse("NOT_FOUND", `user ${userId} was not found`);
    return accept(this.addApiKey(userId, name, scopes, makeApiKey(this.#options.random)));
  }

  /** In a turn: gives a user an API key that was made before. */
  addApiKey(userId: number, name: string, scopes: readonly Scope[], apiKey: string): CreatedApiKey {
    const { journal, clock } = this.#options;
    const hashKey = apiKeyHashKey(hashOf(apiKey));
    assert(isApiKey(apiKey), "an API key has the form of one");
    assert(journal.read(hashKey) === undefined, "an API key is given out once");
    const keyId = this.#newId();
    const createdAtMs = clock.nowMs();
    const key: StoredApiKey = { version: 1, userId, keyId, name, scopes: [...scopes], createdAtMs, revokedAtMs: null };
    journal.put(apiKeyKey(userId, keyId), encode(storedApiKey, key));
    journal.put(hashKey, encode(storedApiKeyOwner, { version: 1, userId, keyId }));
    return { keyId, apiKey, name, scopes: key.scopes };
  }

  /** In a turn: returns the key with this SHA-256, if it is usable. */
  findUsableByHash(hash: string): StoredApiKey | undefined {
    const bytes = this.#options.journal.read(apiKeyHashKey(hash));
    if (bytes === undefined) return undefined;
    const { userId, keyId } = decode(storedApiKeyOwner, bytes);
    const key = this.findApiKey(userId, keyId);
    assert(key !== undefined, `API key ${keyId} of user ${userId} is in the directory`);
    return key.revokedAtMs === null ? key : undefined;
  }

  /** In a turn: returns a user's key, revoked or not. */
  findApiKey(userId: number, keyId: number): StoredApiKey | undefined {
    const bytes = this.#options.journal.read(apiKeyKey(userId, keyId));
    return bytes === undefined ? undefined : decode(storedApiKey, bytes);
  }

  /**
   * In a turn: revokes the key, which then opens no family, and none of its families can be refreshed.
   * `TokenIssuer.revokeApiKey` ends its families and their access tokens. NOT_FOUND for a key that the user does not
   * have.
   */
  markApiKeyRevoked(userId: number, keyId: number): Result<StoredApiKey> {
    const key = this.findApiKey(userId, keyId);
    if (key === undefined) return refuse("NOT_FOUND", `API key ${keyId} of user ${userId} was not found`);
    if (key.revokedAtMs !== null) return accept(key);
    const { journal, clock } = this.#options;
    const revoked: StoredApiKey = { ...key, revokedAtMs: clock.nowMs() };
    journal.put(apiKeyKey(userId, keyId), encode(storedApiKey, revoked));
    return accept(revoked);
  }

  /** A user's durable API keys, oldest first, including revoked ones. NOT_FOUND for a user that does not exist. */
  async listApiKeys(userId: number): Promise<Result<readonly ApiKeyView[]>> {
    if (this.findUser(userId) === undefined) return refuse("NOT_FOUND", `user ${userId} was not found`);
    const views: ApiKeyView[] = [];
    for await (const page of this.#options.store.scan(under(apiKeysOf(userId)))) {
      for (const [, bytes] of page) views.push(apiKeyView(decode(storedApiKey, bytes)));
    }
    return accept(views);
  }

  #newId(): number {
    const [id] = this.#options.journal.allocateIds(1);
    assert(id !== undefined, "an id was allocated");
    return id;
  }
}

/** An API key as it is listed: without anything secret. */
function apiKeyView(key: StoredApiKey): ApiKeyView {
  return {
    keyId: key.keyId,
    name: key.name,
    scopes: key.scopes,
    createdDate: formatTime(key.createdAtMs),
    revokedDate: key.revokedAtMs === null ? null : formatTime(key.revokedAtMs),
  };
}
