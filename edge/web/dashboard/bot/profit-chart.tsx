/** What closed pairs brought together, over time. */
import { BaselineSeries } from "lightweight-charts";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keepLabelsApart } from "../group/chart-labels.ts";
import { say } from "../language/say.ts";
import { rangeOf } from "../part/bar-fit.ts";
import { bySecond, colorOf, openChart } from "../part/chart-frame.ts";
import { Profit } from "../part/profit.tsx";
import { Term } from "../part/term.tsx";
import { moneyText, profitText, quantityText } from "../part/words.ts";
import type { ClosedPair } from "../state/model.ts";
import { scheme } from "../state/scheme.ts";
import { useStore } from "../state/store.ts";
import { sumsOf } from "./profit-sums.ts";
import { type ClosedTotals, profitFactorOf, winShareOf } from "./totals.ts";

/** The chart has no line of a level. */
const NO_LINES = new Map<string, never>();

interface ProfitChartProps {
  /** The newest ones: the line begins at what the older ones brought, and ends at the profit of all. */
  readonly pairs: readonly ClosedPair[];
  readonly totals: ClosedTotals;
  /** Undefined: the pairs are of several. */
  readonly currency: string | undefined;
}

export function ProfitChart({ pairs, totals, currency }: ProfitChartProps) {
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
        <ClosedSums {...{ totals, currency }} />
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

/** What closed trades brought, and how. Amounts are before commission. */
function ClosedSums({ totals, currency }: Omit<ProfitChartProps, "pairs">) {
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
