/** The bands of the day of some symbols, with their base prices, at one brokerage. */
import { useEffect, useState } from "preact/hooks";
import { dateIn } from "../../../../src/domain/time-zone.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { RequestFailed } from "../state/session.ts";
import { useStore } from "../state/store.ts";
import { basePriceOf, type DayBase } from "./day-profit.ts";
import { useReading } from "./use-reading.ts";

/** The band of a new day appears soon after it is stated, and ends the band of the day before. */
const READ_AGAIN_MS = 60_000;

const NOT_FOUND = 404;
/** A browser has few connections to a service. */
const AT_ONCE = 3;

/** The prices at which the exchange takes orders on a day. */
export interface Band extends DayBase {
  readonly floorPrice: number;
  readonly ceilingPrice: number;
}

export interface DayBases {
  /** Undefined until it is read. */
  readonly baseOf: (symbol: string) => number | undefined;
  /** Of today; undefined if it is not known. */
  readonly bandOf: (symbol: string) => Band | undefined;
  /** Whether the base prices of all symbols were read. */
  readonly isRead: boolean;
}

export function useDayBases(dashboard: DashboardState, symbols: readonly string[]): DayBases {
  const account = useStore(dashboard.account);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setTurn((count) => count + 1);
    }, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const names = symbols.toSorted().join(",");
  const read = async (): Promise<ReadonlyMap<string, Band | null>> => {
    const query = new URLSearchParams({ brokerageCode: account?.brokerageCode ?? "" }).toString();
    const found = new Map<string, Band | null>();
    const waiting = names.split(",").filter((name) => name !== "");
    const readWaiting = async (): Promise<void> => {
      const symbol = waiting.pop();
      if (symbol === undefined) return;
      const path = `/api/v1/symbols/${encodeURIComponent(symbol)}/band?${query}`;
      found.set(symbol, await dashboard.session.get<Band | null>(path).catch(nullIfUnknown));
      await readWaiting();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readWaiting));
    return found;
  };
  const { data } = useReading(dashboard, read, [names, account, turn]);
  return {
    baseOf: (symbol) => basePriceOf(data?.get(symbol), dashboard.zoneOf(symbol), Date.now()),
    bandOf: (symbol) => {
      const band = data?.get(symbol) ?? undefined;
      return band?.bandDate === dateIn(dashboard.zoneOf(symbol), Date.now()) ? band : undefined;
    },
    isRead: data !== undefined && symbols.every((symbol) => data.has(symbol)),
  };
}

/** The account may hold what the service does not list. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof RequestFailed && error.status === NOT_FOUND) return null;
  throw error;
}
