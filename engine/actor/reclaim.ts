/** The claim that an actor gave up and may take again: a group's place, a setup's order. */
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import type { PendingSetup } from "../../src/domain/setup.ts";
import { groupClaim } from "../../src/machine/group.ts";
import { claimOf as claimOfSetup } from "../../src/machine/setup.ts";
import type { Actors } from "../ports/actor.ts";

/** Whether no other actor has the claim that a group or a setup gave up (behaviour 4.1, 4.5a, 5.7). */
export function mayReclaim(actors: Pick<Actors, "find" | "holderOf">, owner: number): boolean {
  const claim = claimOf(actors, owner);
  if (claim === undefined) return false;
  const holder = actors.holderOf(claim);
  // A group with a take-profit on its way never gave its place up.
  return holder === undefined || holder === owner;
}

function claimOf(actors: Pick<Actors, "find">, owner: number): string | undefined {
  const group = actors.find("group", owner)?.context;
  if (group !== undefined) return groupClaim(group as OcoGroup);
  const setup = actors.find("setup", owner)?.context;
  return setup === undefined ? undefined : claimOfSetup(setup as PendingSetup);
}
