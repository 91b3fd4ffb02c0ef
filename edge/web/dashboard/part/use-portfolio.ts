/** Positions, orders of the day and money of the account, read again when something changed at the brokerage. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Balance, Order, Position } from "../state/model.ts";
import type { Asking } from "../state/portfolio.ts";
import { useStore } from "../state/store.ts";
import { isCashAndPositions } from "./portfolio-worth.ts";
import { useSettled } from "./use-settled.ts";

const SETTLE_MS = 3_200;
/** Prices come by another connection than answers. */
const PRICES_LATE_MS = 300;

/** The money that the brokerage stated, with the positions that it stated just before. */
export interface MoneyReading {
  readonly balance: Balance;
  readonly positions: readonly Position[];
  readonly readMs: number;
  /** Whether the equity was cash and these positions, and nothing else. */
  readonly isSum: boolean;
}

interface PortfolioReading {
  /** Undefined: not read yet, as with `orders`. */
  readonly positions: readonly Position[] | undefined;
  /** The newest first. */
  readonly orders: readonly Order[] | undefined;
  /** Null: the brokerage does not state the money of an account. */
  readonly balance: Balance | null | undefined;
  /** Undefined: no balance is known. */
  readonly money: MoneyReading | undefined;
  readonly fault: string | undefined;
}

export function usePortfolio(dashboard: DashboardState): PortfolioReading {
  const account = useStore(dashboard.account);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const [positions, setPositions] = useState<readonly Position[] | undefined>(undefined);
  const [orders, setOrders] = useState<readonly Order[] | undefined>(undefined);
  const [balance, setBalance] = useState<Balance | null | undefined>(undefined);
  const [money, setMoney] = useState<MoneyReading | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  // What changes while it is read waits until that is done: it may take longer than the next change to come.
  const [isReading, setIsReading] = useState(false);
  const reason = useRef(changes);
  if (!isReading) reason.current = changes;
  /** Whether the last equity was another amount: no second question is spent on each of its readings. */
  const isOther = useRef(false);
  useEffect(() => {
    if (account === undefined) return;
    let isWanted = true;
    const readBalance = (asking: Asking): Promise<Balance | null | undefined> =>
      dashboard.portfolio.balance(asking).catch((error: unknown) => {
        if (isWanted) for (const forget of [setBalance, setMoney]) forget(undefined);
        throw error;
      });
    const read = async (): Promise<void> => {
      const asking = { account, isWanted: () => isWanted };
      const found = await dashboard.portfolio.positions(asking);
      if (isWanted) setPositions(found);
      const pricesSince = recordPrices(dashboard, found ?? []);
      // The money comes next: the less prices move between both, the more is known of the equity.
      const stated = await readBalance(asking);
      const readMs = Date.now();
      if (found !== undefined && stated != null) {
        await new Promise((resolve) => setTimeout(resolve, PRICES_LATE_MS));
        let counted = found;
        let isSum = isCashAndPositions(stated, counted, pricesSince);
        if (!isSum && !isOther.current) {
          // A fill may have come between both answers: then the money belongs to the positions after it.
          counted = (await dashboard.portfolio.positions(asking)) ?? found;
          isSum = isCashAndPositions(stated, counted, pricesSince);
          if (isWanted) setPositions(counted);
        }
        isOther.current = !isSum;
        if (isWanted) setMoney({ balance: stated, positions: counted, readMs, isSum });
      }
      if (isWanted) setBalance(stated);
      const day = await dashboard.portfolio.dailyOrders(asking);
      if (isWanted && day !== undefined)
        setOrders(day.toSorted((left, right) => right.createdDate.localeCompare(left.createdDate)));
    };
    setIsReading(true);
    void dashboard
      .ask(read, { isWanted: () => isWanted, onFault: setFault })
      .then(() => isWanted && setIsReading(false));
    return () => {
      isWanted = false;
    };
  }, [dashboard, account, reason.current]);
  return { positions, orders, balance, money, fault };
}

/** Returns the prices of a symbol from now on, with the last one before. */
function recordPrices(
  dashboard: DashboardState,
  positions: readonly Position[],
): (symbol: string) => readonly number[] {
  const counts = new Map(positions.map(({ symbol }) => [symbol, dashboard.points(symbol).length]));
  return (symbol) =>
    dashboard
      .points(symbol)
      .slice(Math.max(0, (counts.get(symbol) ?? 0) - 1))
      .map(({ value }) => value);
}
