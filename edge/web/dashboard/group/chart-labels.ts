/**
 * The labels of the price scale: numbers that a label covers in part are left out, and the label of the average price is
 * left out while the chart would move another label off its line to make room for it.
 */
import type { IChartApi, IPriceLine, ISeriesApi } from "lightweight-charts";
import { moneyText } from "../part/words.ts";

/** The key of the line of the average price. */
export const AVERAGE = "average";

/** Half the height of a label of a line and of a number of the scale: numbers nearer to a label are covered in part. */
const COVERED_PIXELS = 15;
/** The height of a label: the chart moves labels that are nearer to each other. */
const LABEL_PIXELS = 19;

type Series = ISeriesApi<"Line"> | ISeriesApi<"Candlestick"> | ISeriesApi<"Baseline">;
type PriceLines = ReadonlyMap<string, IPriceLine>;

/**
 * Returns a function that chooses labels and numbers again, for a price or a line that has moved. `textOf`: a number of
 * the scale as text.
 */
export function keepLabelsApart(
  chart: IChartApi,
  series: Series,
  priceLines: PriceLines,
  textOf: (number: number) => string = moneyText,
): () => void {
  const heightsOf = (prices: readonly number[]): readonly number[] =>
    prices.map((price) => series.priceToCoordinate(price) ?? Number.NEGATIVE_INFINITY);
  const makeRoom = (): void => {
    const average = priceLines.get(AVERAGE);
    if (average === undefined) return;
    const { price, axisLabelVisible } = average.options();
    const [height = Number.NEGATIVE_INFINITY] = heightsOf([price]);
    const others = heightsOf([...linePrices(priceLines, (key) => key !== AVERAGE), ...lastPrice(series)]);
    const hasRoom = !others.some((other) => Math.abs(other - height) < LABEL_PIXELS);
    if (hasRoom !== axisLabelVisible) average.applyOptions({ axisLabelVisible: hasRoom });
  };
  let isPlanned = false;
  chart.applyOptions({
    localization: {
      tickmarksPriceFormatter: (numbers: readonly number[]): string[] => {
        // The scale is being drawn: a line is changed after it.
        if (!isPlanned)
          requestAnimationFrame(() => {
            isPlanned = false;
            makeRoom();
          });
        isPlanned = true;
        const shown = linePrices(priceLines, (_, line) => line.options().axisLabelVisible);
        const labels = heightsOf([...shown, ...lastPrice(series)]).filter(Number.isFinite);
        const heights = heightsOf(numbers);
        return numbers.map((number, index) => {
          const height = heights[index] ?? Number.NEGATIVE_INFINITY;
          return labels.some((label) => Math.abs(label - height) < COVERED_PIXELS) ? "" : textOf(number);
        });
      },
    },
  });
  return () => series.priceScale().applyOptions({});
}

function linePrices(priceLines: PriceLines, isMeant: (key: string, line: IPriceLine) => boolean): readonly number[] {
  return [...priceLines].filter(([key, line]) => isMeant(key, line)).map(([, line]) => line.options().price);
}

/** The price of the last label, if there is one. */
function lastPrice(series: Series): readonly number[] {
  const last = series.lastValueData(false);
  return last.noData || !series.options().lastValueVisible ? [] : [last.price];
}
