/**
 * A server that plays Alpaca: REST, the stream of order updates and the stream of prices, over real sockets.
 *
 * It keeps orders as Alpaca does: a `client_order_id` once, whole answers, updates to every listener. A test chooses
 * the fault of the next request.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decode, encode } from "@msgpack/msgpack";
import { type WebSocket, WebSocketServer } from "ws";

export const KEY = { keyId: "PKTEST", secret: "not so secret" };

interface PlayedOrder {
  id: string;
  client_order_id: string;
  symbol: string;
  side: "buy" | "sell";
  type: "market" | "limit";
  qty: string | null;
  notional: string | null;
  filled_qty: string;
  filled_avg_price: string | null;
  limit_price: string | null;
  time_in_force: "day";
  status: string;
  created_at: string;
  submitted_at: string;
  updated_at: string;
}

/**
 * The outcome of a request. `lost`: the connection ends before anything is done; `answerLost`: after; `hang`: it is
 * done and never answered; `lateMs`: it is done only after so many milliseconds, the connection ends immediately;
 * `answerLateMs`: it is done immediately, and answered so much later.
 */
export type Fault =
  | "lost"
  | "answerLost"
  | "hang"
  | { readonly lateMs: number }
  | { readonly answerLateMs: number }
  | { readonly status: number; readonly body: unknown; readonly isDone?: boolean };

type Place = "place" | "cancel" | "find" | "list" | "account" | "clock";

export class AlpacaServer {
  readonly orders: PlayedOrder[] = [];
  /** Requests to place, as they came, with any outcome. */
  readonly placed: Record<string, unknown>[] = [];
  /** Every request, as `GET /v2/orders`. */
  readonly asked: string[] = [];
  readonly faults: { readonly on: Place; readonly fault: Fault }[] = [];
  account: Record<string, unknown> = { account_number: "PA1", status: "ACTIVE", trading_blocked: false };
  clockSkewMs = 0;
  /** The price at which orders are filled immediately; null: they rest. */
  price: number | null = 100;
  /** Updates that are made while this is set reach no client. */
  isMute = false;
  /** Whether subscriptions are answered. */
  isConfirming = true;
  /** Symbols that the price stream confirms. */
  given: readonly string[] | null = null;
  /** Closes the connection of a price subscription with this error. */
  priceError: { readonly code: number; readonly msg: string } | null = null;
  readonly #server: Server;
  readonly #listeners = new Set<WebSocket>();
  readonly #prices = new Set<WebSocket>();
  readonly #sockets = new Set<WebSocket>();
  #count = 0;
  #lastMs = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    const sockets = new WebSocketServer({ server: this.#server });
    sockets.on("connection", (socket, request) => {
      this.#sockets.add(socket);
      socket.on("close", () => {
        for (const set of [this.#sockets, this.#listeners, this.#prices]) set.delete(socket);
      });
      if (request.url === "/stream") this.#tradeStream(socket);
      else this.#priceStream(socket);
    });
  }

  static async start(): Promise<AlpacaServer> {
    const server = new AlpacaServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  /** Ends every stream. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  fail(on: Place, fault: Fault): void {
    this.faults.push({ on, fault });
  }

  orderOf(clientOrderId: string): PlayedOrder {
    const found = this.orders.find((order) => order.client_order_id === clientOrderId);
    if (found === undefined) throw new Error(`no order ${clientOrderId}`);
    return found;
  }

  /** Changes an order and publishes the update. */
  change(order: PlayedOrder, event: string, change: Partial<PlayedOrder>): void {
    Object.assign(order, change, { updated_at: this.#now() });
    this.tell(event, { ...order });
  }

  fill(order: PlayedOrder, quantity: number, price: number): void {
    const isWhole = quantity >= Number(order.qty);
    const change = { filled_qty: String(quantity), filled_avg_price: String(price) };
    this.change(order, isWhole ? "fill" : "partial_fill", {
      ...change,
      status: isWhole ? "filled" : "partially_filled",
    });
  }

  /** An update, of now or of before. */
  tell(event: string, order: unknown): void {
    if (this.isMute) return;
    const frame = Buffer.from(JSON.stringify({ stream: "trade_updates", data: { event, order } }));
    // The paper environment sends binary frames.
    for (const socket of this.#listeners) socket.send(frame, { binary: true });
  }

  trade(symbol: string, price: number, timeMs: number, conditions: readonly string[] = ["@"]): void {
    const frame = encode([{ T: "t", S: symbol, i: 1, x: "V", p: price, s: 100, t: new Date(timeMs), c: conditions }]);
    for (const socket of this.#prices) socket.send(frame);
  }

  // ------------------------------------------------------------------------------------------------------------ REST

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    this.asked.push(`${request.method} ${pathname}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
    if (request.headers["apca-api-key-id"] !== KEY.keyId || request.headers["apca-api-secret-key"] !== KEY.secret) {
      answer(response, 401, { code: 40_110_000, message: "request is not authorized" });
      return;
    }
    const place = placeOf(request.method ?? "GET", pathname);
    if (place === "place") this.placed.push(body);
    const index = this.faults.findIndex(({ on }) => on === place);
    const fault = index < 0 ? undefined : this.faults.splice(index, 1)[0]?.fault;
    const act = (): readonly [number, unknown] => this.#act(request.method ?? "GET", pathname, searchParams, body);
    if (fault === undefined) answer(response, ...act());
    else this.#failWith(fault, act, response);
  }

  #failWith(fault: Fault, act: () => readonly [number, unknown], response: ServerResponse): void {
    if (fault === "lost") response.destroy();
    else if (fault === "answerLost") {
      act();
      response.destroy();
    } else if (fault === "hang") act();
    else if ("lateMs" in fault) {
      response.destroy();
      setTimeout(act, fault.lateMs);
    } else if ("answerLateMs" in fault) {
      const done = act();
      setTimeout(() => answer(response, ...done), fault.answerLateMs);
    } else {
      if (fault.isDone === true) act();
      answer(response, fault.status, fault.body);
    }
  }

  #act(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Record<string, unknown>,
  ): readonly [number, unknown] {
    if (path === "/v2/clock") {
      return [200, { timestamp: new Date(Date.now() + this.clockSkewMs).toISOString(), is_open: true }];
    }
    if (path === "/v2/account") return [200, { id: "1", ...this.account }];
    if (path === "/v2/positions") return [200, [POSITION]];
    if (path === "/v2/orders" && method === "POST") return this.#book(body);
    if (path === "/v2/orders") return [200, this.#list(query)];
    const found =
      path === "/v2/orders:by_client_order_id"
        ? this.orders.find((order) => order.client_order_id === query.get("client_order_id"))
        : this.orders.find((order) => path === `/v2/orders/${order.id}`);
    if (found === undefined) return [404, { code: 40_410_000, message: "order not found" }];
    return method === "DELETE" ? this.#cancel(found) : [200, found];
  }

  #book(body: Record<string, unknown>): readonly [number, unknown] {
    const { client_order_id: name, symbol, side, type, qty, limit_price: limit } = body as Record<string, string>;
    if (this.orders.some((order) => order.client_order_id === name)) {
      return [422, { code: 40_010_001, message: "client_order_id must be unique" }];
    }
    if (Number(qty) > 1_000_000) return [403, { code: 40_310_000, message: "insufficient qty available for order" }];
    this.#count += 1;
    const now = this.#now();
    const order: PlayedOrder = {
      ...{ id: `a1b2c3d4-0000-4000-8000-${String(this.#count).padStart(12, "0")}`, client_order_id: String(name) },
      ...{
        symbol: String(symbol),
        side: side === "sell" ? "sell" : "buy",
        type: type === "limit" ? "limit" : "market",
      },
      ...{ qty: String(qty), notional: null, filled_qty: "0", filled_avg_price: null, limit_price: limit ?? null },
      ...{ time_in_force: "day", status: "pending_new", created_at: now, submitted_at: now, updated_at: now },
    };
    this.orders.push(order);
    const answered = { ...order };
    setImmediate(() => {
      if (order.status !== "pending_new") return;
      this.change(order, "new", { status: "new" });
      if (this.price !== null) this.fill(order, Number(order.qty), this.price);
    });
    return [200, answered];
  }

  #cancel(order: PlayedOrder): readonly [number, unknown] {
    if (["filled", "canceled", "expired", "rejected"].includes(order.status)) {
      return [422, { code: 42_210_000, message: "order is not cancelable" }];
    }
    setImmediate(() => this.change(order, "canceled", { status: "canceled" }));
    return [204, undefined];
  }

  #list(query: URLSearchParams): PlayedOrder[] {
    const afterMs = Date.parse(query.get("after") ?? "1970-01-01");
    const isOpen = query.get("status") === "open";
    return this.orders
      .filter((order) => Date.parse(order.submitted_at) > afterMs)
      .filter((order) => !isOpen || !["filled", "canceled", "expired", "rejected"].includes(order.status))
      .slice(0, Number(query.get("limit") ?? "50"));
  }

  /** Later than every stamp before it. */
  #now(): string {
    this.#lastMs = Math.max(this.#lastMs + 1, Date.now());
    return new Date(this.#lastMs).toISOString();
  }

  // --------------------------------------------------------------------------------------------------------- streams

  #tradeStream(socket: WebSocket): void {
    const send = (frame: object): void => socket.send(Buffer.from(JSON.stringify(frame)), { binary: true });
    socket.on("message", (raw: Buffer) => {
      const frame = JSON.parse(raw.toString()) as { action: string; data: Record<string, unknown> };
      if (frame.action === "authenticate") {
        const isRight = frame.data.key_id === KEY.keyId && frame.data.secret_key === KEY.secret;
        send({ stream: "authorization", data: { status: isRight ? "authorized" : "unauthorized" } });
      } else if (frame.action === "listen" && this.isConfirming) {
        this.#listeners.add(socket);
        send({ stream: "listening", data: { streams: frame.data.streams } });
      }
    });
  }

  #priceStream(socket: WebSocket): void {
    const send = (frame: object): void => socket.send(encode([frame]));
    send({ T: "success", msg: "connected" });
    socket.on("message", (raw: Buffer) => {
      const frame = decode(raw) as { action: string; key?: string; secret?: string; trades?: string[] };
      if (frame.action === "auth") {
        const isRight = frame.key === KEY.keyId && frame.secret === KEY.secret;
        send(isRight ? { T: "success", msg: "authenticated" } : { T: "error", code: 402, msg: "auth failed" });
      } else if (frame.action === "subscribe") {
        if (this.priceError !== null) send({ T: "error", ...this.priceError });
        else {
          this.#prices.add(socket);
          send({ T: "subscription", trades: this.given ?? frame.trades ?? [], quotes: [], bars: [] });
        }
      }
    });
  }
}

const POSITION = {
  ...{ asset_id: "1", symbol: "AAPL", exchange: "NASDAQ", asset_class: "us_equity", qty: "25", qty_available: "20" },
  ...{ avg_entry_price: "180.5", side: "long", current_price: "190.25", unrealized_pl: "243.75" },
};

function answer(response: ServerResponse, status: number, body: unknown): void {
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
}

function placeOf(method: string, path: string): Place | undefined {
  if (path === "/v2/clock") return "clock";
  if (path === "/v2/account") return "account";
  if (path === "/v2/orders") return method === "POST" ? "place" : "list";
  if (method === "DELETE") return "cancel";
  return path.startsWith("/v2/orders") ? "find" : undefined;
}
