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

describe("an announcement of measures", () => {
  let world: CommandLineWorld;
  before(async () => {
    world = await CommandLineWorld.start();
  });
  after(() => world.end());

  interface ReadRow {
    readonly what: string;
    readonly symbol: string | null;
    readonly restrictionType: string | null;
    readonly until: string | null;
  }
  const day = (inDays: number): string => {
    const iso = new Date(Date.now() + inDays * 86_400_000).toISOString();
    return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`;
  };
  const measureOf = (codes: string, from: number, until: number, what: string): string =>
    `VBTS kapsamında ${codes} paylarında ${day(from)} tarihli işlemlerden (seans başından) ${day(until)} tarihli işlemlere (seans sonuna) kadar ${what}.`;
  test("is shown sentence by sentence, written with --import only, and once", async () => {
    const short = measureOf("THYAO.E ve GARAN.E", -1, 20, "açığa satışa ve kredili işlemlere konu edilemeyecektir");
    const gross = measureOf("THYAO.E", -60, -30, "brüt takas uygulanacaktır");
    const unknown = measureOf("XXXXX.E", -1, 20, "brüt takas uygulanacaktır");
    const unclear = "GARAN.E paylarındaki brüt takas uygulaması kaldırılmıştır.";
    const path = await world.file("kap.txt", [short, gross, unknown, unclear, "Not: bilgi."].join("\n\n"));
    const read = async (...words: string[]): Promise<string[]> =>
      ((await world.json("restrictions", "read", path, ...words)) as ReadRow[]).map(({ what }) => what);
    const shown = ["add", "add", "add", "add", "add", "person", "person", "note"];
    assert.deepEqual(await read(), shown);
    assert.deepEqual(await read(), shown, "nothing was written");
    assert.deepEqual(await read("--import"), shown);
    const known = ["known", "known", "known", "known", "known", "person", "person", "note"];
    assert.deepEqual(await read("--import"), known);
    const { out, err } = await world.run(["restrictions", "read", path]);
    assert.match(out, /^what +symbol +restrictionType +from +until +text\n/);
    assert.match(out, /\nknown +THYAO +1 AcigaSatisYasagi +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d +restriction \d+\n/);
    assert.match(err, /^2 rows are left to you: add them with restrictions import\nnothing written; 0 rows/);
  });

  test("of a later stage replaces the earlier one, and both stay in the history", async () => {
    const first = await world.file("first.txt", measureOf("AKBNK.E", -10, 5, "brüt takas uygulanacaktır"));
    const second = await world.file("second.txt", measureOf("AKBNK.E", -2, 15, "brüt takas uygulanacaktır"));
    const read = async (path: string): Promise<string[]> =>
      ((await world.json("restrictions", "read", path, "--import")) as ReadRow[]).map(({ what }) => what);
    assert.deepEqual([await read(first), await read(second)], [["add"], ["replace"]]);
    assert.deepEqual([await read(first), await read(second)], [["known"], ["known"]]);
  });

  test("that a measure is prolonged, and later ended early, is applied once", async () => {
    const read = async (path: string): Promise<string[]> =>
      ((await world.json("restrictions", "read", path, "--import")) as ReadRow[]).map(({ what }) => what);
    const first = measureOf("ISCTR.E", -10, 5, "brüt takas uygulanacaktır");
    const more = `ISCTR paylarında uygulanan brüt takas tedbiri ${day(25)} tarihli işlemlere (seans sonuna) kadar uzatılmıştır.`;
    const end = `ISCTR.E paylarındaki brüt takas tedbiri ${day(40)} tarihinden itibaren kaldırılmıştır.`;
    const path = await world.file("prolonged.txt", [first, more, end].join("\n\n"));
    assert.deepEqual(await read(path), ["add", "add", "later"]);
    assert.deepEqual(await read(path), ["known", "known", "later"]);
  });

  test("of one measure in place of another ends the first on the day of the second, once", async () => {
    const gross = measureOf("YKBNK", -10, 5, "brüt takas uygulanacaktır");
    const single = measureOf("YKBNK.E", -1, 15, "brüt takas tedbiri yerine tek fiyat işlem yöntemi uygulanacaktır");
    const read = async (text: string): Promise<string[]> => {
      const path = await world.file("instead.txt", text);
      return ((await world.json("restrictions", "read", path, "--import")) as ReadRow[]).map(({ what }) => what);
    };
    assert.deepEqual([await read(gross), await read(single)], [["add"], ["add", "end"]]);
    assert.deepEqual([await read(gross), await read(single)], [["known"], ["known", "known"]]);
  });

  test("that cannot be read is refused with the file's name", async () => {
    const missing = await world.run(["restrictions", "read", "/nowhere/kap.txt"]);
    assert.match(missing.err, /^error: \/nowhere\/kap\.txt cannot be read\n$/);
    assert.equal(missing.exitCode, 66);
  });
});
