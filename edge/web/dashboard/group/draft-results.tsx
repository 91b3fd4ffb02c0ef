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
    <>
      {ratio !== undefined && <RatioText ratio={ratio} isNarrow />}
      <div class="results">
        {/* On a narrow screen the names are above their columns, in place of each amount. */}
        <p class="sums narrow-only" aria-hidden="true">
          <span />
          <span class="hint">{TEXT.stop}</span>
          <span class="hint">{TEXT.targets}</span>
        </p>
        {stop.fromCost !== undefined && (
          <p class="sums">
            <span>{say("Against your cost")}</span>
            <Result name={TEXT.stop} amount={stop.fromCost} currency={currency} isMain />
            <Result name={TEXT.targets} amount={targets?.fromCost} currency={currency} isMain />
            {ratio !== undefined && <RatioText ratio={ratio} />}
          </p>
        )}
        <p class="sums">
          <span>{say("From the last price")}</span>
          <Result name={TEXT.stop} amount={stop.fromLast} currency={currency} />
          <Result name={TEXT.targets} amount={targets?.fromLast} currency={currency} />
          {ratio !== undefined && stop.fromCost === undefined && <RatioText ratio={ratio} />}
        </p>
      </div>
    </>
  );
}

/** In the row of the amounts that it is of; on a narrow screen, next to the buttons. */
function RatioText({ ratio, isNarrow = false }: { readonly ratio: number; readonly isNarrow?: boolean }) {
  return (
    <span class={isNarrow ? "ratio hint narrow-only" : "ratio hint wide-only"}>
      {say("Risk to reward 1 : {ratio}", { ratio: moneyText(ratio) })}
    </span>
  );
}

const TEXT = {
  stop: say("At the stop-loss"),
  targets: say("At the targets"),
} as const;

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
      <span class="hint name">{name}</span>{" "}
      {isMain ? <strong class="number">{shown}</strong> : <span class="number">{shown}</span>}
    </span>
  );
}
