/**
 * What the OpenAPI document says of an operation: it follows from the declaration, so that it cannot say anything else.
 */
import { type DescribeRouteOptions, type ResponsesWithResolver, resolver } from "hono-openapi";
import { z } from "zod";

/** The part of an operation that is told to readers. */
export interface Describable {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly scope: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly data?: z.ZodType;
  readonly limit?: unknown;
  readonly isIdempotent?: boolean;
  readonly invalidData?: number;
}

/** The name of the bearer scheme in the document. */
export const BEARER_SCHEME = "accessToken";

const JSON_TYPE = "application/json";
const message = z.string().meta({ description: "For people to read" });

/** The envelope of an answer (decisions 1.2). */
export function envelopeOf(data: z.ZodType | undefined): z.ZodType {
  const envelope = z.object({ success: z.literal(true), message });
  return data === undefined ? envelope : envelope.extend({ data });
}

const invalid = z.object({ success: z.literal(false), message });
const unauthorized = z.object({
  success: z.literal(false),
  error: z.object({ code: z.literal("UNAUTHORIZED"), message }),
});
const limited = z.object({ success: z.literal(false), message, retryAfterSeconds: z.number().int().min(1) });
function failure(code: string) {
  return z.object({ success: z.literal(false), message, error: z.object({ code: z.literal(code), message }) });
}

const rateLimitHeaders = {
  "X-RateLimit-Limit": { schema: { type: "integer" }, description: "Requests that the window allows" },
  "X-RateLimit-Remaining": { schema: { type: "integer" }, description: "Requests left in the window" },
  "X-RateLimit-Reset": { schema: { type: "integer" }, description: "Seconds until the window ends" },
} as const;
const retryAfter = { schema: { type: "integer" }, description: "Seconds to wait" } as const;

/** Answers that operations share, by the name under which they refer to them. */
export const sharedResponses = {
  Invalid: respond("The request is not valid; the message names field and rule", invalid, rateLimitHeaders),
  Unauthorized: respond("The access token is missing, expired, revoked or not valid", unauthorized, {
    "WWW-Authenticate": { schema: { type: "string" } },
  }),
  Forbidden: respond(
    "The access token lacks the scope, or the account is not the caller's",
    failure("FORBIDDEN"),
    rateLimitHeaders,
  ),
  NotFound: respond("There is no such object of the caller's", failure("NOT_FOUND"), rateLimitHeaders),
  Conflict: respond(
    "The first request with this Idempotency-Key is still running",
    failure("CONFLICT"),
    rateLimitHeaders,
  ),
  PayloadTooLarge: respond("The body is larger than 1 MiB", failure("PAYLOAD_TOO_LARGE"), rateLimitHeaders),
  Unprocessable: respond(
    "The Idempotency-Key was used with another request",
    failure("UNPROCESSABLE"),
    rateLimitHeaders,
  ),
  Limited: respond("A limit is reached", limited, { ...rateLimitHeaders, "Retry-After": retryAfter }),
  Internal: respond("Something went wrong in the service", failure("INTERNAL"), rateLimitHeaders),
  Unavailable: respond(
    "The service is not available, or an outcome is not known",
    failure("UNAVAILABLE"),
    rateLimitHeaders,
  ),
} satisfies ResponsesWithResolver;

/** The OpenAPI operation object of a declaration. */
export function describeOperation(operation: Describable, honoursKey: boolean): DescribeRouteOptions {
  const { params, query, body, data, invalidData } = operation;
  return {
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: [{ [BEARER_SCHEME]: [operation.scope] }],
    parameters: [
      ...(params === undefined ? [] : parametersOf(params, "path")),
      ...(query === undefined ? [] : parametersOf(query, "query")),
      ...(honoursKey ? [idempotencyKey] : []),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { [JSON_TYPE]: { schema: resolver(body) } } } }),
    responses: {
      200: respond("Success", envelopeOf(data), rateLimitHeaders),
      400: invalidData === undefined ? sharedResponse("Invalid") : invalidWith(invalidData),
      401: sharedResponse("Unauthorized"),
      403: sharedResponse("Forbidden"),
      404: sharedResponse("NotFound"),
      ...(honoursKey ? { 409: sharedResponse("Conflict"), 422: sharedResponse("Unprocessable") } : {}),
      ...(body === undefined ? {} : { 413: sharedResponse("PayloadTooLarge") }),
      429: sharedResponse("Limited"),
      500: sharedResponse("Internal"),
      503: sharedResponse("Unavailable"),
    },
  };
}

const idempotencyKey = {
  in: "header",
  name: "Idempotency-Key",
  required: false,
  description: "The first answer is given again for the same user, path and body for 24 hours",
  schema: { type: "string", minLength: 1, maxLength: 200 },
} as const;

function invalidWith(data: number) {
  return respond("The request is not valid", invalid.extend({ data: z.literal(data) }), rateLimitHeaders);
}

/** Refers to one of `sharedResponses`. */
export function sharedResponse(name: keyof typeof sharedResponses): { $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}

function respond(description: string, schema: z.ZodType, headers: Readonly<Record<string, object>>) {
  return { description, headers: { ...headers }, content: { [JSON_TYPE]: { schema: resolver(schema) } } };
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

function parametersOf(schema: z.ZodObject, place: "path" | "query") {
  const { properties, required } = objectSchema.parse(z.toJSONSchema(schema, { io: "input" }));
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    in: place,
    name,
    required: place === "path" || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}
