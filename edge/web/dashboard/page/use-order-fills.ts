/**
 * The orders that events of clients and of pending OCOs name, from the day's orders of the selected account.
 *
 * Invariant: the brokerage is asked again only while one of them can still fill.
 */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import { useReadAgain } from "../part/use-read-again.ts";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { isOpen, type Order } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { type NamedOrder, namedOrderOf } from "./fills.ts";

const SETTLE_MS = 3_000;

/** Returns the way from an order's name to the order; undefined if the list does not have it. */
export function useOrderFills(
  dashboard: DashboardState,
  events: readonly ToldEvent[],
): (named: NamedOrder) => Order | undefined {
  const account = useStore(dashboard.account);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const names = useMemo(
    () =>
      events
        .flatMap((event) => namedOrderOf(event) ?? [])
        .filter((named) => isOf(account, named))
        .map(({ orderNo }) => orderNo),
    [events, account],
  );
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const couldFill = useRef(false);
  const { data, readAgain } = useReading(dashboard, async () => {
    if (account === undefined || names.length === 0) return [];
    return dashboard.portfolio.dailyOrders({ account, isWanted: () => isShown.current });
  }, [account, names.join(), couldFill.current ? changes : 0]);
  couldFill.current = data?.some((order) => isOpen(order) && names.includes(order.orderNo)) === true;
  useReadAgain(couldFill.current, data, readAgain);
  return useMemo(() => {
    const byNumber = new Map(data?.map((order) => [order.orderNo, order]));
    return (named) => (isOf(account, named) ? byNumber.get(named.orderNo) : undefined);
  }, [data, account]);
}

function isOf(account: Omit<NamedOrder, "orderNo"> | undefined, named: NamedOrder): boolean {
  return named.brokerageCode === account?.brokerageCode && named.accountNumber === account.accountNumber;
}
