/** States that no level of a group fires, as its symbol is held, with a way to let them fire anyway. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { serviceRemark } from "../language/service-text.ts";
import { Confirm } from "../part/confirm.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { HeldSymbol } from "../state/model.ts";
import { useStore } from "../state/store.ts";

interface Plan {
  readonly hold: { readonly isReleased: boolean } | null;
}

interface HoldProps {
  readonly dashboard: DashboardState;
  readonly groupId: number;
  readonly symbol: string;
}

/** Nothing while the symbol is not held. */
export function Hold({ dashboard, groupId, symbol }: HoldProps) {
  const conditions = useStore(dashboard.health.said)?.conditions;
  const held = conditions?.heldSymbols.find((one) => one.symbol === symbol);
  return held === undefined ? null : <Held dashboard={dashboard} groupId={groupId} held={held} />;
}

interface HeldProps extends Omit<HoldProps, "symbol"> {
  readonly held: HeldSymbol;
}

function Held({ dashboard, groupId, held }: HeldProps) {
  const path = `/api/v1/oco-orders/${groupId}`;
  const read = (): Promise<Plan> => dashboard.session.get<Plan>(`${path}/plan`);
  const { data: plan, readAgain } = useReading(dashboard, read, [groupId, held.since]);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const release = async (): Promise<void> => {
    const refusal = await dashboard.attempt(() => dashboard.session.send("POST", `${path}/release`));
    setSaid(refusal ?? say("The group was released."));
    if (refusal === undefined) readAgain();
  };
  const isReleased = plan?.hold?.isReleased === true;
  return (
    <section class="card receipt" aria-label={say("Held symbol")}>
      <div class="heading">
        <h3>{say("{symbol} is held", { symbol: held.symbol })}</h3>
        <span class="grow" />
        {plan !== undefined && !isReleased && (
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
      <p class={isReleased ? "" : "fault"}>
        {say("Since")} <Time at={held.since} />: {serviceRemark(held.reason)}.{" "}
        {isReleased
          ? say("You released this group: its levels fire.")
          : say(
              "No level of this group fires until the symbol is released. Compare its levels with the price before you release it.",
            )}
      </p>
    </section>
  );
}
