/** The base prices of the day of some symbols, at one brokerage. */
import { useEffect, useState } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";
import { RequestFailed } from "../state/session.ts";
import { useStore } from "../state/store.ts";
import { basePriceOf, type DayBase } from "./day-profit.ts";
import { useReading } from "./use-reading.ts";

/** The band of a new day appears soon after it is stated, and ends the band of the day before. */
const READ_AGAIN_MS = 60_000;

const NOT_FOUND = 404;

interface Reading {
  /** Undefined for all symbols until they are read. */
  readonly baseOf: (symbol: string) => number | undefined;
  readonly isRead: boolean;
}

export function useDayBases(dashboard: DashboardState, symbols: readonly string[]): Reading {
  const account = useStore(dashboard.account);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setTurn((count) => count + 1);
    }, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const names = symbols.toSorted().join(",");
  const read = async (): Promise<ReadonlyMap<string, DayBase | null>> => {
    const query = new URLSearchParams({ brokerageCode: account?.brokerageCode ?? "" }).toString();
    const found = new Map<string, DayBase | null>();
    // One after the other: a browser has few connections, and no user waits for it.
    for (const symbol of names.split(",").filter((name) => name !== "")) {
      const path = `/api/v1/symbols/${encodeURIComponent(symbol)}/band?${query}`;
      found.set(symbol, await dashboard.session.get<DayBase | null>(path).catch(nullIfUnknown));
    }
    return found;
  };
  const { data } = useReading(dashboard, read, [names, account, turn]);
  return {
    baseOf: (symbol) => basePriceOf(data?.get(symbol), dashboard.zoneOf(symbol), Date.now()),
    isRead: data !== undefined,
  };
}

/** The account may hold what the service does not list. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof RequestFailed && error.status === NOT_FOUND) return null;
  throw error;
}
