/**
 * The token issuer: exchanges API keys and refresh tokens for token sets, and ends families (behaviour 2).
 *
 * Owns: the two grants, the revocation of an API key, which families of a key are live. Does not own: a family's rules
 * (its chart), key records (`directory.ts`), signing (`signing.ts`), HTTP.
 *
 * Invariants:
 * 1. All decisions for one request are made in one turn and are durable before a token or a refusal leaves. Signing
 *    follows and changes nothing.
 * 2. Of two refreshes with one token the first in arrival order wins and the second counts as reuse: the family is
 *    revoked, and the winner's tokens end with it (behaviour 2.4).
 * 3. A crash after a refresh was stored and before its answer arrived leaves a client whose token is used. Its retry
 *    counts as reuse and is refused; it repeats the exchange of its API key (behaviour 2.4). Answering it again would
 *    require storing a token, or accepting reuse as a retry.
 * 4. A machine that requests one access token after another (`client_credentials`) has one family, whose current token
 *    is given to no client. It gets no refresh token; separate families would pile up for their whole lifetime.
 * 5. A family whose key is revoked cannot be refreshed from the turn that revokes the key. The families themselves end
 *    page by page after it, so that a key with many never blocks the loop; `sweep` ends the families that a crash left
 *    over.
 */
import { assert } from "../../src/assert.ts";
import {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  familySnapshot,
  type OAuthError,
  REFRESH_TOKEN_LIFETIME_SECONDS,
  type RevokeCommandBody,
  type TokenCommandBody,
  type TokenOutcome,
  type TokenSet,
} from "../../src/contract/operator/identity.ts";
import {
  isOfFamily,
  isRevoked,
  narrowScopes,
  openFamily,
  type Scope,
  type TokenFamily,
} from "../../src/domain/family.ts";
import { accept, type Result } from "../../src/domain/refusal.ts";
import { formatTime } from "../../src/domain/time.ts";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { Actors } from "../ports/actor.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { TABLES, under } from "../table/tables.ts";
import type { Directory } from "./directory.ts";
import type { Decide, Revocations } from "./revocations.ts";
import {
  hashOf,
  isApiKey,
  makeProof,
  makeRefreshToken,
  type PresentedToken,
  type RandomBytes,
  readRefreshToken,
} from "./secret.ts";
import type { Signer } from "./signing.ts";
import { decode, encode, familiesOf, keyFamilyKey, type StoredKeyFamily, storedKeyFamily } from "./stored.ts";

interface TokenIssuerOptions {
  readonly decide: Decide;
  readonly journal: Journal;
  readonly store: Pick<Store, "scan">;
  readonly actors: Actors;
  readonly directory: Directory;
  readonly revocations: Revocations;
  readonly signer: Pick<Signer, "sign">;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** A family with its newest token in clear text: sent to the client, never stored. */
interface Issued {
  readonly family: TokenFamily;
  /** The scopes of the access token: the family's, or fewer if fewer were requested. */
  readonly scopes: readonly Scope[];
  readonly refreshToken: string;
  readonly issuedAtMs: number;
}

/** The options of a grant. */
interface TokenRequest {
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  /** The scopes that the client asked for; undefined: all. */
  readonly scopes?: readonly Scope[] | undefined;
}

const WRONG_KEY = refusal("invalid_client", "the API key is missing, unknown or revoked");
const WRONG_TOKEN = refusal("invalid_grant", "the refresh token is unknown, expired, used or revoked");
const NO_SCOPE = refusal("invalid_scope", "the API key does not have any of the requested scopes");

export class TokenIssuer {
  readonly #options: TokenIssuerOptions;
  /** The family of each key's machines, since the start. */
  readonly #machineFamilies = new Map<number, number>();

  constructor(options: TokenIssuerOptions) {
    this.#options = options;
  }

  /** A token command as the edge sends it. */
  handle(command: TokenCommandBody): Promise<TokenOutcome> {
    return command.grantType === "api_key"
      ? this.exchange(command.apiKey, command)
      : this.refresh(command.refreshToken, command);
  }

  /**
   * Opens a family for an API key; with a `clientId` it continues the family of the key's machines, whose refresh token
   * is not usable. `invalid_client` if the key is malformed, unknown or revoked, or if the `clientId` is not its id;
   * `invalid_scope` if the key lacks every requested scope (behaviour 2.8).
   */
  async exchange(apiKey: string, request: TokenRequest = {}): Promise<TokenOutcome> {
    if (!isApiKey(apiKey)) return WRONG_KEY;
    const hash = hashOf(apiKey);
    const issued = await this.#options.decide(() => this.#open(hash, request));
    if (isDenied(issued)) return issued;
    const tokens = await this.#sign(issued, request);
    return { ok: true, tokens: { ...tokens, issued_at: formatTime(issued.issuedAtMs) } };
  }

  /**
   * Returns the next tokens of a family. `invalid_grant` for a token that is unknown, expired, used, or of a revoked
   * family; `invalid_scope` if the family lacks every requested scope: the token then remains usable.
   */
  async refresh(refreshToken: string, request: Omit<TokenRequest, "clientId"> = {}): Promise<TokenOutcome> {
    const presented = readRefreshToken(refreshToken);
    if (presented === undefined) return WRONG_TOKEN;
    const nextToken = makeRefreshToken(presented.familyId, presented.proof, this.#options.random);
    const issued = await this.#options.decide(() => this.#rotate(presented, nextToken, request.scopes));
    return isDenied(issued) ? issued : { ok: true, tokens: await this.#sign(issued, request) };
  }

  /**
   * Ends the family of a token that its holder returns, with its access tokens; resolves once that is durable. An
   * unknown token, or a token of an ended family, changes nothing (RFC 7009, 2.2).
   */
  async handBack(given: RevokeCommandBody): Promise<void> {
    const presented = "refreshToken" in given ? readRefreshToken(given.refreshToken) : undefined;
    const familyId = "familyId" in given ? given.familyId : presented?.familyId;
    if (familyId === undefined) return;
    const { decide, clock } = this.#options;
    await decide(() => {
      const found = this.#find(familyId);
      if (found === undefined || found.isEnded) return;
      if (presented !== undefined && !isOfFamily(found.family, presented.proofHash)) return;
      this.#endFamily(found.family, clock.nowMs(), "handedBack");
    });
  }

  /**
   * Revokes an API key and ends its families with their access tokens; resolves once all of it is durable. A repeat
   * does no harm. NOT_FOUND for a key that the user does not have.
   */
  async revokeApiKey(userId: number, keyId: number): Promise<Result<true>> {
    const { decide, directory } = this.#options;
    const marked = await decide(() => directory.markApiKeyRevoked(userId, keyId));
    if (!marked.ok) return marked;
    // The mark is durable and no family opens after it, so the store now lists every family of the key.
    await this.#eachLiveFamily(familiesOf(keyId), () => true);
    return accept(true);
  }

  /**
   * Runs at start and about every hour: ends families of revoked keys that a crash left, and forgets expired families
   * and old revocations.
   */
  async sweep(): Promise<void> {
    await this.#eachLiveFamily(TABLES.keyFamilies.prefix, ({ userId, keyId }) => {
      const key = this.#options.directory.findApiKey(userId, keyId);
      return key === undefined || key.revokedAtMs !== null;
    });
    await this.#options.revocations.prune();
  }

  /** Goes through listed families, a page a turn: ends families that must end and forgets expired ones. */
  async #eachLiveFamily(prefix: string, mustEnd: (family: StoredKeyFamily) => boolean): Promise<void> {
    const { store, decide, journal, clock } = this.#options;
    for await (const page of store.scan(under(prefix))) {
      await decide(() => {
        const timeMs = clock.nowMs();
        for (const [key] of page) {
          const bytes = journal.read(key);
          if (bytes === undefined) continue;
          const listed = decode(storedKeyFamily, bytes);
          if (mustEnd(listed)) this.#endFamily(listed, timeMs);
          else if (timeMs >= listed.expiresAtMs) journal.remove(key);
        }
      });
    }
  }

  #open(apiKeyHash: string, { clientId, scopes: requested }: TokenRequest): Issued | Denied {
    const { directory, journal, actors, clock, random } = this.#options;
    const key = directory.findUsableByHash(apiKeyHash);
    if (key === undefined || (clientId !== undefined && clientId !== String(key.keyId))) return WRONG_KEY;
    const scopes = narrowScopes(key.scopes, requested);
    if (scopes.length === 0) return NO_SCOPE;
    const going = clientId === undefined ? undefined : this.#goOn(key.keyId);
    if (going !== undefined) return { ...going, scopes };
    const [familyId] = journal.allocateIds(1);
    assert(familyId !== undefined, "an id was allocated");
    const issuedAtMs = clock.nowMs();
    const proof = makeProof(random);
    const refreshToken = makeRefreshToken(familyId, proof, random);
    // Machines share one family for any requested scopes.
    const familyScopes = clientId === undefined ? scopes : key.scopes;
    const owner = { familyId, userId: key.userId, keyId: key.keyId, scopes: familyScopes };
    const first = { tokenHash: hashOf(refreshToken), proofHash: hashOf(proof) };
    const family = openFamily(owner, first, issuedAtMs);
    actors.create("family", familyId, family);
    this.#list(family);
    if (clientId !== undefined) this.#machineFamilies.set(key.keyId, familyId);
    return { family, scopes, refreshToken, issuedAtMs };
  }

  /** The next tokens of the family of a key's machines; undefined if it has no family, or the family has ended. */
  #goOn(keyId: number): Issued | undefined {
    const familyId = this.#machineFamilies.get(keyId);
    const before = familyId === undefined ? undefined : this.#find(familyId);
    if (before === undefined || before.isEnded) return undefined;
    const { random } = this.#options;
    const { currentTokenHash: tokenHash, proofHash } = before.family;
    // Without the family's proof, which is secret: the token belongs to no client.
    return this.#advance(before.family, { tokenHash, proofHash }, (id) =>
      makeRefreshToken(id, makeProof(random), random),
    );
  }

  #rotate(presented: PresentedToken, nextToken: string, requested: TokenRequest["scopes"]): Issued | Denied {
    const { directory, clock } = this.#options;
    const { familyId, tokenHash, proofHash } = presented;
    const before = this.#find(familyId);
    if (before === undefined || before.isEnded || !isOfFamily(before.family, proofHash)) return WRONG_TOKEN;
    const timeMs = clock.nowMs();
    const key = directory.findApiKey(before.family.userId, before.family.keyId);
    if (key === undefined || key.revokedAtMs !== null) {
      this.#endFamily(before.family, timeMs);
      return WRONG_TOKEN;
    }
    const scopes = narrowScopes(before.family.scopes, requested);
    if (scopes.length === 0) return NO_SCOPE;
    const issued = this.#advance(before.family, { tokenHash, proofHash }, () => nextToken);
    return issued === undefined ? WRONG_TOKEN : { ...issued, scopes };
  }

  /** Advances the family to its next token; undefined if that ended it. */
  #advance(
    { familyId }: TokenFamily,
    { tokenHash, proofHash }: Pick<PresentedToken, "tokenHash" | "proofHash">,
    makeNext: (familyId: number) => string,
  ): Issued | undefined {
    const { actors, clock } = this.#options;
    const timeMs = clock.nowMs();
    const nextToken = makeNext(familyId);
    const nextHash = hashOf(nextToken);
    const presentedHashes = { presentedHash: tokenHash, presentedProofHash: proofHash };
    actors.deliver("family", familyId, { type: "refresh", ...presentedHashes, nextHash, timeMs });
    const after = this.#find(familyId);
    if (after === undefined) return undefined;
    if (after.isEnded) {
      this.#settleEnd(after.family);
      return undefined;
    }
    // Not if the actor was quarantined: it holds the event, and the client starts again with its API key.
    if (after.family.currentTokenHash !== nextHash) return undefined;
    this.#list(after.family);
    return { family: after.family, scopes: after.family.scopes, refreshToken: nextToken, issuedAtMs: timeMs };
  }

  /** Updates the rest of the part for a family that a presented token ended. */
  #settleEnd(family: TokenFamily): void {
    const { journal, revocations, log } = this.#options;
    const { familyId, keyId, userId } = family;
    journal.remove(keyFamilyKey(keyId, familyId));
    if (!isRevoked(family)) return;
    revocations.record(family);
    log.warn(
      { event: "token.reused", familyId, keyId, userId },
      "a used refresh token was presented: its family is revoked",
    );
  }

  /** Ends a family permanently. Its access tokens end even if the actor was quarantined and takes no event. */
  #endFamily(
    family: Pick<TokenFamily, "familyId" | "keyId" | "expiresAtMs">,
    timeMs: number,
    reason: "keyRevoked" | "handedBack" = "keyRevoked",
  ): void {
    const { actors, journal, revocations } = this.#options;
    const { familyId, keyId } = family;
    actors.deliver("family", familyId, { type: "revoke", reason, timeMs });
    journal.remove(keyFamilyKey(keyId, familyId));
    revocations.record(family);
  }

  #list({ userId, keyId, familyId, expiresAtMs }: TokenFamily): void {
    const listed: StoredKeyFamily = { version: 1, userId, keyId, familyId, expiresAtMs };
    this.#options.journal.put(keyFamilyKey(keyId, familyId), encode(storedKeyFamily, listed));
  }

  /** The family, unless the number is unknown or its actor cannot be read: a client can send any number. */
  #find(familyId: number): { readonly family: TokenFamily; readonly isEnded: boolean } | undefined {
    try {
      const found = this.#options.actors.find("family", familyId);
      if (found === undefined) return undefined;
      return { family: familySnapshot.parse(found.context), isEnded: found.isEnded };
    } catch (error) {
      this.#options.log.error({ event: "token.unreadable", familyId, err: error }, "a token family cannot be read");
      return undefined;
    }
  }

  async #sign({ family, scopes, refreshToken, issuedAtMs }: Issued, request: TokenRequest): Promise<TokenSet> {
    const { userId, keyId, familyId, generation } = family;
    const { issuer, clientId, scopes: requested } = request;
    const grant = { userId, scopes, keyId, familyId, generation, issuedAtMs, issuer };
    return {
      access_token: await this.#options.signer.sign(grant),
      token_type: "Bearer",
      expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
      refresh_token: refreshToken,
      refresh_expires_in: REFRESH_TOKEN_LIFETIME_SECONDS,
      ...(clientId === undefined && requested === undefined ? {} : { scope: scopes.join(" ") }),
    };
  }
}

type Denied = Extract<TokenOutcome, { readonly ok: false }>;

function refusal(error: OAuthError, description: string): Denied {
  return { ok: false, error, description };
}

function isDenied(issued: Issued | Denied): issued is Denied {
  return "ok" in issued;
}
