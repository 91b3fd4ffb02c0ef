/**
 * Whom a request without a user counts for.
 */
import type { EdgeContext } from "../server/request-state.ts";

/** One customer's IPv6 network: counting single addresses of it would count nothing. */
const IPV6_NETWORK_GROUPS = 4;
const IPV6_GROUPS = 8;

/**
 * The address that a limit counts: the socket's, or behind a trusted proxy the last of `X-Forwarded-For`, which that
 * proxy wrote; whatever stands before it the client may have invented. Of an IPv6 address the network of 64 bits.
 */
export function clientAddress(context: EdgeContext, isProxyTrusted: boolean): string {
  const forwarded = isProxyTrusted ? context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return networkOf(forwarded || (context.env.incoming?.socket.remoteAddress ?? "unknown"));
}

/** What counts as one client: an IPv4 address, or the network of 64 bits of an IPv6 one. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  if (address.includes(".")) return address.slice(address.lastIndexOf(":") + 1);
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head.split(":").filter((group) => group !== "");
  const after = (tail ?? "").split(":").filter((group) => group !== "");
  const zeros = Array<string>(Math.max(0, IPV6_GROUPS - before.length - after.length)).fill("0");
  return [...before, ...zeros, ...after].slice(0, IPV6_NETWORK_GROUPS).join(":");
}
