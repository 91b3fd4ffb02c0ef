/**
 * Which restrictions of a file the installation has already.
 *
 * Owns: what makes two of them the same. Does not own: which may be added, which the engine says.
 *
 * Invariant: one that was active when it was added and was ended since is another one: it is not there any more.
 */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { type RestrictionView, restrictionInput } from "../../src/contract/operator/reference.ts";
import { parseTime } from "../../src/domain/time.ts";
import type { Api } from "./client.ts";

export type RestrictionRecord = z.input<typeof restrictionInput>;

interface KnownRestrictions {
  /** Of each record, in order: under which id it is there; undefined where it is not. */
  readonly ids: readonly (number | undefined)[];
  /** Stands for all that the installation knows of the records' symbols: another one whenever that has changed. */
  readonly state: string;
}

type KnownRestriction = Pick<RestrictionView, "id" | "restrictionType" | "validFrom" | "validTo" | "sourceRef">;

/** Asks for what is known of the symbols of these records, one request a symbol. */
export async function findKnownRestrictions(
  api: Api,
  records: readonly RestrictionRecord[],
): Promise<KnownRestrictions> {
  const histories = new Map<string, readonly KnownRestriction[] | null>();
  for (const { code } of records) if (!histories.has(code)) histories.set(code, await historyOf(api, code));
  const ids = records.map((record) => histories.get(record.code)?.find((known) => isSame(known, record))?.id);
  const state = createHash("sha256")
    .update(JSON.stringify([...histories]))
    .digest("hex");
  return { ids, state };
}

/** Null: there is no such symbol. */
async function historyOf(api: Api, code: string): Promise<readonly KnownRestriction[] | null> {
  const params = { path: { code } };
  const found = await api.unwrapIfFound(api.client.GET("/api/v1/public/restrictions/{code}", { params }));
  return found?.data ?? null;
}

function isSame(known: KnownRestriction, record: RestrictionRecord): boolean {
  const { restrictionType, validFrom, validTo, sourceRef } = restrictionInput.parse(record);
  return (
    known.restrictionType === restrictionType &&
    known.sourceRef === sourceRef &&
    isSameMoment(known.validFrom, validFrom) &&
    isSameMoment(known.validTo, validTo ?? null)
  );
}

/** However each is written; null is none. */
function isSameMoment(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return left === right;
  const [first, second] = [parseTime(left, "left"), parseTime(right, "right")];
  return first.ok && second.ok && first.value === second.value;
}
