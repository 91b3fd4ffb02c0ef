/**
 * The group that a row's id belongs to.
 */
import type { OcoGroup } from "../../src/domain/oco/oco.ts";
import { TAKE_PROFITS_MAX } from "../../src/domain/oco/oco-plan.ts";
import type { Actors } from "../ports/actor.ts";

interface GroupPlace {
  readonly partitions: number;
  readonly actors: Pick<Actors, "find">;
}

/**
 * The user's group that has a row of this id; undefined where there is none. A group's ids were given out together, so
 * the group's own id is at most as many ids before as a group has take-profits.
 */
export function findGroup(
  { actors, partitions }: GroupPlace,
  userId: number,
  rowId: number,
): { readonly group: OcoGroup; readonly isEnded: boolean } | undefined {
  for (let back = 0; back <= TAKE_PROFITS_MAX; back += 1) {
    const groupId = rowId - back * partitions;
    if (groupId <= 0) return undefined;
    const found = actors.find("group", groupId);
    if (found === undefined) continue;
    const group = found.context as OcoGroup;
    const isMine = group.userId === userId && group.rows.some((row) => row.id === rowId);
    return isMine ? { group, isEnded: found.isEnded } : undefined;
  }
  return undefined;
}
