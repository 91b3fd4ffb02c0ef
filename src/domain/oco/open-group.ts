/** Makes a group from a plan, or from a sale without one. */
import { assert } from "../../assert.ts";
import { newRow, type OcoGroup, type OcoRow, STOP_LOSS } from "./group.ts";
import type { GroupPlan, Tier } from "./oco-plan.ts";
import { beginTrailing } from "./trailing.ts";

/** The group of a plan: all rows Active, ids in row order, the stop-loss first (behaviour 4.1). */
export function openGroup(
  plan: GroupPlan,
  owner: Pick<OcoGroup, "userId" | "brokerageCode" | "accountNumber" | "symbol" | "hasOversellGuard">,
  ids: readonly number[],
  nowMs: number,
): OcoGroup {
  const tiers = [plan.stopLoss, ...plan.takeProfits];
  assert(ids.length === tiers.length, "one id for each row");
  const rows = tiers.map((tier, index): OcoRow => {
    const id = ids[index];
    assert(id !== undefined, "one id for each row");
    return newRow(id, tier);
  });
  const groupId = ids[STOP_LOSS];
  assert(groupId !== undefined, "a stop-loss id");
  const group: OcoGroup = {
    version: 1,
    groupId,
    userId: owner.userId,
    brokerageCode: owner.brokerageCode,
    accountNumber: owner.accountNumber,
    symbol: owner.symbol,
    createdAtMs: nowMs,
    dueAtMs: plan.dueAtMs,
    notes: plan.notes,
    hasOversellGuard: owner.hasOversellGuard || plan.growth !== undefined,
    rows,
    stopLossOrdersOpen: 0,
    stopLossSoldQuantity: 0,
    cancelledByStopLoss: [],
    followed: [],
  };
  const { exitPolicy = "untilSold", trailing, ladder, timedExit, growth, followsPosition, corporate } = plan;
  return {
    ...group,
    ...(exitPolicy !== "untilSold" && { exit: { stopLoss: exitPolicy } }),
    ...(trailing !== undefined && { trailing: beginTrailing(trailing) }),
    ...(ladder !== undefined && { ladder }),
    ...(timedExit !== undefined && { timedExit }),
    ...(growth !== undefined && { growth }),
    ...(followsPosition && { followsPosition }),
    ...(corporate !== undefined && { corporate }),
  };
}

/**
 * Makes a group without take-profits that sells its lots immediately, at any price (behaviour 18.5). `sale.price` is
 * only shown. It has no due date and is sold until its last lot is.
 */
export function openSale(
  sale: Tier & { readonly notes: string },
  owner: Pick<OcoGroup, "userId" | "brokerageCode" | "accountNumber" | "symbol">,
  groupId: number,
  nowMs: number,
): OcoGroup {
  const { price, quantity, notes } = sale;
  const plan = { stopLoss: { price, quantity }, takeProfits: [], dueAtMs: null, notes };
  const group = openGroup(plan, { ...owner, hasOversellGuard: false }, [groupId], nowMs);
  return { ...group, exit: { stopLoss: "untilSold", isFlatten: true } };
}
