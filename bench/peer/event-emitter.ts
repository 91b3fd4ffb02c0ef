/** A listener a group on an emitter, one event a symbol: how much Node code does it. */
import { EventEmitter } from "node:events";
import type { MakePeer } from "./peer.ts";

export const eventEmitter: MakePeer = (groups) => {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  let fired = 0;
  for (const { symbol, stopLoss, takeProfits } of groups) {
    emitter.on(symbol, (price: number) => {
      if (price <= stopLoss) fired += 1;
      for (const level of takeProfits) if (price >= level) fired += 1;
    });
  }
  return {
    name: "EventEmitter, a listener a group",
    onTick: (symbol, price) => void emitter.emit(symbol, price),
    firedCount: () => fired,
  };
};
