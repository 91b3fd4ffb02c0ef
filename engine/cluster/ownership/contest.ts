/**
 * Decides which engine continues when two engines meet over one partition. A plain function, so that both decide the
 * same.
 */
import type { OwnershipAnnouncement } from "../../../src/contract/ownership.ts";

export type Contender = Pick<OwnershipAnnouncement, "stage" | "sinceMs" | "engine" | "installation">;

/**
 * Whether `left` continues and `right` gives way. An acting engine wins over an asking one. Of two that ask, the
 * engine that has locked its folder wins (it names an installation). Then the earlier start wins, then the smaller
 * name. Two acting engines have not asked each other, as after a network partition: the longer life has more to lose.
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
