/** The engine's side of request-reply. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Answerer, answering, asOwner, refuseReadiness } from "../../../engine/host/bus-answers.ts";
import { type Envelope, QUERIES } from "../../../src/contract/command.ts";
import { loopTimers } from "../../../src/runtime/clock.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const usual = { type: "oco.list", userId: 7, requestId: "r", body: { a: 1 } };

test("only the question for readiness is refused, with every fault there is", async () => {
  const health = { ...usual, type: QUERIES.readHealth };
  const refused = { ok: false, code: "UNAVAILABLE", message: "one; two" };
  assert.deepEqual(await refuseReadiness(health, ["one", "two"]), refused);
  assert.equal(refuseReadiness(health, []), undefined);
  assert.equal(refuseReadiness({ ...usual, type: "symbols" }, ["one"]), undefined);
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

describe("an engine that may not know whether it is the owner", () => {
  const envelope: Envelope = usual;

  /** An ownership that a test gives and takes. */
  function ownership(mayAct: boolean, provenForMs = 0) {
    const waiting: (() => void)[] = [];
    const state = { mayAct };
    return {
      provenForMs,
      mayAct: () => state.mayAct,
      whenMayAct: () => (state.mayAct ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
      give: () => {
        state.mayAct = true;
        for (const go of waiting.splice(0)) go();
      },
      take: () => {
        state.mayAct = false;
      },
    };
  }

  /** What was answered so far. */
  function noted(answer: Promise<unknown>): unknown[] {
    const answers: unknown[] = [];
    void answer.then((one) => answers.push(one));
    return answers;
  }

  /** Answers how many requests were begun. */
  function counting() {
    let count = 0;
    const answerer: Answerer = async () => {
      count += 1;
      return { ok: true, data: count };
    };
    return { begun: () => count, answerer };
  }

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test("says that it is not ready, where nobody else is asked", async () => {
    const owner = asOwner(async () => ({ ok: true, data: 1 }), ownership(false), false, loopTimers);
    const answer = await owner(envelope);
    assert.ok("ok" in answer && !answer.ok && answer.code === "UNAVAILABLE");
  });

  test("says nothing where another engine may answer, and begins nothing before it may act again", async () => {
    const own = ownership(false);
    const { begun, answerer } = counting();
    const owner = asOwner(answerer, own, true, loopTimers);
    const answers = noted(owner(envelope));
    await turn();
    assert.deepEqual([begun(), answers], [0, []]);
    own.give();
    await turn();
    assert.deepEqual(answers, [{ ok: true, data: 1 }]);
  });

  test("does nothing for who waits no longer, however long it takes until it may act again", async () => {
    const own = ownership(false);
    const time = new FakeTime();
    const { begun, answerer } = counting();
    const owner = asOwner(answerer, own, true, time);
    const early = Array.from({ length: 3 }, () => noted(owner(envelope)));
    await time.advance(29_000);
    const late = noted(owner(envelope));
    await time.advance(2_000);
    own.give();
    await turn();
    const isRefused = early.map(([answer]) => (answer as { readonly code?: string } | undefined)?.code);
    assert.deepEqual(isRefused, ["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"]);
    assert.deepEqual([begun(), late], [1, [{ ok: true, data: 1 }]]);
  });

  test("counts a request that it reads after a standstill as waiting since the last proof", async () => {
    const own = ownership(false, 20_000);
    const time = new FakeTime();
    const { begun, answerer } = counting();
    const owner = asOwner(answerer, own, true, time);
    const tooLong = noted(owner(envelope));
    await time.advance(9_000);
    const inTime = noted(owner(envelope));
    await time.advance(2_000);
    own.give();
    await turn();
    assert.deepEqual([begun(), inTime], [1, [{ ok: true, data: 1 }]]);
    assert.equal((tooLong[0] as { readonly code?: string } | undefined)?.code, "UNAVAILABLE");
  });

  test("begins nothing that may have lain unread for as long as anybody waits, and says no only once no other can say yes", async () => {
    const own = ownership(false, 45_000);
    const { begun, answerer } = counting();
    const answers = noted(asOwner(answerer, own, true, new FakeTime())(envelope));
    await turn();
    assert.deepEqual(answers, []);
    own.give();
    await turn();
    assert.equal((answers[0] as { readonly code?: string } | undefined)?.code, "UNAVAILABLE");
    assert.equal(begun(), 0);
  });

  test("keeps no request for longer than anybody waits, however long ago the last proof is", async () => {
    const time = new FakeTime();
    const answers = noted(
      asOwner(counting().answerer, ownership(false, Number.POSITIVE_INFINITY), true, time)(envelope),
    );
    await time.advance(31_000);
    assert.equal(answers.length, 1);
  });

  test("keeps an answer back that was made while another may have taken over", async () => {
    const own = ownership(true);
    const owner = asOwner(
      async () => {
        own.take();
        return { ok: true, data: 1 };
      },
      own,
      true,
      loopTimers,
    );
    const answers = noted(owner(envelope));
    await turn();
    assert.deepEqual(answers, []);
    own.give();
    await turn();
    assert.equal(answers.length, 1);
  });
});
