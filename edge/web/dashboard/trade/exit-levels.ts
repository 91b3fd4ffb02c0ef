/** The exits of a buy in the making as prices, from the price that the buy is expected to fill at. */
import { stopLossLevel, takeProfitLevel } from "../../../../src/domain/price/percent.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { PERCENT_DECIMALS_MAX, readPrice } from "../group/levels.ts";
import { readNumber } from "../part/number-text.ts";
import type { DraftLevel, SetupDraft } from "../setup/setup-draft.ts";

interface ExitLevel {
  /** Names the level in {@link withExitAt}. */
  readonly key: string;
  readonly kind: "stopLoss" | "takeProfit";
  readonly price: number;
  /** As it is typed. */
  readonly lots: string;
}

const STOP = "stopLoss";

/** The levels that can be read. A level in percent needs the expected price of the fill. */
export function exitLevels(draft: SetupDraft, fillPrice: number | undefined, table: TickTable): readonly ExitLevel[] {
  const { stopLoss, stopLossQuantity, takeProfits } = draft;
  const levels = [
    { key: STOP, kind: "stopLoss" as const, level: stopLoss, lots: stopLossQuantity },
    ...takeProfits.map((item) => {
      return { key: String(item.key), kind: "takeProfit" as const, level: item, lots: item.quantity };
    }),
  ];
  return levels.flatMap(({ key, kind, level, lots }) => {
    const price = priceOfLevel(level, kind, fillPrice, table);
    return price === undefined || price <= 0 ? [] : [{ key, kind, price, lots }];
  });
}

function priceOfLevel(
  { unit, text }: DraftLevel,
  kind: ExitLevel["kind"],
  fillPrice: number | undefined,
  table: TickTable,
): number | undefined {
  if (unit === "price") return readPrice(text);
  const percent = readNumber(text, PERCENT_DECIMALS_MAX);
  if (percent === undefined || fillPrice === undefined) return undefined;
  const level = (kind === "stopLoss" ? stopLossLevel : takeProfitLevel)(fillPrice, percent, table);
  return level.ok ? level.value / 100 : undefined;
}

/** The draft with one level at a price, typed as `text`; undefined if no level has that key. */
export function withExitAt(draft: SetupDraft, key: string, text: string): SetupDraft | undefined {
  const level = { unit: "price", text } as const;
  if (key === STOP) return { ...draft, stopLoss: level };
  if (draft.takeProfits.every((item) => String(item.key) !== key)) return undefined;
  const takeProfits = draft.takeProfits.map((item) => (String(item.key) === key ? { ...item, ...level } : item));
  return { ...draft, takeProfits };
}
