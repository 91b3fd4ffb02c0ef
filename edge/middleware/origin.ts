/**
 * Under which address clients know us.
 */
import type { EdgeContext } from "../server/request-state.ts";

/** The address, without a slash at its end. */
export type OriginOf = (context: EdgeContext) => string;

/**
 * The configured address, and without one scheme, host and port as the client used them; behind a trusted proxy the
 * scheme is what the proxy says.
 */
export function originOf(publicUrl: string | undefined, isProxyTrusted: boolean): OriginOf {
  if (publicUrl !== undefined) return () => publicUrl;
  return (context) => {
    const url = new URL(context.req.url);
    const isForwardedHttps =
      isProxyTrusted && context.req.header("x-forwarded-proto")?.split(",").at(-1)?.trim() === "https";
    return isForwardedHttps ? `https://${url.host}` : url.origin;
  };
}
