import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type Bootstrap, ensureBootstrap } from "../../../engine/identity/bootstrap.ts";
import { World } from "./world.ts";

describe("first start", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "trading-bootstrap-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function file(): string {
    return join(folder, "bootstrap-api-key");
  }

  function bootstrap(world: World): Promise<Bootstrap | undefined> {
    const { directory, decide, random, log } = world;
    return world.run(ensureBootstrap({ dataFolder: folder, directory, decide, random, log }));
  }

  test("makes a user with all scopes and keeps the key in a file of its owner only", async () => {
    const world = new World();
    const made = await bootstrap(world);
    assert.ok(made);
    assert.equal(readFileSync(file(), "utf8"), `${made.apiKey}\n`);
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ["bootstrap-api-key"]);
    const keys = await world.directory.listApiKeys(made.userId);
    assert.ok(keys.ok);
    assert.deepEqual(keys.value[0]?.scopes, ["read", "trade", "admin"]);
    assert.ok((await world.run(world.issuer.exchange(made.apiKey))).ok);
    assert.equal(world.storedText().includes(made.apiKey.slice(-43)), false);
    assert.equal(world.log.lines.join().includes(made.apiKey.slice(-43)), false);
  });

  test("happens once: later starts make nothing, also where the file was taken away", async () => {
    const world = new World();
    await bootstrap(world);
    rmSync(file());
    await world.restart();
    assert.equal(await bootstrap(world), undefined);
    assert.equal(existsSync(file()), false);
  });

  test("a crash between the file and the user leaves a key that the next start puts to use", async () => {
    const world = new World();
    const { directory, random, log } = world;
    const never = new Promise<never>(() => undefined);
    void ensureBootstrap({ dataFolder: folder, directory, decide: () => never, random, log });
    while (!existsSync(file())) await new Promise((resolve) => setImmediate(resolve));
    const kept = readFileSync(file(), "utf8").trim();
    await world.restart();
    const made = await bootstrap(world);
    assert.equal(made?.apiKey, kept);
    assert.ok((await world.run(world.issuer.exchange(kept))).ok);
  });

  test("a file that holds no key stops the start without showing what is in it", async () => {
    writeFileSync(file(), "tdk_live_short\n");
    const world = new World();
    await assert.rejects(bootstrap(world), (error: Error) => {
      assert.match(error.message, /bootstrap-api-key does not hold an API key/);
      return !error.message.includes("tdk_live_short");
    });
    assert.equal(await world.directory.hasUsers(), false);
  });
});
