/** The chart of a pending OCO: the price of its symbol with the buy, the stop-loss and the take-profits. */
import { useMemo, useState } from "preact/hooks";
import { Chart } from "../group/chart.tsx";
import { say } from "../language/say.ts";
import { Select } from "../part/select.tsx";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Setup } from "../state/model.ts";
import { setupLines } from "../trade/exit-levels.ts";

interface SetupChartProps {
  readonly dashboard: DashboardState;
  /** At least one. */
  readonly setups: readonly [Setup, ...Setup[]];
}

/** Shows the first pending OCO until the user chooses another one. */
export function SetupChart({ dashboard, setups }: SetupChartProps) {
  const [chosen, setChosen] = useState("");
  const setup = setups.find(({ setupId }) => String(setupId) === chosen) ?? setups[0];
  const { setupId, symbol } = setup;
  const table = dashboard.tickTableOf(symbol);
  const zone = dashboard.zoneOf(symbol);
  const lines = useMemo(() => setupLines(setup, table, zone), [setup, table, zone]);
  return (
    <section class="card" aria-labelledby="setup-chart">
      <div class="heading">
        <h2 id="setup-chart">{say("Chart of {symbol}", { symbol })}</h2>
        {setups.length > 1 && (
          <Select
            title={say("Pending OCO in the chart")}
            of={setups.map((one) => String(one.setupId))}
            words={Object.fromEntries(setups.map((one) => [one.setupId, `${one.symbol} #${one.setupId}`]))}
            chosen={String(setupId)}
            onChoose={setChosen}
          />
        )}
      </div>
      <Chart key={symbol} dashboard={dashboard} symbol={symbol} lines={lines} />
    </section>
  );
}
