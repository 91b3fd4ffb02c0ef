/** What the exit of a fired stop-loss is doing now: how much is sold, each of its orders, and a way to stop it. */
import { useEffect, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Confirm } from "../part/confirm.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

type ExitState = "none" | "selling" | "waiting" | "stopping" | "sold" | "ended";

interface ExitOrder {
  readonly rowId: number;
  readonly clientOrderId: string;
  readonly quantity: number;
  readonly orderNo: string | null;
  readonly refusal: string | null;
  readonly filledDate: string | null;
  readonly filledQuantity: number | null;
  readonly averagePrice: number | null;
}

interface Plan {
  readonly exit: {
    readonly state: ExitState;
    readonly soldQuantity: number;
    readonly leftQuantity: number;
    readonly nextOrderDate: string | null;
    /** True: the next order leaves when the market opens. */
    readonly waitsForSession: boolean;
  };
  readonly orders: readonly ExitOrder[];
}

const READ_AGAIN_MS = 5_000;

const STATES: Readonly<Record<ExitState, string>> = {
  none: say("The stop-loss has not fired."),
  selling: say("An order is at the brokerage."),
  waiting: say("The next order waits for its time."),
  stopping: say("The exit is being stopped: its order is being cancelled."),
  sold: say("All lots are sold."),
  ended: say("The exit has ended, and not all lots are sold."),
};

interface ExitProps {
  readonly dashboard: DashboardState;
  readonly groupId: number;
  /** Read again when it changes: the row's message and state. */
  readonly version: string;
}

export function Exit({ dashboard, groupId, version }: ExitProps) {
  const path = `/api/v1/oco-orders/${groupId}`;
  const read = (): Promise<Plan> => dashboard.session.get<Plan>(`${path}/plan`);
  const { data: plan, fault, readAgain } = useReading(dashboard, read, [groupId, version]);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const state = plan?.exit.state;
  const isGoingOn = state === "selling" || state === "waiting" || state === "stopping";
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(readAgain, READ_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [plan, isGoingOn, readAgain]);
  const stop = async (): Promise<void> => {
    const refusal = await dashboard.attempt(() => dashboard.session.send("POST", `${path}/stop-exit`));
    setSaid(refusal ?? say("The exit is being stopped."));
    if (refusal === undefined) readAgain();
  };
  if (plan === undefined) return fault === undefined ? null : <p class="fault">{fault}</p>;
  const { soldQuantity, leftQuantity, nextOrderDate, waitsForSession } = plan.exit;
  const mayStop = plan.exit.state === "selling" || plan.exit.state === "waiting";
  return (
    <section class="card receipt" aria-label={say("Exit")}>
      <div class="heading">
        <h3>{say("Exit")}</h3>
        <span class="grow" />
        {mayStop && <Confirm title={say("Stop exit")} yes={say("Yes, sell no more")} onConfirm={() => void stop()} />}
      </div>
      {said !== undefined && (
        <p role="status" class="said">
          {said}
        </p>
      )}
      <p>
        {waitsForSession ? say("The market is closed: the order is sent when it opens.") : STATES[plan.exit.state]}{" "}
        {say("Sold: {sold} of {all} lots.", {
          sold: quantityText(soldQuantity),
          all: quantityText(soldQuantity + leftQuantity),
        })}
        {nextOrderDate !== null && (
          <>
            {" "}
            {say("Next order:")} <Time at={nextOrderDate} />
          </>
        )}
      </p>
      <ol>
        {plan.orders
          .filter(({ rowId }) => rowId === groupId)
          .map((order) => (
            <li key={order.clientOrderId}>
              {say("{lots} lots: {outcome}", { lots: quantityText(order.quantity), outcome: outcomeOf(order) })}
              <span class="hint"> {order.orderNo ?? order.clientOrderId}</span>
            </li>
          ))}
      </ol>
    </section>
  );
}

function outcomeOf({ refusal, filledDate, filledQuantity, averagePrice }: ExitOrder): string {
  if (refusal !== null) return refusal;
  const filled = filledQuantity ?? 0;
  const lots = quantityText(filled);
  const sold =
    filled > 0
      ? say("{lots} filled at {price}", { lots, price: priceText(averagePrice) })
      : say("{lots} filled", { lots });
  return filledDate === null ? say("open, {sold}", { sold }) : sold;
}
