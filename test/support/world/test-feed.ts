import type { PartitionFeed } from "../../../engine/ports/feed.ts";

type Parts = Partial<Omit<PartitionFeed, "isCatchingUp">> & { readonly isCatchingUp?: () => boolean };

/** The feed of a test: it is live, knows no price and has no stream, except for `parts`. */
export function testFeed({ isCatchingUp = () => false, ...parts }: Parts = {}): PartitionFeed {
  return {
    prices: { last: () => undefined },
    onArmedMeanwhile: () => undefined,
    position: () => null,
    memory: () => undefined,
    place: () => null,
    stats: () => undefined,
    watch: undefined,
    ...parts,
    get isCatchingUp() {
      return isCatchingUp();
    },
  };
}
