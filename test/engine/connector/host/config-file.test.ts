/** What a configuration file points at: secrets, and files that are renewed while the process runs. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { ConfigReader, keepReadable } from "../../../../engine/connector/host/config-file.ts";

describe("what a configuration file points at", () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "config-file-"));
    path = join(folder, "secret");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const isShort = (value: string): string | undefined => (value.length < 3 ? "is too short" : undefined);

  describe("a secret", () => {
    test("of a file is read again at each use", () => {
      writeFileSync(path, "first\n");
      const mistakes: string[] = [];
      const secret = new ConfigReader(folder, {}, mistakes).secret("password", { file: "secret" });
      writeFileSync(path, "second\n");
      assert.equal(secret(), "second");
      assert.deepEqual(mistakes, []);
    });

    const unusable: Readonly<Record<string, () => void>> = {
      "is away": () => rmSync(path),
      "is empty": () => writeFileSync(path, "\n"),
      "is not UTF-8": () => writeFileSync(path, Buffer.from([0xff, 0x41])),
      "holds what its field refuses": () => writeFileSync(path, "ab"),
      "is a folder": () => {
        rmSync(path);
        mkdirSync(path);
      },
    };
    for (const [what, change] of Object.entries(unusable)) {
      test(`stays as it was while its file ${what}, and is renewed after that`, () => {
        writeFileSync(path, "first");
        const secret = new ConfigReader(folder, {}, []).secret("password", { file: "secret" }, isShort);
        change();
        assert.equal(secret(), "first");
        rmSync(path, { recursive: true, force: true });
        writeFileSync(path, "second");
        assert.equal(secret(), "second");
      });
    }

    test("of the environment is the one of the start", () => {
      const secret = new ConfigReader(folder, { PASSWORD: " from there " }, []).secret("password", { env: "PASSWORD" });
      assert.equal(secret(), " from there ");
    });

    test("that is missing, or that its field refuses, is a mistake that names the field and not the secret", () => {
      const mistakes: string[] = [];
      const reader = new ConfigReader(folder, { SHORT: "ab" }, mistakes);
      reader.secret("one", { env: "NOWHERE" });
      reader.secret("two", { env: "SHORT" }, isShort);
      reader.secret("three", { file: "nowhere" });
      writeFileSync(path, " \n");
      reader.secret("empty", { file: "secret" }, isShort);
      reader.latin1Secret("four", { env: "TURKISH" });
      new ConfigReader(folder, { TURKISH: "şifre" }, mistakes).latin1Secret("five", { env: "TURKISH" });
      assert.deepEqual(mistakes, [
        "one: the variable NOWHERE is not set",
        "two: is too short",
        "three: nowhere cannot be read",
        "empty: secret is empty",
        "four: the variable TURKISH is not set",
        "five: holds a character that is not of ISO 8859-1",
      ]);
    });
  });

  test("a fault that is not of the file passes", () => {
    const read = keepReadable("first", () => {
      throw new TypeError("a bug");
    });
    assert.throws(read, /a bug/);
  });
});
