/** A tick that reaches many groups together, each of another user, in a partition of this process. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { livePrice } from "../../../src/domain/price/price.ts";
import { sleep } from "../figure/timing.ts";
import type { OpenedPartition } from "../partition.ts";
import type { OrderRecorder } from "./order-recorder.ts";
import type { OwnedGroup } from "./owned-group.ts";

const RESOLUTION_MS = 1;

/** Fires `groups` groups of {@link groupOn} on one tick, and waits until all is sent, answered and settled. */
export async function fireAll(opened: OpenedPartition, recorder: OrderRecorder, groups: number, symbol: string) {
  const { partition } = opened;
  const price = livePrice(80);
  if (price === undefined) throw new Error("80 is a price");
  const placedBefore = partition.outbox.stats().placedCount;
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  await sleep(20);
  delay.reset();
  const startMs = performance.now();
  const allDurable = recorder.orders(groups);
  partition.onTick({ symbol, price, timeMs: Date.now(), isCaughtUp: false });
  await allDurable;
  const durableMs = performance.now() - startMs;
  while (partition.outbox.stats().placedCount < placedBefore + groups) await sleep(10);
  const settledMs = performance.now() - startMs;
  // The published events are removed a little later: that must not block either.
  await sleep(1_000);
  delay.disable();
  return { durableMs, settledMs, blockedMs: delay.max / 1e6 - RESOLUTION_MS, written: recorder.written };
}

/** A group of each user on a symbol, its stop-loss above 80. */
export function groupOn(symbol: string): (index: number) => OwnedGroup {
  return (index) => ({
    userId: index + 1,
    body: {
      symbol,
      stopLossPrice: (9_000 - (index % 100) * 5) / 100,
      stopLossQuantity: 10,
      takeProfitItems: [
        { price: 110, quantity: 5 },
        { price: 120, quantity: 5 },
      ],
    },
  });
}
