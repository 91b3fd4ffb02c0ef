/**
 * Under which address a client reached us.
 */
import type { EdgeContext } from "../exchange.ts";

/** Scheme, host and port as the client used them; behind a trusted proxy the scheme is what the proxy says. */
export function originOf(context: EdgeContext, isProxyTrusted: boolean): string {
  const url = new URL(context.req.url);
  const isForwardedHttps =
    isProxyTrusted && context.req.header("x-forwarded-proto")?.split(",").at(-1)?.trim() === "https";
  return isForwardedHttps ? `https://${url.host}` : url.origin;
}
