import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  apiKeySchema,
  createApiKeyBody,
  createdApiKeySchema,
  createUserBody,
} from "../../../src/contract/operator/identity.ts";
import { World } from "./world.ts";

describe("directory", () => {
  test("users and keys survive a restart", async () => {
    const world = new World();
    assert.equal(await world.directory.hasUsers(), false);
    const { userId, keyId, apiKey } = await world.userWithKey();
    await world.restart();
    assert.equal(await world.directory.hasUsers(), true);
    assert.deepEqual(world.directory.findUser(userId), { userId, name: "Ada" });
    assert.equal(world.directory.findApiKey(userId, keyId)?.revokedAtMs, null);
    assert.ok((await world.run(world.issuer.exchange(apiKey))).ok);
  });

  test("an API key is shown when it is made, and never again", async () => {
    const world = new World();
    const { userId } = world.directory.createUser("Ada");
    const made = world.directory.createApiKey(userId, "laptop", ["admin"]);
    assert.ok(made.ok);
    createdApiKeySchema.parse(made.value);
    assert.match(made.value.apiKey, /^tdk_live_[A-Za-z0-9_-]{43}$/);
    await world.time.turns();
    const listed = await world.directory.listApiKeys(userId);
    assert.ok(listed.ok);
    const { keyId } = made.value;
    const createdDate = new Date(world.time.nowMs()).toISOString();
    assert.deepEqual(listed.value, [{ keyId, name: "laptop", scopes: ["admin"], createdDate, revokedDate: null }]);
    for (const view of listed.value) apiKeySchema.parse(view);
    assert.equal(world.storedText().includes(made.value.apiKey.slice(-43)), false);
  });

  test("no two keys are alike", () => {
    const world = new World();
    const { userId } = world.directory.createUser("Ada");
    const keys = Array.from({ length: 50 }, () => world.directory.createApiKey(userId, "key", ["read"]));
    assert.equal(new Set(keys.map((key) => key.ok && key.value.apiKey)).size, 50);
    assert.equal(new Set(keys.map((key) => key.ok && key.value.keyId)).size, 50);
  });

  test("a user sees their own keys, oldest first, revoked ones marked", async () => {
    const world = new World();
    const first = await world.userWithKey();
    const other = await world.userWithKey();
    const second = await world.run(world.decide(() => world.directory.createApiKey(first.userId, "desk", ["read"])));
    assert.ok(second.ok);
    await world.run(world.issuer.revokeApiKey(first.userId, first.keyId));
    const mine = await world.directory.listApiKeys(first.userId);
    assert.ok(mine.ok);
    assert.deepEqual(
      mine.value.map(({ keyId, revokedDate }) => [keyId, revokedDate !== null]),
      [
        [first.keyId, true],
        [second.value.keyId, false],
      ],
    );
    const theirs = await world.directory.listApiKeys(other.userId);
    assert.ok(theirs.ok);
    assert.deepEqual(
      theirs.value.map(({ keyId }) => keyId),
      [other.keyId],
    );
  });

  test("keys of a user who does not exist are not found", async () => {
    const world = new World();
    const made = world.directory.createApiKey(77, "laptop", ["read"]);
    const listed = await world.directory.listApiKeys(77);
    assert.ok(!made.ok && !listed.ok);
    assert.deepEqual([made.code, listed.code], ["NOT_FOUND", "NOT_FOUND"]);
  });

  test("a stored record that is not what it should be is not read as one", async () => {
    const world = new World();
    const { userId, keyId, apiKey } = await world.userWithKey();
    const key = `ku/${String(userId).padStart(16, "0")}/${String(keyId).padStart(16, "0")}`;
    const stored = JSON.parse(Buffer.from(world.journal.read(key) ?? []).toString());
    for (const change of [{ scopes: ["root"] }, { version: 2 }, { secret: apiKey }]) {
      world.journal.put(key, JSON.stringify({ ...stored, ...change }));
      assert.throws(() => world.directory.findApiKey(userId, keyId));
    }
  });
});

describe("bodies of the admin interface", () => {
  test("scopes are a set of known ones, at least one", () => {
    assert.deepEqual(createApiKeyBody.parse({ name: " bot ", scopes: ["trade", "read", "trade"] }), {
      name: "bot",
      scopes: ["read", "trade"],
    });
    for (const scopes of [[], ["root"], "read", undefined]) {
      assert.equal(createApiKeyBody.safeParse({ name: "bot", scopes }).success, false);
    }
  });

  test("a name has 1 to 100 characters and none that moves a log line", () => {
    for (const name of ["", "   ", "a\nb", "\u001b[2J", "a".repeat(101), 5]) {
      assert.equal(createUserBody.safeParse({ name }).success, false, String(name));
    }
    assert.deepEqual(createUserBody.parse({ name: "Ada Öz 🙂" }), { name: "Ada Öz 🙂" });
  });
});
