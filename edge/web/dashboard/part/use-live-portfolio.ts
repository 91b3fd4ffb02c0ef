/** Positions at the last prices of the page. */
import { useMemo } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Position } from "../state/model.ts";
import { atPrice } from "./portfolio-worth.ts";
import { usePrices } from "./use-prices.ts";

/** Amounts that change more often cannot be read. */
const PACE_MS = 250;

/** A position without a price on the page keeps the last price that the brokerage stated. */
export function useLivePositions(
  dashboard: DashboardState,
  positions: readonly Position[] | undefined,
): readonly Position[] | undefined {
  const symbols = positions?.map(({ symbol }) => symbol) ?? [];
  const priceOf = usePrices(dashboard, symbols, PACE_MS);
  return useMemo(() => positions?.map((position) => atPrice(position, priceOf(position.symbol))), [positions, priceOf]);
}
