import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  hasWildcard,
  isPattern,
  isQueueName,
  isSubject,
  MAX_SUBJECT_LENGTH,
  subjectMatches,
} from "../../src/bus/subject.ts";
import fc from "../support/property.ts";

function naiveMatches(pattern: readonly string[], subject: readonly string[]): boolean {
  const [wanted, ...patternRest] = pattern;
  const [token, ...subjectRest] = subject;
  if (wanted === undefined || token === undefined) return wanted === undefined && token === undefined;
  if (wanted === ">" && patternRest.length === 0) return true;
  return (wanted === "*" || wanted === token) && naiveMatches(patternRest, subjectRest);
}

function naiveIsSubject(text: string): boolean {
  return text.length <= MAX_SUBJECT_LENGTH && /^[^\s.*>]+(\.[^\s.*>]+)*$/u.test(text);
}

// Few and short tokens, some the beginning of others, so that near misses are common.
const token = fc.constantFrom("a", "b", "ab", "abc", "ba", "é");
const subjects = fc.array(token, { minLength: 1, maxLength: 5 });
const patterns = fc
  .tuple(fc.array(fc.oneof(token, fc.constant("*")), { maxLength: 5 }), fc.boolean())
  .map(([tokens, hasTail]) => (hasTail || tokens.length === 0 ? [...tokens, ">"] : tokens));

describe("subject", () => {
  test("a pattern matches exactly the subjects its naive twin matches", () => {
    fc.assert(
      fc.property(patterns, subjects, (pattern, subject) => {
        assert.equal(subjectMatches(pattern.join("."), subject.join(".")), naiveMatches(pattern, subject));
      }),
      { numRuns: 5_000 },
    );
  });

  test("a valid subject matches itself and every pattern made by putting * for some of its tokens", () => {
    fc.assert(
      fc.property(subjects, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (subject, stars) => {
        const pattern = subject.map((each, index) => (stars[index] ? "*" : each)).join(".");
        assert.ok(isPattern(pattern));
        assert.ok(subjectMatches(pattern, subject.join(".")));
      }),
    );
  });

  test("a valid subject has no empty token, no white space and no wildcard", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "B", "_", "-", ".", "*", ">", " ", "\n", "\u00a0") }),
        (text) => {
          assert.equal(isSubject(text), naiveIsSubject(text));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test("what could end a protocol line is never part of a subject, pattern or queue name", () => {
    for (const bad of ["a\r\nPUB b 0", "a\tb", "a b", "a\u0000", "a\u007f", "a\u0085", "a\u2028b", "\ud800"]) {
      assert.equal(isSubject(bad), false, JSON.stringify(bad));
      assert.equal(isPattern(bad), false, JSON.stringify(bad));
      assert.equal(isQueueName(bad), false, JSON.stringify(bad));
    }
  });

  test("a wildcard is a whole token, and > only the last one", () => {
    for (const good of [">", "*", "a.*", "*.a.>", "a.b"]) assert.ok(isPattern(good), good);
    for (const bad of ["", ".", "a.", ".a", "a..b", "a*", "*a", "a.b>", ">.a", "a.>.b"])
      assert.ok(!isPattern(bad), bad);
  });

  test("the longest subject is accepted and one longer refused", () => {
    assert.ok(isSubject("a".repeat(MAX_SUBJECT_LENGTH)));
    assert.ok(!isSubject("a".repeat(MAX_SUBJECT_LENGTH + 1)));
    assert.ok(!isPattern(`${"a".repeat(MAX_SUBJECT_LENGTH - 1)}.*`));
  });

  test("a queue name is one token", () => {
    assert.ok(isQueueName("engine-0"));
    assert.ok(!isQueueName("engine.0"));
    assert.ok(!isQueueName("*"));
  });

  test("only patterns with a wildcard token have one", () => {
    assert.ok(hasWildcard("a.*"));
    assert.ok(hasWildcard(">"));
    assert.ok(!hasWildcard("a.b"));
  });
});
