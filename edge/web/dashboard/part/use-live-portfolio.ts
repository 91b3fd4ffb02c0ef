/** Positions at the last prices of the page. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Position } from "../state/model.ts";
import { atPrice } from "./portfolio-worth.ts";

/** Amounts that change more often cannot be read. */
const PACE_MS = 250;

/** A position without a price on the page keeps the last price that the brokerage stated. */
export function useLivePositions(
  dashboard: DashboardState,
  positions: readonly Position[] | undefined,
): readonly Position[] | undefined {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setTurn((count) => count + 1);
      }, PACE_MS);
    };
    const stops = (positions ?? []).map(({ symbol }) => dashboard.price(symbol).subscribe(look));
    // A price can have come before the stores were followed.
    look();
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [dashboard, positions]);
  return useMemo(
    () => positions?.map((position) => atPrice(position, dashboard.price(position.symbol).value?.price)),
    [dashboard, positions, turn],
  );
}
