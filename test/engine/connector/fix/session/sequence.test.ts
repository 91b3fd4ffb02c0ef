import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { livenessStep } from "../../../../../engine/connector/fix/session/liveness.ts";
import { dayOf, parseUtc, renderUtc, type Schedule } from "../../../../../engine/connector/fix/session/schedule.ts";
import {
  answerResendRequest,
  type Incoming,
  isAboutNumbers,
  judge,
  judgeGapFill,
  readExpectedNumber,
} from "../../../../../engine/connector/fix/session/sequence.ts";
import fc from "../../../../support/property.ts";

describe("incoming numbers", () => {
  test("each number is taken once and in order, whatever is lost, repeated and answered late", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), fc.nat(6), (losses, delay) => {
        // A line that loses the messages in `losses`, and a peer that answers each request `delay` messages later.
        let incoming: Incoming = { expected: 1 };
        const taken: number[] = [];
        const requests: { readonly from: number; readonly due: number }[] = [];
        const hear = (number: number, isPossibleDuplicate: boolean, now: number): void => {
          const verdict = judge(incoming, { number, isPossibleDuplicate });
          assert.notEqual(verdict.kind, "tooLow");
          if (verdict.kind === "take") taken.push(number);
          if (verdict.kind === "take" || verdict.kind === "ask") incoming = verdict.incoming;
          if (verdict.kind === "ask") requests.push({ from: verdict.from, due: now + delay });
        };
        const answerDue = (now: number, sent = now): void => {
          while (requests[0] !== undefined && requests[0].due <= now) {
            const request = requests.shift();
            for (let number = request?.from ?? 1; number <= sent; number += 1) hear(number, true, now);
          }
        };
        losses.forEach((isLost, index) => {
          const now = index + 1;
          if (!isLost) hear(now, false, now);
          answerDue(now);
        });
        const last = losses.length + 1;
        hear(last, false, last);
        for (let now = last; now < last + 20; now += 1) answerDue(now, last);
        assert.deepEqual(
          taken,
          Array.from({ length: last }, (_, index) => index + 1),
        );
      }),
      { numRuns: 300 },
    );
  });
  test("what comes after a gap is asked for once", () => {
    let incoming: Incoming = { expected: 3 };
    const asked: number[] = [];
    for (const number of [7, 8, 9]) {
      const verdict = judge(incoming, { number, isPossibleDuplicate: false });
      if (verdict.kind === "ask") {
        asked.push(verdict.from);
        incoming = verdict.incoming;
      } else assert.deepEqual(verdict, { kind: "drop", why: "afterGap" });
    }
    assert.deepEqual(asked, [3]);
  });
  test("a hole in the answer is asked for again, once", () => {
    let incoming: Incoming = { expected: 5, gap: { from: 3, shownBy: 9 } };
    const first = judge(incoming, { number: 7, isPossibleDuplicate: true });
    assert.equal(first.kind, "ask");
    if (first.kind === "ask") incoming = first.incoming;
    assert.equal(judge(incoming, { number: 8, isPossibleDuplicate: true }).kind, "drop");
  });
  test("a low number is a repeat with the flag and a lost count without", () => {
    assert.equal(judge({ expected: 5 }, { number: 4, isPossibleDuplicate: true }).kind, "drop");
    assert.equal(judge({ expected: 5 }, { number: 4, isPossibleDuplicate: false }).kind, "tooLow");
  });
  test("a gap fill moves the count forward only", () => {
    const message = { number: 5, isPossibleDuplicate: true };
    assert.deepEqual(judgeGapFill({ expected: 5 }, message, 9), { kind: "take", incoming: { expected: 9 } });
    assert.equal(judgeGapFill({ expected: 5 }, message, 5).kind, "refuse");
    assert.equal(judgeGapFill({ expected: 5 }, { ...message, number: 7 }, 9).kind, "ask");
  });
});

describe("a resend request", () => {
  test("is answered with one gap fill that ends at what was sent", () => {
    assert.deepEqual(answerResendRequest(10, 3, 0), { number: 3, next: 10 });
    assert.deepEqual(answerResendRequest(10, 3, 5), { number: 3, next: 6 });
    assert.deepEqual(answerResendRequest(10, 3, 99), { number: 3, next: 10 });
    assert.equal(answerResendRequest(10, 10, 0), undefined);
    assert.equal(answerResendRequest(10, 0, 0), undefined);
  });
  test("the number that a refusal expects is read from what engines write", () => {
    assert.equal(readExpectedNumber("MsgSeqNum too low, expecting 12 but received 4"), 12);
    assert.equal(readExpectedNumber("Expected MsgSeqNum: 7"), 7);
    assert.equal(readExpectedNumber("wrong password"), undefined);
    assert.equal(isAboutNumbers("wrong password"), false);
    assert.equal(isAboutNumbers("MsgSeqNum too low"), true);
  });
});

describe("signs of life", () => {
  const at = (lastSentMs: number, lastHeardMs: number, askedMs?: number) => ({
    ...{ lastSentMs, lastHeardMs },
    ...(askedMs === undefined ? {} : { askedMs }),
  });
  test("one interval of own silence makes a heartbeat", () => {
    assert.equal(livenessStep(at(0, 990), 1_000, 999), "nothing");
    assert.equal(livenessStep(at(0, 990), 1_000, 1_000), "heartbeat");
  });
  test("1.2 intervals of the peer's make a question, as long again without an answer the end", () => {
    assert.equal(livenessStep(at(1_100, 0), 1_000, 1_199), "nothing");
    assert.equal(livenessStep(at(1_100, 0), 1_000, 1_200), "ask");
    assert.equal(livenessStep(at(2_300, 0, 1_200), 1_000, 2_399), "nothing");
    assert.equal(livenessStep(at(2_300, 0, 1_200), 1_000, 2_400), "down");
  });
  test("a process that stood still for an hour asks before it gives up", () => {
    assert.equal(livenessStep(at(0, 0), 1_000, 3_600_000), "ask");
  });
});

describe("a schedule", () => {
  const istanbul: Schedule = { days: [1, 2, 3, 4, 5], startMinute: 570, endMinute: 1_110, timeZone: "Europe/Istanbul" };
  const day = (schedule: Schedule, text: string) => dayOf(schedule, Date.parse(text));
  test("opens and closes by the counterparty's clock", () => {
    assert.equal(day(istanbul, "2026-11-20T06:29:59Z"), undefined);
    assert.equal(day(istanbul, "2026-11-20T06:30:00Z"), "2026-11-20");
    assert.equal(day(istanbul, "2026-11-20T15:29:59Z"), "2026-11-20");
    assert.equal(day(istanbul, "2026-11-20T15:30:00Z"), undefined);
    assert.equal(day(istanbul, "2026-11-21T10:00:00Z"), undefined);
  });
  test("a session that ends after midnight keeps the day on which it began", () => {
    const newYork: Schedule = {
      days: [7, 1, 2, 3, 4],
      startMinute: 1_080,
      endMinute: 1_020,
      timeZone: "America/New_York",
    };
    assert.equal(day(newYork, "2026-11-22T23:00:00Z"), "2026-11-22");
    assert.equal(day(newYork, "2026-11-23T15:00:00Z"), "2026-11-22");
    assert.equal(day(newYork, "2026-11-23T22:30:00Z"), undefined);
    assert.equal(day(newYork, "2026-11-28T15:00:00Z"), undefined);
  });
  test("has one day through the change of the clocks", () => {
    const night: Schedule = { days: [6], startMinute: 1_200, endMinute: 600, timeZone: "America/New_York" };
    for (const hour of ["02", "05", "06", "07", "13"]) {
      assert.equal(day(night, `2026-11-01T${hour}:30:00Z`), "2026-10-31", hour);
    }
  });
  test("times go out and come in with milliseconds", () => {
    assert.equal(renderUtc(Date.parse("2026-11-22T11:33:10.120Z")), "20261122-11:33:10.120");
    assert.equal(parseUtc("20261122-11:33:10.120456"), Date.parse("2026-11-22T11:33:10.120Z"));
    assert.equal(parseUtc("20261122-11:33:10"), Date.parse("2026-11-22T11:33:10.000Z"));
    assert.equal(parseUtc("20261322-11:33:10"), undefined);
  });
});
