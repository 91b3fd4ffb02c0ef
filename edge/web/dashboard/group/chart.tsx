/**
 * The live price of a symbol with the levels of a group. Lines of a draft can be dragged; the caller snaps them.
 *
 * Owns: drawing and dragging. Does not own: prices (dashboard-state.ts), what a level may be (levels.ts).
 */
import {
  CandlestickSeries,
  createSeriesMarkers,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef, useState } from "preact/hooks";
import { BAR_INTERVALS, type Bar, type BarInterval } from "../../../../src/domain/market/bars.ts";
import { say } from "../language/say.ts";
import { barTimeOf, fitOf, WIDE_PX } from "../part/bar-fit.ts";
import { colorOf, openChart, SCROLLED_BY, secondsOf } from "../part/chart-frame.ts";
import { typedText } from "../part/number-text.ts";
import { averageText, priceText, timeText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { scheme } from "../state/scheme.ts";
import { useStore } from "../state/store.ts";
import { addAverageLabel } from "./average-label.ts";
import { readBars } from "./chart-bars.ts";
import { keepLabelsApart } from "./chart-labels.ts";
import { ChartLegend } from "./chart-legend.tsx";
import { barWith } from "./last-bar.ts";

export interface ChartLine {
  readonly key: string;
  readonly price: number;
  /** An average price is thin, is not dragged, and does not widen what is in view. */
  readonly kind: "stopLoss" | "takeProfit" | "limit" | "average";
  readonly title: string;
  /** The line of the last price itself: the chart has no second label of it. */
  readonly isLast?: boolean;
  /** A level that exists: it is thin and is not dragged. */
  readonly isFixed?: boolean;
}

const LINE_COLORS = {
  stopLoss: "--bad",
  takeProfit: "--good",
  limit: "--accent",
  average: "--text-muted",
} as const;

/** The line of the average price of a position; none if that is zero, which is not known. */
export function averageLines(price: number): readonly ChartLine[] {
  return price > 0 ? [{ key: "average", price, kind: "average", title: say("Average") }] : [];
}

/** Whether a line has its label only where there is room for it: the average price, and levels that exist. */
function isThin({ kind, isFixed }: ChartLine): boolean {
  return kind === "average" || isFixed === true;
}

/** Where a row fired: an arrow at the bar, and a line with a label at the price. */
export interface ChartMark {
  readonly timeMs: number;
  readonly kind: ChartLine["kind"];
  readonly title: string;
  /** Undefined: not known. */
  readonly price: number | undefined;
}

interface ChartProps {
  readonly dashboard: DashboardState;
  readonly symbol: string;
  readonly lines: readonly ChartLine[];
  readonly marks?: readonly ChartMark[];
  /** Set: lines can be dragged. */
  readonly onDrag?: ((key: string, price: number) => void) | undefined;
  /** The line that was dragged is let go. */
  readonly onDrop?: (() => void) | undefined;
}

/** How near the pointer must be to take hold of a line. */
const GRIP_PIXELS = 8;
const STYLES = ["candles", "line"] as const;
type Style = (typeof STYLES)[number];
const STYLE_WORDS: Readonly<Record<Style, string>> = { candles: say("Candles"), line: say("Line") };
const FRAME_WORDS: Readonly<Record<BarInterval, string>> = {
  "1m": say("1m"),
  "5m": say("5m"),
  "15m": say("15m"),
  "1h": say("1h"),
  "1d": say("1d"),
};
const THIN = { lineWidth: 1, lineStyle: LineStyle.Dotted } as const;
const NO_MARKS: readonly ChartMark[] = [];

interface Drawn {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<"Line"> | ISeriesApi<"Candlestick">;
  readonly priceLines: Map<string, IPriceLine>;
  readonly showBars: (bars: readonly Bar[]) => void;
  /** The last bar as it is now, or one after it. */
  readonly showLast: (bar: Bar) => void;
  readonly showMarks: (marks: readonly ChartMark[]) => void;
  readonly showAverage: (price: number | undefined) => void;
  /** Chooses again which numbers of the price scale are shown. */
  readonly uncover: () => void;
}

export function Chart({ dashboard, symbol, lines, marks = NO_MARKS, onDrag, onDrop }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const colors = useStore(scheme);
  const drawn = useRef<Drawn | undefined>(undefined);
  const current = useRef({ lines, marks, onDrag, onDrop });
  const [style, setStyle] = useState<Style>("candles");
  const [frame, setFrame] = useState<BarInterval>("1m");
  const [under, setUnder] = useState<Bar | undefined>(undefined);
  const [barCount, setBarCount] = useState(0);
  current.current = { lines, marks, onDrag, onDrop };
  useEffect(() => {
    if (box.current === null) return;
    const made = draw(box.current, style);
    drawn.current = made;
    let bars: Bar[] = [];
    let isWanted = true;
    const take = (price: number, timeMs: number): void => {
      const next = barWith(bars.at(-1), price, timeMs, { interval: frame, zone: dashboard.zoneOf(symbol) });
      if (next === undefined) return;
      if (next.fromMs === bars.at(-1)?.fromMs) bars[bars.length - 1] = next;
      else bars.push(next);
    };
    const show = (): void => {
      made.showBars(bars);
      made.chart.timeScale().applyOptions(fitOf(bars.length, box.current?.clientWidth ?? 0));
      made.showMarks(current.current.marks);
      made.uncover();
      setBarCount(bars.length);
    };
    const takePoints = (): void => {
      for (const { timeMs, value } of dashboard.points(symbol)) take(value, timeMs);
    };
    takePoints();
    show();
    showLines(made, current.current.lines, current.current.marks);
    let isAsked = false;
    /** The bars of a typed symbol are asked for once it is known: now, or with its first price. */
    const readKept = (): void => {
      if (isAsked || !dashboard.isKnown(symbol)) return;
      isAsked = true;
      const reading = { isWanted: () => isWanted, onFault: () => undefined };
      void dashboard
        .ask(() => readBars(dashboard, symbol, frame), reading)
        .then((kept) => {
          if (!isWanted || kept === undefined) return;
          bars = kept;
          takePoints();
          show();
        });
    };
    readKept();
    const unsubscribe = dashboard.price(symbol).subscribe(() => {
      readKept();
      const price = dashboard.price(symbol).value;
      if (price === undefined) return;
      const before = bars.at(-1);
      take(price.price, price.timeMs);
      const last = bars.at(-1);
      if (last === before || last === undefined) return;
      // A clock that is put back (the end of summer time) goes over an hour again.
      if (before === undefined || secondsOf(last.fromMs) < secondsOf(before.fromMs)) show();
      else made.showLast(last);
      setBarCount(bars.length);
    });
    made.chart.subscribeCrosshairMove(({ time }) => {
      setUnder(time === undefined ? undefined : bars.find(({ fromMs }) => secondsOf(fromMs) === time));
    });
    const letGo = makeDraggable(box.current, made, () => current.current);
    return () => {
      isWanted = false;
      unsubscribe();
      letGo();
      made.chart.remove();
      drawn.current = undefined;
      setUnder(undefined);
    };
  }, [dashboard, symbol, style, frame, colors]);
  useEffect(() => {
    if (drawn.current !== undefined) showLines(drawn.current, lines, marks);
  }, [lines, marks]);
  useEffect(() => drawn.current?.showMarks(marks), [marks]);
  const lineTexts = lines.map(({ kind, title, price }) =>
    say("{title} at {price}", { title, price: kind === "average" ? averageText(price) : typedText(price) }),
  );
  const markTexts = marks.map(({ title, price }) =>
    price === undefined ? title : say("{title} at {price}", { title, price: priceText(price) }),
  );
  const levels = [...lineTexts, ...markTexts].join(", ");
  return (
    <div class="charted">
      <div class="chart-tools">
        <Choice title={say("Time frame")} of={BAR_INTERVALS} words={FRAME_WORDS} chosen={frame} onChoose={setFrame} />
        <Choice title={say("Drawn as")} of={STYLES} words={STYLE_WORDS} chosen={style} onChoose={setStyle} />
        {dashboard.isKnown(symbol) && (
          <a class="minor" href={`#/alerts/${encodeURIComponent(symbol)}`}>
            {say("New price alert")}
          </a>
        )}
        {under === undefined && onDrag !== undefined && (
          <span class="hint minor">{say("Drag a line to move its level.")}</span>
        )}
        <span class="hint number">{under === undefined ? "" : wordsOf(under)}</span>
      </div>
      <div
        class="chart"
        ref={box}
        role="img"
        data-bars={barCount}
        aria-label={
          levels === ""
            ? say("Price of {symbol}", { symbol })
            : say("Price of {symbol} with {levels}", { symbol, levels })
        }
      />
      <ChartLegend lines={lines.filter(isThin)} />
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly title: string;
  readonly of: readonly T[];
  readonly words: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (next: T) => void;
}

function Choice<T extends string>({ title, of, words, chosen, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset class="choice" aria-label={title}>
      {of.map((one) => (
        <button key={one} type="button" class="quiet" aria-pressed={one === chosen} onClick={() => onChoose(one)}>
          {words[one]}
        </button>
      ))}
    </fieldset>
  );
}

function wordsOf({ fromMs, open, high, low, close }: Bar): string {
  return say("{time} open {open} high {high} low {low} close {close}", {
    ...{ time: timeText(fromMs), open: priceText(open), high: priceText(high) },
    ...{ low: priceText(low), close: priceText(close) },
  });
}

function draw(box: HTMLElement, style: Style): Drawn {
  const chart = openChart(box);
  chart.applyOptions({ timeScale: { secondsVisible: false } });
  const priceLines = new Map<string, IPriceLine>();
  const { series, setBars, update } = style === "line" ? addLine(chart) : addCandles(chart);
  const arrows = drawArrows(series);
  const uncover = keepLabelsApart(chart, series, priceLines);
  return {
    ...{ chart, series, priceLines, uncover, showMarks: arrows.showMarks, showAverage: addAverageLabel(series) },
    showBars: (bars) => {
      const shown = inOrder(bars);
      setBars(shown);
      arrows.setTimes(shown.map(([time]) => time));
    },
    showLast: (bar) => {
      const time = secondsOf(bar.fromMs);
      update([time, bar]);
      arrows.addTime(time);
      uncover();
    },
  };
}

type TimedBar = readonly [UTCTimestamp, Bar];

/** A series in the form of its style. */
interface StyledSeries extends Pick<Drawn, "series"> {
  readonly setBars: (bars: readonly TimedBar[]) => void;
  readonly update: (bar: TimedBar) => void;
}

function addLine(chart: IChartApi): StyledSeries {
  const color = colorOf("--accent");
  const series = chart.addSeries(LineSeries, { color, lineWidth: 2, ...lastLabel() });
  const pointOf = ([time, { close }]: TimedBar) => ({ time, value: close });
  return {
    series,
    setBars: (bars) => series.setData(bars.map(pointOf)),
    update: (bar) => series.update(pointOf(bar)),
  };
}

function addCandles(chart: IChartApi): StyledSeries {
  const [good, bad] = [colorOf("--good"), colorOf("--bad")];
  const colors = { upColor: good, wickUpColor: good, downColor: bad, wickDownColor: bad, borderVisible: false };
  const series = chart.addSeries(CandlestickSeries, { ...colors, ...lastLabel() });
  const candleOf = ([time, { open, high, low, close }]: TimedBar) => ({ time, open, high, low, close });
  return {
    series,
    setBars: (bars) => series.setData(bars.map(candleOf)),
    update: (bar) => series.update(candleOf(bar)),
  };
}

/** The line and the label of the last price: in the colour of no level. */
function lastLabel() {
  return { priceLineColor: colorOf("--text"), priceLineWidth: 1, priceLineStyle: LineStyle.SparseDotted } as const;
}

interface Arrows {
  readonly showMarks: Drawn["showMarks"];
  /** Receives the times of all bars, ascending. */
  readonly setTimes: (times: UTCTimestamp[]) => void;
  /** Receives the time of the last bar, or of one after it. */
  readonly addTime: (time: UTCTimestamp) => void;
}

/** Draws the arrow of each mark at the bar that contains it: the chart would draw a time within a bar at the next one. */
function drawArrows(series: Drawn["series"]): Arrows {
  const plugin = createSeriesMarkers<Time>(series, []);
  let barTimes: UTCTimestamp[] = [];
  let shown: readonly ChartMark[] = [];
  const draw = (): void => plugin.setMarkers(shown.flatMap((mark) => arrowOf(mark, barTimes)));
  return {
    showMarks: (marks) => {
      shown = [...marks].sort((left, right) => left.timeMs - right.timeMs);
      draw();
    },
    setTimes: (times) => {
      barTimes = times;
      draw();
    },
    addTime: (time) => {
      if (time <= (barTimes.at(-1) ?? 0)) return;
      barTimes.push(time);
      draw();
    },
  };
}

/** Nothing for a mark from before the first bar. */
function arrowOf({ timeMs, kind }: ChartMark, barTimes: readonly UTCTimestamp[]): SeriesMarker<Time>[] {
  const time = barTimeOf(secondsOf(timeMs), barTimes);
  if (time === undefined) return [];
  return [{ time, position: "aboveBar", shape: "arrowDown", color: colorOf(LINE_COLORS[kind]) }];
}

/** Sorts by wall clock. If the clock is put back, the later pass of the hour counts. */
function inOrder(bars: readonly Bar[]): [UTCTimestamp, Bar][] {
  const byTime = new Map(bars.map((bar) => [secondsOf(bar.fromMs), bar]));
  return [...byTime].sort(([left], [right]) => left - right);
}

/** Shows the lines of levels, and a thin line at the price of each mark. */
function showLines(
  { chart, series, priceLines, uncover, showAverage }: Drawn,
  lines: readonly ChartLine[],
  marks: readonly ChartMark[],
): void {
  const isWide = (chart.chartElement().parentElement?.clientWidth ?? 0) >= WIDE_PX;
  const all = [
    ...lines.map(({ isFixed = false, ...line }) => ({
      ...line,
      ...(isThin({ isFixed, ...line }) ? THIN : { lineWidth: 2 as const, lineStyle: LineStyle.Dashed }),
      // The average has a label of its own.
      axisLabelVisible: line.kind !== "average" && (isWide || !isFixed),
    })),
    ...marks.flatMap(({ kind, title, price }, index) =>
      price === undefined ? [] : [{ key: `mark ${index}`, kind, title, price, ...THIN, axisLabelVisible: true }],
    ),
  ];
  const wanted = new Set(all.map(({ key }) => key));
  for (const [key, line] of priceLines) {
    if (wanted.has(key)) continue;
    series.removePriceLine(line);
    priceLines.delete(key);
  }
  for (const { key, kind, ...look } of all) {
    const known = priceLines.get(key);
    const title = look.axisLabelVisible ? look.title : "";
    const options = { ...look, title, color: colorOf(LINE_COLORS[kind]) };
    if (known === undefined) priceLines.set(key, series.createPriceLine(options));
    else known.applyOptions(options);
  }
  showAverage(isWide ? lines.find(({ kind }) => kind === "average")?.price : undefined);
  // A line of the last price is there already.
  series.applyOptions({ priceLineVisible: !lines.some(({ isLast }) => isLast === true) });
  // The levels are in view, not only the price.
  const levels = all.filter(({ kind }) => kind !== "average").map(({ price }) => price);
  series.applyOptions({
    autoscaleInfoProvider: (original: () => { priceRange: { minValue: number; maxValue: number } | null } | null) => {
      const range = original()?.priceRange ?? undefined;
      const all = [...levels, ...(range === undefined ? [] : [range.minValue, range.maxValue])];
      return all.length === 0 ? null : { priceRange: { minValue: Math.min(...all), maxValue: Math.max(...all) } };
    },
  });
  uncover();
}

type Current = () => {
  readonly lines: readonly ChartLine[];
  readonly onDrag: ChartProps["onDrag"];
  readonly onDrop: ChartProps["onDrop"];
};

/**
 * Lets a pointer take a line and move it. The price scale is fixed while a line is held: it follows the levels, and
 * would otherwise move under the pointer. Returns the way to stop.
 */
function makeDraggable(box: HTMLElement, { chart, series }: Drawn, current: Current): () => void {
  let held: { readonly key: string; readonly pointerId: number; readonly wasAutoScale: boolean } | undefined;
  const scale = series.priceScale();
  const near = (clientY: number): string | undefined => {
    if (current().onDrag === undefined) return undefined;
    const height = clientY - box.getBoundingClientRect().top;
    const distances = current()
      .lines.filter(({ kind, isFixed }) => kind !== "average" && isFixed !== true)
      .map(({ key, price }) => ({
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
    current().onDrop?.();
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
