/** The place of a group: one active group for a user, account and symbol (behaviour 4.1). */
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { groupClaim } from "../../src/machine/group.ts";
import type { Actors } from "../ports/actor.ts";

/** Whether no other group has the place that a group gave up when its stop-loss was taken (behaviour 4.1, 4.5a). */
export function mayReclaim(actors: Pick<Actors, "find" | "holderOf">, owner: number): boolean {
  const group = actors.find("group", owner)?.context;
  if (group === undefined) return false;
  const holder = actors.holderOf(groupClaim(group as OcoGroup));
  // It never gave the place up where a take-profit of its own is on its way.
  return holder === undefined || holder === owner;
}
