/** What closed pairs brought together, over time. */
import { BaselineSeries } from "lightweight-charts";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keepLabelsApart } from "../group/chart-labels.ts";
import { say } from "../language/say.ts";
import { rangeOf } from "../part/bar-fit.ts";
import { bySecond, colorOf, openChart } from "../part/chart-frame.ts";
import { moneyText, profitText, quantityText } from "../part/words.ts";
import type { ClosedPair } from "../state/model.ts";
import { scheme } from "../state/scheme.ts";
import { useStore } from "../state/store.ts";
import { sumsOf } from "./profit-sums.ts";
import type { ClosedTotals } from "./totals.ts";

/** The chart has no line of a level. */
const NO_LINES = new Map<string, never>();

interface ProfitChartProps {
  /** The newest ones: the line begins at what the older ones brought, and ends at the profit of all. */
  readonly pairs: readonly ClosedPair[];
  readonly totals: Pick<ClosedTotals, "profit" | "closedCount">;
}

export function ProfitChart({ pairs, totals }: ProfitChartProps) {
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
    <>
      <h3>{say("Profit over time")}</h3>
      <div
        class="chart small"
        ref={box}
        role="img"
        aria-label={say("Profit over time: {profit} of {count}", { profit: moneyText(profit), count })}
      />
    </>
  );
}
