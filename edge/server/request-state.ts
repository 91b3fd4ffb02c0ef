/**
 * One request and its answer, as every part of the edge sees it.
 *
 * Owns: the known facts of a request in addition to its bytes, and the one way an answer is put together.
 *
 * Invariant: an answer made here carries the frame (request id, security headers, rate limit) from the start, as one
 * plain record. Headers added to a finished answer would cost more than all other work of the edge for a short read.
 */
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";

/** The caller's state under a limit. */
export interface Allowance {
  readonly isAllowed: boolean;
  /** How much the request costs. */
  readonly cost: number;
  readonly limit: number;
  readonly remaining: number;
  /** Until the window ends; at least 1. */
  readonly resetSeconds: number;
  /** The window by its name, as in the header `RateLimit-Policy`. */
  readonly policy: string;
}

export interface RequestState {
  readonly requestId: string;
  readonly startedMs: number;
  /** The limit shown in the answer's headers: the most specific of the checked limits. */
  allowance: Allowance | undefined;
  userId: number | undefined;
  /** Why the answer is 401, for the log; undefined for other answers. */
  unauthorizedBecause: string | undefined;
  readonly isHttps: boolean;
  isFramed: boolean;
  /** Whether compressing the answer is worth its while. */
  isLong: boolean;
}

/** `incoming`, or all of the bindings, are absent if the request has no socket, as with `app.request`. */
export interface EdgeEnvironment {
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: { readonly requestState: RequestState };
}
export type EdgeContext = Context<EdgeEnvironment>;
export type EdgeHono = Hono<EdgeEnvironment>;

const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers that keep a browser from treating JSON as something else (OWASP, REST security). Pages get more (`frame.ts`).
 */
export const JSON_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "content-security-policy": CONTENT_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Sent over TLS only (RFC 6797, 7.2). */
export const TRANSPORT_SECURITY = "max-age=31536000; includeSubDomains";

type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** Makes an answer of JSON text. `headers` (lower case) override the frame's headers. */
export function answer(
  context: EdgeContext,
  status: number,
  body: AnswerBody,
  headers?: Readonly<Record<string, string>>,
): Response {
  const state = context.get("requestState");
  state.isFramed = true;
  state.isLong = isLong(body);
  const framed = frameHeaders(state);
  if (state.isHttps) framed["strict-transport-security"] = TRANSPORT_SECURITY;
  return new Response(body, { status, headers: headers === undefined ? framed : Object.assign(framed, headers) });
}

/** From about a packet on; for a stream it is not known, and lists of many pages are streams. */
const LONG_LENGTH = 1_024;

function isLong(body: AnswerBody): boolean {
  if (body === null) return false;
  return body instanceof ReadableStream || body.length >= LONG_LENGTH;
}

/** The strong entity tag of a version (behaviour 15.6). */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The headers of most answers are one literal: a record that is copied or grows costs ten times as much. */
function frameHeaders({ requestId, allowance }: RequestState): Record<string, string> {
  if (allowance === undefined) return { ...JSON_HEADERS, "x-request-id": requestId };
  return {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-request-id": requestId,
    "x-ratelimit-limit": String(allowance.limit),
    "x-ratelimit-remaining": String(allowance.remaining),
    "x-ratelimit-reset": String(allowance.resetSeconds),
    "ratelimit-policy": allowance.policy,
  };
}

/** 200 in the envelope (behaviour 1.2). */
export function answerData(context: EdgeContext, message: string, data?: unknown, version?: number): Response {
  const headers = version === undefined ? undefined : { etag: etagOf(version) };
  return answer(context, 200, JSON.stringify({ success: true, message, data }), headers);
}
