import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeRefreshToken, readRefreshToken } from "../../../engine/identity/secret.ts";
import { tokenOutcomeSchema } from "../../../src/contract/operator/identity.ts";
import { assertRefused, exchange, familyOf, given, refresh, tokensOf } from "./steps.ts";
import type { World } from "./world.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

describe("exchange of an API key", () => {
  test("gives a token set, with issued_at", async () => {
    const { world, apiKey } = await given();
    const outcome = await world.run(world.issuer.handle({ grantType: "api_key", apiKey }));
    const tokens = tokensOf(tokenOutcomeSchema.parse(outcome));
    assert.match(tokens.refresh_token, /^tdr_\d+_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(tokens, {
      access_token: `access ${familyOf(tokens)}.0`,
      token_type: "Bearer",
      expires_in: 86_400,
      refresh_token: tokens.refresh_token,
      refresh_expires_in: 2_592_000,
      issued_at: new Date(world.time.nowMs()).toISOString(),
    });
  });

  test("is refused for what is no API key, an unknown one and a revoked one, all with the same words", async () => {
    const { world, apiKey, userId, keyId } = await given();
    const last = apiKey.endsWith("A") ? "B" : "A";
    const wrong = [
      "",
      "tdk_live_",
      apiKey.toLowerCase(),
      `${apiKey}A`,
      apiKey.slice(0, -1),
      apiKey.slice(0, -1) + last,
    ];
    const answers = [];
    for (const text of wrong) answers.push(await world.run(world.issuer.exchange(text)));
    await world.run(world.issuer.revokeApiKey(userId, keyId));
    answers.push(await world.run(world.issuer.exchange(apiKey)));
    for (const answer of answers) assertRefused(answer, "invalid_client");
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
  });

  test("is durable before it is answered", async () => {
    const { world, apiKey } = await given();
    const tokens = await exchange(world, apiKey);
    await world.restart();
    assert.ok((await refresh(world, tokens)).ok);
  });

  test("each one opens a family of its own", async () => {
    const { world, apiKey } = await given();
    const [one, two] = [await exchange(world, apiKey), await exchange(world, apiKey)];
    await refresh(world, one);
    assertRefused(await refresh(world, one), "invalid_grant");
    assert.ok((await refresh(world, two)).ok);
    assert.deepEqual(world.told, [familyOf(one)]);
  });
});

describe("access tokens of a machine", () => {
  const ask = (world: World, apiKey: string, keyId: number) =>
    world.run(world.issuer.handle({ grantType: "api_key", apiKey, clientId: String(keyId) }));

  test("come from one family, however many it asks for", async () => {
    const { world, apiKey, keyId } = await given();
    const first = tokensOf(await ask(world, apiKey, keyId));
    let last = first;
    for (let count = 1; count <= 40; count += 1) {
      await world.time.advance(DAY_MS);
      last = tokensOf(await ask(world, apiKey, keyId));
      assert.equal(last.access_token, `access ${familyOf(first)}.${count}`);
    }
    assert.equal(world.storedKeys("kf/").length, 1);
    assertRefused(await refresh(world, first), "invalid_grant");
    assertRefused(await refresh(world, last), "invalid_grant");
    assert.ok((await ask(world, apiKey, keyId)).ok);
  });

  test("end with the key, the newest as well", async () => {
    const { world, apiKey, keyId, userId } = await given();
    const first = tokensOf(await ask(world, apiKey, keyId));
    await world.time.advance(20 * DAY_MS);
    await ask(world, apiKey, keyId);
    await world.run(world.issuer.revokeApiKey(userId, keyId));
    await world.run(world.revocations.prune());
    assert.deepEqual(world.told, [familyOf(first)]);
    assert.deepEqual((await world.revocations.list(0, 10)).familyIds, [familyOf(first)]);
    assertRefused(await ask(world, apiKey, keyId), "invalid_client");
  });

  test("come from another family once the first has expired or the process is another one", async () => {
    const { world, apiKey, keyId } = await given();
    const first = tokensOf(await ask(world, apiKey, keyId));
    await world.time.advance(31 * DAY_MS);
    const second = tokensOf(await ask(world, apiKey, keyId));
    await world.restart();
    const third = tokensOf(await ask(world, apiKey, keyId));
    assert.equal(new Set([first, second, third].map(familyOf)).size, 3);
  });
});

describe("refresh", () => {
  test("gives the next tokens, without issued_at, and the old token is used", async () => {
    const { world, apiKey } = await given();
    const first = await exchange(world, apiKey);
    const second = tokensOf(
      await world.run(world.issuer.handle({ grantType: "refresh_token", refreshToken: first.refresh_token })),
    );
    assert.equal("issued_at" in second, false);
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.equal(familyOf(second), familyOf(first));
    assert.equal(second.access_token, `access ${familyOf(first)}.1`);
    const third = tokensOf(await refresh(world, second));
    assert.equal(third.access_token, `access ${familyOf(first)}.2`);
  });

  test("a used token revokes the family, its newest token and its access tokens", async () => {
    const { world, apiKey, userId } = await given();
    const first = await exchange(world, apiKey);
    const second = tokensOf(await refresh(world, first));
    assertRefused(await refresh(world, first), "invalid_grant");
    const familyId = familyOf(first);
    assert.deepEqual(world.told, [familyId]);
    assert.deepEqual(await world.revocations.list(0, 10), { familyIds: [familyId], isLast: true });
    assertRefused(await refresh(world, second), "invalid_grant");
    assert.deepEqual(world.told, [familyId], "a revoked family is revoked once");
    assert.equal(world.events.length, 1);
    assert.match(world.events[0] ?? "", new RegExp(`^${userId} token.familyRevoked .*"reason":"reused"`));
    assert.equal(world.log.at("warn").length, 1);
    assert.deepEqual(world.storedKeys("kf/"), []);
  });

  test("of two at once with one token exactly one wins, and the family is revoked", async () => {
    const { world, apiKey } = await given();
    const tokens = await exchange(world, apiKey);
    const both = [world.issuer.refresh(tokens.refresh_token), world.issuer.refresh(tokens.refresh_token)];
    const [winner, loser] = await world.run(Promise.all(both));
    assert.ok(winner?.ok);
    assert.ok(loser);
    assertRefused(loser, "invalid_grant");
    assert.deepEqual(world.told, [familyOf(tokens)]);
    assertRefused(await refresh(world, winner.tokens), "invalid_grant");
  });

  test("a crash before the batch leaves the token unused, a crash after it makes the retry reuse", async () => {
    for (const isKept of [false, true]) {
      const { world, apiKey } = await given();
      const tokens = await exchange(world, apiKey);
      let isAnswered = false;
      world.writeMs = 1_000;
      void world.issuer.refresh(tokens.refresh_token).then(() => {
        isAnswered = true;
      });
      await world.time.turns();
      assert.equal(world.journal.isDirty, true, "the batch is on its way");
      await world.restart(() => isKept);
      world.writeMs = 0;
      assert.equal(isAnswered, false);
      const retry = await refresh(world, tokens);
      if (!isKept) assert.ok(retry.ok);
      else {
        assertRefused(retry, "invalid_grant");
        assert.deepEqual(world.told, [familyOf(tokens)]);
      }
      assert.ok((await exchange(world, apiKey)).access_token);
    }
  });

  test("a token that no family issued is refused and revokes nothing", async () => {
    const { world, apiKey, userId } = await given();
    const tokens = await exchange(world, apiKey);
    const familyId = familyOf(tokens);
    const guessed = makeRefreshToken(familyId, new Uint8Array(16), world.random);
    const wrong = [
      "",
      "tdr_",
      tokens.access_token,
      apiKey,
      guessed,
      tokens.refresh_token.replace(`_${familyId}_`, `_${familyId + 1}_`),
      tokens.refresh_token.replace(`_${familyId}_`, `_0${familyId}_`),
      tokens.refresh_token.replace(`_${familyId}_`, `_${userId}_`),
      tokens.refresh_token.replace(`_${familyId}_`, "_9999999999999999_"),
      `${tokens.refresh_token}A`,
      tokens.refresh_token.slice(0, -1),
    ];
    for (const text of wrong) assertRefused(await world.run(world.issuer.refresh(text)), "invalid_grant");
    assert.deepEqual(world.told, []);
    assert.ok((await refresh(world, tokens)).ok);
  });

  test("a token that was never issued but carries the family's proof counts as reuse", async () => {
    const { world, apiKey } = await given();
    const tokens = await exchange(world, apiKey);
    const read = readRefreshToken(tokens.refresh_token);
    assert.ok(read);
    const forged = makeRefreshToken(read.familyId, read.proof, world.random);
    assertRefused(await world.run(world.issuer.refresh(forged)), "invalid_grant");
    assert.deepEqual(world.told, [read.familyId]);
  });

  test("works until the token is 30 days old, and each refresh starts the count again", async () => {
    const { world, apiKey } = await given();
    const first = await exchange(world, apiKey);
    world.time.stepClock(30 * DAY_MS - 1);
    const second = tokensOf(await refresh(world, first));
    world.time.stepClock(30 * DAY_MS);
    assertRefused(await refresh(world, second), "invalid_grant");
    assert.deepEqual(world.told, [], "an expiry is no revocation");
    assertRefused(await refresh(world, second), "invalid_grant");
  });

  test("an actor that cannot be read refuses, harms no other, and the API key still works", async () => {
    const { world, apiKey, userId, keyId } = await given();
    const tokens = await exchange(world, apiKey);
    const key = `a/${String(familyOf(tokens)).padStart(16, "0")}`;
    await world.run(world.decide(() => world.journal.put(key, '{"kind":"family","state":"live","context":{}}')));
    await world.restart();
    assertRefused(await refresh(world, tokens), "invalid_grant");
    const healthy = await exchange(world, apiKey);
    assert.ok((await world.run(world.issuer.revokeApiKey(userId, keyId))).ok);
    assert.deepEqual(world.told, [familyOf(tokens), familyOf(healthy)]);
  });
});

describe("revoking an API key", () => {
  test("ends its families with their access tokens, and no others", async () => {
    const { world, apiKey, userId, keyId } = await given();
    const other = await world.userWithKey();
    const kept = await exchange(world, other.apiKey);
    const ended = [await exchange(world, apiKey), await exchange(world, apiKey), await exchange(world, apiKey)];
    assert.deepEqual(await world.run(world.issuer.revokeApiKey(userId, keyId)), { ok: true, value: true });
    assert.deepEqual(world.told, ended.map(familyOf));
    for (const tokens of ended) assertRefused(await refresh(world, tokens), "invalid_grant");
    assert.ok((await refresh(world, kept)).ok);
    assert.equal(world.events.filter((event) => event.includes('"reason":"keyRevoked"')).length, 3);
    assert.equal(world.storedKeys("kf/").length, 1);
  });

  test("may be repeated, and is not found for a key that the user does not have", async () => {
    const { world, apiKey, userId, keyId } = await given();
    const other = await world.userWithKey();
    await exchange(world, apiKey);
    assert.ok((await world.run(world.issuer.revokeApiKey(userId, keyId))).ok);
    assert.ok((await world.run(world.issuer.revokeApiKey(userId, keyId))).ok);
    assert.equal(world.told.length, 1);
    for (const [user, key] of [
      [userId, 9_999],
      [userId, other.keyId],
      [9_999, keyId],
    ] as const) {
      const refused = await world.run(world.issuer.revokeApiKey(user, key));
      assert.ok(!refused.ok);
      assert.equal(refused.code, "NOT_FOUND");
    }
    assert.ok((await exchange(world, other.apiKey)).access_token);
  });

  test("holds a refresh off from the turn of the revocation on, whatever comes after it", async () => {
    const { world, apiKey, userId, keyId } = await given();
    const tokens = await exchange(world, apiKey);
    const revoking = world.issuer.revokeApiKey(userId, keyId);
    const refreshing = world.issuer.refresh(tokens.refresh_token);
    const exchanging = world.issuer.exchange(apiKey);
    assert.ok((await world.run(revoking)).ok);
    assertRefused(await world.run(refreshing), "invalid_grant");
    assertRefused(await world.run(exchanging), "invalid_client");
    assert.deepEqual(world.told, [familyOf(tokens)]);
  });

  test("what a crash left over is ended by the sweep", async () => {
    const { world, apiKey, userId, keyId } = await given();
    const tokens = await exchange(world, apiKey);
    await world.run(world.decide(() => world.directory.markApiKeyRevoked(userId, keyId)));
    await world.restart();
    assert.deepEqual(world.told, []);
    await world.run(world.issuer.sweep());
    assert.deepEqual(world.told, [familyOf(tokens)]);
    assert.equal(world.host.find("family", familyOf(tokens))?.isEnded, true);
    assert.deepEqual(world.storedKeys("kf/"), []);
  });

  test("reaches families on every page of the store", async () => {
    const { world, apiKey, userId, keyId } = await given();
    const all = await world.run(Promise.all(Array.from({ length: 230 }, () => world.issuer.exchange(apiKey))));
    await world.run(world.issuer.revokeApiKey(userId, keyId));
    assert.equal(world.told.length, all.length);
    assert.deepEqual(world.storedKeys("kf/"), []);
  });
});

describe("sweep", () => {
  test("forgets families that have expired and keeps those that were refreshed", async () => {
    const { world, apiKey } = await given();
    await exchange(world, apiKey);
    const used = await exchange(world, apiKey);
    world.time.stepClock(20 * DAY_MS);
    await refresh(world, used);
    world.time.stepClock(10 * DAY_MS);
    await world.run(world.issuer.sweep());
    assert.equal(world.storedKeys("kf/").length, 1);
    assert.match(world.storedKeys("kf/")[0] ?? "", new RegExp(`0${familyOf(used)}$`));
  });

  test("forgets a revocation an hour after the family's last access token has expired, and not before", async () => {
    const { world, apiKey } = await given();
    const tokens = await exchange(world, apiKey);
    await refresh(world, tokens);
    await refresh(world, tokens);
    world.time.stepClock(25 * HOUR_MS);
    await world.run(world.issuer.sweep());
    assert.equal((await world.revocations.list(0, 10)).familyIds.length, 1);
    world.time.stepClock(1);
    await world.run(world.issuer.sweep());
    assert.equal((await world.revocations.list(0, 10)).familyIds.length, 0);
  });
});

describe("list of revocations", () => {
  test("comes in pages, ascending, and survives a restart", async () => {
    const { world, apiKey, userId, keyId } = await given();
    for (let count = 0; count < 5; count += 1) await exchange(world, apiKey);
    await world.run(world.issuer.revokeApiKey(userId, keyId));
    await world.restart();
    const first = await world.revocations.list(0, 2);
    const second = await world.revocations.list(first.familyIds.at(-1) ?? 0, 2);
    const third = await world.revocations.list(second.familyIds.at(-1) ?? 0, 2);
    assert.deepEqual([first.isLast, second.isLast, third.isLast], [false, false, true]);
    const all = [...first.familyIds, ...second.familyIds, ...third.familyIds];
    assert.deepEqual(all, world.told);
  });

  test("leaves out a family whose access tokens had expired before it was revoked", async () => {
    const { world, apiKey, userId, keyId } = await given();
    await exchange(world, apiKey);
    world.time.stepClock(2 * DAY_MS);
    await world.run(world.issuer.revokeApiKey(userId, keyId));
    assert.deepEqual(world.told, []);
    assert.deepEqual(world.storedKeys("rv/"), []);
    assert.deepEqual(world.storedKeys("kf/"), []);
  });
});

test("no secret is stored or logged, whatever was done", async () => {
  const { world, apiKey, userId, keyId } = await given();
  const tokens = await exchange(world, apiKey);
  const next = tokensOf(await refresh(world, tokens));
  await refresh(world, tokens);
  await exchange(world, apiKey);
  await world.run(world.issuer.revokeApiKey(userId, keyId));
  const text = [world.storedText(), ...world.log.lines, ...world.events].join("\n");
  assert.ok(text.includes("token.familyRevoked"));
  for (const secret of [apiKey, tokens.refresh_token, next.refresh_token]) {
    const random = secret.slice(-43);
    const bytes = Buffer.from(random, "base64url");
    // Whole, in part, and in other spellings.
    const spellings = [random, random.slice(0, 21), random.slice(22), bytes.toString("base64"), bytes.toString("hex")];
    for (const spelling of [...spellings, bytes.subarray(0, 16).toString("hex")]) {
      assert.equal(text.includes(spelling), false);
    }
  }
});
