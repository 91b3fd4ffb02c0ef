/**
 * A server that plays AlgoLab: REST and WebSocket over real sockets, written from the published facts alone. It checks
 * the key, the login and the Checker header of every request.
 */
import { createDecipheriv, createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

const AES_KEY = Buffer.alloc(32, 7);
export const API_KEY = `API-${AES_KEY.toString("base64")}`;
export const LOGIN = { username: "12345678901", password: "secret words", sms: "123456" };

/** A socket that has not subscribed by then is ended. */
const SUBSCRIBED_MS_MAX = 500;

export interface PlayedOrder {
  number: string;
  symbol: string;
  side: "BUY" | "SELL";
  quantity: number;
  price: number;
  isMarket: boolean;
  filled: number;
  averagePrice: number;
  status: "WAITING" | "PARTIAL" | "DONE" | "DELETED";
  description: string;
  timeMs: number;
}

/**
 * The outcome of a request. `lost`: nothing is done. `answerLost`: it is done, and the connection ends.
 * `answerGarbled`: it is done, and a page of HTML is the answer. `lateMs`: the connection ends, and it is done later.
 */
export type Fault =
  | "lost"
  | "answerLost"
  | "answerGarbled"
  | { readonly lateMs: number }
  | { readonly answerLateMs: number }
  | { readonly status: number; readonly text: string; readonly answerLateMs?: number }
  | { readonly refusal: string };

export class AlgolabServer {
  readonly orders: PlayedOrder[] = [];
  /** Names of the requests, with the moment of each. */
  readonly asked: { readonly name: string; readonly atMs: number; readonly body: Record<string, unknown> }[] = [];
  readonly faults: { readonly on: string; readonly fault: Fault }[] = [];
  /** The fault of requests that no entry of `faults` concerns. */
  chooseFault: (name: string) => Fault | undefined = () => undefined;
  readonly received: unknown[] = [];
  /** Count of opened sockets. */
  connectionCount = 0;
  /** The code with which each new socket is closed immediately; 1006: without a close frame. */
  closesWith: number | undefined;
  answersPings = true;
  /** The lots of a market order that find a buyer; the rest is cancelled. */
  depth = Number.POSITIVE_INFINITY;
  price = 90;
  /** Symbols of which it takes no market order (an order package). */
  readonly limitOnly = new Set<string>();
  isLoggedIn = true;
  hasCapitals = false;
  /** Reports of an order over the sockets before its request is answered. */
  toldCount = 0;
  /** Returns the time in the `Date` header of answers. */
  dateMs: () => number = Date.now;
  /** Added to the machine's clock in the times of orders, and for the exchange's day. */
  clockAheadMs = 0;
  /** A request that follows another one within this time is answered with 429; 0: none is. */
  intervalMs = 0;
  tooFastCount = 0;
  #takenMs = 0;
  #loginCount = 0;
  #tokenCount = 0;
  #codesLeft = 2;
  #nextNumber = 1;
  #port = 0;
  readonly #server: Server;
  readonly #sockets = new Set<WebSocket>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    new WebSocketServer({ server: this.#server, autoPong: false }).on("connection", (socket, request) => {
      const { headers, url } = request;
      const isKnown =
        url === "/api/ws" && headers.checker === checker("/ws", "") && headers.authorization === this.hash;
      this.connectionCount += 1;
      if (!isKnown || this.closesWith === 1006) socket.terminate();
      else if (this.closesWith !== undefined) socket.close(this.closesWith);
      // AlgoLab ends a connection without a subscription, without a word.
      const silence = setTimeout(() => socket.terminate(), SUBSCRIBED_MS_MAX);
      this.#sockets.add(socket);
      socket.on("close", () => {
        clearTimeout(silence);
        this.#sockets.delete(socket);
      });
      socket.on("ping", (data) => {
        if (this.answersPings) socket.pong(data);
      });
      socket.on("message", (data) => {
        clearTimeout(silence);
        this.received.push(JSON.parse(String(data)));
      });
    });
  }

  static async start(): Promise<AlgolabServer> {
    const server = new AlgolabServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The hash of the last login: an earlier one is no longer accepted. */
  get hash(): string {
    return `hash-of-login-${this.#loginCount}`;
  }

  get soldQuantity(): number {
    return this.orders.reduce((sum, { side, filled }) => (side === "SELL" ? sum + filled : sum), 0);
  }

  fail(on: string, fault: Fault): void {
    this.faults.push({ on, fault });
  }

  /** A new day: nothing is listed, and numbers begin again. */
  beginDay(): void {
    this.orders.splice(0);
    this.#nextNumber = 1;
  }

  /** An order by hand, or by the server itself. */
  take(order: Pick<PlayedOrder, "symbol" | "side" | "quantity" | "price" | "isMarket">): PlayedOrder {
    const number = `00${this.#nextNumber.toString(36).toUpperCase().padStart(4, "0")}`;
    this.#nextNumber += 1;
    const filled = order.isMarket ? Math.min(order.quantity, this.depth) : 0;
    const status = !order.isMarket ? "WAITING" : filled === order.quantity ? "DONE" : "DELETED";
    const played: PlayedOrder = {
      ...order,
      number,
      filled,
      averagePrice: filled > 0 ? this.price : 0,
      status,
      description: "",
      timeMs: Date.now() + this.clockAheadMs,
    };
    this.orders.push(played);
    return played;
  }

  /** An open order finds a buyer, and its owner is notified. */
  fill(order: PlayedOrder, quantity: number, price = this.price): void {
    order.filled += quantity;
    order.averagePrice = price;
    order.status = order.filled === order.quantity ? "DONE" : "PARTIAL";
    this.#tell(order);
  }

  #tell({ number, symbol, filled }: PlayedOrder): void {
    this.push({ Type: "O", Content: { Id: number, Symbol: symbol, Status: 2, ExecutedLot: filled } });
  }

  /** Sends a message over all sockets. */
  push(message: object): void {
    this.pushText(JSON.stringify(message));
  }

  pushText(text: string): void {
    for (const socket of this.#sockets) socket.send(text);
  }

  dropSockets(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  get socketCount(): number {
    return this.#sockets.size;
  }

  async stop(): Promise<void> {
    this.dropSockets();
    if (this.#server.listening) await this.stopListening();
  }

  /** Stops listening at the address until `listenAgain`. */
  async stopListening(): Promise<void> {
    this.#port = (this.#server.address() as AddressInfo).port;
    this.dropSockets();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async listenAgain(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("Date", new Date(this.dateMs()).toUTCString());
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += part;
    const name = (request.url ?? "").replace("/api/api/", "");
    const body = JSON.parse(text) as Record<string, unknown>;
    this.asked.push({ name, atMs: Date.now(), body });
    if (this.#isTooFast()) {
      response.writeHead(429).end();
      return;
    }
    const index = this.faults.findIndex(({ on }) => on === name);
    const fault = index < 0 ? this.chooseFault(name) : this.faults.splice(index, 1)[0]?.fault;
    if (fault === "lost" || (typeof fault === "object" && "lateMs" in fault)) {
      request.socket.destroy();
      if (typeof fault === "object") setTimeout(() => this.#act(name, body), fault.lateMs);
      return;
    }
    if (typeof fault === "object" && "status" in fault) {
      setTimeout(() => response.writeHead(fault.status).end(fault.text), fault.answerLateMs ?? 0);
      return;
    }
    if (typeof fault === "object" && "refusal" in fault) {
      this.#answer(response, refused(fault.refusal));
      return;
    }
    if (!this.#isAllowed(request, name, text)) {
      response.writeHead(401).end();
      return;
    }
    const answer = this.#act(name, body);
    if (fault === "answerLost") request.socket.destroy();
    else if (fault === "answerGarbled") response.end("<html>bakim</html>");
    else if (typeof fault === "object") setTimeout(() => this.#answer(response, answer), fault.answerLateMs);
    else this.#answer(response, answer);
  }

  /** A request that is refused so does not count for the next one. */
  #isTooFast(): boolean {
    const nowMs = Date.now();
    if (nowMs - this.#takenMs < this.intervalMs) {
      this.tooFastCount += 1;
      return true;
    }
    this.#takenMs = nowMs;
    return false;
  }

  /** The exchange's day by the server's clock. */
  get #day(): number {
    return istanbulDay(Date.now() + this.clockAheadMs);
  }

  #isOfToday({ timeMs }: PlayedOrder): boolean {
    return istanbulDay(timeMs) === this.#day;
  }

  #isAllowed({ headers }: IncomingMessage, name: string, text: string): boolean {
    const isKnown =
      headers.apikey === API_KEY && headers.checker === checker(`/api/${name}`, text === "{}" ? "" : text);
    return isKnown && (name.startsWith("Login") || (this.isLoggedIn && headers.authorization === this.hash));
  }

  #act(name: string, body: Record<string, unknown>): Answer {
    switch (name) {
      case "LoginUser":
        if (decrypt(body.username) !== LOGIN.username || decrypt(body.password) !== LOGIN.password)
          return refused("Hatalı giriş");
        this.#codesLeft = 2;
        this.#tokenCount += 1;
        return done({ token: `token-${this.#tokenCount}` });
      case "LoginUserControl":
        // A later login ends the one before it.
        if (decrypt(body.token) !== `token-${this.#tokenCount}` || this.#codesLeft === 0)
          return refused("Token geçersiz");
        if (decrypt(body.password) !== LOGIN.sms) {
          this.#codesLeft -= 1;
          return refused("SMS kodu hatalı");
        }
        this.isLoggedIn = true;
        this.#loginCount += 1;
        return done({ hash: this.hash });
      case "SessionRefresh":
        return done("ok");
      case "GetSubAccounts":
        return done([{ number: "100", tradeLimit: "1000" }]);
      case "GetEquityInfo":
        return done({
          name: body.symbol,
          flr: "81",
          clg: "99",
          ask: "90",
          bid: "89.95",
          lst: "90",
          limit: "0",
          min: "0",
          max: "0",
          step: "0",
        });
      case "GetCandleData":
        return done([
          { date: "02.03.2026 10:00:00", open: "90", high: "91.5", low: "89.9", close: "91", volume: "1200" },
          { date: "never", open: "1", high: "1", low: "1", close: "1", volume: "1" },
          { date: "2026-03-02T10:05:00", open: 91, high: 91, low: 90.5, close: 90.5, volume: 0 },
        ]);
      case "CashFlow":
        return done({ t0: "1000.5", t1: "1000.5", t2: "2000" });
      case "InstantPosition":
        return done([
          { code: "THYAO", totalstock: "100.000000", cost: "80.5", unitprice: "90", profit: "950", type: "CH" },
          { code: "TRY", totalstock: "1000", cost: "0", unitprice: "0", profit: "0", type: "CA" },
          { code: "-", totalstock: "0", cost: "9406.07", unitprice: "0", profit: "-", type: "0", explanation: "total" },
        ]);
      case "SendOrder": {
        if (body.pricetype === "piyasa" && this.limitOnly.has(String(body.symbol)))
          return refused("Bu pay için piyasa emri girilemez");
        const order = this.take({
          symbol: String(body.symbol),
          side: body.direction === "BUY" ? "BUY" : "SELL",
          quantity: Number(body.lot),
          price: body.pricetype === "limit" ? Number(body.price) : 0,
          isMarket: body.pricetype === "piyasa",
        });
        for (let count = 0; count < this.toldCount; count += 1) this.#tell(order);
        return done(`Referans Numaranız: ${order.number};0000-2923NR-IET - HISSEOK`);
      }
      case "DeleteOrder": {
        const order = this.orders.find((one) => one.number === body.id && this.#isOfToday(one));
        if (order === undefined || order.status !== "WAITING") return refused("Emir bulunamadı");
        order.status = "DELETED";
        return done("Success");
      }
      case "TodaysTransaction":
        // At midnight of Istanbul it is empty.
        return done(this.orders.filter((order) => this.#isOfToday(order)).map(rowOf));
      default:
        return refused("Bilinmeyen istek");
    }
  }

  #answer(response: ServerResponse, { success, message, content }: Answer): void {
    const capitals = { Success: success, Message: message, Content: content };
    response.end(JSON.stringify(this.hasCapitals ? capitals : { success, message, content }));
  }
}

interface Answer {
  readonly success: boolean;
  readonly message: string;
  readonly content: unknown;
}

function done(content: unknown): Answer {
  return { success: true, message: "", content };
}

/** Written again for this server: it must not share a mistake of the connector. */
function istanbulDay(timeMs: number): number {
  return Math.floor((timeMs + 3 * 3_600_000) / 86_400_000);
}

function refused(message: string): Answer {
  return { success: false, message, content: null };
}

function checker(endpoint: string, body: string): string {
  return createHash("sha256").update(`${API_KEY}https://www.algolab.com.tr${endpoint}${body}`).digest("hex");
}

function decrypt(value: unknown): string {
  const decipher = createDecipheriv("aes-256-cbc", AES_KEY, Buffer.alloc(16));
  return Buffer.concat([decipher.update(Buffer.from(String(value), "base64")), decipher.final()]).toString("utf8");
}

/**
 * Builds a row as AlgoLab's users published rows: a date in addition to the moment, five flags as the status, the state
 * in a field of its own.
 */
function rowOf(order: PlayedOrder): Record<string, string> {
  const at = new Date(order.timeMs + 3 * 3_600_000).toISOString();
  const date = `${at.slice(8, 10)}.${at.slice(5, 7)}.${at.slice(0, 4)}`;
  const isOver = order.status === "DONE" || order.status === "DELETED";
  return {
    atpref: order.number,
    ticker: order.symbol,
    buysell: order.side === "BUY" ? "Alış" : "Satış",
    ordersize: String(order.quantity),
    remainingsize: isOver ? "0" : String(order.quantity - order.filled),
    price: order.averagePrice.toFixed(6),
    fillunit: String(order.filled),
    amount: String(order.quantity * order.averagePrice),
    transactiontime: `${date} 00:00:00`,
    timetransaction: `${date} ${at.slice(11, 19)}`,
    valor: date,
    status: isOver ? "00000" : "11101",
    waitingprice: order.price.toFixed(6),
    description: order.description || DESCRIPTIONS[order.status],
    transactionId: `${at.slice(0, 10).replaceAll("-", "")}${order.number}`,
    // An order whose rest the exchange took away after a fill is listed as PARTIAL.
    equityStatusDescription: order.status === "DELETED" && order.filled > 0 ? "PARTIAL" : order.status,
    shortfall: "0",
    timeinforce: "0",
  };
}

const DESCRIPTIONS: Readonly<Record<PlayedOrder["status"], string>> = {
  WAITING: "İletildi",
  PARTIAL: "Kısmi Gerçekleşti",
  DONE: "Gerçekleşti",
  DELETED: "Silindi",
};
