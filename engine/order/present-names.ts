/** Brokerages whose positions and daily orders have the present names of renamed symbols (behaviour 30.4). */
import type { Brokerage, Brokerages } from "../ports/brokerage.ts";
import type { Symbols } from "../ports/price.ts";
import { withOrders } from "./with-orders.ts";

/** Returns the brokerages with these answers changed, whichever name they report. */
export function withPresentNames(brokerages: Brokerages, symbols: Pick<Symbols, "presentName">): Brokerages {
  const named = new WeakMap<Brokerage, Brokerage>();
  const of = (brokerage: Brokerage): Brokerage => {
    const known = named.get(brokerage) ?? named.set(brokerage, rename(brokerage, symbols)).get(brokerage);
    return known ?? brokerage;
  };
  return {
    find: (code) => {
      const found = brokerages.find(code);
      return found && of(found);
    },
    all: () => brokerages.all().map(of),
  };
}

function rename(brokerage: Brokerage, symbols: Pick<Symbols, "presentName">): Brokerage {
  const under = <Row extends { readonly symbol: string }>(row: Row): Row => {
    return { ...row, symbol: symbols.presentName(row.symbol) };
  };
  return {
    ...withOrders(brokerage, brokerage),
    positions: async (request) => {
      const answer = await brokerage.positions(request);
      return answer.ok ? { ...answer, data: answer.data.map(under) } : answer;
    },
    dailyOrders: async (request) => {
      const answer = await brokerage.dailyOrders(request);
      return answer.ok ? { ...answer, data: answer.data.map(under) } : answer;
    },
  };
}
