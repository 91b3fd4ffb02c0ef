/** The orders of a group's rows, as its plan lists them. */
import type { DashboardState } from "../state/dashboard-state.ts";
import { RequestFailed } from "../state/session.ts";
import type { OrdersPlan } from "./row-worth.ts";

const NOT_FOUND = 404;

/** Reads the plan of a group; null for a group that no longer exists. */
export async function ordersPlanOf({ session }: DashboardState, groupId: number): Promise<OrdersPlan | null> {
  try {
    return await session.get<OrdersPlan>(`/api/v1/oco-orders/${groupId}/plan`);
  } catch (error) {
    if (error instanceof RequestFailed && error.status === NOT_FOUND) return null;
    throw error;
  }
}
