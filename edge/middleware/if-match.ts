/**
 * Versions in headers: `ETag` in answers, `If-Match` in requests (RFC 9110, 8.8.3 and 13.1.1; behaviour 15.6).
 *
 * A tag of ours is the version in quotes. A weak tag matches nothing, as RFC 9110 wants it, nor does an unknown one.
 */
import type { Refusal } from "../client/engine-client.ts";
import type { EdgeContext } from "../server/request-state.ts";

const VERSION = /^"([1-9]\d{0,14})"$/;
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const LIST = new RegExp(String.raw`^[ \t,]*${TAG}(?:[ \t]*,[ \t]*(?:${TAG})?)*[ \t]*$`);

/** The versions that a request means; undefined: any. */
type Condition = { readonly ok: true; readonly versions: readonly number[] | undefined };

export const ANY_VERSION: Condition = { ok: true, versions: undefined };

/** The versions that an `If-Match` names. Malformed: a 400. Other conditions are refused. */
export function readIfMatch({ req }: EdgeContext): Condition | Refusal {
  const header = req.header("if-match");
  const other = refuseHeaders(req, OTHER_CONDITIONS);
  if (other !== undefined) return other;
  if (header === undefined || header.trim() === "*") return ANY_VERSION;
  if (header.length > HEADER_LENGTH_MAX || !LIST.test(header)) {
    return { ok: false, code: "INVALID", message: "If-Match must be * or a list of entity tags in quotes" };
  }
  const tags = header.match(new RegExp(TAG, "g")) ?? [];
  const versions = tags.flatMap((tag) => {
    const version = VERSION.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
  return { ok: true, versions };
}

/**
 * Refuses a condition at a change that does not look at it (a 400): the change would be made although it does not hold.
 */
export function refuseConditions({ req }: EdgeContext): Condition | Refusal {
  return refuseHeaders(req, ALL_CONDITIONS) ?? ANY_VERSION;
}

function refuseHeaders(req: EdgeContext["req"], names: readonly string[]): Refusal | undefined {
  const given = names.find((name) => req.header(name) !== undefined);
  if (given === undefined) return undefined;
  return { ok: false, code: "INVALID", message: `${given} is not honoured here` };
}

const OTHER_CONDITIONS = ["If-None-Match", "If-Modified-Since", "If-Unmodified-Since"];
const ALL_CONDITIONS = ["If-Match", ...OTHER_CONDITIONS];
const HEADER_LENGTH_MAX = 1_000;
