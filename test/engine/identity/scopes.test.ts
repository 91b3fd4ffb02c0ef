/** Scopes that a client asks for at the token endpoint (behaviour 2.8). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TokenOutcome, TokenSet } from "../../../src/contract/operator/identity.ts";
import type { Scope } from "../../../src/domain/family.ts";
import { World } from "./world.ts";

function tokensOf(outcome: TokenOutcome): TokenSet {
  assert.ok(outcome.ok, `a token set, not ${JSON.stringify(outcome)}`);
  return outcome.tokens;
}

function assertRefused(outcome: TokenOutcome, error: string): void {
  assert.ok(!outcome.ok);
  assert.equal(outcome.error, error);
}

const refresh = (world: World, { refresh_token }: TokenSet) => world.run(world.issuer.refresh(refresh_token));

describe("scopes that a client asks for (2.8)", () => {
  const scoped = async (scopes: readonly Scope[]) => {
    const world = new World();
    return { world, ...(await world.userWithKey(scopes)) };
  };

  test("are given as far as the key has them, for the family's whole life, and the answer names them", async () => {
    const { world, apiKey } = await scoped(["read", "trade"]);
    const first = tokensOf(await world.run(world.issuer.exchange(apiKey, { scopes: ["read", "admin"] })));
    assert.equal(first.scope, "read");
    assert.deepEqual(world.grants.at(-1)?.scopes, ["read"]);
    await world.restart();
    const next = tokensOf(await refresh(world, first));
    assert.deepEqual(world.grants.at(-1)?.scopes, ["read"], "a refresh gives no more than the exchange");
    assert.equal(next.scope, undefined, "without a scope in the request the answer is the specification's");
    const wider = await world.run(world.issuer.refresh(next.refresh_token, { scopes: ["read", "trade"] }));
    assert.equal(tokensOf(wider).scope, "read");
  });

  test("may be fewer at one refresh than at the next", async () => {
    const { world, apiKey } = await scoped(["read", "trade"]);
    const first = tokensOf(await world.run(world.issuer.exchange(apiKey)));
    const narrow = tokensOf(await world.run(world.issuer.refresh(first.refresh_token, { scopes: ["read"] })));
    assert.equal(narrow.scope, "read");
    assert.deepEqual(world.grants.at(-1)?.scopes, ["read"]);
    await refresh(world, narrow);
    assert.deepEqual(world.grants.at(-1)?.scopes, ["read", "trade"]);
  });

  test("none of which the key has are invalid_scope; nothing is made, and no token is used up", async () => {
    const { world, apiKey } = await scoped(["read"]);
    for (const scopes of [["trade"], []] as const) {
      assertRefused(await world.run(world.issuer.exchange(apiKey, { scopes })), "invalid_scope");
    }
    const tokens = tokensOf(await world.run(world.issuer.exchange(apiKey)));
    assertRefused(await world.run(world.issuer.refresh(tokens.refresh_token, { scopes: ["admin"] })), "invalid_scope");
    assert.ok((await refresh(world, tokens)).ok);
    assertRefused(await world.run(world.issuer.exchange("tdk_live_x", { scopes: [] })), "invalid_client");
  });

  test("of one machine narrow no other that uses the same key", async () => {
    const { world, apiKey, keyId } = await scoped(["read", "trade"]);
    const clientId = String(keyId);
    const ask = async (scopes?: readonly Scope[]) =>
      tokensOf(await world.run(world.issuer.exchange(apiKey, { clientId, ...(scopes && { scopes }) }))).scope;
    assert.deepEqual([await ask(["read"]), await ask(), await ask(["trade"])], ["read", "read trade", "trade"]);
  });
});
