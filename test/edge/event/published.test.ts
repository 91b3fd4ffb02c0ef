/** An event is passed on byte for byte as the engine writes it; other spellings of it are understood, too. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type PublishedEvent, readPublished } from "../../../edge/event/published.ts";
import fc from "../../support/property.ts";

const HEAD = { id: "abcdefghij-0-42", sequence: 42, time: "2026-03-02T10:15:00.000Z", userId: 7, type: "oco.created" };

function read(message: object | string): PublishedEvent | undefined {
  return readPublished(Buffer.from(typeof message === "string" ? message : JSON.stringify(message)));
}

function textOf(event: PublishedEvent | undefined): string {
  return Buffer.from(event?.frame ?? "").toString();
}

describe("an event of the bus", () => {
  test("is passed on to the byte, without what only the bus needs", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (payload, previous) => {
        const event = { ...HEAD, row: payload };
        const published = read({ previous, ...event });
        assert.equal(textOf(published), `id: ${HEAD.id}\nevent: oco.created\ndata: ${JSON.stringify(event)}\n\n`);
        assert.deepEqual([published?.previous, published?.sequence, published?.type], [previous, 42, "oco.created"]);
      }),
    );
  });

  test("is the same for all who send it, also once what the bus gave is gone", () => {
    const bytes = Buffer.from(JSON.stringify({ previous: 3, ...HEAD, note: "ş" }));
    const published = readPublished(bytes);
    published?.detach();
    bytes.fill(0);
    assert.ok(textOf(published).endsWith('"note":"ş"}\n\n'));
    assert.equal(published?.frame, published?.frame);
  });

  test("is understood with its fields in another order", () => {
    const { id, sequence, type } = HEAD;
    const published = read({ previous: 3, type, note: 1, sequence, id });
    assert.deepEqual([published?.id, published?.sequence, published?.previous, published?.type], [id, 42, 3, type]);
    assert.equal(textOf(published).split("data: ")[1], `${JSON.stringify({ type, note: 1, sequence, id })}\n\n`);
  });

  for (const [what, message] of [
    ["nothing", ""],
    ["no JSON", "{"],
    ["an event that does not say what it follows", JSON.stringify(HEAD)],
    ["an event whose end did not come", JSON.stringify({ previous: 3, ...HEAD }).slice(0, -1)],
    ["an event on two lines", JSON.stringify({ previous: 3, ...HEAD }).replace(',"type"', ',\n"type"')],
    ["an event on two lines of old", JSON.stringify({ previous: 3, ...HEAD }).replace(',"type"', ',\r"type"')],
    ["a sequence that is none", JSON.stringify({ previous: 3, ...HEAD, sequence: 0 })],
  ] as const) {
    test(`is not ${what}`, () => assert.equal(read(message), undefined));
  }
});
