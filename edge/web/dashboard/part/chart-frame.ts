/** How every chart of the pages looks, in the colours of the style sheet. */
import { ColorType, createChart, type IChartApi, type UTCTimestamp } from "lightweight-charts";

export function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function openChart(box: HTMLElement): IChartApi {
  return createChart(box, {
    autoSize: true,
    layout: {
      // The attribution stands in the footer: the logo would need an inline style.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: colorOf("--surface") },
      textColor: colorOf("--text-muted"),
      fontFamily: "inherit",
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colorOf("--line") } },
    rightPriceScale: { borderColor: colorOf("--line") },
    timeScale: { borderColor: colorOf("--line"), timeVisible: true, secondsVisible: true },
  });
}

interface Point {
  readonly timeMs: number;
  readonly value: number;
}

interface ChartPoint {
  readonly time: UTCTimestamp;
  readonly value: number;
}

export function secondsOf(timeMs: number): UTCTimestamp {
  return Math.floor(timeMs / 1_000) as UTCTimestamp;
}

/** One point a second: the last of each. */
export function bySecond(points: Iterable<Point>): ChartPoint[] {
  const values = new Map([...points].map(({ timeMs, value }) => [secondsOf(timeMs), value]));
  return [...values].sort(([left], [right]) => left - right).map(([time, value]) => ({ time, value }));
}
