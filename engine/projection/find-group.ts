/**
 * The group that a row's id belongs to.
 */
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { TAKE_PROFITS_MAX } from "../../src/domain/oco/oco-plan.ts";
import { accept, type Result, refuse } from "../../src/domain/refusal.ts";
import { textOf } from "../../src/runtime/json.ts";
import type { Actors } from "../ports/actor.ts";
import type { Store } from "../ports/storage.ts";
import { TABLES } from "../table/tables.ts";

interface GroupPlace {
  readonly partitions: number;
  readonly store: Pick<Store, "read">;
  readonly actors: Pick<Actors, "find">;
}

interface FoundGroup {
  readonly group: OcoGroup;
  readonly isEnded: boolean;
}

/** The user's group that has a row of this id; undefined if it does not exist. */
export function findGroup(place: GroupPlace, userId: number, rowId: number): FoundGroup | undefined {
  const found = findAnyGroup(place, rowId);
  return found?.group.userId === userId ? found : undefined;
}

/** As `findGroup`; NOT_FOUND also if the group is not at the named brokerage. */
export function findNamedGroup(
  place: GroupPlace,
  userId: number,
  { id, brokerageCode }: { readonly id: number; readonly brokerageCode?: string | undefined },
): Result<FoundGroup> {
  const found = findGroup(place, userId, id);
  const isMeant = brokerageCode === undefined || found?.group.brokerageCode === brokerageCode;
  return found !== undefined && isMeant ? accept(found) : refuse("NOT_FOUND", `OCO order ${id} was not found`);
}

/**
 * The group of any user that has a row of this id. A group's ids were given out together, so the group's own id is at
 * most as many ids before as a group has take-profits. A row that a change added is stored with its group's id.
 */
export function findAnyGroup(place: GroupPlace, rowId: number): FoundGroup | undefined {
  const { actors, store } = place;
  const groupId = groupOfAddedRow(store, rowId);
  if (groupId === undefined) return findByCreation(place, rowId);
  const found = actors.find("group", groupId);
  return found === undefined ? undefined : { group: found.context, isEnded: found.isEnded };
}

/** The group to which a change added this row (behaviour 15.1); undefined for rows that were made with their group. */
export function groupOfAddedRow(store: Pick<Store, "read">, rowId: number): number | undefined {
  const bytes = store.read(TABLES.addedRows.key(rowId));
  return bytes === undefined ? undefined : Number(textOf(bytes));
}

function findByCreation({ actors, partitions }: Omit<GroupPlace, "store">, rowId: number): FoundGroup | undefined {
  for (let back = 0; back <= TAKE_PROFITS_MAX; back += 1) {
    const groupId = rowId - back * partitions;
    if (groupId <= 0) return undefined;
    const found = actors.find("group", groupId);
    if (found === undefined) continue;
    const group = found.context;
    return group.rows.some((row) => row.id === rowId) ? { group, isEnded: found.isEnded } : undefined;
  }
  return undefined;
}
