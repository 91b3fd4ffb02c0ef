/**
 * The live price of a symbol with the levels of a group. Lines of a draft can be dragged; whoever is told of it snaps it.
 *
 * Owns: drawing and dragging. Does not own: prices (dashboard-state.ts), what a level may be (levels.ts).
 */
import { type IChartApi, type IPriceLine, type ISeriesApi, LineSeries, LineStyle } from "lightweight-charts";
import { useEffect, useRef } from "preact/hooks";
import { bySecond, colorOf, openChart, SCROLLED_BY, secondsOf } from "../part/chart-frame.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

export interface ChartLine {
  readonly key: string;
  readonly price: number;
  readonly kind: "stopLoss" | "takeProfit";
  readonly title: string;
}

interface ChartProps {
  readonly dashboard: DashboardState;
  readonly symbol: string;
  readonly lines: readonly ChartLine[];
  /** Set: lines can be dragged. */
  readonly onDrag?: (key: string, price: number) => void;
}

/** As many points are added to a line before it is drawn anew from those that are kept. */
const ADDED_MAX = 5_000;
/** How near the pointer must be to take hold of a line. */
const GRIP_PIXELS = 8;

interface Drawn {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<"Line">;
  readonly priceLines: Map<string, IPriceLine>;
}

export function Chart({ dashboard, symbol, lines, onDrag }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | undefined>(undefined);
  const current = useRef({ lines, onDrag });
  current.current = { lines, onDrag };
  useEffect(() => {
    if (box.current === null) return;
    const made = draw(box.current);
    drawn.current = made;
    made.series.setData(bySecond(dashboard.points(symbol)));
    showLines(made, current.current.lines);
    let addedCount = 0;
    let lastTime = secondsOf(0);
    const unsubscribe = dashboard.price(symbol).subscribe(() => {
      const price = dashboard.price(symbol).value;
      const points = dashboard.points(symbol);
      if (price === undefined) return;
      const time = secondsOf(price.timeMs);
      // A clock that is put back (the end of summer time) goes over an hour again.
      if (points.length < 3 || addedCount === ADDED_MAX || time < lastTime) {
        made.series.setData(bySecond(points));
        addedCount = 0;
      } else {
        made.series.update({ time, value: price.price });
        addedCount += 1;
      }
      lastTime = time;
    });
    const letGo = makeDraggable(box.current, made, () => current.current);
    return () => {
      unsubscribe();
      letGo();
      made.chart.remove();
      drawn.current = undefined;
    };
  }, [dashboard, symbol]);
  useEffect(() => {
    if (drawn.current !== undefined) showLines(drawn.current, lines);
  }, [lines]);
  const told = lines.map(({ title, price }) => `${title} at ${price}`).join(", ");
  return (
    <div class="chart" ref={box} role="img" aria-label={`Price of ${symbol}${told === "" ? "" : ` with ${told}`}`} />
  );
}

function draw(box: HTMLElement): Drawn {
  const chart = openChart(box);
  const series = chart.addSeries(LineSeries, { color: colorOf("--accent"), lineWidth: 2, priceLineVisible: false });
  return { chart, series, priceLines: new Map() };
}

function showLines({ series, priceLines }: Drawn, lines: readonly ChartLine[]): void {
  const wanted = new Set(lines.map(({ key }) => key));
  for (const [key, line] of priceLines) {
    if (wanted.has(key)) continue;
    series.removePriceLine(line);
    priceLines.delete(key);
  }
  for (const { key, price, kind, title } of lines) {
    const color = colorOf(kind === "stopLoss" ? "--bad" : "--good");
    const options = { price, color, title, lineWidth: 2 as const, lineStyle: LineStyle.Dashed, axisLabelVisible: true };
    const known = priceLines.get(key);
    if (known === undefined) priceLines.set(key, series.createPriceLine(options));
    else known.applyOptions(options);
  }
  // The levels are in view, not only the price.
  const levels = lines.map(({ price }) => price);
  series.applyOptions({
    autoscaleInfoProvider: (original: () => { priceRange: { minValue: number; maxValue: number } | null } | null) => {
      const range = original()?.priceRange ?? undefined;
      const all = [...levels, ...(range === undefined ? [] : [range.minValue, range.maxValue])];
      return all.length === 0 ? null : { priceRange: { minValue: Math.min(...all), maxValue: Math.max(...all) } };
    },
  });
}

type Current = () => { readonly lines: readonly ChartLine[]; readonly onDrag: ChartProps["onDrag"] };

/**
 * Lets a pointer take a line and move it. The price scale stands still while a line is held: it follows the levels, and
 * would otherwise run away under the pointer. Returns the way to stop.
 */
function makeDraggable(box: HTMLElement, { chart, series }: Drawn, current: Current): () => void {
  let held: { readonly key: string; readonly pointerId: number; readonly wasAutoScale: boolean } | undefined;
  const scale = series.priceScale();
  const near = (clientY: number): string | undefined => {
    if (current().onDrag === undefined) return undefined;
    const height = clientY - box.getBoundingClientRect().top;
    const distances = current().lines.map(({ key, price }) => ({
      key,
      distance: Math.abs((series.priceToCoordinate(price) ?? -1_000) - height),
    }));
    const [nearest] = distances.sort((left, right) => left.distance - right.distance);
    return nearest !== undefined && nearest.distance <= GRIP_PIXELS ? nearest.key : undefined;
  };
  const take = (event: PointerEvent): void => {
    const key = held === undefined ? near(event.clientY) : undefined;
    if (key === undefined) return;
    held = { key, pointerId: event.pointerId, wasAutoScale: scale.options().autoScale };
    box.setPointerCapture(event.pointerId);
    scale.applyOptions({ autoScale: false });
    chart.applyOptions({ handleScroll: false, handleScale: false });
    event.preventDefault();
    event.stopPropagation();
  };
  const move = (event: PointerEvent): void => {
    box.classList.toggle("grip", held !== undefined || near(event.clientY) !== undefined);
    if (held?.pointerId !== event.pointerId) return;
    const price = series.coordinateToPrice(event.clientY - box.getBoundingClientRect().top);
    if (price !== null) current().onDrag?.(held.key, price);
  };
  const release = (event: PointerEvent): void => {
    if (held?.pointerId !== event.pointerId) return;
    scale.applyOptions({ autoScale: held.wasAutoScale });
    chart.applyOptions({ handleScroll: SCROLLED_BY, handleScale: true });
    held = undefined;
  };
  /** A finger on a line moves the line; anywhere else it scrolls the page. */
  const touch = (event: TouchEvent): void => {
    const [finger] = event.touches;
    if (finger !== undefined && near(finger.clientY) !== undefined) event.preventDefault();
  };
  box.addEventListener("pointerdown", take, { capture: true });
  box.addEventListener("touchstart", touch, { capture: true, passive: false });
  box.addEventListener("pointermove", move);
  box.addEventListener("pointerup", release);
  box.addEventListener("pointercancel", release);
  return () => {
    box.removeEventListener("pointerdown", take, { capture: true });
    box.removeEventListener("touchstart", touch, { capture: true });
    box.removeEventListener("pointermove", move);
    box.removeEventListener("pointerup", release);
    box.removeEventListener("pointercancel", release);
  };
}
