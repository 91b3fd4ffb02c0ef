/** How the stop-loss of a group moves: with the price, which can be ended, and with each take-profit that is sold. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
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
    setSaid(refusal ?? say("The stop-loss stays where it is."));
    if (refusal === undefined) readAgain();
  };
  const { trailing = null, ladder = null } = plan ?? {};
  if (trailing === null && ladder === null && said === undefined) return null;
  const title = trailing === null && ladder !== null ? say("Stop-loss on a ladder") : say("Trailing stop-loss");
  return (
    <section class="card receipt" aria-label={title}>
      <div class="heading">
        <h3>{title}</h3>
        <span class="grow" />
        {trailing !== null && (
          <Confirm title={say("Stop trailing")} yes={say("Yes, leave it where it is")} onConfirm={() => void end()} />
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
          {rungText(afterTakeProfits, to === "entry" ? priceText(entryPrice) : undefined)}
          {offset !== 0 && ` ${offset > 0 ? "+" : "−"} ${priceText(Math.abs(offset))}`}
          {afterTakeProfits <= climbed && ` ${say("(done)")}`}
        </li>
      ))}
    </ul>
  );
}

/** `entry`: the price to which the stop-loss goes; undefined: to the take-profit before. */
function rungText(count: number, entry: string | undefined): string {
  if (entry === undefined)
    return count === 1
      ? say("After 1 sold take-profit: to the take-profit before")
      : say("After {count} sold take-profits: to the take-profit before", { count });
  return count === 1
    ? say("After 1 sold take-profit: to the entry of {entry}", { entry })
    : say("After {count} sold take-profits: to the entry of {entry}", { count, entry });
}

function textOf({ distance, distancePercent, activationPrice, high, isActivated }: TrailingTerms): string {
  const far = distance === null ? say("{share}%", { share: priceText(distancePercent) }) : priceText(distance);
  if (!isActivated) {
    return say("It follows the price by {far} once {price} is reached.", { far, price: priceText(activationPrice) });
  }
  const text = say("It follows the price up, {far} under the high.", { far });
  return high === null ? text : `${text} ${say("The high that counts is {price}.", { price: priceText(high) })}`;
}
