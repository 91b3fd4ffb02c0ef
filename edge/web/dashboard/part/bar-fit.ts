/** The places of a chart's points between its edges, in pixels. */

/** Half of the longest label: a label is centred below or above its point. */
const EDGE_PX = 56;
/** A chart with room for the labels of thin lines. In a narrower one the style sheet shows their legend. */
export const WIDE_PX = 480;
/** The label of the average price, left of the points of a wide chart. */
const LABEL_PX = 112;
/** The prices at the right of the points. */
const SCALE_PX = 60;
const SPACING_PX = { min: 6, max: 32 };

interface BarFit {
  readonly barSpacing: number;
  /** Empty bars after the last one. */
  readonly rightOffset: number;
}

/** The part of a chart that has points. */
function paneOf(widthPx: number): number {
  return Math.max(0, widthPx - SCALE_PX);
}

/** `widthPx`: of the chart, as below. Few bars are wide and in the middle, many are narrow; the first ones leave room for the label of the average, the last one for its own. */
export function fitOf(count: number, widthPx: number): BarFit {
  const startPx = widthPx >= WIDE_PX ? LABEL_PX : EDGE_PX;
  const fitting = (paneOf(widthPx) - startPx - EDGE_PX) / Math.max(1, count);
  const barSpacing = Math.min(SPACING_PX.max, Math.max(SPACING_PX.min, fitting));
  const restPx = paneOf(widthPx) - count * barSpacing;
  return { barSpacing, rightOffset: Math.max(EDGE_PX, Math.min(restPx / 2, restPx - startPx)) / barSpacing };
}

/** The range of all points, by their places from 0 on, with room for the labels of the first and the last one. */
export function rangeOf(count: number, widthPx: number): { readonly from: number; readonly to: number } {
  const steps = Math.max(1, count - 1);
  const room = (EDGE_PX * steps) / Math.max(EDGE_PX, paneOf(widthPx) - 2 * EDGE_PX);
  return { from: -room, to: count - 1 + room };
}

/** The time of the bar that contains a moment: the last bar that begins by then. `barTimes`: ascending. */
export function barTimeOf<T extends number>(moment: number, barTimes: readonly T[]): T | undefined {
  return barTimes.findLast((time) => time <= moment);
}
