/** How the stop-loss of a group moves: with the price, which can be ended, and with each take-profit that is sold. */
import { useState } from "preact/hooks";
import { Confirm } from "../part/confirm.tsx";
import { useReading } from "../part/use-reading.ts";
import { priceText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

interface TrailingTerms {
  readonly distance: number | null;
  readonly distancePercent: number | null;
  readonly activationPrice: number | null;
  readonly high: number | null;
  readonly isActivated: boolean;
}

interface Ladder {
  readonly rungs: readonly {
    readonly afterTakeProfits: number;
    readonly to: "entry" | "previousTakeProfit";
    readonly offset: number;
  }[];
  readonly entryPrice: number | null;
  readonly climbed: number;
}

interface Plan {
  readonly trailing: TrailingTerms | null;
  readonly ladder: Ladder | null;
}

interface TrailingProps {
  readonly dashboard: DashboardState;
  readonly groupId: number;
  /** Where the stop-loss is: read again when it changes. */
  readonly stopLossPrice: number;
}

/** Nothing where the stop-loss stays where it is. */
export function Trailing({ dashboard, groupId, stopLossPrice }: TrailingProps) {
  const path = `/api/v1/oco-orders/${groupId}`;
  const read = (): Promise<Plan> => dashboard.session.get<Plan>(`${path}/plan`);
  const { data: plan, readAgain } = useReading(dashboard, read, [groupId, stopLossPrice]);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const end = async (): Promise<void> => {
    const refusal = await dashboard.attempt(() => dashboard.session.send("PATCH", path, { stopLossTrailing: null }));
    setSaid(refusal ?? "The stop-loss stays where it is.");
    if (refusal === undefined) readAgain();
  };
  const { trailing = null, ladder = null } = plan ?? {};
  if (trailing === null && ladder === null && said === undefined) return null;
  const title = trailing === null && ladder !== null ? "Stop-loss on a ladder" : "Trailing stop-loss";
  return (
    <section class="card receipt" aria-label={title}>
      <div class="heading">
        <h3>{title}</h3>
        <span class="grow" />
        {trailing !== null && (
          <Confirm title="Stop trailing" yes="Yes, leave it where it is" onConfirm={() => void end()} />
        )}
      </div>
      {said !== undefined && (
        <p role="status" class="said">
          {said}
        </p>
      )}
      {trailing !== null && <p>{textOf(trailing)}</p>}
      {ladder !== null && <Rungs ladder={ladder} />}
    </section>
  );
}

function Rungs({ ladder: { rungs, entryPrice, climbed } }: { readonly ladder: Ladder }) {
  return (
    <ul>
      {rungs.map(({ afterTakeProfits, to, offset }) => (
        <li key={afterTakeProfits}>
          After {afterTakeProfits} sold take-profit{afterTakeProfits === 1 ? "" : "s"}: to{" "}
          {to === "entry" ? `the entry of ${priceText(entryPrice)}` : "the take-profit before"}
          {offset !== 0 && ` ${offset > 0 ? "+" : "−"} ${priceText(Math.abs(offset))}`}
          {afterTakeProfits <= climbed && " (done)"}
        </li>
      ))}
    </ul>
  );
}

function textOf({ distance, distancePercent, activationPrice, high, isActivated }: TrailingTerms): string {
  const far = distance === null ? `${priceText(distancePercent)} %` : priceText(distance);
  if (!isActivated) return `It follows the price by ${far} once ${priceText(activationPrice)} is reached.`;
  const seen = high === null ? "" : ` The high that counts is ${priceText(high)}.`;
  return `It follows the price up, ${far} under the high.${seen}`;
}
