import type { Brokerage } from "../ports/brokerage.ts";

/** Returns the brokerage with other calls to send, cancel and look up orders. Everything else remains its own. */
export function withOrders(
  brokerage: Brokerage,
  orders: Pick<Brokerage, "place" | "chain" | "cancel" | "findOrder">,
): Brokerage {
  return {
    settings: brokerage.settings,
    login: (request) => brokerage.login(request),
    accounts: (request) => brokerage.accounts(request),
    positions: (request) => brokerage.positions(request),
    dailyOrders: (request) => brokerage.dailyOrders(request),
    place: (request) => orders.place(request),
    chain: (request) => orders.chain(request),
    cancel: (request) => orders.cancel(request),
    findOrder: (request) => orders.findOrder(request),
    onUpdate: (listener) => brokerage.onUpdate(listener),
    ...(brokerage.instrument === undefined ? {} : { instrument: brokerage.instrument.bind(brokerage) }),
    ...(brokerage.balance === undefined ? {} : { balance: brokerage.balance.bind(brokerage) }),
    ...(brokerage.bars === undefined ? {} : { bars: brokerage.bars.bind(brokerage) }),
    ...(brokerage.fence === undefined ? {} : { fence: brokerage.fence }),
    ...(brokerage.reset === undefined ? {} : { reset: brokerage.reset.bind(brokerage) }),
    ...(brokerage.session === undefined ? {} : { session: brokerage.session }),
    close: () => brokerage.close(),
  };
}
