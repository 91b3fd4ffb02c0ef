/** What is known of a fired row, as a timeline: the tick, the rule, the moments on the way, the order. */
import type { Desk } from "./desk.ts";
import { useReading } from "./use-reading.ts";
import { priceText } from "./words.ts";

interface Moment {
  readonly title: string;
  readonly time: string | null | undefined;
}

interface ReceiptView {
  readonly rule: string;
  readonly tick: {
    readonly price: number;
    readonly time: string | null;
    readonly arrivedAt: string | null;
    readonly isCaughtUp: boolean;
  };
  readonly decidedAt: string | null;
  readonly durableAt: string | null;
  readonly sentAt: string | null;
  readonly acknowledgedAt: string | null;
  readonly filledAt: string | null;
  readonly attempts: number;
  readonly orderNo: string | null;
  readonly clientOrderId: string;
}

const clockFormat = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});

export function Receipt({ desk, rowId }: { readonly desk: Desk; readonly rowId: number }) {
  const { data, fault } = useReading(desk, () => desk.session.get<ReceiptView>(`/api/v1/oco-orders/${rowId}/receipt`), [
    rowId,
  ]);
  if (fault !== undefined)
    return (
      <p class="fault" role="alert">
        {fault}
      </p>
    );
  if (data === undefined) return <p class="empty">Reading…</p>;
  const moments: readonly Moment[] = [
    { title: `Price ${priceText(data.tick.price)}${data.tick.isCaughtUp ? " (caught up)" : ""}`, time: data.tick.time },
    { title: "Arrived", time: data.tick.arrivedAt },
    { title: "Decided", time: data.decidedAt },
    { title: "Durable", time: data.durableAt },
    { title: data.attempts > 1 ? `Sent (attempt ${data.attempts})` : "Sent", time: data.sentAt },
    { title: "Acknowledged", time: data.acknowledgedAt },
    { title: "Filled", time: data.filledAt },
  ];
  return (
    <section class="card receipt" aria-label="Receipt">
      <p>{data.rule}</p>
      <ol>
        {moments
          .filter(({ time }) => time !== null && time !== undefined)
          .map(({ title, time }) => (
            <li key={title}>
              <time>{clockFormat.format(new Date(time ?? 0))}</time> {title}
            </li>
          ))}
      </ol>
      <p class="hint">
        Order {data.orderNo ?? "without a number yet"}, named {data.clientOrderId}
      </p>
    </section>
  );
}
