/**
 * Which restrictions of a file the installation has already, and the requests that add and end restrictions.
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

/**
 * Adds them all or none. The key stands for them and for what they are added to: asked again while the first request is
 * still under way nothing is done twice, and no answer is given again once something has changed.
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

/** A record without the fields that are not there: in JSON they would not be, either. */
export function withoutUndefined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** Sets when a restriction ends or ended; `validTo` in ISO 8601. Returns the restriction. */
export async function endRestriction(api: Api, id: number, validTo: string): Promise<RestrictionView> {
  const params = { path: { id } };
  return (await api.unwrap(api.client.PUT("/admin/v1/restrictions/{id}", { params, body: { validTo } }))).data;
}

/** Asks for what is known of the symbols of these records, one request a symbol. */
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

/** All restrictions of a symbol, active and past. Null: there is no such symbol. */
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

/** However each is written; null is none. */
function isSameMoment(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return left === right;
  const [first, second] = [parseTime(left, "left"), parseTime(right, "right")];
  return first.ok && second.ok && first.value === second.value;
}
