/** What the tests of tokens do again and again. */
import assert from "node:assert/strict";
import type { TokenOutcome, TokenSet } from "../../../src/contract/operator/identity.ts";
import { World } from "./world.ts";

export function tokensOf(outcome: TokenOutcome): TokenSet {
  assert.ok(outcome.ok, `a token set, not ${JSON.stringify(outcome)}`);
  return outcome.tokens;
}

export function assertRefused(outcome: TokenOutcome, error: string): void {
  assert.ok(!outcome.ok);
  assert.equal(outcome.error, error);
}

export async function exchange(world: World, apiKey: string): Promise<TokenSet> {
  return tokensOf(await world.run(world.issuer.exchange(apiKey)));
}

export async function refresh(world: World, tokens: TokenSet): Promise<TokenOutcome> {
  return world.run(world.issuer.refresh(tokens.refresh_token));
}

export function familyOf(tokens: TokenSet): number {
  return Number(tokens.refresh_token.split("_")[1]);
}

export async function given() {
  const world = new World();
  const owner = await world.userWithKey();
  return { world, ...owner };
}
