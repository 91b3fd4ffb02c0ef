/** Positions, orders of the day and money of the account, read again when something changed at the brokerage. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Balance, Order, Position } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { useSettled } from "./use-settled.ts";

const SETTLE_MS = 3_200;

interface PortfolioReading {
  /** Undefined: not read yet, as with `orders`. */
  readonly positions: readonly Position[] | undefined;
  /** The newest first. */
  readonly orders: readonly Order[] | undefined;
  /** Null: the brokerage does not state the money of an account. */
  readonly balance: Balance | null | undefined;
  readonly fault: string | undefined;
}

export function usePortfolio(dashboard: DashboardState): PortfolioReading {
  const account = useStore(dashboard.account);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const [positions, setPositions] = useState<readonly Position[] | undefined>(undefined);
  const [orders, setOrders] = useState<readonly Order[] | undefined>(undefined);
  const [balance, setBalance] = useState<Balance | null | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  // What changes while it is read waits until that is done: it may take longer than the next change to come.
  const [isReading, setIsReading] = useState(false);
  const reason = useRef(changes);
  if (!isReading) reason.current = changes;
  useEffect(() => {
    if (account === undefined) return;
    let isWanted = true;
    const read = async (): Promise<void> => {
      const asking = { account, isWanted: () => isWanted };
      const found = await dashboard.portfolio.positions(asking);
      if (isWanted) setPositions(found);
      const day = await dashboard.portfolio.dailyOrders(asking);
      if (isWanted && day !== undefined)
        setOrders(day.toSorted((left, right) => right.createdDate.localeCompare(left.createdDate)));
      const money = await dashboard.portfolio.balance(asking);
      if (isWanted) setBalance(money);
    };
    setIsReading(true);
    void dashboard
      .ask(read, { isWanted: () => isWanted, onFault: setFault })
      .then(() => isWanted && setIsReading(false));
    return () => {
      isWanted = false;
    };
  }, [dashboard, account, reason.current]);
  return { positions, orders, balance, fault };
}
