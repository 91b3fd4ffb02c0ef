/** Reads the bars of a chart that the service keeps. */
import type { Bar, BarInterval } from "../../../../src/domain/market/bars.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

const BARS_READ = 500;

interface AnsweredBar {
  readonly time: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** The latest bars that the service keeps, the oldest first. Throws if they cannot be read. */
export async function readBars(dashboard: DashboardState, symbol: string, interval: BarInterval): Promise<Bar[]> {
  const query = new URLSearchParams({ interval, limit: String(BARS_READ) });
  const path = `/api/v1/symbols/${encodeURIComponent(symbol)}/bars?${query}`;
  const answered = await dashboard.session.get<readonly AnsweredBar[]>(path);
  return answered.map(({ time, ...prices }) => ({ fromMs: Date.parse(time), ...prices }));
}
