/**
 * Turns a refusal into an answer: the only place that knows the status and shape of a code (behaviour 1.2).
 *
 * Invariant: no answer repeats a request body, a secret or a stack. A thrown error is a bug of ours: the client gets
 * its request id, the log gets the error.
 */
import { HTTPException } from "hono/http-exception";
import type { FieldFault } from "../../src/contract/issue.ts";
import type { Log } from "../../src/runtime/ports.ts";
import type { Refusal } from "../client/engine-client.ts";
import { lingeringBody } from "../server/lingering-end.ts";
import { answer, type EdgeContext, etagOf } from "../server/request-state.ts";

const STATUSES = {
  INVALID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  NOT_NOW: 409,
  TRADING_HALTED: 409,
  TRADING_REDUCING: 409,
  OVERCOMMITTED: 409,
  ACCOUNT_LIMIT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNPROCESSABLE: 422,
  LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const satisfies Readonly<Record<Refusal["code"], number>>;

const BEARER_CHALLENGE = { "www-authenticate": "Bearer" };
const CLOSE = { connection: "close" };

export interface RefusalShape {
  /** `data` of a 400, if an operation promises one (pending registration: 0). */
  readonly invalidData?: number;
  /** Names of the fields that a request can have: a message that begins with one of them is about it. */
  readonly fields?: ReadonlySet<string>;
}

/** Headers that a message may be about. */
const HEADERS = [
  ...["Idempotency-Key", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"],
  ...["Last-Event-ID", "Content-Type", "Content-Encoding"],
];
const PATH_AT_START = /^([A-Za-z][A-Za-z0-9]*)(?:\[\d+\]|\.[A-Za-z][A-Za-z0-9]*)*(?= )/;

/** About as long as another engine takes to take over. */
const UNAVAILABLE_RETRY_SECONDS = 2;

/** Makes a refusal, for the edge's own rules. */
export function refusal(code: Refusal["code"], message: string): Refusal {
  return { ok: false, code, message };
}

/** Makes the refusal of a request with these faults: the first is the message. */
export function refuseFaults(faults: readonly FieldFault[], whole: string): Refusal {
  const [first] = faults;
  return { ...refusal("INVALID", first?.message ?? `${whole} is not valid`), faults };
}

/** Makes the answer of a refusal. */
export function answerRefusal(context: EdgeContext, refusal: Refusal, shape: RefusalShape = {}): Response {
  const { code, message } = refusal;
  const status = STATUSES[code];
  switch (code) {
    case "INVALID": {
      const { invalidData: data } = shape;
      const faults = refusal.faults ?? [{ code: "RULE", field: fieldNamedBy(message, shape), message }];
      return answer(context, status, JSON.stringify(toInvalidBody(message, faults, data)));
    }
    case "UNAUTHORIZED":
      context.get("requestState").unauthorizedBecause = message;
      return answer(context, status, JSON.stringify({ success: false, error: { code, message } }), BEARER_CHALLENGE);
    case "LIMITED": {
      const retryAfterSeconds = refusal.retryAfterSeconds ?? 1;
      const headers = { "retry-after": String(retryAfterSeconds) };
      return answer(context, status, JSON.stringify({ success: false, message, retryAfterSeconds }), headers);
    }
    case "UNAVAILABLE": {
      const body = JSON.stringify({ success: false, message, error: { code, message } });
      return answer(context, status, body, { "retry-after": String(UNAVAILABLE_RETRY_SECONDS) });
    }
    case "PRECONDITION_FAILED": {
      const body = JSON.stringify({ success: false, message, error: { code, message } });
      return answer(context, status, body, refusal.version === undefined ? {} : { etag: etagOf(refusal.version) });
    }
    default: {
      const body = JSON.stringify({ success: false, message, error: { code, message } });
      return code === "PAYLOAD_TOO_LARGE" ? answerUnread(context, status, body) : answer(context, status, body);
    }
  }
}

/** The body of a 400 (docs/errors.md): the first fault is the subject of its message. */
export function toInvalidBody(message: string, errors: readonly FieldFault[], data?: number): object {
  const { code, field } = errors[0] ?? { code: "RULE", field: null };
  return { success: false, message, data, error: { code, field }, errors };
}

/** The field or header that the message of a rule is about: the message begins with it. */
function fieldNamedBy(message: string, { fields }: RefusalShape): string | null {
  const header = HEADERS.find((name) => message.startsWith(`${name} `));
  if (header !== undefined) return header;
  const [path, root] = PATH_AT_START.exec(message) ?? [];
  return path !== undefined && root !== undefined && fields?.has(root) === true ? path : null;
}

/** Answers a request whose body was not read to its end: the connection ends, but only after the answer was taken. */
function answerUnread(context: EdgeContext, status: number, text: string): Response {
  const { incoming } = context.env;
  if (incoming === undefined || incoming.readableEnded) return answer(context, status, text, CLOSE);
  const headers = { ...CLOSE, "content-length": String(Buffer.byteLength(text)) };
  return answer(context, status, lingeringBody(text, incoming), headers);
}

/** The order in which the methods of a path are named. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Makes the answer to a request that no route serves (behaviour 1.2): 405 with `Allow` if other methods serve its path,
 * else 404. `methodsAt` returns the methods that serve a path.
 */
export function answerUnserved(methodsAt: (path: string) => readonly string[]): (context: EdgeContext) => Response {
  return (context) => {
    const served = methodsAt(context.req.path);
    const methods = served.toSorted((left, right) => METHODS.indexOf(left) - METHODS.indexOf(right));
    if (methods.length === 0) return answerRefusal(context, refusal("NOT_FOUND", "nothing is served at this path"));
    const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    const message = `the method is not allowed at this path; use ${allow}`;
    const error = { code: "METHOD_NOT_ALLOWED", message };
    return answer(context, 405, JSON.stringify({ success: false, message, error }), { allow });
  };
}

/** Answers a thrown error: 500, and nothing of the error in it. */
export function answerThrown(log: Log): (error: Error, context: EdgeContext) => Response {
  return (error, context) => {
    if (error instanceof HTTPException && error.status < 500) {
      return answerRefusal(context, refusal("INVALID", "the request is not valid"));
    }
    const { requestId } = context.get("requestState");
    log.error({ event: "http.failed", requestId, method: context.req.method, error }, "a request failed");
    return answerRefusal(context, refusal("INTERNAL", `something went wrong here; request id ${requestId}`));
  };
}
