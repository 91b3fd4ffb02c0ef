/** What a partition knows of markets, for its paper brokerages (behaviour 11.1c). */
import type { Exchange } from "../connector/paper/market/exchange.ts";
import type { ChangedSymbols } from "../connector/paper/symbol-changes.ts";
import type { Partition } from "../partition/partition.ts";

/** What a paper brokerage in the process asks its partition for. */
export type MarketFacts = Omit<Exchange, "calendarOf"> & Pick<ChangedSymbols, "actions">;

/** The facts of a partition that is recovered after its brokerages are open: nothing is known until then. */
export function marketFactsOf(partition: () => Partition | undefined): MarketFacts {
  return {
    bandOf: (symbol) => partition()?.bands.bandOf(symbol),
    effectsOf: (symbol) => partition()?.measures.effectsOf(symbol) ?? {},
    isHeld: (symbol) => partition()?.holds.isHeld(symbol) ?? false,
    actions: () => partition()?.actions.durable(),
  };
}
