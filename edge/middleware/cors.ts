/**
 * Lets pages of other origins call the interface, if the operator names them (behaviour 1.11).
 *
 * Invariant: an origin that is not named gets no header of it, and browsers then keep the answer from its page. Tokens
 * travel in a header that a page must set itself, never in a cookie: no origin is trusted with more than its own token.
 */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { EdgeEnvironment } from "../server/request-state.ts";

const PREFLIGHT_SECONDS = 600;

const OWN_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "Last-Event-ID",
  "X-API-Key",
  "X-Request-Id",
];
/** Of streamable HTTP, in both generations of the protocol. */
const MCP_HEADERS = ["Mcp-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name"];
/** `WWW-Authenticate` names the metadata that leads a client to a token (RFC 9728, 5). */
const EXPOSED_HEADERS = [
  "Allow",
  "ETag",
  "Mcp-Session-Id",
  "Retry-After",
  "WWW-Authenticate",
  "X-Next-Cursor",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "X-Request-Id",
];

/** Answers preflights and marks answers for these origins. */
export function crossOrigin(origins: readonly string[]): MiddlewareHandler<EdgeEnvironment> {
  return cors({
    origin: [...origins],
    allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowHeaders: [...OWN_HEADERS, ...MCP_HEADERS],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}
