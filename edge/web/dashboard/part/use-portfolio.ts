/** Positions, orders of the day and money of the account, read again when something changed at the brokerage. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Balance, LedgerRow, Order, Position } from "../state/model.ts";
import type { Asking } from "../state/portfolio.ts";
import { useStore } from "../state/store.ts";
import { atPrice, equityBeyond, isCashAndPositions } from "./portfolio-worth.ts";
import { useSettled } from "./use-settled.ts";

const SETTLE_MS = 3_200;
/** Prices come by another connection than answers. */
const PRICES_LATE_MS = 300;
/** How long lots and fills of one moment count before newer ones that may be of two. */
const DAY_KEPT_MS = 60_000;

/** The money that the brokerage stated, with the positions that it stated just before. */
export interface MoneyReading {
  readonly balance: Balance;
  readonly positions: readonly Position[];
  readonly readMs: number;
  /** Whether the equity was cash and these positions, and nothing else. */
  readonly isSum: boolean;
  /** What the equity was more than that, at the prices of the reading; undefined: a position had no price. */
  readonly beyond: number | undefined;
}

/** Positions, with the orders of the day that were stated just before or after. */
export interface DayReading {
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
  readonly readMs: number;
  /** False: an order changed between both answers. */
  readonly isOfOneMoment: boolean;
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
  /** Undefined: not read yet. */
  readonly day: DayReading | undefined;
  /** The sell ledger by symbol; undefined: not read yet. */
  readonly ledger: ReadonlyMap<string, LedgerRow> | undefined;
  readonly fault: string | undefined;
}

export function usePortfolio(dashboard: DashboardState): PortfolioReading {
  const account = useStore(dashboard.account);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const [positions, setPositions] = useState<readonly Position[] | undefined>(undefined);
  const [orders, setOrders] = useState<readonly Order[] | undefined>(undefined);
  const [balance, setBalance] = useState<Balance | null | undefined>(undefined);
  const [money, setMoney] = useState<MoneyReading | undefined>(undefined);
  const [day, setDay] = useState<DayReading | undefined>(undefined);
  const [ledger, setLedger] = useState<PortfolioReading["ledger"]>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  // What changes while it is read waits until that is done: it may take longer than the next change to come.
  const [isReading, setIsReading] = useState(false);
  const reason = useRef(changes);
  if (!isReading) reason.current = changes;
  /** Whether the last equity was another amount: no second question is spent on each of its readings. */
  const isOther = useRef(false);
  const arePositionsShown = useRef(false);
  useEffect(() => {
    if (account === undefined) return;
    let isWanted = true;
    const readBalance = (asking: Asking): Promise<Balance | null | undefined> =>
      dashboard.portfolio.balance(asking).catch((error: unknown) => {
        if (isWanted) for (const forget of [setBalance, setMoney]) forget(undefined);
        throw error;
      });
    const asking = { account, isWanted: () => isWanted };
    const readOrders = async (): Promise<readonly Order[] | undefined> => {
      const listed = await dashboard.portfolio.dailyOrders(asking);
      const newestFirst = listed?.toSorted((left, right) => right.createdDate.localeCompare(left.createdDate));
      if (isWanted && newestFirst !== undefined) setOrders(newestFirst);
      return newestFirst;
    };
    const read = async (): Promise<void> => {
      const changesBefore = dashboard.brokerageChanges.value;
      // Positions are next to the orders and to the money, as fills come in between; at first they are shown soonest.
      const isFirst = !arePositionsShown.current;
      const ordersBefore = isFirst ? undefined : await readOrders();
      const found = await dashboard.portfolio.positions(asking);
      if (isWanted) setPositions(found);
      const pricesSince = recordPrices(dashboard, found ?? []);
      arePositionsShown.current ||= isWanted;
      const listed = isFirst ? await readOrders() : ordersBefore;
      if (isWanted && found !== undefined && listed !== undefined) {
        const isOfOneMoment = dashboard.brokerageChanges.value === changesBefore;
        setDay(laterDay({ positions: found, orders: listed, readMs: Date.now(), isOfOneMoment }));
      }
      const stated = await readBalance(asking);
      const readMs = Date.now();
      const priceThen = new Map((found ?? []).map(({ symbol }) => [symbol, dashboard.price(symbol).value?.price]));
      // Later cash is shown together with its positions.
      if (isWanted) setBalance((before) => before ?? stated);
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
        const atReading = counted.map((position) => atPrice(position, priceThen.get(position.symbol)));
        const beyond = equityBeyond(stated, atReading);
        if (isWanted) setMoney({ balance: stated, positions: counted, readMs, isSum, beyond });
      }
      if (isWanted) setBalance(stated);
      const rows = await dashboard.portfolio.ledger(asking);
      if (isWanted && rows !== undefined) setLedger(new Map(rows.map((row) => [row.symbol, row])));
    };
    setIsReading(true);
    void dashboard
      .ask(read, { isWanted: () => isWanted, onFault: setFault })
      .then(() => isWanted && setIsReading(false));
    return () => {
      isWanted = false;
    };
  }, [dashboard, account, reason.current]);
  return { positions, orders, balance, money, day, ledger, fault };
}

/** Chooses between the reading before and `found`: lots and fills of one moment go before newer ones of two. */
function laterDay(found: DayReading): (before: DayReading | undefined) => DayReading {
  return (before) => {
    if (before === undefined || found.isOfOneMoment || !before.isOfOneMoment) return found;
    return found.readMs - before.readMs < DAY_KEPT_MS ? before : found;
  };
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
