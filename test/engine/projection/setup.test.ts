/** The payloads of the events of a pending OCO, as clients read them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setupEvent } from "../../../engine/projection/setup.ts";
import { type EventType, eventSchema } from "../../../src/contract/event/event.ts";
import { sampleSetup } from "../../machine/setup-samples.ts";

const ENVELOPE = { id: "life-0-1", sequence: 1, time: "2026-01-05T10:05:45.503Z", userId: 7 };
/** The events of a setup that is not over. */
const WAITING: readonly EventType[] = [
  "setup.registered",
  "setup.changed",
  "setup.orderLost",
  "setup.orderFound",
  "setup.unprotected",
  "setup.triggered",
  "setup.cancelRefused",
];

test("a setup that its owner must look at states this in every event, and each fits its schema", () => {
  const setup = sampleSetup({});
  const inDoubt = { ...setup, buy: { ...setup.buy, phase: "inDoubt", doubt: "notFound" } as const };
  for (const type of WAITING) {
    const event = { ...ENVELOPE, type, ...setupEvent(inDoubt) };
    assert.match((event as { message?: string }).message ?? "", /does not know order B-1/);
    assert.deepEqual(eventSchema(type).strict().parse(event), event, type);
  }
});

test("the first event of a setup whose order waits has no message, and fits its schema", () => {
  const event = { ...ENVELOPE, type: "setup.registered", ...setupEvent(sampleSetup({})) };
  assert.deepEqual(eventSchema("setup.registered").strict().parse(event), event);
  assert.ok(!("message" in event));
});
