/**
 * Whether a request failed before a byte of it can have been written: then the order certainly did not leave.
 *
 * Invariant: only faults of the look-up of the name, of the connection and of the TLS handshake count. The same codes
 * also come from a connection that is in use (a read can fail with EHOSTUNREACH), so the system call is compared, too.
 */

const CONNECTING_CALLS: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"]);
const CONNECTING_CODES: ReadonlySet<unknown> = new Set([
  ...["ECONNREFUSED", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "EADDRNOTAVAIL", "ETIMEDOUT"],
  ...["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "EAI_NONAME"],
]);
/** Node verifies the certificate before it gives the connection to its user. */
const HANDSHAKE_CODES: ReadonlySet<unknown> = new Set([
  ...["UND_ERR_CONNECT_TIMEOUT", "ERR_TLS_CERT_ALTNAME_INVALID", "HOSTNAME_MISMATCH", "INVALID_CA", "INVALID_PURPOSE"],
  ...["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "CERT_REJECTED", "CERT_REVOKED", "CERT_UNTRUSTED"],
  ...["CERT_CHAIN_TOO_LONG", "CERT_SIGNATURE_FAILURE", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
  ...["UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  ...["ERR_SSL_UNSUPPORTED_PROTOCOL", "ERR_SSL_NO_PROTOCOLS_AVAILABLE", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"],
  ...["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE"],
]);
const HANDSHAKE_ENDED = /before secure TLS connection was established/;
const CAUSES_MAX = 5;

/** The fault's code if the request of `fetch` that failed with this error certainly did not leave; else `undefined`. */
export function codeOfNeverSent(error: unknown): string | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    const code = codeOfFault(cause);
    if (code !== undefined) return code;
    cause = cause.cause;
  }
  return undefined;
}

function codeOfFault(error: Error): string | undefined {
  // One error for each address of a name: all must have failed before the connection was made.
  if (error instanceof AggregateError) {
    const codes = error.errors.map((one) => (one instanceof Error ? codeOfFault(one) : undefined));
    return codes.includes(undefined) ? undefined : codes[0];
  }
  const { code, syscall } = error as { readonly code?: unknown; readonly syscall?: unknown };
  if (typeof code !== "string") return undefined;
  if (CONNECTING_CODES.has(code) && CONNECTING_CALLS.has(syscall)) return code;
  return HANDSHAKE_CODES.has(code) || (code === "ECONNRESET" && HANDSHAKE_ENDED.test(error.message)) ? code : undefined;
}
