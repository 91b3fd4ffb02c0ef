/**
 * Who goes on when two engines meet over one partition. A plain function, so that both come to the same answer.
 */
import type { OwnershipAnnouncement } from "../../../src/contract/ownership.ts";

export type Contender = Pick<OwnershipAnnouncement, "stage" | "sinceMs" | "engine" | "installation">;

/**
 * Whether `left` goes on and `right` gives way: who acts before who only asks, of those who ask the one that has locked
 * its folder (it names an installation), then who began earlier, then the smaller name. Of two that act neither has asked
 * the other, as after a cut network: the longer life has more to lose.
 */
export function goesBefore(left: Contender, right: Contender): boolean {
  const rankDifference = rankOf(left) - rankOf(right);
  if (rankDifference !== 0) return rankDifference < 0;
  if (left.sinceMs !== right.sinceMs) return left.sinceMs < right.sinceMs;
  return left.engine < right.engine;
}

function rankOf({ stage, installation }: Contender): number {
  if (stage === "holding") return 0;
  if (stage === "ending") return 3;
  return installation === null ? 2 : 1;
}
