/** What a running group brings as a whole: if its stop-loss fires next, and if all its take-profits fire. */
import { say } from "../language/say.ts";
import { quantityText } from "../part/words.ts";
import type { OcoRow } from "../state/model.ts";
import { ratioOf } from "./draft-worth.ts";
import { amountItem, Results, ratioItems } from "./results.tsx";
import { groupOutcome, type RowFill } from "./row-worth.ts";

interface GroupTotalProps {
  readonly rows: readonly OcoRow[];
  readonly fills: ReadonlyMap<number, RowFill>;
  readonly averagePrice: number;
  readonly currency: string;
}

export function GroupTotal({ rows, fills, averagePrice, currency }: GroupTotalProps) {
  const outcome = groupOutcome(rows, fills, averagePrice);
  if (outcome === undefined) return null;
  const { stop, targets, sold, cost, restLots } = outcome;
  return (
    <div class="total">
      <Results
        items={[
          amountItem(say("If the stop-loss fires"), stop, currency, stop / cost),
          amountItem(say("If all take-profits fire"), targets, currency, targets / cost),
          ...ratioItems(ratioOf(stop, targets)),
          ...(sold === undefined ? [] : [amountItem(say("Sold so far, counted in"), sold, currency)]),
          ...(restLots === 0 ? [] : [{ name: say("Left to the stop-loss"), view: lotsText(restLots) }]),
        ]}
      />
    </div>
  );
}

function lotsText(lots: number): string {
  return say("{lots} lots", { lots: quantityText(lots) });
}
