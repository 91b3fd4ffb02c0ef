/** A connector that a test scripts line by line: a plain NATS client with the orders that truly exist. */
import type { Msg, NatsConnection, Subscription } from "nats";

interface PlacedOrder {
  readonly orderNo: string;
  readonly clientOrderId: string;
  readonly quantity: number;
  orderStatus: number;
  filledQuantity: number;
  [field: string]: unknown;
}

export interface Ask {
  readonly clientOrderId: string;
  readonly quantity: number;
  readonly orderNo?: string;
  readonly [field: string]: unknown;
}

export interface Answer {
  readonly ok: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly data?: unknown;
}

/** Reads a request; a malformed one counts as a request without fields. */
function readAsk(message: Msg): Ask {
  try {
    return message.json<Ask>();
  } catch {
    return { clientOrderId: "", quantity: 0 };
  }
}

const NEVER_FOUND: Answer = { ok: false, code: "NOT_FOUND", message: "no such order" };
const CANNOT_TELL: Answer = { ok: false, code: "UNKNOWN", message: "reset" };
const NOT_SUPPORTED: Answer = { ok: false, code: "REJECTED", message: "not supported" };
const ACCOUNT = { accountNumber: "A1", number: "1", name: "Cash", isActive: true, isDefault: true };

function positionOf(symbol: string, quantity: number): object {
  return { symbol, quantity, availableQuantity: quantity, averagePrice: 100, lastPrice: null, profit: null };
}

export class ScriptedConnector {
  readonly orders: PlacedOrder[] = [];
  /** The requests to place an order, repetitions included. */
  readonly places: Ask[] = [];
  /** Whether look-ups get no answer, so that another responder can answer them. */
  findsNothing = false;
  /** The lots that the account holds, by symbol; undefined: it reports neither positions nor daily orders. */
  held: Readonly<Record<string, number>> | undefined;
  /** True: an open order that is to be cancelled ends; otherwise cancels are refused. */
  takesCancels = false;
  /** Look-ups of these orders are answered with UNKNOWN. */
  cannotTell: (order: PlacedOrder) => boolean = () => false;
  readonly #nats: NatsConnection;
  readonly #code: string;
  readonly #subscription: Subscription;

  /** `place` answers the `count`-th request (from 1); undefined: no answer. `resend`: its promise about repeats. */
  constructor(
    nats: NatsConnection,
    options: {
      readonly code: string;
      readonly resend: string;
      readonly place: (ask: Ask, count: number) => Promise<Answer | undefined> | Answer | undefined;
    },
  ) {
    const { code, resend, place } = options;
    this.#nats = nats;
    this.#code = code;
    this.#subscription = nats.subscribe(`broker.${code}.*`, {
      callback: async (_error, message) => {
        if (!message.reply) return;
        const answer = await this.#answer(message.subject.split(".")[2] ?? "", readAsk(message), resend, place);
        if (answer !== undefined) message.respond(JSON.stringify(answer));
      },
    });
  }

  /** Accepts a request as a new order, also if it is a repeat. */
  accept(ask: Ask, orderStatus: number, filledQuantity: number): Answer {
    const { fence: _fence, userId: _userId, expiresAt: _expiresAt, ...order } = ask;
    const dates = { createdDate: new Date().toISOString(), updatedDate: null };
    const orderNo = `${this.#code}-${this.orders.length + 1}`;
    this.orders.push({ ...order, ...dates, orderNo, orderStatus, filledQuantity, averagePrice: 90 } as PlacedOrder);
    return { ok: true, data: { orderNo, orderStatus } };
  }

  /** Ends an order; `isTold`: an update reports it. */
  end(order: PlacedOrder, orderStatus: number, filledQuantity: number, isTold: boolean): void {
    Object.assign(order, { orderStatus, filledQuantity, message: "halted" });
    if (isTold) this.#nats.publish(`broker.${this.#code}.updates`, JSON.stringify(order));
  }

  stop(): void {
    this.#subscription.unsubscribe();
  }

  async #answer(
    operation: string,
    ask: Ask,
    resend: string,
    place: (ask: Ask, count: number) => Promise<Answer | undefined> | Answer | undefined,
  ): Promise<Answer | undefined> {
    switch (operation) {
      case "status": {
        const supports = { orderStatus: true, positions: this.held !== undefined };
        return { ok: true, data: { protocol: 2, session: "up", since: "2026-01-05T09:00:00.000Z", resend, supports } };
      }
      case "accounts":
        return { ok: true, data: [ACCOUNT] };
      case "positions":
        if (this.held === undefined) return NOT_SUPPORTED;
        return { ok: true, data: Object.entries(this.held).map(([symbol, quantity]) => positionOf(symbol, quantity)) };
      case "dailyOrders":
        return this.held === undefined ? NOT_SUPPORTED : { ok: true, data: this.orders };
      case "place":
        this.places.push(ask);
        return place(ask, this.places.length);
      case "findOrder": {
        if (this.findsNothing) return undefined;
        const found = this.orders.find(({ orderNo, clientOrderId }) =>
          ask.orderNo === undefined ? clientOrderId === ask.clientOrderId : orderNo === ask.orderNo,
        );
        if (found === undefined) return NEVER_FOUND;
        return this.cannotTell(found) ? CANNOT_TELL : { ok: true, data: found };
      }
      case "cancel": {
        const open = this.orders.find(({ orderNo, orderStatus }) => orderNo === ask.orderNo && orderStatus < 2);
        if (!this.takesCancels || open === undefined) return NOT_SUPPORTED;
        this.end(open, 3, open.filledQuantity, true);
        return { ok: true, data: { orderNo: open.orderNo, orderStatus: 3 } };
      }
      default:
        return NOT_SUPPORTED;
    }
  }
}
