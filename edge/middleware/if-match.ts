/**
 * Versions in headers: `ETag` in answers, `If-Match` in requests (RFC 9110, 8.8.3 and 13.1.1; behaviour 15.6).
 *
 * A tag of ours is the version in quotes. A weak tag matches nothing, as RFC 9110 wants it, nor does an unknown one.
 */
import type { Refusal } from "../client/engine-client.ts";

const VERSION = /^"([1-9]\d{0,14})"$/;
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const LIST = new RegExp(String.raw`^[ \t,]*${TAG}(?:[ \t]*,[ \t]*(?:${TAG})?)*[ \t]*$`);

/** The versions that an `If-Match` names; undefined: any is meant. Malformed: a 400. */
export function readIfMatch(header: string | undefined): { ok: true; versions: number[] | undefined } | Refusal {
  if (header === undefined || header.trim() === "*") return { ok: true, versions: undefined };
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

const HEADER_LENGTH_MAX = 1_000;
