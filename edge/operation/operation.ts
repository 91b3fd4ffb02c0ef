/**
 * The declaration and serving of every protected operation.
 *
 * Owns: the order of the steps before a handler runs, and the operation's description in the OpenAPI document. A route
 * file declares; it never repeats a step.
 *
 * The steps, each of which can end the request: token (401) -> global limit (429) -> scope (403) -> path and query
 * (400) -> body (413, 400) -> Idempotency-Key (400) -> own limit (429) -> handler.
 *
 * Invariants:
 * 1. A body is not read for a caller who must not send it.
 * 2. Every answer after the token's check carries the headers of a limit.
 */
import { describeRoute } from "hono-openapi";
import { z } from "zod";
import type { Scope } from "../../src/domain/family.ts";
import type { Log } from "../../src/runtime/ports.ts";
import type { EngineClient, Refusal } from "../client/engine-client.ts";
import { type Authenticator, type Caller, requireScope } from "../middleware/auth.ts";
import { JSON_TYPE, readBody } from "../middleware/body.ts";
import { answerRefusal, type RefusalShape } from "../middleware/errors.ts";
import { readIdempotency } from "../middleware/idempotency.ts";
import { ANY_VERSION, readIfMatch, refuseConditions } from "../middleware/if-match.ts";
import { readJson } from "../middleware/json.ts";
import { type Limits, limited } from "../middleware/limits.ts";
import type { Allowance, EdgeContext, EdgeHono } from "../server/request-state.ts";
import { Call, type CallSetting, type CheckedRequest } from "./call.ts";
import { type Describable, describeOperation } from "./description.ts";
import { checkBody, checkParams, queryCheck } from "./validation.ts";

const nothing = z.object({});
type Nothing = typeof nothing;

/** A route file's declaration of an operation. */
interface Operation<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  /** Its name in the document, and so in clients that are made of it. */
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With `:name` for parameters. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly scope: Scope;
  readonly params?: P;
  /** Text in, as a query has it. Each parameter that the schema names can be given once; others are refused. */
  readonly query?: Q;
  /** Absent: a body is not read. With a schema that accepts undefined, a request can have no body. */
  readonly body?: B;
  /** `data` of the 200, for the document; undefined: the answer has no data. */
  readonly data?: z.ZodType;
  /** Media type of a 200 that is text and not an envelope. */
  readonly textType?: string;
  /**
   * A limit in addition to the global one. It returns undefined if there is nothing to count (the engine refuses an
   * unknown brokerage).
   */
  readonly limit?: (
    limits: Limits,
    call: Call<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<Allowance | undefined>;
  /** Whether `Idempotency-Key` is honoured. Default: a POST that needs more than `read`. */
  readonly isIdempotent?: boolean;
  /** True: a present state can refuse it (409). */
  readonly canConflict?: boolean;
  /** True: `If-Match` is honoured (412). */
  readonly honoursIfMatch?: boolean;
  /** True: the 200 has an `ETag`. */
  readonly hasVersion?: boolean;
  /** True: the 200 has an `X-Next-Cursor` if it is a part of a list. */
  readonly hasParts?: boolean;
  /** `data` of a 400, if the specification promises one. */
  readonly invalidData?: number;
  readonly handle: (call: Call<z.output<P>, z.output<Q>, z.output<B>>) => Response | Promise<Response>;
}

/** The services that operations use. */
export interface OperationParts {
  readonly app: EdgeHono;
  readonly engine: EngineClient;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly log: Log;
}

/** Adds an operation to the edge. */
export type AddOperation = <
  P extends z.ZodObject = Nothing,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = z.ZodUndefined,
>(
  operation: Operation<P, Q, B>,
) => void;

/** Makes the function with which route files add their operations. */
export function operationsOf(parts: OperationParts): AddOperation {
  return (operation) => {
    // The description is stored on the handler itself: as a handler of its own it would run for every request.
    const description = describeRoute(describeOperation(operation, isIdempotent(operation)));
    parts.app.on(operation.method, operation.path, Object.assign(serveOperation(parts, operation), description));
  };
}

/** Behaviour 1.6: every POST that creates or sends something. */
function isIdempotent(operation: Pick<Describable, "method" | "scope" | "isIdempotent">): boolean {
  return operation.isIdempotent ?? (operation.method === "POST" && operation.scope !== "read");
}

function serveOperation<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  parts: OperationParts,
  operation: Operation<P, Q, B>,
): (context: EdgeContext) => Promise<Response> {
  const admit = admission(parts, operation.scope);
  const read = requestReader(operation);
  const shape = refusalShapeOf(operation);
  const { limits, engine, log } = parts;
  const setting: CallSetting = { engine, shape, log };
  return async (context) => {
    const caller = await admit(context);
    if (!caller.ok) return answerRefusal(context, caller);
    const reading = read(context);
    const request = reading instanceof Promise ? await reading : reading;
    if (!request.ok) return answerRefusal(context, request, shape);
    const call = new Call(context, caller, request, setting);
    const allowance = operation.limit === undefined ? undefined : await operation.limit(limits, call);
    if (allowance !== undefined) {
      context.get("requestState").allowance = allowance;
      if (!allowance.isAllowed) return answerRefusal(context, limited(allowance, operation.summary));
    }
    return operation.handle(call);
  };
}

function refusalShapeOf({
  params,
  query,
  body,
  invalidData,
}: Pick<Describable, "params" | "query" | "body" | "invalidData">): RefusalShape {
  const fields = new Set([params, query, body].flatMap(fieldNamesOf));
  return { fields, ...(invalidData === undefined ? {} : { invalidData }) };
}

function fieldNamesOf(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldNamesOf(option as z.ZodType));
  return [];
}

/** Lets a caller in: token, global limit, scope. For routes that cannot be operations (streams, MCP), too. */
export function admission(
  { authenticator, limits }: Pick<OperationParts, "authenticator" | "limits">,
  scope: Scope,
): (context: EdgeContext) => Refusal | Promise<Caller | Refusal> {
  const lacksScope = requireScope(scope);
  const count = (context: EdgeContext, caller: Caller | Refusal): Refusal | Promise<Caller | Refusal> => {
    if (!caller.ok) return caller;
    const state = context.get("requestState");
    state.userId = caller.userId;
    return limits.everything(caller.userId).then((allowance) => {
      state.allowance = allowance;
      if (!allowance.isAllowed) return limited(allowance, "requests an hour");
      return lacksScope(caller) ?? caller;
    });
  };
  return (context) => {
    const caller = authenticator.authenticate(context.req.header("authorization"));
    return caller instanceof Promise ? caller.then((verified) => count(context, verified)) : count(context, caller);
  };
}

/** The values that an operation does not declare. Its handler cannot use them either: the type there is empty. */
const UNDECLARED: { readonly ok: true; readonly value: never } = { ok: true, value: undefined as never };

function hasNoBody({ req }: EdgeContext): boolean {
  const length = req.header("content-length");
  return length === "0" || (length === undefined && req.header("transfer-encoding") === undefined);
}

type Read<P, Q, B> = CheckedRequest<P, Q, B> | Refusal;

/**
 * Makes the function that reads and checks an operation's input; undeclared input is never read. Synchronous if no body
 * is read.
 */
function requestReader<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  operation: Operation<P, Q, B>,
): (
  context: EdgeContext,
) => Read<z.output<P>, z.output<Q>, z.output<B>> | Promise<Read<z.output<P>, z.output<Q>, z.output<B>>> {
  const { params: paramsSchema, body: bodySchema } = operation;
  const checkQuery = operation.query === undefined ? undefined : queryCheck(operation.query);
  const honoursKey = isIdempotent(operation);
  const readVersions = operation.honoursIfMatch === true ? readIfMatch : refuseConditions;
  const isChange = operation.method !== "GET";
  const mayBeAbsent = bodySchema?.safeParse(undefined).success === true;
  const check = (
    context: EdgeContext,
    params: z.output<P>,
    query: z.output<Q>,
    versions: readonly number[] | undefined,
    bytes: Buffer | undefined,
  ): Read<z.output<P>, z.output<Q>, z.output<B>> => {
    const json = bytes === undefined ? UNDECLARED : readJson(bytes);
    if (!json.ok) return json;
    const body = bodySchema === undefined ? UNDECLARED : checkBody(bodySchema, json.value);
    if (!body.ok) return body;
    const idempotency = honoursKey ? readIdempotency(context, bytes) : undefined;
    if (idempotency !== undefined && "ok" in idempotency) return idempotency;
    return { ok: true, params, query, body: body.value, idempotency, versions };
  };
  return (context) => {
    const condition = isChange ? readVersions(context) : ANY_VERSION;
    if (!condition.ok) return condition;
    const { versions } = condition;
    const params = paramsSchema === undefined ? UNDECLARED : checkParams(paramsSchema, context);
    if (!params.ok) return params;
    const query = checkQuery === undefined ? UNDECLARED : checkQuery(context);
    if (!query.ok) return query;
    const isUnread = bodySchema === undefined || (mayBeAbsent && hasNoBody(context));
    if (isUnread) return check(context, params.value, query.value, versions, undefined);
    return readBody(context, [JSON_TYPE]).then((raw) =>
      raw.ok ? check(context, params.value, query.value, versions, raw.bytes) : raw,
    );
  };
}
