/** Plots as SVG text: bars for things that do the same work, lines for what depends on a size or a rate. */

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface BarChart {
  readonly kind: "bars";
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

export interface LineChart {
  readonly kind: "lines";
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly (readonly [number, number])[] }[];
}

export type Chart = BarChart | LineChart;

const WIDTH = 760;
const LEFT = 250;
const RIGHT = 110;
const ROW = 28;
const TOP = 56;
const COLOURS = ["#2563eb", "#dc2626", "#059669", "#d97706", "#7c3aed", "#475569"];
/** Bars whose values lie further apart than this are drawn on a logarithmic scale. */
const LINEAR_RANGE_MAX = 50;

/** The plot as one SVG document. */
export function renderChart(chart: Chart): string {
  return chart.kind === "bars" ? renderBars(chart) : renderLines(chart);
}

function renderBars({ title, unit, bars }: BarChart): string {
  const highest = Math.max(...bars.map(({ high }) => high));
  const lowest = Math.min(...bars.map(({ low }) => low));
  const isLogarithmic = lowest > 0 && highest / lowest > LINEAR_RANGE_MAX;
  const room = WIDTH - LEFT - RIGHT;
  const floor = isLogarithmic ? Math.floor(Math.log10(lowest)) : 0;
  const lengthOf = (value: number): number =>
    isLogarithmic
      ? (room * (Math.log10(value) - floor)) / (Math.log10(highest) - floor)
      : (room * value) / (highest || 1);
  const rows = bars.map(({ label, value, low, high }, index) => {
    const y = TOP + index * ROW;
    const middle = y + 9;
    return [
      text(LEFT - 8, y + 14, label, "end"),
      `<rect x="${LEFT}" y="${y}" width="${lengthOf(value).toFixed(1)}" height="18" fill="${COLOURS[index % COLOURS.length]}"/>`,
      line([LEFT + lengthOf(low), middle], [LEFT + lengthOf(high), middle], "#111"),
      text(LEFT + lengthOf(high) + 6, y + 14, `${readable(value)}`, "start"),
    ].join("");
  });
  const scale = isLogarithmic ? `${unit}, logarithmic` : unit;
  return svg(TOP + bars.length * ROW + 20, title, `${scale}; the line spans all rounds`, rows);
}

function renderLines({ title, xName, yName, lines }: LineChart): string {
  const height = 380;
  const points = lines.flatMap((each) => each.points);
  const xs = points.map(([x]) => Math.log10(x));
  const ys = points.map(([, y]) => Math.log10(y));
  const [xMin, xMax, yMin, yMax] = [Math.min(...xs), Math.max(...xs), Math.floor(Math.min(...ys)), Math.max(...ys)];
  const left = 80;
  const place = ([x, y]: readonly [number, number]): readonly [number, number] => [
    left + ((WIDTH - left - 180) * (Math.log10(x) - xMin)) / (xMax - xMin || 1),
    height - 50 - ((height - 50 - TOP) * (Math.log10(y) - yMin)) / (yMax - yMin || 1),
  ];
  const parts = lines.map(({ name, points: own }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? "#111";
    const placed = own.map(place);
    const [endX, endY] = placed.at(-1) ?? [0, 0];
    const path = placed.map((at) => at.map((each) => each.toFixed(1)).join(",")).join(" ");
    const dots = placed.map(([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3" fill="${colour}"/>`);
    return `<polyline points="${path}" fill="none" stroke="${colour}"/>${dots.join("")}${text(endX + 8, endY + 4, name, "start")}`;
  });
  const xTicks = [...new Set(points.map(([x]) => x))].map((x) => text(place([x, 1])[0], height - 30, readable(x)));
  const yTicks = [...new Set(points.map(([, y]) => 10 ** Math.round(Math.log10(y))))]
    .filter((y) => Math.log10(y) >= yMin && Math.log10(y) <= yMax)
    .map((y) => text(left - 8, place([10 ** xMin, y])[1] + 4, readable(y), "end"));
  return svg(height, title, `${yName} by ${xName}, both logarithmic`, [...parts, ...xTicks, ...yTicks]);
}

function svg(height: number, title: string, subtitle: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="12" y="20" font-size="15" font-weight="bold">${escapeText(title)}</text>`,
    `<text x="12" y="38" fill="#555">${escapeText(subtitle)}</text>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function text(x: number, y: number, content: string, anchor = "middle"): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escapeText(content)}</text>`;
}

function line(from: readonly [number, number], to: readonly [number, number], colour: string): string {
  return `<line x1="${from[0].toFixed(1)}" y1="${from[1]}" x2="${to[0].toFixed(1)}" y2="${to[1]}" stroke="${colour}"/>`;
}

function escapeText(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Renders a number with about three significant digits. */
export function readable(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1_000) return Math.round(value).toLocaleString("en-US");
  if (magnitude >= 100) return value.toFixed(0);
  if (magnitude >= 10) return value.toFixed(1);
  return magnitude >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);
}
