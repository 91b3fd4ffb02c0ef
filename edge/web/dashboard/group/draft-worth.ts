/** What the levels of a group in the making would gain or lose against the last price, as one line of text. */
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { say } from "../language/say.ts";
import { readNumber } from "../part/number-text.ts";
import { distanceText, priceText, profitText } from "../part/words.ts";
import { type Draft, readPrice } from "./levels.ts";

interface ReadLevel {
  readonly price: number;
  /** Undefined: not typed yet. */
  readonly lots: number | undefined;
}

/** Undefined while the symbol has no price. Levels that cannot be read are left out, and amounts without lots, too. */
export function draftWorthText(draft: Draft, last: number | undefined): string | undefined {
  if (last === undefined) return undefined;
  const stops = read(draft.stopLossPrice, draft.stopLossQuantity);
  const targets = draft.takeProfits.flatMap(({ price, quantity }) => read(price, quantity));
  const parts = [
    ...stops.map(({ price, lots }) => {
      const share = distanceText(price, last);
      if (lots === undefined) return say("stop {share}", { share });
      return say("stop {share} = {amount}", { share, amount: profitText((price - last) * lots) });
    }),
    ...targets.map(({ price, lots }) => {
      const share = distanceText(price, last);
      if (lots === undefined) return say("target {share}", { share });
      return say("target {share} = {amount}", { share, amount: profitText((price - last) * lots) });
    }),
  ];
  return [say("Last {price}", { price: priceText(last) }), ...parts].join(" · ");
}

const CURRENCIES: Readonly<Record<TickTable, string>> = { BIST: "TRY", CENT: "USD" };

/** The currency of the prices of a tick table. */
export function currencyOf(table: TickTable): string {
  return CURRENCIES[table];
}

interface DraftSums {
  /** What a sale of all lots at the stop-loss changes, against the last price; with its currency. */
  readonly stop: string;
  /** What the sales at all take-profits change together. */
  readonly targets: string;
}

/** Returns undefined while the last price, a level or its lots are missing. */
export function draftSums(draft: Draft, last: number | undefined, table: TickTable): DraftSums | undefined {
  if (last === undefined) return undefined;
  const sumOf = (levels: readonly (readonly [string, string])[]): string | undefined => {
    const found = levels.flatMap(([price, quantity]) => read(price, quantity));
    if (found.length < levels.length || found.some(({ lots }) => lots === undefined)) return undefined;
    const sum = found.reduce((total, { price, lots = 0 }) => total + (price - last) * lots, 0);
    return `${profitText(sum)} ${CURRENCIES[table]}`;
  };
  const stop = sumOf([[draft.stopLossPrice, draft.stopLossQuantity]]);
  const targets = sumOf(draft.takeProfits.map(({ price, quantity }) => [price, quantity] as const));
  return stop === undefined || targets === undefined ? undefined : { stop, targets };
}

function read(price: string, quantity: string): readonly ReadLevel[] {
  const level = readPrice(price);
  const lots = readNumber(quantity, 0);
  return level === undefined || level <= 0 ? [] : [{ price: level, lots: lots === 0 ? undefined : lots }];
}
