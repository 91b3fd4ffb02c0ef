/** The names of events in a choice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVENT_TYPES } from "../../src/contract/event/event.ts";
import { targetBody } from "../../src/contract/trading/notification.ts";
import { fitsPattern } from "../../src/domain/event-pattern.ts";
import { ALARMS } from "../../src/event/alarm-list.ts";
import {
  BROAD_PATTERNS,
  isCovered,
  isNamedType,
  NAMED_TYPES,
  patternName,
  USUAL_PATTERNS,
} from "../../src/event/event-names.ts";

test("every event that is declared has a name of its own, and nothing else has one", () => {
  assert.deepEqual(NAMED_TYPES.toSorted(), EVENT_TYPES.toSorted());
  const names = [...NAMED_TYPES, ...BROAD_PATTERNS].map((pattern) => patternName(pattern));
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[A-Z].{8,80}[^.]$/);
});

test("the usual choice is one that a target takes, and covers a level that fired and every alarm", () => {
  for (const type of ["oco.triggered", ...ALARMS]) {
    assert.ok(
      USUAL_PATTERNS.some((pattern) => fitsPattern(type, pattern)),
      type,
    );
  }
  const target = { kind: "email", name: "me", isActive: true, address: "me@example.com" };
  for (const events of [USUAL_PATTERNS, NAMED_TYPES, [...NAMED_TYPES, ...BROAD_PATTERNS]]) {
    assert.ok(targetBody.safeParse({ ...target, events }).success);
  }
});

test("a pattern that is no tick keeps its own words", () => {
  assert.equal(patternName("order.*"), "Orders: all events");
  assert.equal(patternName("oco.*"), "OCO groups: all events");
  assert.equal(patternName("moon.*"), "Everything that begins with moon.");
  assert.equal(patternName("moon.landed"), "moon.landed");
  assert.equal(isNamedType("toString"), false);
});

test("a pattern is covered by a wider one, never by itself", () => {
  assert.equal(isCovered("alarm.measure", ["alarm.*"]), true);
  assert.equal(isCovered("alarm.*", ["alarm.*", "oco.*"]), false);
  assert.equal(isCovered("alarm.*", ["*"]), true);
  assert.equal(isCovered("oco.*", ["alarm.*", "oco.triggered"]), false);
});
