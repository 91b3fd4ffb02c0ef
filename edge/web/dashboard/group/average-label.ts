/**
 * The label of the average price, at the left of the chart: labels at the price scale never move it, and it moves none.
 * If the price is beyond an edge of the chart, the label is at that edge with an arrow.
 */
import type { IPrimitivePaneRenderer, ISeriesApi } from "lightweight-charts";
import { say } from "../language/say.ts";
import { colorOf } from "../part/chart-frame.ts";
import { averageText } from "../part/words.ts";

const HEIGHT_PIXELS = 17;
const PADDING_PIXELS = 6;
const FONT_PIXELS = 11;

type Series = ISeriesApi<"Line"> | ISeriesApi<"Candlestick">;

/** Returns the function that receives the average price; undefined: not known. */
export function addAverageLabel(series: Series): (price: number | undefined) => void {
  let average: number | undefined;
  let redraw: () => void = () => undefined;
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        const height = average === undefined ? null : series.priceToCoordinate(average);
        if (average === undefined || height === null) return;
        const arrow = height < 0 ? " ↑" : height > mediaSize.height ? " ↓" : "";
        const text = `${say("Average")} ${averageText(average)}${arrow}`;
        context.font = `${FONT_PIXELS}px ${getComputedStyle(document.body).fontFamily}`;
        const top = Math.min(Math.max(0, height - HEIGHT_PIXELS / 2), mediaSize.height - HEIGHT_PIXELS);
        context.fillStyle = colorOf("--text-muted");
        context.fillRect(0, top, context.measureText(text).width + 2 * PADDING_PIXELS, HEIGHT_PIXELS);
        context.fillStyle = colorOf("--surface");
        context.textBaseline = "middle";
        context.fillText(text, PADDING_PIXELS, top + HEIGHT_PIXELS / 2);
      }),
  };
  const views = [{ zOrder: () => "top" as const, renderer: () => renderer }];
  series.attachPrimitive({
    attached: ({ requestUpdate }) => {
      redraw = requestUpdate;
    },
    paneViews: () => views,
  });
  return (price) => {
    if (price === average) return;
    average = price;
    redraw();
  };
}
