/** The results of sales at the levels of a new group: against the cost of its lots, or from the last price without a cost. */
import { say } from "../language/say.ts";
import { useNarrow } from "../part/narrow.ts";
import { averageText, priceText } from "../part/words.ts";
import type { draftResults } from "./draft-worth.ts";
import { amountItem, Results, ratioItems } from "./results.tsx";

interface DraftResultsProps {
  readonly results: NonNullable<ReturnType<typeof draftResults>>;
  readonly currency: string;
}

export function DraftResults({ results: { basis, isFromCost, stop, targets, ratio }, currency }: DraftResultsProps) {
  // One line on a narrow screen.
  const isNarrow = useNarrow();
  const basisItem = isFromCost
    ? { name: say("Against your cost"), view: averageText(basis) }
    : { name: say("From the last price"), view: priceText(basis) };
  const [stopName, targetsName] = isNarrow ? [say("SL"), say("TP")] : [say("At the stop-loss"), say("At the targets")];
  return (
    <Results
      items={[
        ...(isNarrow ? [] : [basisItem]),
        amountItem(stopName, stop, currency),
        ...(targets === undefined ? [] : [amountItem(targetsName, targets, currency)]),
        ...ratioItems(ratio),
      ]}
    />
  );
}
