/** The bots of a kind, and what they brought and hold: read again when one of them changes. */
import { useEffect } from "preact/hooks";
import { useReading } from "../part/use-reading.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, type Bot, queryOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import type { BotKind } from "./draft.ts";
import type { BotTotals } from "./totals.ts";

const LEVELS_READ_EVERY_MS = 10_000;

interface BotsReading {
  /** Undefined: not read yet. */
  readonly bots: readonly Bot[] | undefined;
  /** Also of ended bots with closed trades. Undefined: not read yet. */
  readonly totals: readonly BotTotals[] | undefined;
  readonly fault: string | undefined;
  readonly readAgain: () => void;
  /** Reads the totals again, and with them the levels of the next buys and sales. */
  readonly readTotals: () => void;
}

export function useBots(dashboard: DashboardState, account: Account, kind: BotKind): BotsReading {
  const changes = useStore(dashboard.botChanges);
  const bots = useReading(
    dashboard,
    () => dashboard.session.get<readonly Bot[]>(`/api/v1/${kind}?${queryOf(account)}`),
    [account, changes],
  );
  const totals = useReading(
    dashboard,
    () => dashboard.session.get<readonly BotTotals[]>(`/api/v1/${kind}/pair-orders/totals?${queryOf(account)}`),
    [account, changes],
  );
  const hasLevels = kind === "level-bots" && bots.data?.some(({ isActive }) => isActive) === true;
  useEffect(() => {
    if (!hasLevels) return;
    // The level of the next buy rises with the price, and no event reports it.
    const timer = setInterval(totals.readAgain, LEVELS_READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [hasLevels, totals.readAgain]);
  return {
    ...{ bots: bots.data, totals: totals.data, fault: bots.fault ?? totals.fault },
    ...{ readAgain: bots.readAgain, readTotals: totals.readAgain },
  };
}
