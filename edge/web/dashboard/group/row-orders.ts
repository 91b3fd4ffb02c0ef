/** The orders of a group's rows, as its plan lists them. */
import type { DashboardState } from "../state/dashboard-state.ts";
import { RequestFailed } from "../state/session.ts";
import { hasEnded, type RowOrder } from "./row-worth.ts";

export interface OrdersPlan {
  readonly orders: readonly RowOrder[];
  readonly exit: { readonly state: string };
}

const NOT_FOUND = 404;
/** States of an exit that sends no further order. */
const EXITS_OVER: ReadonlySet<string> = new Set(["none", "sold", "ended"]);

/** Reads the plan of a group; null for a group that no longer exists. */
export async function ordersPlanOf({ session }: DashboardState, groupId: number): Promise<OrdersPlan | null> {
  try {
    return await session.get<OrdersPlan>(`/api/v1/oco-orders/${groupId}/plan`);
  } catch (error) {
    if (error instanceof RequestFailed && error.status === NOT_FOUND) return null;
    throw error;
  }
}

/** Whether no further fill of these rows is to be expected. */
export function areSalesOver({ orders, exit }: OrdersPlan, rowIds: readonly number[]): boolean {
  return EXITS_OVER.has(exit.state) && rowIds.every((id) => hasEnded(orders, id));
}
