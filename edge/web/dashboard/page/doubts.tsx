/** The user's orders in doubt: since when and why, what is protected until they are settled, and what to do. */
import type { ComponentChildren } from "preact";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import {
  adviceText,
  type DoubtPlan,
  decidingCommands,
  decidingText,
  protectionText,
  settlingCommands,
  subjectText,
} from "../part/doubt-words.ts";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import { quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { DoubtfulOrder, UnansweredOrder } from "../state/model.ts";
import { useStore } from "../state/store.ts";

/** Each of a group reads its plan. */
const SHOWN_MAX = 20;
const SETTLE_MS = 3_200;

/** What the operator's list contains: the ids by which orders are settled. */
interface Quarantined {
  readonly id: string;
  readonly type: string;
  readonly actorId?: number;
  readonly orderNo?: string;
  readonly userId?: number;
  readonly clientOrderId?: string;
  readonly brokerageCode?: string;
}

/** Nothing while no order is in doubt or without an answer. An operator sees how to settle them. */
export function Doubts({ dashboard }: { readonly dashboard: DashboardState }) {
  const orders = useStore(dashboard.doubtfulOrders);
  const unanswered = useStore(dashboard.unansweredOrders);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const isOperator = dashboard.session.has("admin");
  const readQuarantine = async (): Promise<readonly Quarantined[]> =>
    isOperator ? dashboard.session.get<readonly Quarantined[]>("/admin/v1/quarantine") : [];
  const { data: quarantine = [], fault } = useReading(dashboard, readQuarantine, [orders, unanswered, changes]);
  const waitingIdOf = ({ clientOrderId, brokerageCode }: UnansweredOrder): string | undefined =>
    quarantine.find((one) => one.clientOrderId === clientOrderId && one.brokerageCode === brokerageCode)?.id;
  const idOf = ({ orderNo, owner }: DoubtfulOrder): string | undefined =>
    quarantine.find((one) => one.type === "doubt" && one.orderNo === orderNo && one.actorId === owner.id)?.id;
  const leftOut = Math.max(0, orders.length - SHOWN_MAX) + Math.max(0, unanswered.length - SHOWN_MAX);
  if (orders.length === 0 && unanswered.length === 0) return null;
  return (
    <section class="card receipt" aria-label={say("Orders in doubt")}>
      <h2>{say("Orders in doubt")}</h2>
      <p class="hint">
        {say("The outcome of these orders is not known. None of them is sent again until it is settled.")}
      </p>
      {fault !== undefined && <p class="fault">{fault}</p>}
      <ol>
        {orders.slice(0, SHOWN_MAX).map((order) => (
          <Doubt key={`${order.brokerageCode} ${order.orderNo}`} {...{ dashboard, order, id: idOf(order) }} />
        ))}
        {unanswered.slice(0, SHOWN_MAX).map((order) => (
          <Unanswered key={order.clientOrderId} order={order} id={waitingIdOf(order)} />
        ))}
      </ol>
      {leftOut > 0 && (
        <p class="hint">
          {say("{count} more: npm run cli -- orders list, quarantine.", { count: quantityText(leftOut) })}
        </p>
      )}
    </section>
  );
}

interface HeadProps {
  readonly brokerageCode: string;
  readonly accountNumber: string;
  readonly since: string;
  readonly why: string | null;
  readonly children: ComponentChildren;
}

/** Which order it is, where, and since when and why its outcome is not known. */
function Head({ brokerageCode, accountNumber, since, why, children }: HeadProps) {
  return (
    <>
      <p>
        <strong>{children}</strong>
        <span class="hint">
          {" "}
          {brokerageCode} · {accountNumber}
        </span>
      </p>
      <p class="fault">
        {say("Since")} <Time at={since} /> {why !== null && serviceText(why)}
      </p>
    </>
  );
}

/** An order that may exist at its brokerage. `id`: that in the operator's list, if the user can read it. */
function Unanswered({ order, id }: { readonly order: UnansweredOrder; readonly id: string | undefined }) {
  const { symbol, clientOrderId, brokerageCode, accountNumber, since, message, buySell, quantity } = order;
  const values = { symbol, order: clientOrderId ?? "", lots: quantityText(quantity) };
  return (
    <li>
      <Head {...{ brokerageCode, accountNumber, since, why: message }}>
        {buySell === 1
          ? say("{symbol}: buy order {order} of {lots} lots without an answer", values)
          : say("{symbol}: sell order {order} of {lots} lots without an answer", values)}
      </Head>
      <p>{say("A level that it belongs to does not fire again until it is settled.")}</p>
      <p>{decidingText(brokerageCode, id !== undefined)}</p>
      {id !== undefined && <pre>{decidingCommands(id).join("\n")}</pre>}
    </li>
  );
}

interface DoubtProps {
  readonly dashboard: DashboardState;
  readonly order: DoubtfulOrder;
  /** Its id in the operator's list, if the user can read that. */
  readonly id: string | undefined;
}

function Doubt({ dashboard, order, id }: DoubtProps) {
  const names = useStore(dashboard.botNames);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const { owner, symbol, quantity, buySell, orderNo, since, message, brokerageCode, accountNumber } = order;
  const values = { symbol, order: orderNo, lots: quantityText(quantity) };
  const readPlan = async (): Promise<DoubtPlan | null> =>
    owner.type === "group" ? dashboard.session.get<DoubtPlan>(`/api/v1/oco-orders/${owner.id}/plan`) : null;
  const { data, fault } = useReading(dashboard, readPlan, [owner.id, since, changes]);
  const plan = data ?? undefined;
  const protection = protectionText(order, plan);
  return (
    <li>
      <Head {...{ brokerageCode, accountNumber, since, why: message }}>
        {buySell === 1
          ? say("{symbol}: buy order {order} of {lots} lots", values)
          : say("{symbol}: sell order {order} of {lots} lots", values)}
      </Head>
      <p>{subjectText(order, plan, names)}</p>
      {fault !== undefined && <p class="fault">{fault}</p>}
      {protection !== undefined && <p>{protection}</p>}
      <p>{adviceText(order, id !== undefined)}</p>
      {id !== undefined && <pre>{settlingCommands(orderNo, id).join("\n")}</pre>}
    </li>
  );
}
