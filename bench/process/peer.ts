/**
 * One peer, alone in its process: what it is called with and how is the same for all, and no peer pays for the shapes
 * that another brought into a call they would share.
 */
import { strict as assert } from "node:assert";
import { nsPerCall } from "../harness/figure/timing.ts";
import { arrayScan } from "../peer/array-scan.ts";
import { eventEmitter } from "../peer/event-emitter.ts";
import { liveActor } from "../peer/live-actor.ts";
import { orderBook } from "../peer/order-book.ts";
import { type MakePeer, type Peer, type PeerGroup, SYMBOLS } from "../peer/peer.ts";
import { priceIndex } from "../peer/price-index.ts";

/** Makes the peer. Answered with its name. */
export interface PeerPlan {
  readonly peer: PeerName;
  readonly groups: number;
}

/** Runs it for at least so long. Answered with nanoseconds a tick. */
export interface PeerRun {
  readonly atLeastMs: number;
}

export type PeerName = keyof typeof makers;

const START_PRICE = 10_000;
const TICKS = 1_200;

const makers = { priceIndex, arrayScan, eventEmitter, orderBook, liveActor } satisfies Record<string, MakePeer>;

let peer: Peer | undefined;
let run: (count: number) => void = () => undefined;

function makeGroups(count: number): PeerGroup[] {
  return Array.from({ length: count }, (_, index) => {
    const step = Math.floor(index / SYMBOLS) % 300;
    return {
      id: index + 1,
      symbol: `S${index % SYMBOLS}`,
      stopLoss: 8_000 - step * 5,
      takeProfits: [11_000 + step * 10, 15_000 + step * 10],
    };
  });
}

function runnerOf(of: Peer): (count: number) => void {
  const symbols = Array.from({ length: TICKS }, (_, index) => `S${index % SYMBOLS}`);
  const prices = Array.from({ length: TICKS }, (_, index) => 9_500 + ((index * 7) % 97) * 5);
  return (count) => {
    for (let done = 0, at = 0; done < count; done += 1) {
      of.onTick(symbols[at] ?? "", prices[at] ?? 0);
      at = at + 1 === TICKS ? 0 : at + 1;
    }
  };
}

process.on("message", (message: PeerPlan | PeerRun) => {
  if ("peer" in message) {
    peer = makers[message.peer](makeGroups(message.groups), START_PRICE);
    run = runnerOf(peer);
    process.send?.(peer.name);
  } else if ("atLeastMs" in message) {
    const ns = nsPerCall(run, message.atLeastMs);
    assert.equal(peer?.firedCount(), 0, `${peer?.name} did other work`);
    process.send?.(ns);
  }
});
process.send?.("ready");
