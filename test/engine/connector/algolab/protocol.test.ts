/** AlgoLab's wire format: keys, Checker, order numbers, times, phrases, rows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isNotNow } from "../../../../engine/connector/algolab/not-now.ts";
import {
  checkerOf,
  encrypt,
  faultOfApiKey,
  istanbulDay,
  istanbulTimeMs,
  lowerKeys,
  orderNumberOf,
} from "../../../../engine/connector/algolab/protocol.ts";

const KEY = `API-${Buffer.alloc(32, 1).toString("base64")}`;

test("an API key is a prefix and 32 bytes in base64; anything else is refused", () => {
  assert.equal(faultOfApiKey(KEY), undefined);
  for (const text of ["", "API-", "API-AAAA", Buffer.alloc(32).toString("base64").replace(/-/g, "A")]) {
    assert.match(faultOfApiKey(text) ?? "", /^must be API- and the base64 text of 32 bytes/, text);
  }
});

test("encryption is AES-256-CBC with a zero vector", () => {
  assert.equal(encrypt(`API-${Buffer.alloc(32).toString("base64")}`, "test"), "2HB5iFgiP0Vk00CxA/ZSew==");
});

test("the Checker hashes key, host, endpoint and body, and no body for an empty payload", () => {
  assert.match(checkerOf(KEY, "/api/GetEquityInfo", '{"symbol":"GARAN"}'), /^[0-9a-f]{64}$/);
  assert.notEqual(checkerOf(KEY, "/api/SessionRefresh", ""), checkerOf(KEY, "/api/SessionRefresh", "{}"));
});

test("the order number is read from both forms of the text", () => {
  const texts: readonly [unknown, string | undefined][] = [
    ["Referans Numaranız: 001VEV;0000-2923NR-IET - HISSEOK", "001VEV"],
    ["FOSXEE;20240726FOSXEE - HISSEOK", "FOSXEE"],
    ["Emir alındı", undefined],
    ["", undefined],
    [null, undefined],
    [{ number: "001VEV" }, undefined],
  ];
  for (const [text, number] of texts) assert.equal(orderNumberOf(text), number, JSON.stringify(text));
});

test("times are of Istanbul, and its day begins at 21:00 UTC", () => {
  assert.equal(istanbulTimeMs("25.09.2024 14:46:35"), Date.UTC(2024, 8, 25, 11, 46, 35));
  for (const text of ["", "2024-09-25 14:46:35", "25.09.2024"]) assert.equal(istanbulTimeMs(text), undefined);
  const [before, after] = [Date.UTC(2024, 8, 25, 20, 59), Date.UTC(2024, 8, 25, 21)];
  assert.equal(istanbulDay(after) - istanbulDay(before), 1);
});

test("keys are read without case at any depth", () => {
  assert.deepEqual(lowerKeys({ Success: true, Content: [{ Atpref: "A" }, 1, null] }), {
    success: true,
    content: [{ atpref: "A" }, 1, null],
  });
});

test("a refusal is NOT_NOW by a known phrase only, whatever its letters", () => {
  const texts: readonly [string, boolean][] = [
    ["Seans dışı emir", true],
    ["SEANS DIŞI", true],
    ["Piyasa emri girilemez", true],
    ["Devre kesici uygulanmaktadır", true],
    ["Yetersiz bakiye", false],
    ["", false],
  ];
  for (const [text, isIt] of texts) assert.equal(isNotNow(text, []), isIt, text);
  assert.equal(isNotNow("Bakım çalışması var", ["bakım çalışması"]), true);
});
