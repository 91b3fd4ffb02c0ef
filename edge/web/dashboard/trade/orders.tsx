/** Orders at the brokerage: who sent them, how far they are from filling, and a way to cancel or repeat an open order. */
import { useEffect, useState } from "preact/hooks";
import { BUY, MARKET, ORDER_OPEN } from "../../../../src/domain/order/order.ts";
import { say } from "../language/say.ts";
import { partOfBuy } from "../page/pending.tsx";
import { Confirm } from "../part/confirm.tsx";
import { commonCurrency, titleOf } from "../part/currency.ts";
import { Dash } from "../part/dash.tsx";
import { Select } from "../part/select.tsx";
import { type Column, Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { averageText, distanceText, moneyText, ORDER_STATES, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { isOpen, type Order } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import type { OrderSource, SourceKind } from "./order-source.ts";
import { copyOf, type TicketDraft } from "./ticket-draft.ts";
import { useSetups, useSources } from "./use-order-facts.ts";

const SHOWN = ["all", "allButBots", "client", "group", "bot", "pendingOco"] as const;
type Shown = (typeof SHOWN)[number];
const SHOWN_WORDS: Readonly<Record<Shown, string>> = {
  all: say("Everything"),
  allButBots: say("All but bots"),
  client: say("You"),
  group: say("OCO groups"),
  bot: say("Bots"),
  pendingOco: say("Pending OCOs"),
};

/** Senders of orders that a person repeats: the service itself repeats orders of groups and bots. */
const COPIED: ReadonlySet<SourceKind> = new Set(["client", "pendingOco", "unknown"]);

const TIME: Column<Order> = {
  title: say("Time"),
  view: ({ createdDate, orderNo }) => (
    <>
      <Time at={createdDate} />
      <div class="hint whole spare">{orderNo}</div>
    </>
  ),
};
const ORDER: Column<Order> = {
  title: say("Symbol"),
  view: (order) => (
    <>
      <strong>{order.symbol}</strong>
      <div class="hint whole">
        <SideOf order={order} /> · {typeOf(order)}
      </div>
    </>
  ),
};
const LOTS: Column<Order> = { title: say("Filled / lots"), isNumber: true, view: (order) => lotsOf(order) };
const FILLED_AT: Column<Order> = {
  title: say("Filled at"),
  isNumber: true,
  isMinor: true,
  view: (order) => (isPriced(order) ? averageText(order.averagePrice ?? 0) : null),
};
const STATE: Column<Order> = { title: say("State"), view: (order) => stateOf(order) };

function SideOf({ order: { buySell } }: { readonly order: Order }) {
  return <span class={buySell === BUY ? "good" : "bad"}>{buySell === BUY ? say("Buy") : say("Sell")}</span>;
}

function typeOf({ orderType }: Order): string {
  return orderType === MARKET ? say("Market") : say("Limit");
}

/** Filled lots, of all lots. */
function lotsOf({ quantity, filledQuantity }: Order): string {
  return `${quantityText(filledQuantity)} / ${quantityText(quantity)}`;
}

/** Whether it is known what the filled lots of an order cost. */
function isPriced({ filledQuantity, averagePrice }: Order): boolean {
  return filledQuantity > 0 && (averagePrice ?? 0) > 0;
}

function priceOf({ price }: Order): string {
  return price > 0 ? priceText(price) : say("at market");
}

/** What is filled at its price, or an open order at its limit. */
function Value({ order }: { readonly order: Order }) {
  const { quantity, filledQuantity, averagePrice, price } = order;
  if (isPriced(order)) return <>{moneyText(filledQuantity * (averagePrice ?? 0))}</>;
  if (!waitsForPrice(order)) return null;
  return (
    <span class="hint" title={say("All lots at the limit: nothing is filled yet")}>
      {moneyText(quantity * price)}
    </span>
  );
}

function stateOf({ orderStatus }: Order): string {
  return ORDER_STATES[orderStatus] ?? say("Unknown");
}

/** Whether an order waits for a price. */
function waitsForPrice(order: Order): boolean {
  return isOpen(order) && order.price > 0;
}

interface OrdersProps {
  readonly dashboard: DashboardState;
  readonly title: string;
  /** Undefined: not read yet. */
  readonly orders: readonly Order[] | undefined;
  /** Whether all of them can still fill: their state is a column only if one of them is not at the exchange yet. */
  readonly areOpen?: boolean;
  readonly empty: string;
  /** Receives a ticket with the values of an order. */
  readonly onCopy: (ticket: TicketDraft) => void;
}

export function Orders({ dashboard, title, orders, areOpen = false, empty, onCopy }: OrdersProps) {
  const account = useStore(dashboard.account);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const [shown, setShown] = useState<Shown>("all");
  const { setups, areSetupsOf } = useSetups(dashboard, orders);
  const { sourceOfOrder, isSourceOf } = useSources(dashboard, orders);
  const kinds = new Set(orders?.map((order) => sourceOfOrder(order).kind));
  const isShown = (order: Order): boolean => {
    const { kind } = sourceOfOrder(order);
    return shown === "all" || (shown === "allButBots" ? kind !== "bot" : kind === shown);
  };
  const cancel = async ({ orderNo, symbol }: Order): Promise<void> => {
    const body = { brokerageCode: account?.brokerageCode, accountNumber: account?.accountNumber, orderNo, symbol };
    setSaid(
      (await dashboard.attempt(() => dashboard.session.send("POST", "/api/v1/orders/cancel", body))) ??
        say("The brokerage was asked to cancel order {number}.", { number: orderNo }),
    );
  };
  const copy = (order: Order): void => onCopy(copyOf(order, setups.get(order.orderNo), dashboard.zoneOf(order.symbol)));
  /** Before both readings, a copy could have no exits, or be of an order that the service repeats itself. */
  const canCopy = (order: Order): boolean =>
    areSetupsOf(order) && isSourceOf(order) && COPIED.has(sourceOfOrder(order).kind);
  const sourceCell = (order: Order) => (
    <Source dashboard={dashboard} source={sourceOfOrder(order)} isFinal={isSourceOf(order)} />
  );
  const buttonsOf = (order: Order) =>
    isOpen(order) && (
      <div class="tools row order-tools">
        {order.buySell === BUY && (
          <button
            type="button"
            aria-label={setups.has(order.orderNo) ? say("Change protection") : say("Protect this buy")}
            onClick={() => dashboard.addressBar.go("pending", partOfBuy(order.orderNo))}
          >
            {setups.has(order.orderNo) ? say("Protection") : say("Protect")}
          </button>
        )}
        {canCopy(order) && (
          <button type="button" aria-label={say("Copy to ticket")} onClick={() => copy(order)}>
            {say("Copy")}
          </button>
        )}
        <Confirm
          title={say("Cancel order")}
          word={say("Cancel|order")}
          yes={say("Yes, cancel it")}
          onConfirm={() => void cancel(order)}
        />
      </div>
    );
  const listed = orders ?? [];
  const areDistant = listed.some(waitsForPrice);
  const currency = commonCurrency(
    dashboard,
    listed.map(({ symbol }) => symbol),
  );
  const columns: readonly Column<Order>[] = [
    TIME,
    ORDER,
    LOTS,
    {
      title: areDistant ? say("Price, from last") : say("Price"),
      isNumber: true,
      view: (order) => (
        <>
          {priceOf(order)}
          <div class="hint">
            <Distance dashboard={dashboard} order={order} />
          </div>
        </>
      ),
    },
    ...(listed.some(isPriced) ? [FILLED_AT] : []),
    {
      title: titleOf(say("Value"), currency),
      isNumber: true,
      isMinor: true,
      view: (order) => <Value order={order} />,
    },
    ...(areOpen && listed.every(({ orderStatus }) => orderStatus === ORDER_OPEN) ? [] : [STATE]),
    { title: say("By"), view: sourceCell },
    ...(listed.some(isOpen) ? [{ title: say("Actions"), isAction: true, view: buttonsOf }] : []),
  ];
  return (
    <Table
      title={title}
      columns={columns}
      tools={
        (kinds.size > 1 || shown !== "all") && (
          <Select title={say("By whom")} of={SHOWN} words={SHOWN_WORDS} chosen={shown} onChoose={setShown} />
        )
      }
      above={
        said !== undefined && (
          <p role="status" class="said">
            {said}
          </p>
        )
      }
      items={orders?.filter(isShown)}
      isLong={true}
      keyOf={({ orderNo }) => orderNo}
      empty={orders?.length === 0 ? empty : say("No order of this choice.")}
      brief={(order) => (
        <>
          <span>
            <strong>{order.symbol}</strong> <SideOf order={order} /> {say("{lots} lots", { lots: lotsOf(order) })}
          </span>
          <span class="number">{isPriced(order) ? averageText(order.averagePrice ?? 0) : priceOf(order)}</span>
          <span class="hint">
            {typeOf(order)} · <Time at={order.createdDate} />
          </span>
          <span class="number">
            <Value order={order} />
          </span>
          <span class="hint">
            {sourceCell(order)} <Distance dashboard={dashboard} order={order} isNamed={true} />
          </span>
          <span>{stateOf(order)}</span>
          {isOpen(order) && <div class="whole-line">{buttonsOf(order)}</div>}
        </>
      )}
    />
  );
}

interface SourceProps {
  readonly dashboard: DashboardState;
  readonly source: OrderSource;
  /** False: an unknown sender may be known soon. */
  readonly isFinal: boolean;
}

/** Who sent an order, with the way to its group, bot or pending OCO. */
function Source({ dashboard, source: { kind, id }, isFinal }: SourceProps) {
  const names = useStore(dashboard.botNames);
  const isUnnamed = kind === "bot" && id !== undefined && !names.has(id);
  useEffect(() => {
    if (isUnnamed) dashboard.findBotName(id);
  }, [dashboard, id, isUnnamed]);
  switch (kind) {
    case "client":
      return <span title={say("Sent by this page or by a program with your key")}>{say("You")}</span>;
    case "group":
      if (id === undefined) return <>{say("A group")}</>;
      return <a href={`#/groups/${id}`}>{say("Group #{id}", { id })}</a>;
    case "bot":
      if (id === undefined) return <a href="#/bots">{say("A bot")}</a>;
      return <a href="#/bots">{names.get(id) ?? say("Bot {id}", { id })}</a>;
    case "pendingOco":
      return <a href="#/pending">{say("Pending #{id}", { id: id ?? "" })}</a>;
    case "unknown":
      if (!isFinal) return <Dash why={say("Being determined")} sign="…" />;
      return <Dash why={say("Another program or the brokerage sent it, or the service no longer follows it")} />;
  }
}

interface DistanceProps {
  readonly dashboard: DashboardState;
  readonly order: Order;
  /** Whether the text names what it is. */
  readonly isNamed?: boolean;
}

/** How far the price of an open order is from the last price; nothing for any other order. */
function Distance({ dashboard, order, isNamed = false }: DistanceProps) {
  const last = useStore(dashboard.price(order.symbol))?.price;
  if (!waitsForPrice(order)) return null;
  const share = distanceText(order.price, last);
  return <>{isNamed ? say("{share} from the last price", { share }) : share}</>;
}
