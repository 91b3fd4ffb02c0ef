/**
 * Alpaca's REST interface: one call, one request, one answer in three kinds.
 *
 * Owns: which answers are Alpaca's own judgement. Does not own: the meaning of an answer for an order (connector.ts).
 * Alpaca's own library, which repeats nothing here, makes the bytes.
 *
 * Invariant: `refused` is an answer that Alpaca itself gave, with its own text. Any other failure (a broken connection,
 * time-outs, 5xx, the error page of a proxy, an answer without sense) is `unknown`.
 */
import { ApiError, trading } from "@alpacahq/alpaca-trade-api";
import { z } from "zod";
import type { Secret } from "../host/config-file.ts";
import { type AlpacaOrder, readOrder, readOrders } from "./order.ts";

export type ApiAnswer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly status: number; readonly code: number; readonly text: string }
  | { readonly kind: "unknown"; readonly text: string };

interface ApiOptions {
  readonly keyId: Secret;
  readonly secret: Secret;
  /** `https://paper-api.alpaca.markets`, or the address of a server that replaces it. */
  readonly url: string;
  readonly timeoutMs: number;
  /** Default: the platform's own. */
  readonly fetchApi?: trading.FetchAPI;
}

/** An order to place, in Alpaca's terms. */
interface NewOrder {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly quantity: number;
  readonly side: "buy" | "sell";
  /** Null: a market order. */
  readonly limitPrice: number | null;
}

interface AlpacaPosition {
  readonly symbol: string;
  readonly quantity: number;
  readonly availableQuantity: number;
  readonly averagePrice: number;
  readonly lastPrice: number | null;
  readonly profit: number | null;
}

const decimal = z.string().transform(Number).pipe(z.number());
const positionSchema = z.object({
  symbol: z.string(),
  qty: decimal,
  qtyAvailable: decimal.optional(),
  avgEntryPrice: decimal,
  currentPrice: decimal.nullish(),
  unrealizedPl: decimal.nullish(),
});
const accountSchema = z.object({
  accountNumber: z.string(),
  status: z.string(),
  tradingBlocked: z.boolean().default(false),
  accountBlocked: z.boolean().default(false),
  tradeSuspendedByUser: z.boolean().default(false),
});
export type AlpacaAccount = z.infer<typeof accountSchema>;
const clockSchema = z.object({ timestamp: z.date() });

/** The most orders that Alpaca returns in one answer. */
const ORDERS_PER_PAGE = 500;
const REQUEST_TIMEOUT = 408;
/** The library asks for the value of this header and of the secret's, for each request. */
const KEY_HEADER = "APCA-API-KEY-ID";

export class AlpacaApi {
  readonly #orders: trading.OrdersApi;
  readonly #positions: trading.PositionsApi;
  readonly #accounts: trading.AccountsApi;
  readonly #clock: trading.ClockApi;

  constructor({ url, keyId, secret, ...options }: ApiOptions) {
    const apiKey = (header: string): string => (header === KEY_HEADER ? keyId() : secret());
    const configuration = new trading.Configuration({ ...options, apiKey, basePath: url });
    this.#orders = new trading.OrdersApi(configuration);
    this.#positions = new trading.PositionsApi(configuration);
    this.#accounts = new trading.AccountsApi(configuration);
    this.#clock = new trading.ClockApi(configuration);
  }

  /** Day orders of whole shares. */
  place({ clientOrderId, symbol, quantity, side, limitPrice }: NewOrder): Promise<ApiAnswer<AlpacaOrder>> {
    const postOrderRequest: trading.PostOrderRequest = {
      ...{ clientOrderId, symbol, side, qty: String(quantity), timeInForce: "day" },
      ...(limitPrice === null ? { type: "market" } : { type: "limit", limitPrice: String(limitPrice) }),
    };
    return ask(async () => readOrder(await this.#orders.postOrder({ postOrderRequest })));
  }

  cancel(orderId: string): Promise<ApiAnswer<void>> {
    return ask(() => this.#orders.deleteOrderByOrderID({ orderId }));
  }

  orderByName(clientOrderId: string): Promise<ApiAnswer<AlpacaOrder>> {
    return ask(async () => readOrder(await this.#orders.getOrderByClientOrderId({ clientOrderId })));
  }

  orderByNumber(orderId: string): Promise<ApiAnswer<AlpacaOrder>> {
    return ask(async () => readOrder(await this.#orders.getOrderByOrderID({ orderId })));
  }

  /** Everything that was submitted after a moment, oldest first. */
  async ordersAfter(afterMs: number): Promise<ApiAnswer<readonly AlpacaOrder[]>> {
    const orders = new Map<string, AlpacaOrder>();
    for (let fromMs = afterMs; ; ) {
      const page = await this.#page({ status: "all", after: new Date(fromMs).toISOString(), direction: "asc" });
      if (page.kind !== "ok") return page;
      for (const order of readOrders(page.value)) orders.set(order.orderNo, order);
      const lastMs = Math.max(fromMs, ...page.value.map(({ submittedAt }) => submittedAt?.getTime() ?? 0));
      // A page can end within a millisecond: orders of the same millisecond come again.
      if (page.value.length < ORDERS_PER_PAGE) return { kind: "ok", value: [...orders.values()] };
      fromMs = Math.max(lastMs - 1, fromMs + 1);
    }
  }

  async openOrders(): Promise<ApiAnswer<readonly AlpacaOrder[]>> {
    const page = await this.#page({ status: "open" });
    return page.kind === "ok" ? { kind: "ok", value: readOrders(page.value) } : page;
  }

  #page(query: trading.GetAllOrdersRequest): Promise<ApiAnswer<readonly trading.Order[]>> {
    return ask(() => this.#orders.getAllOrders({ ...query, limit: ORDERS_PER_PAGE }));
  }

  positions(): Promise<ApiAnswer<readonly AlpacaPosition[]>> {
    return ask(async () => {
      const told = z.array(positionSchema).parse(await this.#positions.getAllOpenPositions());
      return told.map(({ symbol, qty, qtyAvailable, avgEntryPrice, currentPrice, unrealizedPl }) => ({
        ...{ symbol, quantity: qty, availableQuantity: qtyAvailable ?? qty, averagePrice: avgEntryPrice },
        ...{ lastPrice: currentPrice ?? null, profit: unrealizedPl ?? null },
      }));
    });
  }

  account(): Promise<ApiAnswer<AlpacaAccount>> {
    return ask(async () => accountSchema.parse(await this.#accounts.getAccount()));
  }

  /** Alpaca's wall clock. */
  clockMs(): Promise<ApiAnswer<number>> {
    return ask(async () => clockSchema.parse(await this.#clock.legacyClock()).timestamp.getTime());
  }
}

async function ask<T>(call: () => Promise<T>): Promise<ApiAnswer<T>> {
  try {
    return { kind: "ok", value: await call() };
  } catch (error) {
    return readFailure(error);
  }
}

function readFailure(error: unknown): Exclude<ApiAnswer<never>, { kind: "ok" }> {
  const text = error instanceof Error ? error.message.slice(0, 500) : "it failed";
  if (!(error instanceof ApiError)) return { kind: "unknown", text };
  const { status, code } = error;
  const isJudged = status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;
  // Alpaca's own refusals carry a number; a proxy's error page does not.
  if (isJudged && typeof code === "number") return { kind: "refused", status, code, text };
  return { kind: "unknown", text: `HTTP ${status}: ${text}` };
}
