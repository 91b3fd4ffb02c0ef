/**
 * A brokerage behind the gateway protocol that a test scripts, truthful or not.
 */

import type { Bus, Unsubscribe } from "../../../src/bus/port.ts";
import type { PlaceRequest } from "../../../src/contract/trading/order.ts";

/** Bytes or text are sent unchanged, undefined never, anything else as JSON. */
type Reply = unknown;
type Answering = (request: PlaceRequest, attempt: number) => Reply | Promise<Reply>;

export class ScriptedGateway {
  /** The place requests, repetitions included. */
  readonly sends: PlaceRequest[] = [];
  /** The orders that exist at the brokerage, by their clientOrderId. */
  readonly orders = new Map<string, object>();
  readonly #script = new Map<string, Answering>();
  readonly #stops: Unsubscribe[];
  readonly #bus: Bus;
  readonly #code: string;

  constructor(bus: Bus, code: string) {
    this.#bus = bus;
    this.#code = code;
    const operations = ["login", "accounts", "positions", "dailyOrders", "place", "chain", "cancel", "findOrder"];
    this.#stops = operations.map((operation) =>
      bus.respond(`broker.${code}.${operation}`, async ({ data }) => {
        const reply = await this.#answer(operation, JSON.parse(Buffer.from(data).toString()) as PlaceRequest);
        if (reply === undefined) return new Promise<never>(() => undefined);
        return reply instanceof Uint8Array
          ? reply
          : Buffer.from(typeof reply === "string" ? reply : JSON.stringify(reply));
      }),
    );
  }

  /** Sets how the operation is answered from now on; undefined: truthfully again. */
  on(operation: string, answering: Answering | undefined): void {
    if (answering === undefined) this.#script.delete(operation);
    else this.#script.set(operation, answering);
  }

  /** Adds an order to its own, and returns the truthful answer to its request. */
  accept(request: PlaceRequest, change: object = {}): object {
    const known = this.orders.get(request.clientOrderId);
    const record = known ?? this.recordOf(request, `N${this.orders.size + 1}`, change);
    this.orders.set(request.clientOrderId, record);
    const { orderNo, orderStatus } = record as { orderNo: string; orderStatus: number };
    return { ok: true, data: { orderNo, orderStatus } };
  }

  recordOf(request: PlaceRequest, orderNo: string, change: object = {}): object {
    const { accountNumber, clientOrderId, symbol, buySell, orderType, quantity, price } = request;
    const date = "2026-03-01T10:00:00.000Z";
    return {
      ...{ orderNo, clientOrderId, accountNumber, symbol, buySell, orderType, quantity, price },
      ...{ orderStatus: 2, filledQuantity: quantity, averagePrice: 100, createdDate: date, updatedDate: null },
      ...change,
    };
  }

  /** Publishes an update; text and bytes unchanged. */
  async update(record: unknown): Promise<void> {
    const bytes =
      record instanceof Uint8Array ? record : Buffer.from(typeof record === "string" ? record : JSON.stringify(record));
    this.#bus.publish(`broker.${this.#code}.updates`, bytes);
    await this.#bus.flush();
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async #answer(operation: string, request: PlaceRequest): Promise<Reply> {
    if (operation === "place") this.sends.push(request);
    const scripted = this.#script.get(operation);
    const attempt = this.sends.filter(({ clientOrderId }) => clientOrderId === request.clientOrderId).length;
    return scripted === undefined ? this.#truth(operation, request) : scripted(request, attempt);
  }

  #truth(operation: string, request: PlaceRequest & { readonly orderNo?: string }): Reply {
    switch (operation) {
      case "accounts": {
        const accountNumber = `${this.#code}-${request.userId}`;
        const account = { accountNumber, number: `9${request.userId}`, name: "x", isActive: true, isDefault: true };
        return { ok: true, data: [account] };
      }
      case "place":
        return this.accept(request);
      case "findOrder": {
        const records = [...this.orders.values()] as { orderNo: string; clientOrderId: string }[];
        const found = records.find(
          ({ orderNo, clientOrderId }) => orderNo === request.orderNo || clientOrderId === request.clientOrderId,
        );
        return found === undefined ? { ok: false, code: "NOT_FOUND", message: "" } : { ok: true, data: found };
      }
      case "positions":
      case "dailyOrders":
        return { ok: true, data: [] };
      default:
        return { ok: false, code: "UNAVAILABLE", message: "" };
    }
  }
}
