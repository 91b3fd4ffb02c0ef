/**
 * Whom a request without a user counts for.
 */
import ipaddr from "ipaddr.js";
import type { EdgeContext } from "../server/request-state.ts";

/** One customer's IPv6 network: counting single addresses of it would count nothing. */
const IPV6_NETWORK_GROUPS = 4;
/** As some proxies write addresses: `203.0.113.7:50123`, `[2001:db8::1]:50123`, `[2001:db8::1]`. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[(.+)\](?::\d+)?)$/;

/**
 * The address that a limit counts: the socket's, or behind a trusted proxy the last of `X-Forwarded-For`, which that
 * proxy wrote; whatever stands before it the client may have invented. Of an IPv6 address the network of 64 bits.
 */
export function clientAddress(context: EdgeContext, isProxyTrusted: boolean): string {
  const forwarded = isProxyTrusted ? context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return networkOf(forwarded || (context.env.incoming?.socket.remoteAddress ?? "unknown"));
}

/** What counts as one client: an IPv4 address, or the network of 64 bits of an IPv6 one. A port beside it is another's. */
export function networkOf(address: string): string {
  const bare =
    WITH_PORT.exec(address)
      ?.slice(1)
      .find((part) => part !== undefined) ?? address;
  if (!ipaddr.isValid(bare)) return address;
  // An IPv4 address in the clothes of an IPv6 one is what it is.
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":");
}
