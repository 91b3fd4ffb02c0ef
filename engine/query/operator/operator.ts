/**
 * What operators ask of a partition: orders under way, what is stuck, figures (behaviour 11.7).
 *
 * Invariant: a page starts after the last row of the page before it, so that rows removed between pages hide no other.
 */

import { listOperatorBody, OPERATOR_QUERIES } from "../../../src/contract/operator/operator.ts";
import type { OperatedOrders, PendingOrderRecord } from "../../ports/operator.ts";
import { doubtfulOrderView, outboxOrderView, quarantinedActorView } from "../../projection/operator.ts";
import { forAnyone, type QueryContext, type QueryHandler } from "../context.ts";
import { pageOf } from "../pages.ts";

/** With reasons of some hundred characters well under what one message holds. */
const ORDERS_PER_PAGE = 250;
/** Lead the cursors of pages of quarantined actors, and of orders in doubt. */
const ACTORS = "actors";
const DOUBTS = "doubts";

type Paged = Pick<QueryContext, "operator" | "partition">;

/** Pages of orders after a sequence, oldest first. */
function ordersAfter(
  list: OperatedOrders["pending"],
  from: string | null,
): { readonly orders: readonly PendingOrderRecord[]; readonly next: string | null } {
  const orders = list({ ...(from === null ? {} : { afterSequence: Number(from) }), limit: ORDERS_PER_PAGE });
  const last = orders.length === ORDERS_PER_PAGE ? orders.at(-1) : undefined;
  return { orders, next: last === undefined ? null : String(last.sequence) };
}

function paged(list: (context: QueryContext, from: string | null) => Uint8Array): QueryHandler {
  return forAnyone(listOperatorBody, async (context, { from }) => list(context, from ?? null));
}

const listOutbox = paged(({ operator, partition }, from) => {
  const { orders, next } = ordersAfter((page) => operator.orders.pending(page), from);
  return pageOf(
    orders.map((order) => outboxOrderView(partition, order)),
    next,
  );
});

/** The orders first, then the actors, then the orders in doubt. */
const listQuarantine = paged((context, from) => {
  if (from?.startsWith(DOUBTS)) return doubtfulOrders(context, Number(from.slice(DOUBTS.length)));
  if (from?.startsWith(ACTORS)) return quarantinedActors(context, Number(from.slice(ACTORS.length)));
  const { operator, partition } = context;
  const { orders, next } = ordersAfter((page) => operator.orders.quarantined(page), from);
  return pageOf(
    orders.map((order) => outboxOrderView(partition, order)),
    next ?? afterOrders(context),
  );
});

function quarantinedActors({ operator, partition }: Paged, afterId: number): Uint8Array {
  const { quarantine } = operator.actors;
  const ids = quarantine
    .ids()
    .filter((id) => id > afterId)
    .sort((left, right) => left - right);
  const shown = ids.slice(0, ORDERS_PER_PAGE);
  const views = shown.flatMap((id) => {
    const stop = quarantine.find(id);
    return stop === undefined ? [] : [quarantinedActorView(partition, id, stop)];
  });
  return pageOf(views, ids.length > shown.length ? `${ACTORS}${shown.at(-1)}` : afterActors({ operator, partition }));
}

function doubtfulOrders({ operator, partition }: Paged, afterId: number): Uint8Array {
  const orders = operator.doubts.list(afterId, ORDERS_PER_PAGE);
  const last = orders.at(-1)?.actorId;
  const hasMore = last !== undefined && operator.doubts.list(last, 1).length > 0;
  return pageOf(
    orders.map((order) => doubtfulOrderView(partition, order)),
    hasMore ? `${DOUBTS}${last}` : null,
  );
}

function afterOrders(context: Paged): string | null {
  return context.operator.actors.quarantine.ids().length > 0 ? `${ACTORS}0` : afterActors(context);
}

function afterActors({ operator }: Paged): string | null {
  return operator.doubts.list(0, 1).length > 0 ? `${DOUBTS}0` : null;
}

const readStats: QueryHandler = async ({ operator }) => ({ ok: true, data: operator.stats() });

export const operatorQueries: ReadonlyMap<string, QueryHandler> = new Map([
  [OPERATOR_QUERIES.listOutbox, listOutbox],
  [OPERATOR_QUERIES.listQuarantine, listQuarantine],
  [OPERATOR_QUERIES.readStats, readStats],
]);
