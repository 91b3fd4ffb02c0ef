/** The feed as the parts of a partition see it. */
import type { PartitionFeed } from "../ports/feed.ts";
import type { Prices } from "../ports/price.ts";

/**
 * The feed with the partition's own last prices. It catches up until the levels that missed ticks reached are decided,
 * too: the clock must not overtake them. `areLevelsWaiting`: some of them are not decided yet.
 */
export function ownFeed(feed: PartitionFeed, prices: Prices, areLevelsWaiting: () => boolean): PartitionFeed {
  return {
    ...feed,
    prices,
    get isCatchingUp() {
      return areLevelsWaiting() || feed.isCatchingUp;
    },
  };
}
