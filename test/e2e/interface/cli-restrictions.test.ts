/** Restrictions from files: what is there already, what was ended since, what was in the way. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CommandLineWorld } from "./cli-world.ts";

describe("an import of restrictions", () => {
  let world: CommandLineWorld;
  before(async () => {
    world = await CommandLineWorld.start();
  });
  after(() => world.end());

  interface Imported {
    readonly written: number;
    readonly ids: readonly number[];
  }
  const measure = { code: "THYAO", restrictionType: "BrutTakas", validFrom: "2026-01-05", sourceRef: "test" };
  const importOf = async (...restrictions: readonly object[]): Promise<Imported> => {
    const path = await world.file("restrictions.json", JSON.stringify({ restrictions }));
    return (await world.json("restrictions", "import", path)) as Imported;
  };

  test("adds each once, however often it is told to, and anew what was ended since", async () => {
    const first = await importOf(measure);
    assert.equal(first.written, 1);
    assert.deepEqual(await importOf(measure), { written: 0, ids: first.ids });
    const ended = await world.json("restrictions", "end", String(first.ids[0]), "2026-02-05T18:00:00+03:00");
    assert.equal((ended as { validTo: string }).validTo, "2026-02-05T15:00:00.000Z");
    const again = await importOf(measure);
    assert.equal(again.written, 1);
    assert.notDeepEqual(again.ids, first.ids);
    assert.deepEqual(await importOf(measure), { written: 0, ids: again.ids });
    await world.json("restrictions", "end", String(again.ids[0]), "2026-02-06");
    assert.equal((await importOf(measure)).written, 1, "as often as it is ended");
  });

  test("adds of a file those that are not there, past ones too, however their times are written", async () => {
    const past = { ...measure, code: "GARAN", validTo: "2026-02-05T18:00:00+03:00" };
    const [pastId] = (await importOf(past)).ids;
    const other = { ...measure, code: "GARAN", restrictionType: 4 };
    const rewritten = { ...past, restrictionType: "3", validFrom: "2026-01-05T00:00Z", validTo: "2026-02-05T15:00Z" };
    const { written, ids } = await importOf(other, rewritten, { ...past, sourceRef: "another" });
    assert.equal(written, 2);
    assert.equal(ids[1], pastId);
    assert.equal(new Set(ids).size, 3);
    assert.deepEqual(await importOf(other, rewritten), { written: 0, ids: ids.slice(0, 2) });
  });

  test("that was refused is done once what was in the way is gone", async () => {
    const path = await world.file("restrictions.json", JSON.stringify([{ ...measure, code: "LATER" }]));
    const refused = await world.run(["restrictions", "import", path]);
    assert.match(refused.err, /^error: 400: restrictions\[0\]\.code LATER is not known\n$/);
    const symbol = { symbol: "LATER", name: "Later", exchange: "XIST", isActive: true };
    await world.json("symbols", "import", await world.file("later.json", JSON.stringify([symbol])));
    assert.equal(((await world.json("restrictions", "import", path)) as Imported).written, 1);
  });

  test("needs a key that may read and write, and says what it lacks", async () => {
    const { userId } = (await world.json("users", "create", "Importer")) as { userId: number };
    const { apiKey } = (await world.json("keys", "create", String(userId), "import", "--scopes", "admin")) as {
      apiKey: string;
    };
    const path = await world.file("restrictions.json", JSON.stringify([measure]));
    const refused = await world.run(["--api-key", apiKey, "restrictions", "import", path]);
    assert.match(refused.err, /^error: 403: the access token lacks the scope read\n$/);
    assert.equal(refused.exitCode, 77);
  });
});
