/** What the levels of a group in the making would gain or lose against the last price, as one line of text. */
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

function read(price: string, quantity: string): readonly ReadLevel[] {
  const level = readPrice(price);
  const lots = readNumber(quantity, 0);
  return level === undefined || level <= 0 ? [] : [{ price: level, lots: lots === 0 ? undefined : lots }];
}
