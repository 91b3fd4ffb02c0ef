/** The restrictions of trading that hold for the user, read again after each change. */
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";
import { TRADING_STATE_PATH, type TradingState } from "../state/trading-state.ts";
import { useReading } from "./use-reading.ts";

/** Undefined data: not read yet. */
export function useTradingStates(dashboard: DashboardState) {
  const changes = useStore(dashboard.tradingChanges);
  const read = () => dashboard.session.get<readonly TradingState[]>(TRADING_STATE_PATH);
  return useReading(dashboard, read, [changes]);
}
