/** Names the thin lines of a narrow chart, below it: labels of them would cover the bars. */
import { averageText, priceText } from "../part/words.ts";

interface ThinLine {
  readonly key: string;
  readonly price: number;
  /** As of a line of the chart, which has the same colour. */
  readonly kind: string;
  readonly title: string;
}

/** Shown by the style sheet, while the chart is narrow. Screen readers have the lines in the name of the chart. */
export function ChartLegend({ lines }: { readonly lines: readonly ThinLine[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="chart-legend hint" aria-hidden="true">
      {lines.map(({ key, kind, title, price }) => (
        <li key={key} class={kind}>
          {kind === "average" ? `${title} ${averageText(price)}` : `${title} × ${priceText(price)}`}
        </li>
      ))}
    </ul>
  );
}
