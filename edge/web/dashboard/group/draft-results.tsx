/** The results of sales at the levels of a new group: against the cost of its lots, then from the last price. */
import { say } from "../language/say.ts";
import { Profit } from "../part/profit.tsx";
import { moneyText } from "../part/words.ts";
import type { draftResults } from "./draft-worth.ts";

interface DraftResultsProps {
  readonly results: NonNullable<ReturnType<typeof draftResults>>;
  readonly currency: string;
}

export function DraftResults({ results: { stop, targets, ratio }, currency }: DraftResultsProps) {
  return (
    <div class="results">
      {stop.fromCost !== undefined && (
        <p class="sums">
          <span>{say("Against your cost")}</span>
          <Result name={say("At the stop-loss")} amount={stop.fromCost} currency={currency} isMain />
          <Result name={say("At the targets")} amount={targets?.fromCost} currency={currency} isMain />
        </p>
      )}
      <p class="sums">
        <span>{say("From the last price")}</span>
        <Result name={say("At the stop-loss")} amount={stop.fromLast} currency={currency} />
        <Result name={say("At the targets")} amount={targets?.fromLast} currency={currency} />
        {ratio !== undefined && <span class="hint">{say("1 : {ratio}", { ratio: moneyText(ratio) })}</span>}
      </p>
    </div>
  );
}

interface ResultProps {
  readonly name: string;
  /** Undefined: nothing is shown. */
  readonly amount: number | undefined;
  readonly currency: string;
  readonly isMain?: boolean;
}

function Result({ name, amount, currency, isMain = false }: ResultProps) {
  if (amount === undefined) return null;
  const shown = (
    <>
      <Profit amount={amount} /> {currency}
    </>
  );
  return (
    <span>
      <span class="hint">{name}</span>{" "}
      {isMain ? <strong class="number">{shown}</strong> : <span class="number">{shown}</span>}
    </span>
  );
}
