/**
 * The description of an operation in the OpenAPI document. It follows from the declaration, so that the two cannot
 * differ.
 */
import { type DescribeRouteOptions, type ResponsesWithResolver, resolver } from "hono-openapi";
import { z } from "zod";
import { FIELD_FAULT_CODES } from "../../src/contract/issue.ts";
import { KEY_LENGTH_MAX } from "../middleware/idempotency.ts";
import type { OperationExample } from "../openapi/example.ts";
import { EXAMPLES } from "../openapi/examples.ts";

/** The part of an operation that readers see. */
export interface Describable {
  readonly operationId: string;
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
  readonly textType?: string;
  readonly limit?: unknown;
  readonly isIdempotent?: boolean;
  readonly canConflict?: boolean;
  readonly honoursIfMatch?: boolean;
  readonly hasVersion?: boolean;
  readonly hasParts?: boolean;
  readonly invalidData?: number;
}

/** The name of the bearer scheme in the document. */
export const BEARER_SCHEME = "accessToken";

const JSON_TYPE = "application/json";
const message = z.string().meta({ description: "For people to read" });

/** The envelope of an answer (behaviour 1.2). */
export function envelopeOf(data: z.ZodType | undefined): z.ZodType {
  const envelope = z.object({ success: z.literal(true), message });
  return data === undefined ? envelope : envelope.extend({ data });
}

const faultCode = z.enum(FIELD_FAULT_CODES).meta({ id: "FieldFaultCode", description: "See docs/errors.md" });
const faultField = z.string().nullable().meta({ description: "As a path; null: the request as a whole" });
const invalid = z.object({
  success: z.literal(false),
  message,
  error: z.object({ code: faultCode, field: faultField }),
  errors: z
    .array(z.object({ code: faultCode, field: faultField, message }).meta({ id: "FieldFault" }))
    .meta({ description: "All faults; `message` and `error` contain the first one" }),
});
const unauthorized = z.object({
  success: z.literal(false),
  error: z.object({ code: z.literal("UNAUTHORIZED"), message }),
});
const limited = z.object({ success: z.literal(false), message, retryAfterSeconds: z.number().int().min(1) });
function failure(...codes: readonly [string, ...string[]]) {
  return z.object({ success: z.literal(false), message, error: z.object({ code: z.enum(codes), message }) });
}

const rateLimitHeaders = {
  "X-RateLimit-Limit": { schema: { type: "integer" }, description: "Requests that the window allows" },
  "X-RateLimit-Remaining": { schema: { type: "integer" }, description: "Requests left in the window" },
  "X-RateLimit-Reset": { schema: { type: "integer" }, description: "Seconds until the window ends" },
  "RateLimit-Policy": {
    schema: { type: "string" },
    description: 'The window: its name, what it allows and its seconds, as "global";q=5000;w=3600',
  },
} as const;
const etag = { schema: { type: "string" }, description: "The version of the object" } as const;
const nextCursor = {
  required: false,
  schema: { type: "string" },
  description: "The `cursor` of the next part; absent: nothing is left",
} as const;
const retryAfter = { schema: { type: "integer" }, description: "Seconds to wait" } as const;

const failed = (code: string, text: string) => ({ success: false, message: text, error: { code, message: text } });

/** Answers that operations share, by the name under which they refer to them. */
export const sharedResponses = {
  Invalid: respond("The request is not valid; the message names field and rule", invalid, rateLimitHeaders, {
    success: false,
    message: "stopLossPrice 20.01 is not a multiple of 0.02",
    error: { code: "RULE", field: "stopLossPrice" },
    errors: [{ code: "RULE", field: "stopLossPrice", message: "stopLossPrice 20.01 is not a multiple of 0.02" }],
  }),
  Unauthorized: respond(
    "The access token is missing, expired, revoked or not valid",
    unauthorized,
    { "WWW-Authenticate": { schema: { type: "string" }, description: "Bearer" } },
    { success: false, error: { code: "UNAUTHORIZED", message: "the access token has expired" } },
  ),
  Forbidden: respond(
    "The access token lacks the scope, or the account is not the caller's",
    failure("FORBIDDEN"),
    rateLimitHeaders,
    failed("FORBIDDEN", "accountNumber is not one of your accounts"),
  ),
  NotFound: respond(
    "The caller has no such object",
    failure("NOT_FOUND"),
    rateLimitHeaders,
    failed("NOT_FOUND", "the symbol list was not found"),
  ),
  Conflict: respond(
    "The first request with this Idempotency-Key is still running, the state of things does not allow this, or (NOT_NOW) the market does not take the order now, or trading is halted or reducing, or (OVERCOMMITTED) more would be sold than the account holds, or (ACCOUNT_LIMIT) a limit of the account refuses it",
    failure("CONFLICT", "NOT_NOW", "TRADING_HALTED", "TRADING_REDUCING", "OVERCOMMITTED", "ACCOUNT_LIMIT"),
    rateLimitHeaders,
    failed("CONFLICT", "the first request with this Idempotency-Key is still running"),
  ),
  PreconditionFailed: respond(
    "`If-Match` names another version than the object has; `ETag` contains the current one",
    failure("PRECONDITION_FAILED"),
    { ...rateLimitHeaders, ETag: etag },
    failed("PRECONDITION_FAILED", "If-Match does not name the version of the group, which is 3 now"),
  ),
  PayloadTooLarge: respond(
    "The body is larger than 1 MiB",
    failure("PAYLOAD_TOO_LARGE"),
    rateLimitHeaders,
    failed("PAYLOAD_TOO_LARGE", "the body is larger than 1048576 bytes"),
  ),
  Unprocessable: respond(
    "The Idempotency-Key was used with another request",
    failure("UNPROCESSABLE"),
    rateLimitHeaders,
    failed("UNPROCESSABLE", "Idempotency-Key was used with another request"),
  ),
  Limited: respond(
    "A limit is reached",
    limited,
    { ...rateLimitHeaders, "Retry-After": retryAfter },
    {
      success: false,
      message: "requests an hour: the limit of 5000 is reached; try again in 312 s",
      retryAfterSeconds: 312,
    },
  ),
  Internal: respond(
    "Something went wrong in the service",
    failure("INTERNAL"),
    rateLimitHeaders,
    failed("INTERNAL", "something went wrong here; request id 8d1f0c52"),
  ),
  Unavailable: respond(
    "The service is not available, or an outcome is not known",
    failure("UNAVAILABLE"),
    { ...rateLimitHeaders, "Retry-After": retryAfter },
    failed("UNAVAILABLE", "the service is not available now; nothing was done"),
  ),
} satisfies ResponsesWithResolver;

/** The OpenAPI operation object of a declaration. */
export function describeOperation(operation: Describable, honoursKey: boolean): DescribeRouteOptions {
  const { params, query, body, invalidData } = operation;
  const example = EXAMPLES[`${operation.method} ${operation.path}`];
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, `Needs the scope \`${operation.scope}\`.`].filter(Boolean).join("\n\n"),
    security: [{ [BEARER_SCHEME]: [operation.scope] }],
    parameters: [
      ...(params === undefined ? [] : parametersOf(params, "path")),
      ...(query === undefined ? [] : parametersOf(query, "query")),
      ...(honoursKey ? [idempotencyKey] : []),
      ...(operation.honoursIfMatch === true ? [ifMatch] : []),
    ],
    ...(body === undefined ? {} : { requestBody: describeBody(body, example) }),
    responses: {
      200: describeSuccess(operation, example),
      400: invalidData === undefined ? sharedResponse("Invalid") : invalidWith(invalidData),
      401: sharedResponse("Unauthorized"),
      403: sharedResponse("Forbidden"),
      404: sharedResponse("NotFound"),
      ...(honoursKey || operation.canConflict === true ? { 409: sharedResponse("Conflict") } : {}),
      ...(honoursKey ? { 422: sharedResponse("Unprocessable") } : {}),
      ...(operation.honoursIfMatch === true ? { 412: sharedResponse("PreconditionFailed") } : {}),
      ...(body === undefined ? {} : { 413: sharedResponse("PayloadTooLarge") }),
      429: sharedResponse("Limited"),
      500: sharedResponse("Internal"),
      503: sharedResponse("Unavailable"),
    },
  };
}

function describeBody(body: z.ZodType, example: OperationExample | undefined) {
  const content = { schema: resolver(body), ...(example === undefined ? {} : { example: example.body }) };
  return { required: !body.safeParse(undefined).success, content: { [JSON_TYPE]: content } };
}

function describeSuccess(
  { summary, data, textType, hasVersion, hasParts }: Describable,
  example: OperationExample | undefined,
) {
  if (textType !== undefined) {
    const content = { [textType]: { schema: { type: "string" } as const } };
    return { description: summary, headers: { ...rateLimitHeaders }, content };
  }
  const shown = example === undefined ? undefined : { success: true, message: example.message, data: example.data };
  const headers = {
    ...rateLimitHeaders,
    ...(hasVersion === true ? { ETag: etag } : {}),
    ...(hasParts === true ? { "X-Next-Cursor": nextCursor } : {}),
  };
  return respond(summary, envelopeOf(data), headers, shown);
}

const ifMatch = {
  in: "header",
  name: "If-Match",
  required: false,
  description: "The `ETag` of the version that is meant, a list of them, or *; without it the last writer wins",
  schema: { type: "string" },
  example: "*",
} as const;

const idempotencyKey = {
  in: "header",
  name: "Idempotency-Key",
  required: false,
  description: "The first answer is given again for the same user, path and body for 24 hours",
  schema: { type: "string", minLength: 1, maxLength: KEY_LENGTH_MAX },
} as const;

function invalidWith(data: number) {
  const message = "a pending record exists for the brokerOrderNo";
  const schema = invalid.extend({ data: z.literal(data) });
  const fault = { code: "RULE", field: "brokerOrderNo" } as const;
  const example = { success: false, message, data, error: fault, errors: [{ ...fault, message }] };
  return respond("The request is not valid", schema, rateLimitHeaders, example);
}

/** Refers to one of `sharedResponses`. */
export function sharedResponse(name: keyof typeof sharedResponses): { $ref: string } {
  return { $ref: `#/components/responses/${name}` };
}

/** One of `sharedResponses` if no limit was asked before it: it carries no headers of one. */
export function unlimitedResponse(name: keyof typeof sharedResponses) {
  const { description, content } = sharedResponses[name];
  return { description, content };
}

function respond(
  description: string,
  schema: z.ZodType,
  headers: Readonly<Record<string, object>>,
  example: object | undefined,
) {
  const content = { schema: resolver(schema), ...(example === undefined ? {} : { example }) };
  return { description, headers: { ...headers }, content: { [JSON_TYPE]: content } };
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
    description: description ?? PARAMETER_NOTES[name] ?? name,
    schema: rest,
    example: place === "path" && name === "id" && rest.type === "string" ? "order-0-17" : PARAMETER_EXAMPLES[name],
  }));
}

const PARAMETER_NOTES: Readonly<Record<string, string>> = {
  brokerageCode: "Code of the brokerage, case-sensitive",
  accountNumber: "The account's accountNumber or its number",
  page: "From 1",
  pageSize: "Items of a page",
};

const PARAMETER_EXAMPLES: Readonly<Record<string, string | number>> = {
  id: 1001,
  setupId: 41,
  userId: 1050,
  keyId: 1051,
  brokerageCode: "PAPER",
  accountNumber: "PAPER-1",
  orderNo: "PAPER-17",
  symbol: "THYAO",
  code: "HEKTS",
  restrictionType: "BrutTakas",
  status: "2,3",
  state: "open,inDoubt",
  since: "2026-03-01T10:00:00Z",
  cursor: "MTAwMS4xMDAz",
  page: 1,
  pageSize: 10,
  actionId: "THYAO-bonus-2026-03-02",
  partition: 0,
};
