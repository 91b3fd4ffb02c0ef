import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertRefused, exchange, familyOf, given, refresh } from "./steps.ts";

describe("a token that its holder gives up (behaviour 2.11)", () => {
  test("ends its family with the access tokens, once that is durable, and no other family", async () => {
    const { world, apiKey } = await given();
    const [ended, kept] = [await exchange(world, apiKey), await exchange(world, apiKey)];
    await world.run(world.issuer.handBack({ refreshToken: ended.refresh_token }));
    assert.deepEqual(world.told, [familyOf(ended)]);
    assert.ok(world.events.some((event) => event.includes('"reason":"handedBack"')));
    await world.restart();
    assertRefused(await refresh(world, ended), "invalid_grant");
    assert.ok((await refresh(world, kept)).ok);
    await world.run(world.issuer.handBack({ familyId: familyOf(kept) }));
    assertRefused(await refresh(world, kept), "invalid_grant");
  });

  test("may be a used one, and changes nothing where it is unknown, foreign or of a family that has ended", async () => {
    const { world, apiKey } = await given();
    const tokens = await exchange(world, apiKey);
    await refresh(world, tokens);
    const foreign = `tdr_${familyOf(tokens)}_${"A".repeat(43)}`;
    for (const refreshToken of ["tdr_", foreign, `tdr_999_${"A".repeat(43)}`]) {
      await world.run(world.issuer.handBack({ refreshToken }));
    }
    assert.deepEqual(world.told, []);
    await world.run(world.issuer.handBack({ refreshToken: tokens.refresh_token }));
    await world.run(world.issuer.handBack({ refreshToken: tokens.refresh_token }));
    assert.deepEqual(world.told, [familyOf(tokens)]);
  });
});
