/** The bench's brokerage: it fills each order immediately and answers when an order is looked up, as connectors do. */
import type { Bus } from "../../../src/bus/port.ts";
import { brokerSubject } from "../../../src/contract/subject.ts";
import type { FindOrderRequest, OrderRecord, PlaceRequest } from "../../../src/contract/trading/order.ts";
import { BROKERAGE } from "./owned-group.ts";

const ORDER_COMPLETED = 2;
/** Any price works: no figure depends on it. */
const FILL_PRICE = 90;

const bytesOf = (reply: object): Buffer => Buffer.from(JSON.stringify(reply));

/** The orders that came over a bus. Look-ups of them are answered for as long as the bus is open. */
export class PlacedOrders {
  static readonly #byBus = new WeakMap<Bus, PlacedOrders>();
  readonly #records = new Map<string, OrderRecord>();

  private constructor(bus: Bus) {
    bus.respond(brokerSubject(BROKERAGE, "findOrder"), async ({ data }) => {
      const { clientOrderId } = JSON.parse(Buffer.from(data).toString()) as FindOrderRequest;
      const record = this.#records.get(clientOrderId ?? "");
      return bytesOf(record === undefined ? { ok: false, code: "NOT_FOUND", message: "" } : { ok: true, data: record });
    });
  }

  static of(bus: Bus): PlacedOrders {
    const known = PlacedOrders.#byBus.get(bus) ?? new PlacedOrders(bus);
    PlacedOrders.#byBus.set(bus, known);
    return known;
  }

  /** Fills the order of a request and gives its answer. */
  fill({ accountNumber, clientOrderId, symbol, buySell, orderType, price, quantity }: PlaceRequest): Buffer {
    const orderNo = `B${quantity}`;
    const order = {
      orderNo,
      orderStatus: ORDER_COMPLETED,
      filledQuantity: quantity,
      averagePrice: FILL_PRICE,
    } as const;
    this.#records.set(clientOrderId, {
      ...order,
      ...{ accountNumber, clientOrderId, symbol, buySell, orderType, price, quantity },
      ...{ createdDate: new Date().toISOString(), updatedDate: null },
    });
    return bytesOf({ ok: true, data: order });
  }
}
