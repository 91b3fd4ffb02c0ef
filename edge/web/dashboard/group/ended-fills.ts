/**
 * The fills of ended groups, for the list: each group is read while it is drawn, a few at a time.
 *
 * Invariants:
 * 1. A group whose sales are over is read once.
 * 2. A group whose plan cannot be read now is asked for again by itself: between its attempts others take its place.
 */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { FewAtOnce } from "../part/few-at-once.ts";
import { useReadAgain } from "../part/use-read-again.ts";
import { useSettled } from "../part/use-settled.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Group, TRIGGERED } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { ordersPlanOf } from "./row-orders.ts";
import { areSalesOver, fillsOf, type GroupFills, type OrdersPlan } from "./row-worth.ts";

/** A list that is scrolled past asks nothing. */
const FIRST_ASK_MS = 600;
const SETTLE_MS = 3_000;
const AT_ONCE = 3;

export class EndedFills {
  readonly #dashboard: DashboardState;
  readonly #over = new Map<number, OrdersPlan>();
  readonly #places = new FewAtOnce(AT_ONCE);

  constructor(dashboard: DashboardState) {
    this.#dashboard = dashboard;
  }

  /** Returns the plan of a group once it is its turn; undefined if the group no longer exists, or is not wanted. */
  async read(groupId: number, rowIds: readonly number[], isWanted: () => boolean): Promise<OrdersPlan | undefined> {
    const known = this.#over.get(groupId);
    if (known !== undefined) return known;
    const read = () => this.#places.run(async () => (isWanted() ? ordersPlanOf(this.#dashboard, groupId) : null));
    const plan = (await this.#dashboard.ask(read, { isWanted, onFault: () => undefined })) ?? undefined;
    if (plan !== undefined && areSalesOver(plan, rowIds)) this.#over.set(groupId, plan);
    return plan;
  }
}

/** Undefined while they are not known. Nothing is asked for if no row has fired. */
export function useEndedFills(
  dashboard: DashboardState,
  ended: EndedFills,
  { id, rows }: Group,
): GroupFills | undefined {
  const hasFired = rows.some(({ triggeredDate }) => triggeredDate !== null);
  const soldIds = rows.filter(({ status }) => status === TRIGGERED).map((row) => row.id);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const [plan, setPlan] = useState<OrdersPlan | undefined>(undefined);
  const [count, setCount] = useState(0);
  const readAgain = useCallback(() => setCount((before) => before + 1), []);
  useEffect(() => {
    if (!hasFired) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const read = await ended.read(id, soldIds, () => isWanted);
      if (isWanted && read !== undefined) setPlan(read);
    }, FIRST_ASK_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [ended, id, hasFired, soldIds.join(), changes, count]);
  const isOver = !hasFired || (plan !== undefined && areSalesOver(plan, soldIds));
  useReadAgain(plan !== undefined && !isOver, plan, readAgain);
  const byRow = useMemo(() => (hasFired ? plan && fillsOf(plan.orders) : new Map<number, never>()), [plan, hasFired]);
  return byRow && { byRow, isOver };
}
