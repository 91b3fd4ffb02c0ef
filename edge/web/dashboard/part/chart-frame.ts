/** How every chart of the pages looks, in the colours of the style sheet and the language of the page. */
import { ColorType, createChart, type IChartApi, type UTCTimestamp } from "lightweight-charts";
import { moneyText } from "../language/numbers.ts";
import { dateLocale } from "../language/say.ts";

export function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A finger that moves up or down scrolls the page, not the chart. */
export const SCROLLED_BY = { mouseWheel: true, pressedMouseMove: true, horzTouchDrag: true, vertTouchDrag: false };

export function openChart(box: HTMLElement): IChartApi {
  return createChart(box, {
    autoSize: true,
    handleScroll: SCROLLED_BY,
    layout: {
      // The attribution is in the footer: the logo would need an inline style.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: colorOf("--surface") },
      textColor: colorOf("--text-muted"),
      fontFamily: "inherit",
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colorOf("--line") } },
    localization: { locale: dateLocale(), priceFormatter: moneyText },
    // A number at an edge is not cut in half.
    rightPriceScale: { borderColor: colorOf("--line"), entireTextOnly: true },
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

/**
 * The second of a moment on the clock on the wall: the chart draws seconds of UTC as they are, and every other time of the
 * pages is local.
 */
export function secondsOf(timeMs: number): UTCTimestamp {
  const offsetMinutes = new Date(timeMs).getTimezoneOffset();
  return (Math.floor(timeMs / 1_000) - offsetMinutes * 60) as UTCTimestamp;
}

/** One point per second: the last of each. If the clock is put back, the later pass of the hour counts. */
export function bySecond(points: Iterable<Point>): ChartPoint[] {
  const values = new Map([...points].map(({ timeMs, value }) => [secondsOf(timeMs), value]));
  return [...values].sort(([left], [right]) => left - right).map(([time, value]) => ({ time, value }));
}
