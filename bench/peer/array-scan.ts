/** An array of groups a symbol, walked at every tick: what one writes first. */
import { bySymbol, type MakePeer } from "./peer.ts";

export const arrayScan: MakePeer = (groups) => {
  const lists = bySymbol(groups);
  let fired = 0;
  return {
    name: "array scan per symbol",
    onTick: (symbol, price) => {
      for (const group of lists.get(symbol) ?? []) {
        if (price <= group.stopLoss) fired += 1;
        for (const level of group.takeProfits) if (price >= level) fired += 1;
      }
    },
    firedCount: () => fired,
  };
};
