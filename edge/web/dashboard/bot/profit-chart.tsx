/** What closed pairs brought together, over time. */
import { BaselineSeries } from "lightweight-charts";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../language/say.ts";
import { rangeOf } from "../part/bar-fit.ts";
import { bySecond, colorOf, openChart } from "../part/chart-frame.ts";
import { Profit } from "../part/profit.tsx";
import { moneyText } from "../part/words.ts";
import type { ClosedPair } from "../state/model.ts";
import { scheme } from "../state/scheme.ts";
import { useStore } from "../state/store.ts";

interface ProfitChartProps {
  readonly pairs: readonly ClosedPair[];
}

export function ProfitChart({ pairs }: ProfitChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const colors = useStore(scheme);
  useEffect(() => {
    if (box.current === null) return;
    const chart = openChart(box.current);
    const [good, bad] = [colorOf("--good"), colorOf("--bad")];
    const series = chart.addSeries(BaselineSeries, {
      baseValue: { type: "price", price: 0 },
      ...{ topLineColor: good, topFillColor1: `${good}33`, topFillColor2: `${good}00` },
      ...{ bottomLineColor: bad, bottomFillColor1: `${bad}00`, bottomFillColor2: `${bad}33` },
      lineWidth: 2,
      priceLineVisible: false,
    });
    const points = bySecond(sumsOf(pairs));
    series.setData(points);
    chart.timeScale().setVisibleLogicalRange(rangeOf(points.length, box.current.clientWidth));
    return () => chart.remove();
  }, [pairs, colors]);
  const sum = profitOf(pairs);
  const count = pairs.length === 1 ? say("one closed trade") : say("{count} closed trades", { count: pairs.length });
  return (
    <figure class="profit">
      <figcaption>
        {say("Profit")}{" "}
        <strong class="number">
          <Profit amount={sum} />
        </strong>
        <span class="hint"> {say("of {count}", { count })}</span>
      </figcaption>
      {pairs.length > 1 && (
        <div
          class="chart small"
          ref={box}
          role="img"
          aria-label={say("Profit over time: {profit} of {count}", { profit: moneyText(sum), count })}
        />
      )}
    </figure>
  );
}

function profitOf(pairs: readonly ClosedPair[]): number {
  return pairs.reduce((sum, { profit }) => sum + profit, 0);
}

/** The running sum at the end of each pair, from nothing at the first buy. */
function sumsOf(pairs: readonly ClosedPair[]): { readonly timeMs: number; readonly value: number }[] {
  const closed = pairs
    .map(({ buyOrderDate, sellOrderDate, profit }) => ({
      boughtMs: Date.parse(buyOrderDate ?? ""),
      timeMs: Date.parse(sellOrderDate ?? buyOrderDate ?? ""),
      profit,
    }))
    .sort((left, right) => left.timeMs - right.timeMs);
  let value = 0;
  const sums = closed.map(({ timeMs, profit }) => {
    value += profit;
    return { timeMs, value };
  });
  const [first] = closed;
  return first === undefined || !(first.boughtMs < first.timeMs)
    ? sums
    : [{ timeMs: first.boughtMs, value: 0 }, ...sums];
}
