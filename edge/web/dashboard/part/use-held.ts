/** The position of the account in a symbol. */
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Position } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { useReading } from "./use-reading.ts";
import { useSettled } from "./use-settled.ts";

const SETTLE_MS = 3_200;

/**
 * Null if the account holds none; undefined while it is not known, which is not none. Read again when something changed
 * at the brokerage.
 */
export function useHeld(dashboard: DashboardState, symbol: string): Position | null | undefined {
  const account = useStore(dashboard.account);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const { data } = useReading(
    dashboard,
    async () =>
      account === undefined
        ? undefined
        : dashboard.portfolio.positions({ account, isWanted: () => dashboard.account.value === account }),
    [account, changes],
  );
  if (data === undefined) return undefined;
  return data.find((position) => position.symbol === symbol) ?? null;
}
