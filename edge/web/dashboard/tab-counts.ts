/** The numbers at the tabs. */
import { say } from "./language/say.ts";
import { PRICE_ALERTS_PATH, type PriceAlert } from "./page/price-alert-draft.ts";
import { useReading } from "./part/use-reading.ts";
import { quantityText } from "./part/words.ts";
import { BOT_PATHS } from "./state/bot-names.ts";
import type { DashboardState } from "./state/dashboard-state.ts";
import { type Bot, queryOf, type Setup } from "./state/model.ts";
import { useStore } from "./state/store.ts";

/** Active groups, pending OCOs and running bots of the account, alarms that were not seen, and price alerts under watch. */
export function useTabCounts(dashboard: DashboardState) {
  const { session } = dashboard;
  const active = useStore(dashboard.groups).filter(({ isActive }) => isActive).length;
  const alarms = useStore(dashboard.alarms).length;
  const account = useStore(dashboard.account);
  const query = account && queryOf(account);
  const pending = useReading(
    dashboard,
    async () =>
      query === undefined ? 0 : (await session.get<readonly Setup[]>(`/api/v1/oco-orders/pending?${query}`)).length,
    [query, useStore(dashboard.setupChanges)],
  );
  const running = useReading(dashboard, async () => {
    if (query === undefined) return 0;
    const bots = await Promise.all(BOT_PATHS.map((path) => session.get<readonly Bot[]>(`${path}?${query}`)));
    return bots.flat().filter(({ isRunning }) => isRunning).length;
  }, [query, useStore(dashboard.botChanges)]);
  const alerts = useReading(
    dashboard,
    async () => (await session.get<readonly PriceAlert[]>(PRICE_ALERTS_PATH)).length,
    [useStore(dashboard.priceAlertChanges)],
  );
  const counted = (count: number, textOf: (count: string) => string) => ({ count, text: textOf(quantityText(count)) });
  return {
    groups: counted(active, (count) => say("{count} active groups", { count })),
    pending: counted(pending.data ?? 0, (count) => say("pending OCOs: {count}", { count })),
    bots: counted(running.data ?? 0, (count) => say("running bots: {count}", { count })),
    activity: counted(alarms, (count) => say("{count} alarms not seen", { count })),
    alerts: counted(alerts.data ?? 0, (count) => say("price alerts under watch: {count}", { count })),
  };
}
