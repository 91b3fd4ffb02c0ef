/** The last prices of several symbols, followed as they change. */
import { useCallback, useEffect, useState } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";

/**
 * Draws again at each new price of one of `symbols`, but at most once in `paceMs`. Returns the way to their last prices,
 * which is another function after each drawing.
 */
export function usePrices(
  dashboard: DashboardState,
  symbols: readonly string[],
  paceMs = 0,
): (symbol: string) => number | undefined {
  const [turn, setTurn] = useState(0);
  const names = symbols.join(" ");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      setTurn((count) => count + 1);
    };
    const look = (): void => {
      if (paceMs === 0) draw();
      else timer ??= setTimeout(draw, paceMs);
    };
    const stops = symbols.map((symbol) => dashboard.price(symbol).subscribe(look));
    // A price can have come before the stores were followed.
    look();
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [dashboard, names, paceMs]);
  return useCallback((symbol: string) => dashboard.price(symbol).value?.price, [dashboard, turn]);
}
