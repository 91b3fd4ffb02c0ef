/**
 * What fired rows of groups sold, for a list of events: the fills from the plans of their groups, and the profit from
 * the average price of the position.
 *
 * Invariant: a group whose orders all have their end is read once.
 */
import { useMemo, useRef } from "preact/hooks";
import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import { averageOf, useAverages } from "../group/average-price.ts";
import { ordersPlanOf } from "../group/row-orders.ts";
import { fillsOf, hasEnded, type RowOrder } from "../group/row-worth.ts";
import { useReadAgain } from "../part/use-read-again.ts";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";
import { firedRowOf, type RowSale } from "./sales.ts";

/** The newest groups with a fired row: each is a request of its own. */
const GROUPS_MAX = 30;
const SETTLE_MS = 3_000;

/** Returns the sale of a row by its id; undefined while nothing of it is known to be filled. */
export function useGroupSales(
  dashboard: DashboardState,
  events: readonly ToldEvent[],
): (rowId: number) => RowSale | undefined {
  const fired = useMemo(() => events.flatMap((event) => firedRowOf(event) ?? []), [events]);
  const groupIds = useMemo(() => [...new Set(fired.map(({ groupId }) => groupId))].slice(0, GROUPS_MAX), [fired]);
  const rowIds = fired.filter(({ groupId }) => groupIds.includes(groupId)).map(({ id }) => id);
  const orders = useRef(new Map<number, readonly RowOrder[] | null>());
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const isOver = (groupId: number): boolean => {
    const own = orders.current.get(groupId);
    if (own === null) return true;
    return fired.every((row) => row.groupId !== groupId || hasEnded(own ?? [], row.id));
  };
  const read = async (): Promise<readonly RowOrder[]> => {
    for (const groupId of groupIds.filter((id) => !isOver(id)))
      orders.current.set(groupId, (await ordersPlanOf(dashboard, groupId))?.orders ?? null);
    return [...orders.current.values()].flatMap((found) => found ?? []);
  };
  const { data, readAgain } = useReading(dashboard, read, [rowIds.join(), changes]);
  useReadAgain(data !== undefined && !groupIds.every(isOver), data, readAgain);
  const groups = useStore(dashboard.groups);
  const own = useMemo(() => groups.filter(({ id }) => groupIds.includes(id)), [groups, groupIds]);
  const averages = useAverages(dashboard, own, own.length > 0);
  return useMemo(() => {
    const fills = fillsOf(data ?? []);
    const groupOf = new Map(fired.map(({ id, groupId }) => [id, groupId]));
    return (rowId) => {
      const fill = fills.get(rowId);
      if (fill === undefined) return undefined;
      const group = own.find(({ id }) => id === groupOf.get(rowId));
      const average = group && averageOf(group, averages);
      return {
        ...fill,
        profit:
          average?.state === "known" ? Math.round((fill.price - average.price) * fill.lots * 100) / 100 : undefined,
      };
    };
  }, [data, fired, own, averages]);
}
