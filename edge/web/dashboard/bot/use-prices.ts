/** The last prices of several symbols, followed as they change. */
import { useEffect, useState } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";

/** Draws again at each new price of one of `symbols`; returns the way to their last prices. */
export function usePrices(
  dashboard: DashboardState,
  symbols: readonly string[],
): (symbol: string) => number | undefined {
  const [, setCount] = useState(0);
  useEffect(() => {
    const stops = symbols.map((symbol) => dashboard.price(symbol).subscribe(() => setCount((count) => count + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [dashboard, symbols.join(" ")]);
  return (symbol) => dashboard.price(symbol).value?.price;
}
