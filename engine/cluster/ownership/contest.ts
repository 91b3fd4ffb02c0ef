/**
 * Who goes on when two engines meet over one partition. A plain function, so that both come to the same answer.
 */
import type { OwnershipAnnouncement } from "../../../src/contract/ownership.ts";

export type Contender = Pick<OwnershipAnnouncement, "stage" | "sinceMs" | "engine">;

const RANK: Readonly<Record<OwnershipAnnouncement["stage"], number>> = { holding: 0, asking: 1, ending: 2 };

/**
 * Whether `left` goes on and `right` gives way: who acts before who only asks, then who began earlier, then the smaller
 * name. Of two that act neither has asked the other, as after a cut network: the longer life has more to lose.
 */
export function goesBefore(left: Contender, right: Contender): boolean {
  if (left.stage !== right.stage) return RANK[left.stage] < RANK[right.stage];
  if (left.sinceMs !== right.sinceMs) return left.sinceMs < right.sinceMs;
  return left.engine < right.engine;
}
