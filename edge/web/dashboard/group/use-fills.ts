/** The fills of a group's fired rows, read until each of their orders has its end. */
import { useMemo } from "preact/hooks";
import { useReadAgain } from "../part/use-read-again.ts";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type OcoRow, TRIGGERED } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { fillsOf, hasEnded, type RowFill, type RowOrder } from "./row-worth.ts";

interface Plan {
  readonly orders: readonly RowOrder[];
}

const SETTLE_MS = 3_000;
const NO_ORDERS: Plan = { orders: [] };

/** By row. Nothing is asked for while no row has fired. */
export function useFills(
  dashboard: DashboardState,
  groupId: number,
  rows: readonly OcoRow[],
): ReadonlyMap<number, RowFill> {
  const fired = rows.filter(({ triggeredDate }) => triggeredDate !== null);
  const version = fired.map(({ id, status, triggerErrorMessage }) => `${id} ${status} ${triggerErrorMessage}`).join();
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const read = (): Promise<Plan> =>
    fired.length === 0 ? Promise.resolve(NO_ORDERS) : dashboard.session.get<Plan>(`/api/v1/oco-orders/${groupId}/plan`);
  const { data: { orders } = NO_ORDERS, readAgain } = useReading(dashboard, read, [groupId, version, changes]);
  const isGoingOn = fired.some(({ id, status }) => status === TRIGGERED && !hasEnded(orders, id));
  useReadAgain(isGoingOn, orders, readAgain);
  return useMemo(() => fillsOf(orders), [orders]);
}
