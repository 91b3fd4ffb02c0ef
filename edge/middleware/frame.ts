/**
 * The frame of every request: its id, the headers every answer carries, one line in the log, one count in the metrics.
 *
 * Invariant: the log contains method, path, status, duration, the client's address and, of a 401, the reason. It never
 * contains a query, another header, a body or a secret in a path.
 */
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { secureHeaders } from "hono/secure-headers";
import type { Log, MonotonicClock } from "../../src/runtime/ports.ts";
import type { TrustedProxies } from "../../src/runtime/settings.ts";
import type { EdgeMetrics } from "../metrics.ts";
import {
  type EdgeContext,
  type EdgeEnvironment,
  type RequestState,
  TRANSPORT_SECURITY,
} from "../server/request-state.ts";
import { fullAddress } from "./client-address.ts";

const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/;
/** The text after `/webhooks/`, and any other text as long as a secret: a path can be mistyped. */
const SECRETS = /(?<=\/webhooks\/).+|[A-Za-z0-9_-]{40,}/gi;

/** Paths that supervisors request every few seconds: a good answer is not worth a line. */
const PROBES: ReadonlySet<string> = new Set(["/health", "/ready"]);

interface FrameOptions {
  readonly clock: MonotonicClock;
  readonly log: Log;
  readonly newRequestId: () => string;
  /** Whether clients come over TLS, ours or a proxy's. */
  readonly isHttps: boolean;
  readonly trustedProxies: TrustedProxies;
  readonly metrics: Pick<EdgeMetrics, "count">;
}

/** The last route that matched: the handler's, or the frame's own if the path is not served. */
const LAST_ROUTE = -1;

/** Takes a sane `X-Request-Id` over, else makes one; frames the answer; logs the request. */
export function frame(options: FrameOptions): MiddlewareHandler<EdgeEnvironment> {
  const { clock, log, newRequestId, isHttps, trustedProxies, metrics } = options;
  const frameLate = lateFrame(isHttps);
  return async function frame(context, next) {
    const given = context.req.header("x-request-id");
    const state: RequestState = {
      requestId: given !== undefined && SANE_REQUEST_ID.test(given) ? given : newRequestId(),
      startedMs: clock.monotonicMs(),
      allowance: undefined,
      userId: undefined,
      unauthorizedBecause: undefined,
      isHttps,
      isFramed: false,
      isLong: false,
    };
    context.set("requestState", state);
    await next();
    if (!state.isFramed) await frameLate(context, state);
    const durationMs = clock.monotonicMs() - state.startedMs;
    metrics.count(context.req.method, routePath(context, LAST_ROUTE), context.res.status, durationMs);
    const level = PROBES.has(context.req.path) && context.res.status === 200 ? "debug" : "info";
    // A line that is not written need not be put together.
    if (log.isLevelEnabled?.(level) === false) return;
    log[level](
      {
        event: "http.request",
        requestId: state.requestId,
        method: context.req.method,
        path: pathForLog(context.req.path),
        status: context.res.status,
        durationMs: Math.round(durationMs * 1000) / 1000,
        userId: state.userId,
        address: fullAddress(context, trustedProxies),
        reason: state.unauthorizedBecause,
      },
      "request",
    );
  };
}

/** The path with the secret of a webhook taken out. */
export function pathForLog(path: string): string {
  return path.replace(SECRETS, "[redacted]");
}

/** Frames answers made elsewhere (pages, streams): their own headers remain. */
function lateFrame(isHttps: boolean): (context: EdgeContext, state: RequestState) => Promise<void> {
  const secure = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      frameAncestors: ["'none'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
    },
    strictTransportSecurity: isHttps ? TRANSPORT_SECURITY : false,
    xFrameOptions: "DENY",
    overwrite: false,
  });
  return async (context, state) => {
    await secure(context, async () => undefined);
    const { headers } = context.res;
    headers.set("x-request-id", state.requestId);
    if (state.allowance === undefined) return;
    headers.set("x-ratelimit-limit", String(state.allowance.limit));
    headers.set("x-ratelimit-remaining", String(state.allowance.remaining));
    headers.set("x-ratelimit-reset", String(state.allowance.resetSeconds));
    headers.set("ratelimit-policy", state.allowance.policy);
  };
}
