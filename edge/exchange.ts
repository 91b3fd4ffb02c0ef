/**
 * One request and its answer, as every part of the edge sees it.
 *
 * Owns: what is known of a request beside its bytes, and the one way an answer is put together.
 *
 * Invariant: an answer made here carries the frame (request id, security headers, rate limit) from the start, as one
 * plain record. Headers added to a finished answer would cost more than all else the edge does for a short read.
 */
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";

/** Where the caller stands with a limit. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the window ends; at least 1. */
  readonly resetSeconds: number;
}

export interface Exchange {
  readonly requestId: string;
  readonly startedMs: number;
  /** The limit shown in the answer's headers: the most specific one that was asked. */
  allowance: Allowance | undefined;
  userId: number | undefined;
  isFramed: boolean;
}

/** `incoming` is absent where no socket is behind the request, as with `app.request`. */
export interface EdgeEnvironment {
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: { readonly exchange: Exchange };
}
export type EdgeContext = Context<EdgeEnvironment>;
export type EdgeHono = Hono<EdgeEnvironment>;

/**
 * What hono/secure-headers sets, as a plain record, and stricter where an interface without pages of its own can be.
 * Pages set their own `Content-Security-Policy`.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

export type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** Makes an answer of JSON text. `headers` (lower case) go over those of the frame. */
export function answer(
  context: EdgeContext,
  status: number,
  body: AnswerBody,
  headers?: Readonly<Record<string, string>>,
): Response {
  const exchange = context.get("exchange");
  exchange.isFramed = true;
  return new Response(body, { status, headers: frameHeaders(exchange, headers) });
}

/** The headers that every answer carries, with `headers` over them. */
export function frameHeaders(exchange: Exchange, headers?: Readonly<Record<string, string>>): Record<string, string> {
  const framed: Record<string, string> = { ...SECURITY_HEADERS, "content-type": "application/json" };
  framed["x-request-id"] = exchange.requestId;
  const { allowance } = exchange;
  if (allowance !== undefined) {
    framed["x-ratelimit-limit"] = String(allowance.limit);
    framed["x-ratelimit-remaining"] = String(allowance.remaining);
    framed["x-ratelimit-reset"] = String(allowance.resetSeconds);
  }
  return headers === undefined ? framed : Object.assign(framed, headers);
}

/** 200 in the envelope (decisions 1.2). */
export function answerData(context: EdgeContext, message: string, data?: unknown): Response {
  return answer(context, 200, JSON.stringify({ success: true, message, data }));
}
