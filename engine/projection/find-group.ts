/**
 * The group that a row's id belongs to.
 */
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { TAKE_PROFITS_MAX } from "../../src/domain/oco/oco-plan.ts";
import type { Actors } from "../ports/actor.ts";

interface GroupPlace {
  readonly partitions: number;
  readonly actors: Pick<Actors, "find">;
}

interface FoundGroup {
  readonly group: OcoGroup;
  readonly isEnded: boolean;
}

/** The user's group that has a row of this id; undefined where there is none. */
export function findGroup(place: GroupPlace, userId: number, rowId: number): FoundGroup | undefined {
  const found = findAnyGroup(place, rowId);
  return found?.group.userId === userId ? found : undefined;
}

/**
 * The group that has a row of this id, whoever's it is. A group's ids were given out together, so the group's own id is
 * at most as many ids before as a group has take-profits.
 */
export function findAnyGroup({ actors, partitions }: GroupPlace, rowId: number): FoundGroup | undefined {
  for (let back = 0; back <= TAKE_PROFITS_MAX; back += 1) {
    const groupId = rowId - back * partitions;
    if (groupId <= 0) return undefined;
    const found = actors.find("group", groupId);
    if (found === undefined) continue;
    const group = found.context as OcoGroup;
    return group.rows.some((row) => row.id === rowId) ? { group, isEnded: found.isEnded } : undefined;
  }
  return undefined;
}
