/**
 * The events of the registry as the `webhooks` section of the document, with what they refer to.
 */
import type { GenerateSpecOptions } from "hono-openapi";
import { z } from "zod";
import { EVENT_TYPES, EVENTS, eventSchema, STREAM_EVENTS } from "../../src/contract/event/event.ts";

type Documentation = NonNullable<GenerateSpecOptions["documentation"]>;

interface DescribedWebhooks {
  readonly webhooks: NonNullable<Documentation["webhooks"]>;
  readonly schemas: NonNullable<NonNullable<Documentation["components"]>["schemas"]>;
}

/** Every event, by type. Schemas that an event's schema refers to are among the document's components, not in it. */
export function describeWebhooks(): DescribedWebhooks {
  const schemas: Record<string, object> = {};
  const webhooks: Record<string, object> = {};
  const add = (type: string, summary: string, schema: z.ZodType): void => {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema);
    Object.assign(schemas, $defs);
    webhooks[type] = { post: describe(type, summary, own) };
  };
  for (const type of EVENT_TYPES) add(type, EVENTS[type].summary, eventSchema(type));
  for (const [type, { summary, schema }] of Object.entries(STREAM_EVENTS)) add(type, summary, schema);
  const text = JSON.stringify({ webhooks, schemas }).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as DescribedWebhooks;
}

function describe(type: string, summary: string, schema: object): object {
  const isStreamed = Object.hasOwn(STREAM_EVENTS, type);
  const where = isStreamed
    ? "It comes in a stream only."
    : "It comes in a stream's `data` and as a notification's body.";
  return {
    operationId: `on_${type}`,
    tags: ["Events"],
    summary,
    description: `The event \`${type}\`. ${where}`,
    security: [],
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      "204": { description: "Taken; any 2xx will do" },
      "4XX": { description: "Not taken; it is sent again" },
    },
  };
}
