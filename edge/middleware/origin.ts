/** The address under which clients know this installation. */
import type { TrustedProxies } from "../../src/runtime/settings.ts";
import type { EdgeContext } from "../server/request-state.ts";
import { forwarded } from "./client-address.ts";

/** The address, without a slash at its end. */
export type OriginOf = (context: EdgeContext) => string;

const HOST = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/;

/**
 * Returns the configured address, and without one scheme, host and port as the client used them: behind trusted proxies
 * the values that the outermost one wrote into `X-Forwarded-Proto` and `X-Forwarded-Host`.
 */
export function originOf(publicUrl: string | undefined, proxies: TrustedProxies): OriginOf {
  if (publicUrl !== undefined) return () => publicUrl;
  return (context) => {
    const url = new URL(context.req.url);
    const isForwardedHttps = forwarded(context, proxies, "x-forwarded-proto") === "https";
    const host = forwarded(context, proxies, "x-forwarded-host") ?? "";
    const origin = `${isForwardedHttps ? "https:" : url.protocol}//${HOST.test(host) ? host : url.host}`;
    return URL.canParse(origin) ? new URL(origin).origin : url.origin;
  };
}
