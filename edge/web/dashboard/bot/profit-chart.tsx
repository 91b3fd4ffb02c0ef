/** What closed pairs brought together, over time. */
import { BaselineSeries } from "lightweight-charts";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keepLabelsApart } from "../group/chart-labels.ts";
import { say } from "../language/say.ts";
import { rangeOf } from "../part/bar-fit.ts";
import { bySecond, colorOf, openChart } from "../part/chart-frame.ts";
import { Profit } from "../part/profit.tsx";
import { Term } from "../part/term.tsx";
import { usePrices } from "../part/use-prices.ts";
import { moneyText, profitText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { ClosedPair } from "../state/model.ts";
import { scheme } from "../state/scheme.ts";
import { useStore } from "../state/store.ts";
import { sumsOf } from "./profit-sums.ts";
import { type BotTotals, type ClosedTotals, openWorthOf, profitFactorOf, winShareOf } from "./totals.ts";

/** The chart has no line of a level. */
const NO_LINES = new Map<string, never>();

interface ProfitChartProps {
  /** The newest ones: the line begins at what the older ones brought, and ends at the profit of all. */
  readonly pairs: readonly ClosedPair[];
  readonly totals: ClosedTotals;
  /** The open trades of the same bots. */
  readonly open: OpenTotals;
  /** Undefined: the pairs are of several. */
  readonly currency: string | undefined;
  readonly dashboard: DashboardState;
}

type OpenTotals = Pick<BotTotals, "openCount" | "open">;

export function ProfitChart({ pairs, totals, open, currency, dashboard }: ProfitChartProps) {
  const { profit, closedCount } = totals;
  const box = useRef<HTMLDivElement>(null);
  const colors = useStore(scheme);
  useLayoutEffect(() => {
    if (box.current === null) return;
    const chart = openChart(box.current);
    chart.applyOptions({ localization: { priceFormatter: profitText } });
    const [good, bad] = [colorOf("--good"), colorOf("--bad")];
    const points = bySecond(sumsOf(pairs, profit));
    const values = points.map(({ value }) => value);
    const series = chart.addSeries(BaselineSeries, {
      baseValue: { type: "price", price: 0 },
      // Half of the line's width lies beyond zero, also of a profit that never crosses it.
      topLineColor: values.some((value) => value > 0) ? good : bad,
      bottomLineColor: values.some((value) => value < 0) ? bad : good,
      ...{ topFillColor1: `${good}33`, topFillColor2: `${good}00` },
      ...{ bottomFillColor1: `${bad}00`, bottomFillColor2: `${bad}33` },
      lineWidth: 2,
      priceLineVisible: false,
    });
    keepLabelsApart(chart, series, NO_LINES, profitText);
    series.setData(points);
    chart.timeScale().setVisibleLogicalRange(rangeOf(points.length, box.current.clientWidth));
    return () => chart.remove();
  }, [pairs, profit, colors]);
  const count =
    closedCount === 1 ? say("one closed trade") : say("{count} closed trades", { count: quantityText(closedCount) });
  return (
    <figure class="profit">
      <figcaption>
        <ClosedSums {...{ totals, open, currency, dashboard }} />
      </figcaption>
      {pairs.length > 1 && (
        <div
          class="chart small"
          ref={box}
          role="img"
          aria-label={say("Profit over time: {profit} of {count}", { profit: moneyText(profit), count })}
        />
      )}
    </figure>
  );
}

/** What closed trades brought, and how, next to what open ones would bring. Amounts are before commission. */
function ClosedSums({ totals, open, currency, dashboard }: Omit<ProfitChartProps, "pairs">) {
  const { profit, closedCount, buyFailedCount, winCount, grossProfit, grossLoss, largestDrawdown } = totals;
  const winShare = winShareOf(totals);
  const factor = profitFactorOf(totals);
  const unit = currency !== undefined && <span class="unit"> {currency}</span>;
  return (
    <dl class="totals">
      <Term name={say("Profit")} below={say("closed trades, before commission")}>
        <Profit amount={profit} />
        {unit}
      </Term>
      <Term name={say("Open profit")} below={openText(open.openCount)}>
        <OpenAmount open={open} dashboard={dashboard} />
        {unit}
      </Term>
      {largestDrawdown !== undefined && (
        <Term name={say("Largest drawdown")} below={say("closed trades only: open trades do not count")}>
          {largestDrawdown === 0 ? moneyText(0) : <Profit amount={-largestDrawdown} />}
          {unit}
        </Term>
      )}
      <Term
        name={say("Closed trades")}
        below={buyFailedCount > 0 && say("failed buys: {count}", { count: quantityText(buyFailedCount) })}
      >
        {quantityText(closedCount)}
      </Term>
      <Term
        name={say("Win rate")}
        below={say("{count} of {all} closed trades", {
          count: quantityText(winCount),
          all: quantityText(closedCount - buyFailedCount),
        })}
      >
        {winShare === undefined ? "–" : say("{share}%", { share: Math.floor(winShare * 100) })}
      </Term>
      <Term
        name={say("Profit factor")}
        below={
          factor === undefined
            ? say("no closed trade with a loss")
            : say("gains {gains}, losses {losses}", { gains: moneyText(grossProfit), losses: moneyText(grossLoss) })
        }
      >
        {factor === undefined ? "–" : moneyText(factor)}
      </Term>
    </dl>
  );
}

function openText(openCount: number): string {
  if (openCount === 0) return say("No trade is open.");
  return openCount === 1
    ? say("one open trade, at the last price")
    : say("{count} open trades, at the last prices", { count: quantityText(openCount) });
}

/** What the open trades would bring at the last prices; a dash if that is not known of one of them. */
function OpenAmount({ open, dashboard }: Pick<ProfitChartProps, "open" | "dashboard">) {
  const priceOf = usePrices(dashboard, [...new Set(open.open.map(({ symbol }) => symbol))]);
  if (open.openCount === 0) return <>{moneyText(0)}</>;
  const { profit, missing } = openWorthOf(open, priceOf);
  return <Profit amount={missing > 0 ? undefined : profit} />;
}
