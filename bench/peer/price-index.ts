/** The engine's own watchbook, doing what the others do: a look-up by symbol and two comparisons. */
import { ReachedBuffer } from "../../engine/watch/reached-buffer.ts";
import { PartitionWatchbook } from "../../engine/watch/watchbook.ts";
import type { MakePeer } from "./peer.ts";

export const priceIndex: MakePeer = (groups) => {
  const watchbook = new PartitionWatchbook();
  for (const { id, symbol, stopLoss, takeProfits } of groups) {
    watchbook.arm(id, { watch: 0, symbol, side: "below", level: stopLoss });
    for (const [index, level] of takeProfits.entries()) {
      watchbook.arm(id, { watch: index + 1, symbol, side: "above", level });
    }
  }
  const reached = new ReachedBuffer();
  let fired = 0;
  return {
    name: "price index of this engine",
    onTick: (symbol, price) => {
      fired += watchbook.collect(symbol, price, price, reached);
    },
    firedCount: () => fired,
  };
};
