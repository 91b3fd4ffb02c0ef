/** What an engine does with the results of its searches for the other form. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Finding, OtherForm } from "../../../engine/host/other-form.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import { FakeTime } from "../../support/machine/fake-time.ts";

const QUIET: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const FOUND: Finding = { message: "both forms", reason: "unavailable" };
const UNCERTAIN: Finding = { message: "no answer", reason: undefined };

type Result = Finding | Error | undefined;

function setUp(...results: Result[]) {
  const time = new FakeTime();
  const log: string[] = [];
  const look = async (): Promise<Finding | undefined> => {
    const result = results.length > 1 ? results.shift() : results[0];
    if (result instanceof Error) throw result;
    return result;
  };
  const error: Log["error"] = (fields) => void log.push(JSON.stringify(fields));
  return { time, log, form: OtherForm.refuse({ look, timers: time, log: { ...QUIET, error } }) };
}

const messageOf = ({ faults }: OtherForm): string | undefined => faults[0];

test("a start that finds the other form is refused", async () => {
  await assert.rejects(setUp(FOUND).form, /both forms/);
});

test("a bus that cannot be asked holds a start back until it answers", async () => {
  const { time, form } = setUp(new Error("disconnected"), new Error("disconnected"), FOUND);
  const refused = assert.rejects(form, /both forms/);
  await time.advance(2_000);
  await refused;
});

test("an uncertain search starts an engine that is not ready before a certain one", async () => {
  const { time, form } = setUp(UNCERTAIN, UNCERTAIN, undefined);
  const other = await form;
  assert.equal(messageOf(other), "no answer");
  await time.advance(4_000);
  assert.equal(messageOf(other), "no answer");
  await time.advance(4_000);
  assert.equal(messageOf(other), undefined);
  other.stop();
});

test("the other form that is found later makes the engine not ready, with an event, until it has gone", async () => {
  const { time, log, form } = setUp(undefined, FOUND, FOUND, new Error("disconnected"), undefined);
  const other = await form;
  assert.equal(messageOf(other), undefined);
  for (const _ of [1, 2, 3]) {
    await time.advance(4_000);
    assert.equal(messageOf(other), "both forms");
  }
  assert.deepEqual(log, ['{"event":"engine.otherForm"}']);
  await time.advance(4_000);
  assert.equal(messageOf(other), undefined);
  other.stop();
});

test("servers that are silent once it was certain do not make the engine unready", async () => {
  const { time, form } = setUp(undefined, UNCERTAIN);
  const other = await form;
  await time.advance(8_000);
  assert.equal(messageOf(other), undefined);
  other.stop();
});
