/** Text that people make is UTF-8 or is refused with its place; no byte is replaced. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "../../src/runtime/text-file.ts";
import { EXIT_CODES, exitCodeOf, UserError } from "../../src/runtime/user-error.ts";

function refusalOf(bytes: Uint8Array): string {
  try {
    decodeText("a.csv", bytes);
  } catch (error) {
    assert.ok(error instanceof UserError);
    assert.equal(exitCodeOf(error), EXIT_CODES.data);
    return error.message;
  }
  return assert.fail("it was read");
}

test("UTF-8 is read with and without a byte order mark", () => {
  for (const mark of ["", "\uFEFF"]) assert.equal(decodeText("a.csv", Buffer.from(`${mark}Şişe,ğ\n€`)), "Şişe,ğ\n€");
  assert.equal(decodeText("a.csv", new Uint8Array()), "");
});

test("a byte of windows-1254 is refused with its line and place, wherever it stands", () => {
  const line = Buffer.concat([Buffer.from("SISE,"), Buffer.from([0xde]), Buffer.from("ise")]);
  assert.equal(refusalOf(line), "a.csv line 1: byte 6 is not UTF-8: save the file as UTF-8");
  assert.match(refusalOf(Buffer.concat([Buffer.from("symbol,name\nÇ,ş\n"), line])), /^a\.csv line 3: byte 6 is not/);
  assert.match(refusalOf(Buffer.from([0x41, 0x0a, 0xfe])), /line 2: byte 1 /);
  assert.match(refusalOf(Buffer.from([0xef, 0xbf, 0xbd, 0x0a, 0xef, 0xbf, 0xbd, 0xde])), /line 2: byte 4 /);
  assert.match(refusalOf(Buffer.from([0x41, 0xc3])), /line 1: byte 2 /, "a character that is cut off");
});

test("UTF-16 is named, with and without its mark", () => {
  const text = Buffer.from("symbol,name", "utf16le");
  for (const bytes of [Buffer.concat([Buffer.from([0xff, 0xfe]), text]), text, Buffer.from(text).swap16()]) {
    assert.equal(refusalOf(bytes), "a.csv is UTF-16 or no text: save the file as UTF-8");
  }
});

test("no refusal repeats what the file holds", () => {
  assert.doesNotMatch(refusalOf(Buffer.concat([Buffer.from("password"), Buffer.from([0xff])])), /password/);
});
