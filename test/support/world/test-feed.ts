import type { PartitionFeed } from "../../../engine/ports/feed.ts";

/** The feed of a test: it is live, knows no price and has no stream, except for `parts`. */
export function testFeed(parts: Partial<PartitionFeed> = {}): PartitionFeed {
  return {
    prices: { last: () => undefined },
    isCatchingUp: () => false,
    onArmedMeanwhile: () => undefined,
    position: () => null,
    memory: () => undefined,
    place: () => null,
    stats: () => undefined,
    watch: undefined,
    ...parts,
  };
}
