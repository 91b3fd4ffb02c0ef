/**
 * The report on a message that could not be delivered.
 *
 * Owns: the message for the target's owner, and the details for the operator's log.
 *
 * Invariants:
 * 1. The owner receives the fault, with a status if the other side gave one. The message contains no text of a library,
 *    of a mail server or of the system, and no address that a name resolves to.
 * 2. Neither contains a secret of the target's.
 */
import type { TargetBody } from "../../src/contract/trading/notification.ts";
import { NotPublic, RefusedUrl } from "./guarded-request.ts";

/** `detail`: the part that only the log contains; null if the message is complete. */
export interface Failure {
  readonly message: string;
  readonly detail: string | null;
}

const DETAIL_LENGTH_MAX = 1_000;
const CAUSES_MAX = 5;

/** The server that could not be reached, or refused. */
const SERVERS = { webhook: "the server", telegram: "Telegram", email: "the mail server" } as const;
/** Telegram answers an unknown bot's token with either of its two. For mail servers the library reports it. */
const SIGN_IN_STATUSES: Readonly<Record<TargetBody["kind"], readonly number[]>> = {
  webhook: [401, 407],
  telegram: [401, 404],
  email: [],
};

const CERTIFICATE_FAULTS: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is not trusted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT", "its certificate is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its certificate is not trusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted"],
]);
const TIME_OUTS: ReadonlySet<string> = new Set(["ABORT_ERR", "ETIMEDOUT", "ETIMEOUT", "TimeoutError"]);
const NAME_FAULTS: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "EDNS"]);
const BROKEN_OFF: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);
const UNREACHED: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ENETDOWN", "EADDRNOTAVAIL", "EACCES", "EPERM"],
  ...["ECONNECTION", "ESOCKET"],
]);
const MAIL_SIGN_IN: ReadonlySet<string> = new Set(["EAUTH", "ENOAUTH", "EOTP"]);

/** Describes a status that is not a success. */
export function refusedWith(
  kind: TargetBody["kind"],
  status: number,
  isSignIn: boolean = SIGN_IN_STATUSES[kind].includes(status),
): string {
  return `${SERVERS[kind]} refused ${isSignIn ? "the sign-in" : "it"} (status ${status})`;
}

/** Describes a try that ended with an error. */
export function failureOf(error: unknown, body: TargetBody): Failure {
  const detail = secretsOf(body).reduce((text, secret) => text.replaceAll(secret, "[redacted]"), detailOf(error));
  return { message: messageOf(error, body.kind), detail: detail.slice(0, DETAIL_LENGTH_MAX) };
}

function messageOf(error: unknown, kind: TargetBody["kind"]): string {
  const server = SERVERS[kind];
  // Our own text, about the owner's own input.
  if (error instanceof RefusedUrl) return error.message;
  const codes = causesOf(error).flatMap(codesOf);
  const has = (known: ReadonlySet<string>): boolean => codes.some((code) => known.has(code));
  const status = statusOf(error);
  if (status !== undefined) return refusedWith(kind, status, has(MAIL_SIGN_IN));
  if (has(MAIL_SIGN_IN)) return `${server} refused the sign-in`;
  const certificateFault = codes.map((code) => CERTIFICATE_FAULTS.get(code)).find((fault) => fault !== undefined);
  if (certificateFault !== undefined) return `no TLS connection with ${server}: ${certificateFault}`;
  if (codes.some(isTls)) return `no TLS connection with ${server}`;
  if (has(TIME_OUTS)) return `time-out: ${server} did not answer`;
  // One answer for all of these: requests must not reveal which hosts exist behind this installation.
  if (kind === "webhook" && (error instanceof NotPublic || has(NAME_FAULTS))) {
    return `${server} is not reachable: its name does not resolve to a public address`;
  }
  if (has(NAME_FAULTS)) return `${server} is not reachable`;
  if (has(BROKEN_OFF)) return `${server} broke the connection off`;
  return has(UNREACHED) ? `${server} is not reachable` : `it could not be handed to ${server}`;
}

function isTls(code: string): boolean {
  return code === "EPROTO" || code === "ETLS" || code === "EREQUIRETLS" || /^ERR_(SSL|TLS)_/.test(code);
}

/** The error and its causes. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (const waiting = [error]; waiting.length > 0 && causes.length < CAUSES_MAX; ) {
    const next = waiting.shift();
    causes.push(next);
    if (next instanceof AggregateError) waiting.push(...next.errors);
    else if (next instanceof Error && next.cause !== undefined) waiting.push(next.cause);
  }
  return causes;
}

/** The system's code comes first if a library has put its own over it. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { originalCode, code } = error as { readonly originalCode?: unknown; readonly code?: unknown };
  return [originalCode, code, error.name].filter((one) => typeof one === "string");
}

/** The reply code of a mail server that refused. */
function statusOf(error: unknown): number | undefined {
  const { responseCode } = error instanceof Error ? (error as { readonly responseCode?: unknown }) : {};
  return typeof responseCode === "number" && responseCode >= 400 ? responseCode : undefined;
}

function detailOf(error: unknown): string {
  const told = causesOf(error).map((cause) => {
    const codes = codesOf(cause).join(" ");
    return `${codes}${codes === "" ? "" : ": "}${cause instanceof Error ? cause.message : String(cause)}`;
  });
  return told.join("; ");
}

/**
 * Texts that must reach no log: a bot's token lets its holder act for the bot, and many webhooks have their key in
 * their path.
 */
function secretsOf(body: TargetBody): readonly string[] {
  if (body.kind === "telegram") return [body.botToken];
  if (body.kind !== "webhook" || !URL.canParse(body.url)) return [];
  const { pathname, search } = new URL(body.url);
  return [body.url, `${pathname}${search}`, pathname, search].filter((text) => text.length > 1);
}
