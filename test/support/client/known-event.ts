/** Checks every event that a test's engine publishes against the registry of event types. */
import assert from "node:assert/strict";
import { type EventType, eventSchema, isEventType } from "../../../src/contract/event/event.ts";

/** Making a schema strict costs more than reading an event with it. */
const strictSchemas = new Map<EventType, ReturnType<typeof strictSchema>>();

function strictSchema(type: EventType) {
  return eventSchema(type).strict();
}

/** Throws unless the event is of a known type and contains the fields of its schema, and nothing else. */
export function assertKnownEvent(event: object): void {
  const { previous, ...told } = event as { readonly previous?: unknown; readonly type?: unknown };
  assert.equal(typeof previous, "number", "a published event names the one before it");
  const type = String(told.type);
  assert.ok(isEventType(type), `the event type ${type} is registered`);
  const schema = strictSchemas.get(type) ?? strictSchema(type);
  strictSchemas.set(type, schema);
  const read = schema.safeParse(told);
  if (!read.success) {
    assert.fail(`${type} does not fit its schema: ${read.error.message} ${JSON.stringify(told)}`);
  }
  assert.deepEqual(read.data, told, `${type} carries more than its schema says`);
}
