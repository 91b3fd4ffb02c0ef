/**
 * Which restrictions of a file the installation has already, and the requests that add and end restrictions.
 *
 * Owns: when two of them are the same. Does not own: which can be added, which the engine decides.
 *
 * Invariant: a restriction that was active when it was added and was ended since is a different one: it does not exist
 * any more.
 */
import { createHash } from "node:crypto";
import type { z } from "zod";
import { type RestrictionView, restrictionInput } from "../../src/contract/operator/reference.ts";
import { parseTime } from "../../src/domain/time.ts";
import type { Api } from "./client.ts";

export type RestrictionRecord = z.input<typeof restrictionInput>;

interface KnownRestrictions {
  /** The existing id of each record, in order; undefined if it does not exist. */
  readonly ids: readonly (number | undefined)[];
  /**
   * Represents everything that the installation knows of the records' symbols: another text whenever that has changed.
   */
  readonly state: string;
}

type KnownRestriction = Pick<RestrictionView, "id" | "restrictionType" | "validFrom" | "validTo" | "sourceRef">;

/**
 * Adds all of them or none. The key represents the records and the state that they are added to. If it is sent again
 * while the first request is in progress, nothing is done twice. Once something has changed, no earlier answer is
 * repeated.
 */
export async function addRestrictions(
  api: Api,
  records: readonly RestrictionRecord[],
  state: string,
): Promise<number[]> {
  const key = createHash("sha256")
    .update(JSON.stringify([state, records]))
    .digest("hex");
  const params = { header: { "Idempotency-Key": key } };
  const body = {
    restrictions: records.map((one) => withoutUndefined({ ...one, restrictionType: String(one.restrictionType) })),
  };
  return (await api.unwrap(api.client.POST("/admin/v1/restrictions", { params, body }))).data.ids;
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** A record without its absent fields: in JSON they would not exist, either. */
export function withoutUndefined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** Sets when a restriction ends or ended; `validTo` in ISO 8601. Returns the restriction. */
export async function endRestriction(api: Api, id: number, validTo: string): Promise<RestrictionView> {
  const params = { path: { id } };
  return (await api.unwrap(api.client.PUT("/admin/v1/restrictions/{id}", { params, body: { validTo } }))).data;
}

/** Asks for the known restrictions of the symbols of these records, one request a symbol. */
export async function findKnownRestrictions(
  api: Api,
  records: readonly RestrictionRecord[],
): Promise<KnownRestrictions> {
  const histories = new Map<string, readonly KnownRestriction[] | null>();
  for (const { code } of records) if (!histories.has(code)) histories.set(code, await readRestrictionsOf(api, code));
  const ids = records.map((record) => histories.get(record.code)?.find((known) => isSame(known, record))?.id);
  const state = createHash("sha256")
    .update(JSON.stringify([...histories]))
    .digest("hex");
  return { ids, state };
}

/** All restrictions of a symbol, active and past. Null: the symbol does not exist. */
export async function readRestrictionsOf(api: Api, code: string): Promise<readonly RestrictionView[] | null> {
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

/** Compares two moments in any notation; null means no moment. */
function isSameMoment(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return left === right;
  const [first, second] = [parseTime(left, "left"), parseTime(right, "right")];
  return first.ok && second.ok && first.value === second.value;
}
