/** How the stop-loss of a group follows the price, and a way to leave it where it is. */
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

interface Plan {
  readonly version: number;
  readonly trailing: TrailingTerms | null;
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
  const trailing = plan?.trailing ?? null;
  if (trailing === null && said === undefined) return null;
  return (
    <section class="card receipt" aria-label="Trailing stop-loss">
      <div class="heading">
        <h3>Trailing stop-loss</h3>
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
    </section>
  );
}

function textOf({ distance, distancePercent, activationPrice, high, isActivated }: TrailingTerms): string {
  const far = distance === null ? `${priceText(distancePercent)} %` : priceText(distance);
  if (!isActivated) return `It follows the price by ${far} once ${priceText(activationPrice)} is reached.`;
  const seen = high === null ? "" : ` The high that counts is ${priceText(high)}.`;
  return `It follows the price up, ${far} under the high.${seen}`;
}
