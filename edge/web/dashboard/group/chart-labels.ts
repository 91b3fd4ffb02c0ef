/**
 * The labels of the price scale: numbers that a label covers in part are left out, and the label of the last price is left
 * out while the chart would move the label of a level off its line to make room for it.
 */
import type { IChartApi, IPriceLine, ISeriesApi } from "lightweight-charts";
import { moneyText } from "../part/words.ts";

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
    const last = series.lastValueData(false);
    if (last.noData) return;
    const [height = Number.NEGATIVE_INFINITY] = heightsOf([last.price]);
    const hasRoom = !heightsOf(labelledPrices(priceLines)).some((other) => Math.abs(other - height) < LABEL_PIXELS);
    if (hasRoom !== series.options().lastValueVisible) series.applyOptions({ lastValueVisible: hasRoom });
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
        const labels = heightsOf([...labelledPrices(priceLines), ...lastPrice(series)]).filter(Number.isFinite);
        const heights = heightsOf(numbers);
        return numbers.map((number, index) => {
          const height = heights[index] ?? Number.NEGATIVE_INFINITY;
          return labels.some((label) => Math.abs(label - height) < reachOf(label, labels)) ? "" : textOf(number);
        });
      },
    },
  });
  return () => series.priceScale().applyOptions({});
}

/** How far a label covers numbers: the chart moves labels that are near each other by half of their height. */
function reachOf(label: number, labels: readonly number[]): number {
  const isMoved = labels.some((other) => other !== label && Math.abs(other - label) < LABEL_PIXELS);
  return isMoved ? COVERED_PIXELS + LABEL_PIXELS / 2 : COVERED_PIXELS;
}

function labelledPrices(priceLines: PriceLines): readonly number[] {
  const options = [...priceLines.values()].map((line) => line.options());
  return options.filter(({ axisLabelVisible }) => axisLabelVisible).map(({ price }) => price);
}

/** The price of the last label, if there is one. */
function lastPrice(series: Series): readonly number[] {
  const last = series.lastValueData(false);
  return last.noData || !series.options().lastValueVisible ? [] : [last.price];
}
