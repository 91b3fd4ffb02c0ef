/** What the order of an event filled, as far as the event or a lookup states it. */
import type { ToldEvent } from "../../../../src/event/describe-event.ts";
import type { Account, Order } from "../state/model.ts";
import type { RowSale } from "./sales.ts";

export interface Fill {
  /** 0: nothing was filled so far. */
  readonly lots: number;
  /** The lots of the order; undefined: not known. */
  readonly ofLots: number | undefined;
  /** On average; undefined: not known. */
  readonly price: number | undefined;
}

/** An order of the selected account, as an event names it. */
export type NamedOrder = Pick<Account, "brokerageCode" | "accountNumber"> & Pick<Order, "orderNo">;

interface FillLookups {
  /** The sale of a group's row, by the row's id. */
  readonly saleOf: (rowId: number) => RowSale | undefined;
  /** Undefined for an order that is not in the day's list of its account. */
  readonly orderOf: (named: NamedOrder) => Order | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the fill that belongs to an event; undefined for an event without an order, and while none is known. */
export function fillOf(event: ToldEvent, { saleOf, orderOf }: FillLookups): Fill | undefined {
  const row = fieldsOf(event.row);
  switch (event.type) {
    case "pair.bought":
      return known(row.buyQuantity, undefined, row.buyPrice);
    case "pair.sold":
      return known(row.sellQuantity, undefined, row.sellPrice);
    case "oco.triggered":
    case "oco.exitCompleted":
    case "oco.exitStopped": {
      const sale = typeof row.id === "number" ? saleOf(row.id) : undefined;
      return sale && known(sale.lots, event.type === "oco.triggered" ? row.quantity : undefined, sale.price);
    }
    case "oco.sellIncomplete":
      return known(event.filledQuantity, row.quantity, undefined);
    case "alarm.filledAfterEnd":
      return known(event.quantity, undefined, event.price);
  }
  const entry = fieldsOf(row.entry);
  if (Number(entry.filledQuantity) > 0) return known(entry.filledQuantity, entry.quantity, entry.averagePrice);
  const named = namedOrderOf(event);
  const order = named && orderOf(named);
  return order && known(order.filledQuantity, order.quantity, order.averagePrice);
}

/** Returns the order of a client, or of a pending OCO, that an event is about; undefined for any other event. */
export function namedOrderOf({ type, order, row }: ToldEvent): NamedOrder | undefined {
  const isOfClient = type === "order.placed" || type === "order.cancelled";
  if (!isOfClient && !type.startsWith("setup.")) return undefined;
  const { brokerageCode, accountNumber, orderNo, brokerOrderNo } = fieldsOf(isOfClient ? order : row);
  const number = isOfClient ? orderNo : brokerOrderNo;
  if (typeof brokerageCode !== "string" || typeof accountNumber !== "string" || typeof number !== "string")
    return undefined;
  return { brokerageCode, accountNumber, orderNo: number };
}

function known(lots: unknown, ofLots: unknown, price: unknown): Fill | undefined {
  if (typeof lots !== "number") return undefined;
  return {
    lots,
    ofLots: typeof ofLots === "number" && ofLots > 0 ? ofLots : undefined,
    // An average of 0 is of nothing that was filled.
    price: typeof price === "number" && price > 0 && lots > 0 ? price : undefined,
  };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
