/** The engine's side of request-reply. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answering, isUsualEnvelope } from "../../../engine/partition/answer.ts";
import { type Envelope, envelopeSchema } from "../../../src/contract/command.ts";
import fc from "../../support/property.ts";

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const usual = { type: "oco.list", userId: 7, requestId: "r", body: { a: 1 } };

describe("the plain check of an envelope", () => {
  test("takes what a user asks without an Idempotency-Key, and passes nothing that the schema would not pass as it is", () => {
    assert.ok(isUsualEnvelope(usual));
    const field = fc.oneof(
      fc.constantFrom<unknown>(
        0,
        1,
        -1,
        1.5,
        2 ** 53,
        Number.NaN,
        "",
        "x",
        "x".repeat(65),
        "x".repeat(101),
        null,
        {},
        [],
      ),
      fc.jsonValue(),
    );
    const fields = fc.constantFrom("type", "userId", "requestId", "body", "idempotency", "other");
    const changes = fc.array(fc.tuple(fields, field, fc.boolean()), { maxLength: 3 });
    fc.assert(
      fc.property(changes, (changed) => {
        const value: Record<string, unknown> = { ...usual };
        for (const [name, given, isTaken] of changed) {
          if (isTaken) delete value[name];
          else value[name] = given;
        }
        const read: unknown = JSON.parse(JSON.stringify(value));
        if (isUsualEnvelope(read)) assert.deepEqual(envelopeSchema.parse(read), read);
      }),
      { numRuns: 500 },
    );
    for (const value of [undefined, null, 1, "x", [], [1, 2, 3, 4]]) assert.equal(isUsualEnvelope(value), false);
  });
});

describe("a request to the engine", () => {
  const seen: Envelope[] = [];
  const answer = answering((envelope) => {
    seen.push(envelope);
    return Promise.resolve({ ok: true, data: null });
  }, silent);
  const ask = async (value: unknown): Promise<unknown> => {
    const reply = await answer({ subject: "s", data: Buffer.from(JSON.stringify(value)) });
    return JSON.parse(Buffer.from(reply).toString());
  };

  test("is heard with a key or without, from a user or from nobody", async () => {
    const envelopes = [usual, { ...usual, userId: null }, { ...usual, idempotency: { key: "k", fingerprint: "f" } }];
    for (const envelope of envelopes) {
      assert.deepEqual(await ask(envelope), { ok: true, data: null });
      assert.deepEqual(seen.at(-1), envelope);
    }
  });

  test("that is no envelope is INVALID", async () => {
    const message = "the request is not an envelope";
    for (const value of [1, null, {}, { ...usual, type: "" }, { ...usual, userId: 0 }]) {
      assert.deepEqual(await ask(value), { ok: false, code: "INVALID", message });
    }
  });
});
