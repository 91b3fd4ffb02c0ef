/**
 * AlgoLab's REST interface: one call, one request in the queue, one answer in four kinds.
 *
 * Owns: headers, slots, which answers are AlgoLab's own judgement. Does not own: the meaning of an answer for an order
 * (connector.ts), the login (session.ts).
 *
 * Invariants:
 * 1. `refused` is an envelope of AlgoLab with `success: false`. Any answer that is not a refusal, a success, a 401 or
 *    429, or certainly not sent, is `unknown`: a broken connection, a time-out, a 5xx, an HTML page, an envelope
 *    without sense.
 * 2. `notSent` is returned only if no byte of the request can have been written.
 * 3. No text of an answer contains a request.
 */
import { z } from "zod";
import { parseJson } from "../../../src/runtime/json.ts";
import type { Clock } from "../../../src/runtime/ports.ts";
import type { Secret } from "../host/config-file.ts";
import { codeOfNeverSent } from "./never-sent.ts";
import { checkerOf, encrypt, envelopeSchema, istanbulTimeMs, lowerKeys } from "./protocol.ts";
import type { RequestQueue, Urgency } from "./request-queue.ts";
import { URGENCY } from "./request-queue.ts";
import { HASH_FORM } from "./session-file.ts";
import type { Trouble, TroubleLog } from "./trouble-log.ts";

export type ApiAnswer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly text: string }
  /** AlgoLab does not accept `hash`; undefined: the request had none. */
  | { readonly kind: "loggedOut"; readonly hash: string | undefined }
  | { readonly kind: "tooFast" }
  /** It certainly did not leave: it was called off in its slot, or no connection was made. */
  | { readonly kind: "notSent"; readonly text: string }
  | { readonly kind: "unknown"; readonly text: string };

interface ApiOptions {
  readonly apiKey: Secret;
  /** `https://www.algolab.com.tr`, or a server that plays AlgoLab. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly queue: RequestQueue;
  readonly clock: Clock;
  readonly troubles: TroubleLog;
  /** The hash of the login; `undefined` while no user is logged in. */
  readonly hash: () => string | undefined;
}

/** Other work in a request's slot. */
interface InSlot {
  /** Runs before the request leaves; `false` calls it off, and the slot goes to the next request. */
  readonly prepare?: () => boolean | Promise<boolean>;
  /** Called right before the request leaves. */
  readonly onLeaving?: () => void;
  /** How long it may wait for its slot, in milliseconds; default: forever. */
  readonly waitMsMax?: number;
}

/** An order in AlgoLab's terms. */
interface NewOrder {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly quantity: number;
  /** `null`: a market order. */
  readonly limitPrice: number | null;
  readonly subAccount: string;
}

const number = z.union([z.string(), z.number()]).transform(Number).pipe(z.number());
/** A number that AlgoLab can leave out: it sends an empty text, which is not 0. */
const optionalNumber = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (String(value ?? "").trim() === "" ? undefined : Number(value)))
  .pipe(z.number().optional());
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? "").trim());

/**
 * A row of today's orders. `timetransaction` is its moment (`transactiontime` is a date alone),
 * `equitystatusdescription` its state (`status` only states what can still be done with it: five flags).
 */
const orderRowSchema = z.object({
  atpref: text.pipe(z.string().min(1)),
  ticker: text,
  buysell: text,
  ordersize: number,
  remainingsize: number,
  price: number,
  fillunit: number,
  timetransaction: text.transform(istanbulTimeMs),
  waitingprice: number,
  description: text,
  equitystatusdescription: text.pipe(z.string().min(1)),
});
export type OrderRow = z.infer<typeof orderRowSchema>;

const SHARE = "CH";
const kindSchema = z.object({ type: text });
const positionSchema = z.object({
  code: text,
  totalstock: number,
  cost: number,
  unitprice: number,
  profit: optionalNumber.catch(undefined),
});
export type PositionRow = z.infer<typeof positionSchema>;
/** Shares alone: rows of cash and of the total have other forms. */
const sharesSchema = z.preprocess(
  (rows) =>
    Array.isArray(rows) ? rows.filter((row: unknown) => kindSchema.safeParse(row).data?.type === SHARE) : rows,
  z.array(positionSchema),
);
const equitySchema = z.object({ name: text, flr: optionalNumber, clg: optionalNumber });
const cashSchema = z.object({ t0: optionalNumber, t2: optionalNumber });
const candleSchema = z.object({ date: text, open: number, high: number, low: number, close: number, volume: number });
type CandleRow = z.infer<typeof candleSchema>;
const subAccountSchema = z.object({ number: text });

/** The text of a refusal without one. */
export const NO_REASON = "AlgoLab gave no reason";

/** They need no login. */
const LOGIN_CALLS: ReadonlySet<string> = new Set(["LoginUser", "LoginUserControl"]);

export class AlgolabApi {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** First stage of the login; AlgoLab sends an SMS. Returns the token of this login. */
  login(username: string, password: string): Promise<ApiAnswer<string>> {
    const body = { username: this.#encrypted(username), password: this.#encrypted(password) };
    return this.#call(
      "LoginUser",
      body,
      URGENCY.session,
      z.object({ token: z.string().min(1) }).transform((read) => read.token),
    );
  }

  /** Second stage of the login. Returns the hash that all other calls need. */
  confirm(token: string, code: string): Promise<ApiAnswer<string>> {
    const body = { token: this.#encrypted(token), password: this.#encrypted(code) };
    return this.#call(
      "LoginUserControl",
      body,
      URGENCY.session,
      z.object({ hash: z.string().regex(HASH_FORM) }).transform((read) => read.hash),
    );
  }

  refreshSession(): Promise<ApiAnswer<unknown>> {
    return this.#call("SessionRefresh", {}, URGENCY.session, z.unknown());
  }

  subAccounts(): Promise<ApiAnswer<readonly string[]>> {
    return this.#call(
      "GetSubAccounts",
      {},
      URGENCY.session,
      z.array(subAccountSchema).transform((rows) => rows.map((row) => row.number)),
    );
  }

  /** Returns AlgoLab's text about the taken order, which contains its number. */
  sendOrder(order: NewOrder, urgency: Urgency, inSlot: InSlot): Promise<ApiAnswer<unknown>> {
    const { symbol, side, quantity, limitPrice, subAccount } = order;
    const priced =
      limitPrice === null ? { pricetype: "piyasa", price: "" } : { pricetype: "limit", price: String(limitPrice) };
    const body = { symbol, direction: side, ...priced, lot: String(quantity), sms: false, email: false, subAccount };
    return this.#call("SendOrder", body, urgency, z.unknown(), inSlot);
  }

  deleteOrder(id: string, subAccount: string, inSlot: InSlot): Promise<ApiAnswer<unknown>> {
    return this.#call("DeleteOrder", { id, subAccount }, URGENCY.cancel, z.unknown(), inSlot);
  }

  /**
   * Orders of today. A row that cannot be read makes the answer `unknown`: a missing row would be taken for no order.
   */
  todaysOrders(subAccount: string, urgency: Urgency, inSlot: InSlot): Promise<ApiAnswer<readonly OrderRow[]>> {
    return this.#call("TodaysTransaction", { Subaccount: subAccount }, urgency, z.array(orderRowSchema), inSlot);
  }

  /** The shares that are held. */
  positions(subAccount: string): Promise<ApiAnswer<readonly PositionRow[]>> {
    return this.#call("InstantPosition", { Subaccount: subAccount }, URGENCY.poll, sharesSchema);
  }

  cash(subAccount: string): Promise<ApiAnswer<z.infer<typeof cashSchema>>> {
    return this.#call("CashFlow", { Subaccount: subAccount }, URGENCY.poll, cashSchema);
  }

  /** The day's band, among other things. */
  equity(symbol: string, urgency: Urgency): Promise<ApiAnswer<z.infer<typeof equitySchema>>> {
    return this.#call("GetEquityInfo", { symbol }, urgency, equitySchema);
  }

  /** The latest 250 periods, the oldest first; the last one runs still. `periodMinutes`: 1 to 1,440. */
  candles(symbol: string, periodMinutes: number): Promise<ApiAnswer<readonly CandleRow[]>> {
    const body = { symbol, period: String(periodMinutes) };
    return this.#call("GetCandleData", body, URGENCY.poll, z.array(candleSchema));
  }

  #encrypted(text: string): string {
    return encrypt(this.#options.apiKey(), text);
  }

  async #call<T>(
    name: string,
    payload: object,
    urgency: Urgency,
    schema: z.ZodType<T>,
    { prepare = () => true, onLeaving = () => undefined, waitMsMax }: InSlot = {},
  ): Promise<ApiAnswer<T>> {
    const { queue, hash } = this.#options;
    const hadLogin = hash() !== undefined;
    const send = async (leave: () => void): Promise<ApiAnswer<T>> => {
      // The login ended while the request waited: AlgoLab would answer 401 once more.
      if (hadLogin && hash() === undefined && !LOGIN_CALLS.has(name)) return { kind: "loggedOut", hash: undefined };
      if (!(await prepare())) return { kind: "notSent", text: "it was called off before its request left" };
      return this.#send(name, payload, schema, () => {
        leave();
        onLeaving();
      });
    };
    const answer = await queue.run(urgency, send, waitMsMax);
    return answer ?? { kind: "notSent", text: "too many requests wait for AlgoLab: ask again later" };
  }

  async #send<T>(name: string, payload: object, schema: z.ZodType<T>, onLeaving: () => void): Promise<ApiAnswer<T>> {
    const { url, timeoutMs, hash, clock, troubles } = this.#options;
    const apiKey = this.#options.apiKey();
    const endpoint = `/api/${name}`;
    const body = JSON.stringify(payload);
    // An old login must not block a new one.
    const login = LOGIN_CALLS.has(name) ? undefined : hash();
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      APIKEY: apiKey,
      Checker: checkerOf(apiKey, endpoint, body === "{}" ? "" : body),
      ...(login === undefined ? {} : { Authorization: login }),
    };
    try {
      onLeaving();
      const leftMs = clock.nowMs();
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(`${url}/api${endpoint}`, {
        method: "POST",
        headers,
        body,
        signal,
        redirect: "error",
      });
      troubles.compareClocks(response.headers.get("date"), leftMs);
      const { status } = response;
      const { answer, trouble } = readAnswer(status, await response.text(), schema, login);
      if (trouble !== undefined) troubles.tell(trouble, { request: name, status });
      // The second stage follows a first stage that accepted the key.
      else if (status === 401 && name === "LoginUser") troubles.tell("keyRefused", { request: name });
      return answer;
    } catch (error) {
      const code = codeOfNeverSent(error);
      if (code !== undefined) {
        troubles.tell("unreachable", { request: name, code });
        return { kind: "notSent", text: `no connection to AlgoLab (${code})` };
      }
      const isLate = error instanceof Error && error.name === "TimeoutError";
      return { kind: "unknown", text: isLate ? "AlgoLab did not answer in time" : "AlgoLab could not be reached" };
    }
  }
}

interface ReadAnswer<T> {
  readonly answer: ApiAnswer<T>;
  readonly trouble?: Trouble;
}

function readAnswer<T>(status: number, text: string, schema: z.ZodType<T>, hash: string | undefined): ReadAnswer<T> {
  if (status === 401) return { answer: { kind: "loggedOut", hash } };
  if (status === 429) return { answer: { kind: "tooFast" }, trouble: "tooFast" };
  const json = parseJson(text);
  const trouble = json === undefined ? { trouble: "answerUnreadable" as const } : {};
  if (status !== 200) {
    return { answer: { kind: "unknown", text: `AlgoLab answered with status ${status}` }, ...trouble };
  }
  const envelope = envelopeSchema.safeParse(lowerKeys(json));
  if (!envelope.success) {
    return { answer: { kind: "unknown", text: "AlgoLab's answer is not one of its envelopes" }, ...trouble };
  }
  const { success, message, content } = envelope.data;
  if (!success) {
    const told = message?.trim() || (typeof content === "string" ? content.trim() : "") || NO_REASON;
    return { answer: { kind: "refused", text: told } };
  }
  const value = schema.safeParse(content);
  if (value.success) return { answer: { kind: "ok", value: value.data } };
  return { answer: { kind: "unknown", text: "AlgoLab's answer has an unknown form" }, trouble: "answerUnreadable" };
}
