/** Amounts in one row, each below its name. */
import type { ComponentChildren } from "preact";
import { say } from "../language/say.ts";
import { Profit, Share } from "../part/profit.tsx";
import { moneyText } from "../part/words.ts";

interface ResultItem {
  readonly name: string;
  readonly view: ComponentChildren;
}

export function Results({ items }: { readonly items: readonly ResultItem[] }) {
  return (
    <dl class="results">
      {items.map(({ name, view }) => (
        <div key={name}>
          <dt>{name}</dt> <dd class="number">{view}</dd>
        </div>
      ))}
    </dl>
  );
}

/** An amount with its currency, and its share of the cost if that is known. */
export function amountItem(name: string, amount: number, currency: string, share?: number): ResultItem {
  const view = (
    <>
      <Profit amount={amount} /> <span class="unit">{currency}</span>
      {share !== undefined && (
        <>
          {" "}
          <Share share={share} />
        </>
      )}
    </>
  );
  return { name, view };
}

/** The gain for each unit of loss; no item without it. */
export function ratioItems(ratio: number | undefined): readonly ResultItem[] {
  return ratio === undefined ? [] : [{ name: say("Risk to reward"), view: `1 : ${moneyText(ratio)}` }];
}
