/** States that no level of a group fires, as it or its symbol is held, with a way to let them fire anyway. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { serviceRemark } from "../language/service-text.ts";
import { Confirm } from "../part/confirm.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";

const SETTLE_MS = 1_000;

interface Plan {
  readonly hold: { readonly isReleased: boolean } | null;
  readonly corporateActions: { readonly isHeld: boolean; readonly message: string | null };
}

interface HoldProps {
  readonly dashboard: DashboardState;
  readonly groupId: number;
  readonly symbol: string;
}

/** Nothing while neither the symbol nor the group is held. */
export function Hold({ dashboard, groupId, symbol }: HoldProps) {
  const conditions = useStore(dashboard.health.said)?.conditions;
  const held = conditions?.heldSymbols.find((one) => one.symbol === symbol);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const path = `/api/v1/oco-orders/${groupId}`;
  const read = (): Promise<Plan> => dashboard.session.get<Plan>(`${path}/plan`);
  const { data: plan, readAgain } = useReading(dashboard, read, [groupId, held?.since, changes]);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const release = async (): Promise<void> => {
    let done = "";
    const refusal = await dashboard.attempt(async () => {
      done = (await dashboard.session.send("POST", `${path}/release`)).message;
    });
    setSaid(refusal ?? done);
    if (refusal === undefined) readAgain();
  };
  // A corporate action holds the group alone (behaviour 28.7), and no release of the symbol lets its levels fire.
  const byAction = plan?.corporateActions.isHeld === true ? plan.corporateActions.message : null;
  if (held === undefined && byAction === null) return null;
  const isReleased = byAction === null && plan?.hold?.isReleased === true;
  const name = held === undefined ? say("This group is held") : say("{symbol} is held", { symbol });
  return (
    <section class="card receipt" aria-label={held === undefined ? say("Held group") : say("Held symbol")}>
      <div class="heading">
        <h3>{name}</h3>
        <span class="grow" />
        {plan !== undefined && !isReleased && dashboard.session.has("trade") && (
          <Confirm
            title={say("Release group")}
            yes={say("Yes, let its levels fire")}
            onConfirm={() => void release()}
          />
        )}
      </div>
      {said !== undefined && (
        <p role="status" class="said">
          {said}
        </p>
      )}
      {byAction !== null && <p class="fault">{serviceRemark(byAction)}</p>}
      {held !== undefined && (
        <p class={isReleased ? "" : "fault"}>
          {say("Since")} <Time at={held.since} />: {serviceRemark(held.reason)}.{" "}
          {isReleased
            ? say("You released this group: its levels fire.")
            : say(
                "No level of this group fires until the symbol is released. Compare its levels with the price before you release it.",
              )}
        </p>
      )}
      {!isReleased && <p class="hint">{RELEASE_HINT}</p>}
    </section>
  );
}

/** What follows a release (behaviour 16.3 and 16.4). */
export const RELEASE_HINT = say(
  "At the release each level is compared with the last price: a level that the price has reached then sells immediately. Prices that passed before fire nothing.",
);
