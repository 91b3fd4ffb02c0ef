/**
 * Requests to addresses that users give.
 *
 * Invariants:
 * 1. The connected address is checked, not an earlier address of the name. No address that is private, of this machine,
 *    or otherwise outside the public internet is reached, unless the operator allows it.
 * 2. No redirect is followed, no body is read unless the caller asks for its beginning, and nothing takes longer than
 *    `TIMEOUT_MS`.
 */
import { type LookupAddress, lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

const TIMEOUT_MS = 10_000;

/** A URL that cannot be a target's. The message is for its author. */
export class RefusedUrl extends Error {
  override readonly name = "RefusedUrl";
}

/**
 * A name that resolves to an address that must not be reached. The message names the kind of address: it is for the
 * log.
 */
export class NotPublic extends Error {
  override readonly name = "NotPublic";
}

/** Returns why an address must not be reached; undefined if it can. */
export function refuseUnlessPublic(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return "is not an address";
  // An IPv4 address in the form of an IPv6 one is judged as IPv4.
  const range = ipaddr.process(address).range();
  return range === "unicast" ? undefined : `is not a public address (${range})`;
}

/** Returns why a URL cannot be a target's; undefined if it can. The addresses of a name are checked at each request. */
export function refuseUnlessTarget(text: string, arePrivateAllowed: boolean): string | undefined {
  if (!URL.canParse(text)) return "url must be an address like https://example.com/hook";
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== "https:" && !(arePrivateAllowed && protocol === "http:")) return "url must start with https://";
  if (username !== "" || password !== "") return "url must hold no user and password";
  const literal = hostname.replace(/^\[|\]$/g, "");
  const why = ipaddr.isValid(literal) && !arePrivateAllowed ? refuseUnlessPublic(literal) : undefined;
  return why === undefined ? undefined : `url ${why}`;
}

/** The parts of an answer that are read. */
interface GuardedAnswer {
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined;
  /** The beginning of the body, as long as the caller asked for. */
  readonly text: string;
}

interface PostOptions {
  readonly arePrivateAllowed: boolean;
  /** How much of the answer's body is read. Default: nothing. */
  readonly answerBytesMax?: number;
}

/** Returns the answer to a POST. Rejects if it failed, or if the address must not be reached. */
export function postGuarded(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { arePrivateAllowed, answerBytesMax = 0 }: PostOptions,
): Promise<GuardedAnswer> {
  const why = refuseUnlessTarget(url, arePrivateAllowed);
  if (why !== undefined) return Promise.reject(new RefusedUrl(why));
  return new Promise((resolve, reject) => {
    const send = url.startsWith("https:") ? requestHttps : requestHttp;
    const length = String(Buffer.byteLength(body));
    const sent = send(
      url,
      {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": length, ...headers },
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(arePrivateAllowed ? {} : { lookup: publicLookup }),
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        const settle = (text: string): void => {
          resolve({ status, retryAfter: headers["retry-after"], text });
          response.destroy();
        };
        if (answerBytesMax === 0) settle("");
        else void beginningOf(response, answerBytesMax).then(settle);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Reads the beginning of a body; returns the received part if it breaks off. */
async function beginningOf(response: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      byteCount += chunk.length;
      if (byteCount >= bytesMax) break;
    }
  } catch {
    // The status alone is an answer.
  }
  return Buffer.concat(chunks).subarray(0, bytesMax).toString();
}

/** Resolves like the system, but only names all of whose addresses are public. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const wrong = addresses?.map(({ address }) => refuseUnlessPublic(address)).find((why) => why !== undefined);
    const [first] = addresses ?? [];
    const refused = error ?? (wrong === undefined ? null : new NotPublic(`${hostname} ${wrong}`));
    if (refused !== null || first === undefined)
      callback(refused ?? new NotPublic(`${hostname} has no address`), "", 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
