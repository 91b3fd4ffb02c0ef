/**
 * Reads the NATS addresses people write: `nats://user:password@host:4222`, `tls://token@host`, several joined by
 * commas. nats.js takes neither credentials nor the scheme out of an address, so that is done here.
 */

import { UserError } from "../../runtime/user-error.ts";

interface NatsAddress {
  /** `host:port` each. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** The scheme `tls:` asks for an encrypted connection; without it the server decides. */
  readonly isTlsAsked: boolean;
}

const SCHEMES = new Set(["nats:", "tls:"]);
const DEFAULT_PORT = "4222";

/**
 * Reads one address or several joined by commas; credentials and scheme are the first one's. Throws an `UserError` that
 * names the mistake and never repeats the text, which may contain a password.
 */
export function readNatsAddress(text: string): NatsAddress {
  const urls = text.split(",").map(readUrl);
  const [first] = urls;
  if (first === undefined) throw new UserError("the NATS address is empty");
  const user = decodeURIComponent(first.username);
  const password = decodeURIComponent(first.password);
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port === "" ? DEFAULT_PORT : url.port}`),
    isTlsAsked: first.protocol === "tls:",
    ...(user === "" ? {} : password === "" ? { token: user } : { user, password }),
  };
}

function readUrl(text: string): URL {
  const address = text.trim();
  const withScheme = address.includes("://") ? address : `nats://${address}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || url.hostname === "")
    throw new UserError("a NATS address is not of the form nats://host:port");
  if (!SCHEMES.has(url.protocol)) throw new UserError(`a NATS address cannot have the scheme ${url.protocol}`);
  return url;
}
