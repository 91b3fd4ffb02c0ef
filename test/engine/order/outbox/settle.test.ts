/** Every answer, under every promise, for every known state: what next. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  backoffMs,
  CLOCK_SKEW_MS,
  type Conditions,
  decideNext,
  type KnownState,
  type Next,
  type OrderNews,
  RETRY_LIMIT_MS,
  settlingPromise,
} from "../../../../engine/order/outbox/settle.ts";
import type { BrokerFailureCode, OrderAnswer, ResendPromise } from "../../../../src/contract/trading/order.ts";
import { failed, placed, recordOf } from "./harness.ts";

const PROMISES: readonly ResendPromise[] = ["idempotent", "expiry", "query", "none"];
const URGENCIES = ["stopLoss", "triggered", "client"] as const;
const NOT_ACCEPTED = ["NOT_SENT"] as const;
const SETTLE_MS = 20_000;
/** The two clocks are apart, so that one taken for the other shows. */
const STEADY_MS = 5_000_000;
const WALL_MS = 1_700_000_000_000;

const at = (passedMs: number): Conditions => ({
  now: { steadyMs: STEADY_MS + passedMs, wallMs: WALL_MS + passedMs },
  random: 0,
  settleMs: SETTLE_MS,
  canLookUp: true,
  opensInMs: null,
  hasOtherTerms: false,
  heldForMs: null,
});

function known(change: Partial<KnownState> = {}): KnownState {
  const promise = change.promise ?? "query";
  return {
    promise,
    urgency: "triggered",
    isSell: true,
    mayExist: false,
    wasInDoubt: change.mayExist ?? false,
    refusal: null,
    firstSentMs: STEADY_MS,
    failureCount: 0,
    notNowCount: 0,
    notNowSinceMs: null,
    expiresAtMs: promise === "expiry" ? WALL_MS + 10_000 : null,
    expiresAtSteadyMs: null,
    provenFromMs: null,
    ...change,
  };
}

const sent = (code: BrokerFailureCode, message = ""): OrderNews => ({ type: "sent", reply: failed(code, message) });
const refused = (code: string, message: string): object => ({
  type: "finish",
  outcome: { type: "refused", code, message },
});
const found = (orderStatus: 0 | 1 | 2 | 3 | 4): OrderNews => ({
  type: "lookedUp",
  asked: at(0).now,
  reply: { ok: true, data: { ...recordOf({ clientOrderId: "c", accountNumber: "A1" }, "N1"), orderStatus } },
});
const notFound = (askedAfterMs: number): OrderNews => ({
  type: "lookedUp",
  asked: at(askedAfterMs).now,
  reply: failed("NOT_FOUND"),
});

function next(change: Partial<KnownState>, news: OrderNews, passedMs = 0): Next {
  return decideNext(known(change), news, at(passedMs));
}

test("an order that the brokerage rejected after it had sold a part is no refusal: the part is told (behaviour 4.5a)", () => {
  const record = {
    ...recordOf({ clientOrderId: "c", accountNumber: "A1" }, "N1"),
    orderStatus: 4,
    filledQuantity: 3,
  } as const;
  const news: OrderNews = { type: "lookedUp", asked: at(0).now, reply: { ok: true, data: record } };
  const inDoubt = known({ mayExist: true, provenFromMs: STEADY_MS });
  assert.deepEqual(decideNext(inDoubt, news, at(0)), {
    type: "finish",
    outcome: { type: "placed", orderNo: "N1", orderStatus: 4 },
  });
});

test("an order that a look-up finds rejected is refused in the brokerage's words (behaviour 4.5a)", () => {
  const record = { ...recordOf({ clientOrderId: "c", accountNumber: "A1" }, "N1"), orderStatus: 4 } as const;
  const inDoubt = known({ mayExist: true, provenFromMs: STEADY_MS });
  for (const [message, told] of [
    ["no such position", "no such position"],
    [null, "rejected by the brokerage"],
  ] as const) {
    const reply = { ok: true, data: { ...record, message } } as const;
    assert.deepEqual(
      decideNext(inDoubt, { type: "lookedUp", asked: at(0).now, reply }, at(0)),
      refused("REJECTED", told),
    );
  }
});

describe("an answer to a send", () => {
  for (const promise of PROMISES) {
    for (const urgency of URGENCIES) {
      for (const mayExist of promise === "idempotent" ? [false, true] : [false]) {
        const change = { promise, urgency, mayExist };
        const label = `${promise}, ${urgency}${mayExist ? ", may exist" : ""}`;

        test(`${label}: placed is placed, but a rejected order is a refusal`, () => {
          for (const orderStatus of [0, 1, 2, 3] as const) {
            const outcome = { type: "placed", orderNo: "N1", orderStatus };
            assert.deepEqual(next(change, { type: "sent", reply: placed("N1", orderStatus) }), {
              type: "finish",
              outcome,
            });
          }
          const rejected: OrderNews = { type: "sent", reply: placed("N1", 4) };
          assert.deepEqual(next(change, rejected), refused("REJECTED", "rejected by the brokerage"));
        });

        test(`${label}: a rejection is final, in the brokerage's words, where no attempt is in doubt`, () => {
          for (const code of ["REJECTED", "NOT_FOUND"] as const) {
            if (mayExist) continue;
            assert.deepEqual(next(change, sent(code, "no position")), refused(code, "no position"));
            assert.deepEqual(next(change, sent(code)), refused(code, "rejected by the brokerage"));
          }
        });

        test(`${label}: not accepted is tried again until 30 s after the first attempt`, () => {
          for (const code of NOT_ACCEPTED) {
            const first = next(change, sent(code, "down"));
            assert.deepEqual(first, { type: "retry", atMs: STEADY_MS + 100, reason: "down" });
            const late = next(change, sent(code), RETRY_LIMIT_MS - 50);
            assert.deepEqual(late, { type: "retry", atMs: STEADY_MS + RETRY_LIMIT_MS, reason: code });
            const last = next(change, sent(code), RETRY_LIMIT_MS);
            if (mayExist) assert.equal(last.type, "resend");
            else assert.deepEqual(last, refused("UNAVAILABLE", "brokerage unreachable"));
          }
        });

        test(`${label}: without a session a client is refused at once and a triggered order waits`, () => {
          const first = next(change, sent("UNAUTHORIZED", "session over"));
          const last = next(change, sent("UNAUTHORIZED", "session over"), RETRY_LIMIT_MS);
          const ending = mayExist ? "resend" : "finish";
          assert.equal(first.type, urgency === "client" ? ending : "retry");
          assert.equal(last.type, ending);
          if (mayExist) return;
          assert.deepEqual(last, refused("UNAUTHORIZED", "session over"));
          const silent = next(change, sent("UNAUTHORIZED"), RETRY_LIMIT_MS);
          assert.deepEqual(silent, refused("UNAUTHORIZED", "log in to the brokerage first"));
        });
      }
    }
  }

  test("an unknown outcome is settled as the promise allows, whatever the time, and never refused", () => {
    for (const urgency of URGENCIES) {
      for (const passedMs of [0, RETRY_LIMIT_MS, 100 * RETRY_LIMIT_MS]) {
        const unknown = sent("UNAVAILABLE", "no answer");
        const nowMs = STEADY_MS + passedMs;
        assert.deepEqual(next({ promise: "idempotent", urgency }, unknown, passedMs), {
          type: "resend",
          atMs: nowMs + 100,
          reason: "no answer",
        });
        assert.deepEqual(next({ promise: "query", urgency }, unknown, passedMs), {
          type: "lookUp",
          atMs: nowMs + SETTLE_MS,
          provenFromMs: nowMs + SETTLE_MS,
          reason: "no answer",
        });
        const expiredMs = Math.max(nowMs, STEADY_MS + 10_000 + CLOCK_SKEW_MS);
        assert.deepEqual(next({ promise: "expiry", urgency }, unknown, passedMs), {
          type: "lookUp",
          atMs: expiredMs,
          provenFromMs: expiredMs,
          reason: "no answer",
        });
        assert.deepEqual(next({ promise: "none", urgency }, unknown, passedMs), {
          type: "quarantine",
          reason: "no answer",
        });
      }
    }
  });

  test("a rejection after an attempt in doubt is no proof: it is looked up, and told once nothing can come", () => {
    for (const promise of ["idempotent", "query", "expiry"] as const) {
      const mayExist = promise === "idempotent";
      const doubted = { promise, mayExist, wasInDoubt: true };
      const refusal = { code: "REJECTED", message: "no position" } as const;
      const provenFromMs = STEADY_MS + (mayExist ? SETTLE_MS : 0);
      const asking = { atMs: STEADY_MS, provenFromMs, reason: "refused in doubt: no position", refusal };
      assert.deepEqual(next(doubted, sent("REJECTED", "no position")), { type: "lookUp", ...asking });
      const settling = { promise, mayExist: true, wasInDoubt: true, refusal, provenFromMs };
      assert.deepEqual(next(settling, found(2)), {
        type: "finish",
        outcome: { type: "placed", orderNo: "N1", orderStatus: 2 },
      });
      const late = promise === "expiry" ? 11_000 : SETTLE_MS;
      assert.deepEqual(next(settling, notFound(late), late), refused("REJECTED", "no position"));
      const away: OrderNews = { type: "lookedUp", asked: at(0).now, reply: failed("UNAVAILABLE") };
      const again = next(settling, away);
      assert.deepEqual(again.type === "lookUp" && again.refusal, refusal);
    }
  });

  test("a rejection where nothing can be looked up, or where a person said that nothing exists, is final", () => {
    const rejected = sent("REJECTED", "no position");
    const blind = decideNext(known({ promise: "idempotent", wasInDoubt: true }), rejected, {
      ...at(0),
      canLookUp: false,
    });
    assert.deepEqual(blind, refused("REJECTED", "no position"));
    assert.deepEqual(next({ promise: "none", wasInDoubt: true }, rejected), refused("REJECTED", "no position"));
  });

  test("UNKNOWN to a repeat is never to be known: a person decides where nothing but a repeat would settle it", () => {
    for (const mayExist of [false, true]) {
      assert.deepEqual(next({ promise: "idempotent", mayExist }, sent("UNKNOWN", "sent a day ago"), 172_800_000), {
        type: "quarantine",
        reason: "the brokerage does not know the outcome: sent a day ago",
      });
    }
    for (const promise of ["query", "expiry", "none"] as const) {
      assert.deepEqual(next({ promise }, sent("UNKNOWN", "x")), next({ promise }, sent("UNAVAILABLE", "x")));
    }
  });

  test("FENCED is settled as an unknown outcome is: another attempt has an answer that is not known here", () => {
    for (const promise of PROMISES) {
      const fenced = next({ promise }, sent("FENCED", "too late"));
      assert.deepEqual(fenced, next({ promise }, sent("UNAVAILABLE", "too late")));
    }
  });

  test("what may exist is never sent again but by name", () => {
    for (const promise of ["expiry", "query", "none"] as const) {
      assert.throws(() => next({ promise, mayExist: true }, sent("UNAVAILABLE")), /by name only/);
    }
  });

  test("an attempt under the promise of expiry that does not say when it expires is a bug", () => {
    assert.throws(() => next({ promise: "expiry", expiresAtMs: null }, sent("UNAVAILABLE")), /has a time of expiry/);
  });
});

describe("the fill that an answer names", () => {
  const answered = (data: OrderAnswer): unknown => next({}, { type: "sent", reply: { ok: true, data } });

  test("goes to the owner with quantity and price of a completed order, and only then", () => {
    const whole = { orderNo: "N1", orderStatus: 2, filledQuantity: 30, averagePrice: 90.5 } as const;
    const placed = { type: "placed", orderNo: "N1", orderStatus: 2 };
    const finish = (outcome: object): object => ({ type: "finish", outcome });
    assert.deepEqual(answered(whole), finish({ ...placed, fill: { quantity: 30, price: 90.5 } }));
    assert.deepEqual(answered({ ...whole, averagePrice: 0 }), finish(placed));
    assert.deepEqual(answered({ ...whole, averagePrice: null }), finish(placed));
    assert.deepEqual(answered({ ...whole, filledQuantity: 0 }), finish(placed));
    assert.deepEqual(answered({ ...whole, filledQuantity: undefined }), finish(placed));
    assert.deepEqual(answered({ ...whole, orderStatus: 1 }), finish({ ...placed, orderStatus: 1 }));
    assert.deepEqual(answered({ ...whole, orderStatus: 3 }), finish({ ...placed, orderStatus: 3 }));
  });
});

describe("a look-up", () => {
  for (const promise of ["expiry", "query"] as const) {
    const provenFromMs = STEADY_MS + 11_000;
    const change = { promise, mayExist: true, provenFromMs };

    test(`${promise}: found is placed in whatever state, but a rejected order is a refusal`, () => {
      for (const orderStatus of [0, 1, 2, 3] as const) {
        const outcome = { type: "placed", orderNo: "N1", orderStatus };
        assert.deepEqual(next(change, found(orderStatus)), { type: "finish", outcome });
      }
      assert.deepEqual(next(change, found(4)), refused("REJECTED", "rejected by the brokerage"));
    });

    test(`${promise}: not found proves that no order exists only when it was asked late enough`, () => {
      const early = next(change, notFound(10_999), 60_000);
      assert.deepEqual(early, { type: "lookUp", atMs: STEADY_MS + 60_000, provenFromMs, reason: "NOT_FOUND" });
      const proof = next(change, notFound(11_000), 60_000);
      assert.deepEqual(proof, { type: "sendAnew", reason: "the brokerage does not know it" });
    });

    test(`${promise}: a look-up that fails is repeated for as long as it takes, further and further apart`, () => {
      for (const code of ["REJECTED", "UNAUTHORIZED", "UNAVAILABLE", "NOT_SENT", "FENCED"] as const) {
        const news: OrderNews = { type: "lookedUp", asked: at(11_000).now, reply: failed(code) };
        for (const passedMs of [11_000, 100 * RETRY_LIMIT_MS]) {
          const again = next(change, news, passedMs);
          assert.deepEqual(again, { type: "lookUp", atMs: STEADY_MS + passedMs + 100, provenFromMs, reason: code });
        }
        const later = next({ ...change, failureCount: 20 }, news, 11_000);
        assert.equal(later.type === "lookUp" && later.atMs, STEADY_MS + 21_000);
      }
    });
  }

  test("expiry: a wall clock that stepped back makes it wait until that clock has passed the bound too", () => {
    const change = { promise: "expiry", mayExist: true, provenFromMs: STEADY_MS } as const;
    const asked = { steadyMs: STEADY_MS + 5, wallMs: WALL_MS + 10_000 + CLOCK_SKEW_MS - 400 };
    const answer = next(change, { type: "lookedUp", asked, reply: failed("NOT_FOUND") }, 6);
    assert.deepEqual(answer, {
      type: "lookUp",
      atMs: STEADY_MS + 405,
      provenFromMs: STEADY_MS + 405,
      reason: "NOT_FOUND",
    });
  });

  test("only what may exist is looked up", () => {
    assert.throws(() => next({ mayExist: false, provenFromMs: STEADY_MS }, notFound(0)), /may exist/);
    assert.throws(() => next({ mayExist: true, provenFromMs: null }, notFound(0)), /may exist/);
  });
});

describe("an order that was found in the store and may have been sent", () => {
  const recovered: OrderNews = { type: "recovered" };
  const lost = { mayExist: true, firstSentMs: null };

  test("idempotent: is sent again at once", () => {
    const again = next({ ...lost, promise: "idempotent" }, recovered, 3);
    assert.deepEqual(again, { type: "resend", atMs: STEADY_MS + 3, reason: "outcome unknown after a restart" });
  });
  test("expiry: is looked up once it has expired, at once when it has", () => {
    const waits = next({ ...lost, promise: "expiry" }, recovered);
    assert.equal(waits.type === "lookUp" && waits.atMs, STEADY_MS + 10_000 + CLOCK_SKEW_MS);
    const over = next({ ...lost, promise: "expiry", expiresAtMs: WALL_MS - 3_600_000 }, recovered);
    assert.equal(over.type === "lookUp" && over.atMs, STEADY_MS);
  });
  test("expiry: a brokerage's clock may be a second behind, and an order acceptable for as long", () => {
    const waits = next({ ...lost, promise: "expiry" }, recovered);
    assert.equal(waits.type === "lookUp" && waits.atMs, STEADY_MS + 10_000 + 1_000);
  });
  test("expiry: a wall clock that was set forth since the attempt proves nothing", () => {
    const setForth = { ...lost, promise: "expiry", expiresAtMs: WALL_MS - 3_590_000 } as const;
    const waits = next({ ...setForth, expiresAtSteadyMs: STEADY_MS + 10_000 }, recovered);
    assert.equal(waits.type === "lookUp" && waits.atMs, STEADY_MS + 10_000 + CLOCK_SKEW_MS);
  });
  test("query: counts as unknown from the restart on", () => {
    const waits = next({ ...lost, promise: "query" }, recovered);
    assert.equal(waits.type === "lookUp" && waits.provenFromMs, STEADY_MS + SETTLE_MS);
  });
  test("none: goes to quarantine", () => {
    assert.equal(next({ ...lost, promise: "none" }, recovered).type, "quarantine");
  });
});

test("an entry that is found under another promise is settled by the weaker one", () => {
  for (const stored of PROMISES) {
    for (const current of PROMISES) {
      const expected =
        stored === current ? stored : [stored, current].includes("none") ? ("none" as const) : ("query" as const);
      assert.equal(settlingPromise(stored, current), expected, `${stored} found under ${current}`);
    }
  }
});

test("delays double from 100 ms to the most, and chance adds up to a fifth", () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7, 1_000].map((count) => backoffMs(count, 5_000, 0));
  assert.deepEqual(delays, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  assert.equal(backoffMs(0, 5_000, 0.5), 110);
  assert.equal(backoffMs(9, 5_000, 0.999999), 6_000);
});

describe("an order that may exist, under the promise idempotent, and that would leave with other terms now", () => {
  const doubted = known({ promise: "idempotent", mayExist: true, firstSentMs: STEADY_MS - RETRY_LIMIT_MS });
  const news: readonly OrderNews[] = [
    { type: "recovered" },
    ...(["UNAVAILABLE", "FENCED", "NOT_SENT", "UNAUTHORIZED", "NOT_NOW"] as const).map((code) => sent(code)),
  ];
  for (const one of news) {
    const name = one.type === "sent" && !one.reply.ok ? one.reply.code : one.type;

    test(`${name}: is looked up, as a repeat has the terms of the attempt before (behaviour 17.2)`, () => {
      const asked = decideNext(doubted, one, { ...at(0), hasOtherTerms: true });
      assert.deepEqual(asked.type === "lookUp" && [asked.atMs, asked.provenFromMs], [STEADY_MS, STEADY_MS + SETTLE_MS]);
    });

    test(`${name}: is repeated if the brokerage can look nothing up`, () => {
      const again = decideNext(doubted, one, { ...at(0), hasOtherTerms: true, canLookUp: false });
      assert.equal(again.type, "resend");
    });
  }
});

describe("a look-up of an order that may exist, under the promise idempotent", () => {
  const looked = (code: BrokerFailureCode): OrderNews => ({
    type: "lookedUp",
    asked: { steadyMs: STEADY_MS, wallMs: WALL_MS },
    reply: failed(code, ""),
  });
  const doubted = { promise: "idempotent", mayExist: true, provenFromMs: STEADY_MS + SETTLE_MS } as const;

  test("is asked again until it should have been answered, and then the order is repeated as it was (behaviour 23.7)", () => {
    assert.equal(next(doubted, looked("UNAVAILABLE"), SETTLE_MS - 1).type, "lookUp");
    assert.equal(next(doubted, looked("UNAVAILABLE"), SETTLE_MS).type, "resend");
  });
  test("is not asked again of a brokerage that can never tell: the order is repeated", () => {
    assert.equal(next(doubted, looked("UNKNOWN"), 0).type, "resend");
  });
  test("proves nothing about a refused order, which is never repeated", () => {
    const refusal = { code: "REJECTED", message: "no" } as const;
    assert.equal(next({ ...doubted, refusal }, looked("UNAVAILABLE"), SETTLE_MS).type, "lookUp");
  });
});
