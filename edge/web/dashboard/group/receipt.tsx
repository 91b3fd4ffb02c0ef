/** The receipt of a fired row, as a timeline: the tick, the rule, the moments on the way, the order. */

import { useEffect, useRef } from "preact/hooks";
import { dateLocale, say } from "../language/say.ts";
import { Fault } from "../part/fault.tsx";
import { useReadAgain } from "../part/use-read-again.ts";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import { priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";

interface OrderReceipt {
  readonly clientOrderId: string;
  readonly quantity: number;
  readonly orderNo: string | null;
  readonly refusal: string | null;
  readonly attempts: number | null;
  readonly decidedDate: string | null;
  readonly durableDate: string | null;
  readonly sentDate: string | null;
  readonly acknowledgedDate: string | null;
  readonly filledDate: string | null;
  readonly filledQuantity: number | null;
  readonly averagePrice: number | null;
}

interface ReceiptData {
  readonly rule: string;
  readonly tick: {
    readonly price: number;
    readonly time: string;
    readonly ownTime: string | null;
    readonly arrivedDate: string | null;
    readonly isCaughtUp: boolean | null;
  } | null;
  readonly orders: readonly OrderReceipt[];
}

const SETTLE_MS = 3_000;

const clockFormat = new Intl.DateTimeFormat(dateLocale(), {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});

export function Receipt({ dashboard, rowId }: { readonly dashboard: DashboardState; readonly rowId: number }) {
  const read = (): Promise<ReceiptData> => dashboard.session.get<ReceiptData>(`/api/v1/oco-orders/${rowId}/receipt`);
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const { data, fault, readAgain } = useReading(dashboard, read, [rowId, changes]);
  const isGoingOn = data?.orders.some(({ filledDate, refusal }) => filledDate === null && refusal === null) === true;
  useReadAgain(isGoingOn, data, readAgain);
  return (
    <>
      <Fault text={fault} />
      {data === undefined && fault === undefined && <p class="empty">{say("Reading…")}</p>}
      {data !== undefined && <Timeline receipt={data} />}
    </>
  );
}

function Timeline({ receipt }: { readonly receipt: ReceiptData }) {
  const section = useRef<HTMLElement>(null);
  // It opens below the rows, where a small screen does not show it.
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), []);
  const { rule, tick, orders } = receipt;
  return (
    <section class="card receipt" aria-label={say("Sale record")} ref={section}>
      <h3>{say("Sale record")}</h3>
      <p>{rule}</p>
      <ol>
        {tick !== null && (
          <>
            <Moment title={say("The publisher's time of the price")} time={tick.ownTime} />
            <Moment
              title={
                tick.isCaughtUp === true
                  ? say("Price {price}, caught up", { price: priceText(tick.price) })
                  : say("Price {price}", { price: priceText(tick.price) })
              }
              time={tick.time}
            />
            <Moment title={say("Arrived")} time={tick.arrivedDate} />
          </>
        )}
        {orders.map((order) => (
          <OrderMoments key={order.clientOrderId} order={order} />
        ))}
      </ol>
    </section>
  );
}

function OrderMoments({ order }: { readonly order: OrderReceipt }) {
  const { attempts, orderNo } = order;
  const filled = { lots: quantityText(order.filledQuantity ?? 0), price: priceText(order.averagePrice) };
  const taken =
    orderNo === null
      ? say("Taken by the brokerage as an order without a number yet")
      : say("Taken by the brokerage as {orderNo}", { orderNo });
  return (
    <>
      <Moment title={say("Decided")} time={order.decidedDate} />
      <Moment title={say("Durable")} time={order.durableDate} />
      <Moment
        title={attempts !== null && attempts > 1 ? say("Sent, attempt {number}", { number: attempts }) : say("Sent")}
        time={order.sentDate}
      />
      <Moment title={order.refusal ?? taken} time={order.acknowledgedDate} />
      <Moment title={say("Filled {lots} at {price}", filled)} time={order.filledDate} />
      <li class="hint">
        {say("{lots} lots, named {name}", { lots: quantityText(order.quantity), name: order.clientOrderId })}
      </li>
    </>
  );
}

/** Nothing if the moment is not known. */
function Moment({ title, time }: { readonly title: string; readonly time: string | null }) {
  if (time === null) return null;
  return (
    <li>
      <time>{clockFormat.format(new Date(time))}</time> {title}
    </li>
  );
}
