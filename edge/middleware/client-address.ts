/** The address that a request without a user counts for. */
import ipaddr from "ipaddr.js";
import type { Network, TrustedProxies } from "../../src/runtime/settings.ts";
import type { EdgeContext, EdgeEnvironment } from "../server/request-state.ts";

/** One customer's IPv6 network: counting single addresses of it would count nothing. */
const IPV6_NETWORK_GROUPS = 4;
/** As some proxies write addresses: `203.0.113.7:50123`, `[2001:db8::1]:50123`, `[2001:db8::1]`. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[(.+)\](?::\d+)?)$/;

/**
 * Returns the address that a limit counts: the socket's, or behind trusted proxies the entry that the outermost of them
 * wrote into `X-Forwarded-For`. The client can have invented any entry before it. Of an IPv6 address the network of 64
 * bits.
 */
export function clientAddress(context: EdgeContext, proxies: TrustedProxies): string {
  return networkOf(fullAddress(context, proxies));
}

/** The same address whole, for the log. Behind a trusted proxy that writes a port, with it. */
export function fullAddress(context: EdgeContext, proxies: TrustedProxies): string {
  return forwarded(context, proxies, FORWARDED_FOR) ?? peerOf(context);
}

/**
 * Returns the outermost trusted proxy's entry in a header that each proxy adds to or replaces; undefined if no proxy
 * wrote one. A proxy that replaces the header leaves fewer entries than there are proxies: the first one counts then.
 */
export function forwarded(context: EdgeContext, proxies: TrustedProxies, header: string): string | undefined {
  const hops = typeof proxies === "number" ? proxies : hopsThrough(context, proxies);
  const entries = entriesOf(context, header);
  return hops === 0 ? undefined : entries.at(-Math.min(hops, entries.length));
}

/** Counts the proxies of trusted networks that the request came through, from the nearest one on. */
function hopsThrough(context: EdgeContext, networks: readonly Network[]): number {
  const path = [peerOf(context), ...entriesOf(context, FORWARDED_FOR).reverse()];
  const first = path.findIndex((address) => !isWithin(address, networks));
  return first === -1 ? path.length : first;
}

function isWithin(text: string, networks: readonly Network[]): boolean {
  const bare = withoutPort(text);
  if (!ipaddr.isValid(bare)) return false;
  const address = ipaddr.process(bare);
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

const FORWARDED_FOR = "x-forwarded-for";

function entriesOf(context: EdgeContext, header: string): string[] {
  const text = context.req.header(header) ?? "";
  return text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));
}

function peerOf(context: EdgeContext): string {
  const env: EdgeEnvironment["Bindings"] | undefined = context.env;
  return env?.incoming?.socket.remoteAddress ?? "unknown";
}

function withoutPort(address: string): string {
  const [, ...parts] = WITH_PORT.exec(address) ?? [];
  return parts.find((part) => part !== undefined) ?? address;
}

/**
 * Returns the key of one client: an IPv4 address, or the network of 64 bits of an IPv6 one. A port does
 * not count.
 */
export function networkOf(address: string): string {
  const bare = withoutPort(address);
  if (!ipaddr.isValid(bare)) return address;
  // An IPv4 address in the form of an IPv6 one counts as IPv4.
  const parsed = ipaddr.process(bare);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(":");
}
