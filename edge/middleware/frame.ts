/**
 * Around every request: its id, the headers every answer carries, one line in the log.
 *
 * Invariant: the log holds method, path, status and duration; never a query, a header, a body or a secret in a path.
 */
import type { MiddlewareHandler } from "hono";
import { type EdgeEnvironment, type Exchange, frameHeaders } from "../exchange.ts";
import type { Clock, Log } from "../ports.ts";

const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/;
const WEBHOOKS = "/webhooks/";

export interface FrameOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly newRequestId: () => string;
}

/** Takes a sane `X-Request-Id` over, else makes one; frames the answer; logs the exchange. */
export function frame({ clock, log, newRequestId }: FrameOptions): MiddlewareHandler<EdgeEnvironment> {
  return async function frame(context, next) {
    const given = context.req.header("x-request-id");
    const exchange: Exchange = {
      requestId: given !== undefined && SANE_REQUEST_ID.test(given) ? given : newRequestId(),
      startedMs: clock.monotonicMs(),
      allowance: undefined,
      userId: undefined,
      isFramed: false,
    };
    context.set("exchange", exchange);
    await next();
    if (!exchange.isFramed) frameLate(context.res.headers, exchange);
    log.info(
      {
        requestId: exchange.requestId,
        method: context.req.method,
        path: pathForLog(context.req.path),
        status: context.res.status,
        durationMs: Math.round((clock.monotonicMs() - exchange.startedMs) * 1000) / 1000,
        userId: exchange.userId,
      },
      "request",
    );
  };
}

/** The path with the secret of a webhook taken out. */
export function pathForLog(path: string): string {
  return path.startsWith(WEBHOOKS) ? `${WEBHOOKS}[redacted]` : path;
}

/** For answers made elsewhere (pages, streams): what they set themselves stays. */
function frameLate(headers: Headers, exchange: Exchange): void {
  for (const [name, value] of Object.entries(frameHeaders(exchange))) {
    if (name !== "content-type" && !headers.has(name)) headers.set(name, value);
  }
}
