/** The pages of AlgoLab, in both languages: they have the settings of the configuration files, with their defaults. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { accountSchema, algolabFileSchema } from "../../../../engine/connector/algolab/config.ts";
import { algolabFeedFileSchema } from "../../../../engine/connector/algolab/feed/config.ts";
import { isNotNow } from "../../../../engine/connector/algolab/not-now.ts";

const PAGES = ["algolab.md", "algolab.tr.md"] as const;

/** The tables of a page by their first column's head: setting names with the text of the next column. */
function tablesOf(page: string): readonly ReadonlyMap<string, string>[] {
  const text = readFileSync(new URL(`../../../../docs/connectors/${page}`, import.meta.url), "utf8");
  return text
    .split("\n\n")
    .filter((block) => /^\| (setting |ayar |hesap ayarı )/.test(block))
    .map((block) => {
      const rows = block.split("\n").slice(2);
      const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
      return new Map(
        cells.flatMap(([, names = "", value = ""]) =>
          [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]): [string, string] => [name, value]),
        ),
      );
    });
}

const account = accountSchema.parse({ accountNumber: "MY1", users: [1] });
const file = algolabFileSchema.parse({
  ...{ type: "algolab", code: "ALGOLAB", folder: "orders", apiKey: { env: "KEY" } },
  accounts: [{ accountNumber: "MY1", users: [1] }],
});
const feed = algolabFeedFileSchema.parse({
  ...{ name: "BIST", symbols: ["THYAO"], apiKey: { env: "KEY" }, sessionFile: "session" },
});

for (const page of PAGES) {
  describe(page, () => {
    const [ofFile, ofAccount, ofFeed] = tablesOf(page);

    test("lists each setting of the files, and no other", () => {
      assert.deepEqual([...(ofFile?.keys() ?? [])].sort(), Object.keys(algolabFileSchema.shape).sort());
      assert.deepEqual([...(ofAccount?.keys() ?? [])].sort(), Object.keys(accountSchema.shape).sort());
      assert.deepEqual([...(ofFeed?.keys() ?? [])].sort(), Object.keys(algolabFeedFileSchema.shape).sort());
    });

    test("states the defaults of numbers, lists and choices", () => {
      for (const [table, values] of [
        [ofFile, file],
        [ofFeed, feed],
      ] as const) {
        for (const [name, value] of Object.entries(values)) {
          const isGiven = ["type", "code", "folder", "apiKey", "accounts", "name", "sessionFile"].includes(name);
          if (isGiven || (values === feed && ["url", "symbols"].includes(name))) continue;
          const stated = (table?.get(name) ?? "").replaceAll("`", "");
          assert.equal(stated, typeof value === "object" ? JSON.stringify(value) : String(value), name);
        }
      }
      assert.equal(account.subAccount, "");
    });

    test("lists phrases that are NOT_NOW", () => {
      const text = readFileSync(new URL(`../../../../docs/connectors/${page}`, import.meta.url), "utf8");
      const [, list = ""] = /`NOT_NOW`[^:\n]*: (seans dışı[^.]*)\./.exec(text) ?? [];
      const phrases = list.split(", ").map((phrase) => phrase.replace("…", ""));
      assert.equal(phrases.length, 13);
      for (const phrase of phrases) assert.ok(isNotNow(phrase, []), phrase);
    });
  });
}
