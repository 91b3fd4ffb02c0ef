import { type Connector, failed } from "../../../engine/connector/host/connector.ts";
import type { OrderRecord, PlaceRequest } from "../../../src/contract/trading/order.ts";

/**
 * Takes every request, also one with a known name, and fills it immediately. Promises to find an order by its name, and
 * nothing else.
 */
export class CountingConnector implements Connector {
  readonly #accounts: readonly string[];
  readonly orders: (OrderRecord & { readonly placedAtMs: number; readonly userId: number })[] = [];

  constructor(accounts: readonly string[]) {
    this.#accounts = accounts;
  }

  status(): ReturnType<Connector["status"]> {
    const supports = { orderStatus: true, positions: false };
    return { session: "up", since: "2026-01-05T09:00:00.000Z", resend: "query", supports };
  }

  async accounts(): ReturnType<Connector["accounts"]> {
    const data = this.#accounts.map((accountNumber, index) => ({
      ...{ accountNumber, number: String(index), name: accountNumber, isActive: true, isDefault: index === 0 },
    }));
    return { ok: true, data };
  }

  async place({
    userId,
    expiresAt: _expiresAt,
    fence: _fence,
    instance: _instance,
    ...order
  }: PlaceRequest): ReturnType<Connector["place"]> {
    const orderNo = `N${this.orders.length + 1}`;
    const filled = { orderStatus: 2, filledQuantity: order.quantity, averagePrice: 90 } as const;
    const dates = { createdDate: new Date().toISOString(), updatedDate: null };
    this.orders.push({ ...order, ...filled, ...dates, orderNo, userId, placedAtMs: performance.now() });
    return { ok: true, data: { orderNo, orderStatus: 2 } } as const;
  }

  async cancel() {
    return failed("NOT_FOUND", "no such order");
  }

  async findOrder({ clientOrderId }: { readonly clientOrderId?: string }) {
    const found = this.orders.find((order) => order.clientOrderId === clientOrderId);
    return found === undefined ? failed("NOT_FOUND", "no such order") : ({ ok: true, data: found } as const);
  }

  onUpdate() {
    return () => undefined;
  }
}
