/**
 * What hangs on each brokerage, for operators who want to leave one out (behaviour 12.8).
 */
import { BROKERAGE_USE_QUERY } from "../../src/contract/operator/retirement.ts";
import type { Timers } from "../../src/runtime/ports.ts";
import { TABLES } from "../table/tables.ts";
import type { QueryHandler } from "./context.ts";
import { BrokerageUse } from "./held-by-brokerage.ts";

const ACTORS_AT_ONCE = 64;
const ORDERS_PER_PAGE = 1_000;

/** Counts in short turns, so that a hundred thousand actors hold no trigger up. */
const readBrokerageUse: QueryHandler = async ({ store, operator, brokerages, timers }) => {
  const use = new BrokerageUse();
  const quarantined = new Set(operator.actors.quarantine.ids());
  let readCount = 0;
  for await (const page of store.scan(TABLES.actors.range)) {
    for (const [key, bytes] of page) {
      use.addActor(operator.actors.readStored(bytes), quarantined.has(TABLES.actors.numberOf(key)));
      readCount += 1;
      if (readCount % ACTORS_AT_ONCE === 0) await nextTurn(timers);
    }
  }
  let afterSequence = -1;
  for (;;) {
    const orders = operator.orders.pending({ afterSequence, limit: ORDERS_PER_PAGE });
    for (const order of orders) use.addOrder(order);
    const last = orders.at(-1);
    if (last === undefined) break;
    afterSequence = last.sequence;
    await nextTurn(timers);
  }
  return { ok: true, data: use.views(brokerages.all().map(({ settings }) => settings.code)) };
};

function nextTurn(timers: Timers): Promise<void> {
  return new Promise((resolve) => void timers.after(0, resolve));
}

export const brokerageUseQueries: ReadonlyMap<string, QueryHandler> = new Map([
  [BROKERAGE_USE_QUERY, readBrokerageUse],
]);
