/** Records from files. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { readRecords } from "../../../edge/cli/records-file.ts";
import { restrictionInput, symbolInput } from "../../../src/contract/operator/reference.ts";

const folder = mkdtempSync(join(tmpdir(), "trading-cli-"));

let fileCount = 0;
function fileOf(text: string): string {
  fileCount += 1;
  const path = join(folder, `records-${fileCount}`);
  writeFileSync(path, text);
  return path;
}

const symbol = { symbol: "AAA", name: "A, the first", exchange: "BIST", isActive: true };

describe("a file of records", () => {
  after(() => rmSync(folder, { recursive: true }));

  test("is CSV with a line of names: quotes, doubled quotes, line breaks, empty fields, a byte order mark", async () => {
    const text = [
      "\uFEFFsymbol,name,exchange,isActive,logoUrl",
      'AAA,"A, the first",BIST,true,',
      'BBB,"The ""B""",BIST,false,https://logos.example/b.svg',
      "",
      "CCC,true,BIST,true",
    ].join("\r\n");
    assert.deepEqual(await readRecords(fileOf(text), symbolInput), [
      symbol,
      { symbol: "BBB", name: 'The "B"', exchange: "BIST", isActive: false, logoUrl: "https://logos.example/b.svg" },
      { symbol: "CCC", name: "true", exchange: "BIST", isActive: true },
    ]);
  });

  test("has the form of the sample of a whole market, bands of a day included", async () => {
    const records = await readRecords("docs/examples/symbols-bist.csv", symbolInput);
    assert.equal(records.length, 6);
    const band = { floorPrice: 270, ceilingPrice: 330, basePrice: 300, bandDate: "2026-03-02" };
    assert.deepEqual(records[0], { ...symbol, symbol: "THYAO", name: "Türk Hava Yolları", ...band });
    assert.deepEqual(records.at(-1), { ...symbol, symbol: "ESKIX", name: "Örnek Şirket, eski kod", isActive: false });
  });

  test("is CSV of a spreadsheet: semicolons, and TRUE and FALSE", async () => {
    const text = 'symbol;name;exchange;isActive\r\nAAA;A, the first;BIST;TRUE\r\nBBB;"B;b";BIST;False\r\n';
    assert.deepEqual(await readRecords(fileOf(text), symbolInput), [
      symbol,
      { symbol: "BBB", name: "B;b", exchange: "BIST", isActive: false },
    ]);
  });

  test("in windows-1254 is refused with its line, and none of it is imported with other letters", async () => {
    const bytes = Buffer.concat([Buffer.from("symbol,name,exchange,isActive\nSISE,"), Buffer.from([0xde, 0x69])]);
    const path = fileOf("");
    writeFileSync(path, bytes);
    await assert.rejects(readRecords(path, symbolInput), /records-\d+ line 2: byte 6 is not UTF-8/);
    writeFileSync(path, Buffer.from("\uFEFFsymbol,name", "utf16le"));
    await assert.rejects(readRecords(path, symbolInput), /records-\d+ is UTF-16 or no text/);
  });

  test("is JSON: an array, or an object that has one", async () => {
    for (const json of [[symbol], { symbols: [symbol] }]) {
      assert.deepEqual(await readRecords(fileOf(JSON.stringify(json)), symbolInput), [symbol]);
    }
  });

  test("may name a restriction's type by number or name", async () => {
    const text =
      "code,restrictionType,validFrom,sourceRef\nAAA,3,2026-01-05,x\nAAA,TekFiyatIslem,2026-01-05T10:00:00+03:00,x";
    const types = (await readRecords(fileOf(text), restrictionInput)).map(({ restrictionType }) => restrictionType);
    assert.deepEqual(types, ["3", "TekFiyatIslem"]);
  });

  for (const [what, text, message] of [
    ["a wrong field with its line", 'symbol,name,exchange,isActive\n"AAA","two\nlines",BIST,true', /line 2: name/],
    [
      "a wrong field after broken lines",
      "symbol,name,exchange,isActive\nAAA,A,BIST,true\nbbb,B,BIST,true",
      /line 3: symbol/,
    ],
    ["a missing field", "symbol,name\nAAA,A", /line 2: exchange/],
    ["too many fields", "symbol\nAAA,B", /line 2: has too many fields/],
    ["a stray quote", 'symbol,name\nAAA,B"C', /line 2: a quote/],
    ["a record of JSON by its number", JSON.stringify([symbol, { ...symbol, isActive: "yes" }]), /record 2: isActive/],
    ["JSON that is cut off", '[{"symbol"', /not valid JSON/],
    ["an object without an array", '{"symbols":7}', /no array/],
    ["an empty file", "", /no records/],
    ["a file of names only", "symbol,name\n", /no records/],
  ] as const) {
    test(`tells ${what}`, async () => {
      await assert.rejects(readRecords(fileOf(text), symbolInput), message);
    });
  }

  test("that is not there is told by its name", async () => {
    await assert.rejects(readRecords(join(folder, "nothing"), symbolInput), /nothing cannot be read/);
  });
});
