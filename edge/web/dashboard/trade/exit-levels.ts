/** The exits of a buy in the making as prices, from the price that the buy is expected to fill at. */
import { stopLossLevel, takeProfitLevel } from "../../../../src/domain/price/percent.ts";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { PERCENT_DECIMALS_MAX, readPrice } from "../group/levels.ts";
import { say } from "../language/say.ts";
import { readNumber } from "../part/number-text.ts";
import { distanceText, priceText, profitText } from "../part/words.ts";
import { buyPriceOf, type DraftLevel, type SetupDraft, setupDraftOf } from "../setup/setup-draft.ts";
import type { Setup } from "../state/model.ts";

interface ExitLevel {
  /** Names the level in {@link withExitAt}. */
  readonly key: string;
  readonly kind: "stopLoss" | "takeProfit";
  readonly price: number;
  readonly unit: DraftLevel["unit"];
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
    return price === undefined || price <= 0 ? [] : [{ key, kind, price, unit: level.unit, lots }];
  });
}

/** A line of a chart. */
interface ExitLine extends Pick<ExitLevel, "key" | "price"> {
  readonly kind: ExitLevel["kind"] | "limit";
  readonly title: string;
}

/** The levels that can be read, as lines of a chart. */
export function exitLines(draft: SetupDraft, fillPrice: number | undefined, table: TickTable): readonly ExitLine[] {
  return exitLevels(draft, fillPrice, table).map(({ key, kind, price, lots }) => {
    return { key, kind, price, title: kind === STOP ? say("SL {lots}", { lots }) : say("TP {lots}", { lots }) };
  });
}

/** The buy of a pending OCO and its exits, as lines of a chart. `zone`: the exchange's. */
export function setupLines(setup: Setup, table: TickTable, zone: string): readonly ExitLine[] {
  const price = buyPriceOf(setup.entry);
  const exits = exitLines(setupDraftOf(setup, zone), price, table);
  return price === undefined ? exits : [{ key: "buy", price, kind: "limit", title: say("Buy") }, ...exits];
}

/** What the exits bring against the price of the fill, in the currency of the account. */
interface ExitWorth {
  /** By the key of a level, its price or distance and its amount, as text. */
  readonly notes: ReadonlyMap<string, string>;
  /** All lots sold at the stop-loss; undefined if it or its lots are not known. */
  readonly loss: number | undefined;
  /** All take-profits filled; undefined if one of them or its lots are not known. */
  readonly profit: number | undefined;
}

/** Empty while the expected price of the fill is not known. */
export function exitWorth(
  draft: SetupDraft,
  fillPrice: number | undefined,
  table: TickTable,
  currency = "",
): ExitWorth {
  const notes = new Map<string, string>();
  let loss: number | undefined;
  let [profit, profitCount] = [0, 0];
  if (fillPrice === undefined || fillPrice <= 0) return { notes, loss, profit: undefined };
  for (const { key, kind, price, unit, lots } of exitLevels(draft, fillPrice, table)) {
    const quantity = readNumber(lots, 0) || undefined;
    const amount = quantity === undefined ? undefined : (price - fillPrice) * quantity;
    const level =
      unit === "percent" ? say("about {price}", { price: priceText(price) }) : distanceText(price, fillPrice);
    notes.set(
      key,
      amount === undefined ? level : say("{level}, {amount}", { level, amount: amountText(amount, currency) }),
    );
    if (amount === undefined) continue;
    if (kind === "stopLoss") loss = amount;
    else [profit, profitCount] = [profit + amount, profitCount + 1];
  }
  const isWhole = profitCount > 0 && profitCount === draft.takeProfits.length;
  return { notes, loss, profit: isWhole ? profit : undefined };
}

function amountText(amount: number, currency: string): string {
  return `${profitText(amount)} ${currency}`.trim();
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
