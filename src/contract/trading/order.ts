/** Orders as they cross a process: the requests to a brokerage and its answers (behaviour 6; docs/brokerage.md). */
import { z } from "zod";
import type { Fence } from "../gateway/fence.ts";

const orderStatus = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);
const buySell = z.union([z.literal(1), z.literal(2)]);
const orderType = z.union([z.literal(1), z.literal(2)]);

const MESSAGE_MAX = 2_000;
const orderNumber = z.string().min(1).max(100);

/**
 * Who ended an order: its owner (by hand, or by a cancel through this engine), the exchange (phase, halt, price band,
 * expiry of the day) or the brokerage (its own checks).
 */
const endedBySchema = z.enum(["owner", "exchange", "brokerage"]);

/**
 * An order as a brokerage keeps it. Prices are decimal numbers. `averagePrice` is 0 until something filled, and if it
 * is absent or null: a completed order without it is asked for again (behaviour 5.2).
 *
 * `filledQuantity` is the fills of this number alone, not of the number that it replaces. `orderStatus` 2 (completed)
 * means that no more will be filled; the quantity, not the word, states how much was.
 */
export const orderRecordSchema = z.object({
  orderNo: orderNumber,
  clientOrderId: z.string().max(100).nullable(),
  accountNumber: z.string().min(1).max(100),
  symbol: z.string(),
  buySell,
  orderType,
  quantity: z.number().int().nonnegative(),
  price: z.number().nonnegative(),
  orderStatus,
  filledQuantity: z.number().int().nonnegative(),
  averagePrice: z
    .number()
    .nonnegative()
    .nullish()
    .transform((price) => price ?? 0),
  createdDate: z.string(),
  updatedDate: z.string().nullable(),
  /** Why the brokerage rejected, cancelled or ended it; shown to its owner. */
  message: z
    .string()
    .transform((message) => message.slice(0, MESSAGE_MAX))
    .nullish(),
  /** The number of the earlier order that this one replaces under the same name. */
  replaces: orderNumber.nullish(),
  /**
   * Who ended it. A value that this edition does not know is dropped: the fills of the record must not be lost with it.
   */
  endedBy: endedBySchema.nullish().catch(undefined),
});
export type OrderRecord = z.infer<typeof orderRecordSchema>;

/**
 * The brokerage's answer to `place`, `chain` and `cancel`. The answer of a completed order may name what was filled, as
 * its record does: with both fields the order is not looked up. A value that cannot be read is dropped, as the number
 * must not be lost with it.
 */
export const orderAnswerSchema = z.object({
  orderNo: orderNumber,
  orderStatus,
  filledQuantity: z.number().int().nonnegative().nullish().catch(undefined),
  averagePrice: z.number().nonnegative().nullish().catch(undefined),
});
export type OrderAnswer = z.infer<typeof orderAnswerSchema>;

export const accountRecordSchema = z.object({
  accountNumber: z.string().min(1).max(100),
  number: z.string().min(1).max(100),
  name: z.string(),
  isActive: z.boolean(),
  isDefault: z.boolean(),
});
export type AccountRecord = z.infer<typeof accountRecordSchema>;

export const positionRecordSchema = z.object({
  symbol: z.string(),
  quantity: z.number(),
  availableQuantity: z.number(),
  averagePrice: z.number(),
  lastPrice: z.number().nullable(),
  profit: z.number().nullable(),
  orders: z.array(orderRecordSchema).optional(),
});
export type PositionRecord = z.infer<typeof positionRecordSchema>;

/** A number above 0 that the other side may leave out or give as null. */
const known = z
  .number()
  .positive()
  .nullish()
  .transform((value) => value ?? undefined);

/** A brokerage's facts of a symbol for today. Prices are decimal numbers; unknown fields are left out. */
export const instrumentSchema = z.object({
  /** The price from which the day's band is computed. */
  basePrice: known,
  /** The lowest price at which an order is taken today. */
  floorPrice: known,
  /** The highest price at which an order is taken today. */
  ceilingPrice: known,
  /** Every quantity is a multiple of it. */
  lotSize: known,
  /** The largest quantity of one order. */
  maxQuantity: known,
  /** True while the exchange has halted the symbol. */
  isHalted: z
    .boolean()
    .nullish()
    .transform((value) => value ?? undefined),
});
export type Instrument = z.infer<typeof instrumentSchema>;

/** The money of an account, in units of `currency`. */
export const balanceSchema = z.object({
  /** Negative if the account owes money. */
  cash: z.number(),
  /** The money that can be spent now. */
  buyingPower: z.number(),
  /** Cash and positions at their last prices. */
  equity: z.number(),
  currency: z.string().min(1).max(10),
});
export type Balance = z.infer<typeof balanceSchema>;

/** The prices of one period. */
export const barSchema = z.object({
  /** The beginning of the period, ISO 8601. */
  time: z.string(),
  open: z.number().positive(),
  high: z.number().positive(),
  low: z.number().positive(),
  close: z.number().positive(),
  volume: z.number().nonnegative(),
  /** True while its period runs: only the last one may. */
  isOpen: z.boolean().default(false),
});
export type Bar = z.infer<typeof barSchema>;

export const loginAnswerSchema = z.union([
  z.object({ otp: z.literal(1), sessionId: z.string().min(1) }),
  z.object({ otp: z.literal(0), isLoggedIn: z.literal(true) }),
]);
export type LoginAnswer = z.infer<typeof loginAnswerSchema>;

/** A request about one account of a user. */
export interface AccountRequest {
  readonly userId: number;
  readonly accountNumber: string;
}

export interface LoginRequest extends AccountRequest {
  readonly username: string;
  readonly password: string;
  readonly sessionId?: string;
  readonly sms?: string;
}

/** A question about a symbol. `userId`: the user whose session with the brokerage can be used, if it needs one. */
export interface InstrumentRequest {
  readonly symbol: string;
  readonly userId?: number;
}

export interface BarsRequest extends InstrumentRequest {
  /** The length of a period, 1 to 1,440 (a day). */
  readonly periodMinutes: number;
  /** How many of the latest periods, 1 to 1,000, the oldest first. */
  readonly count: number;
}

export interface PositionsRequest extends AccountRequest {
  readonly includeOrders: boolean;
}

export interface PlaceRequest extends AccountRequest {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly quantity: number;
  readonly buySell: 1 | 2;
  readonly orderType: 1 | 2;
  readonly price: number;
  /** Brokerages that promise `expiry`: an order that reaches them after this (ISO 8601) is not accepted. */
  readonly expiresAt?: string;
  readonly fence?: Fence;
  /** The addressed process of the connector. */
  readonly instance?: string;
}

export interface ChainRequest extends PlaceRequest {
  readonly referenceOrderNo: string;
}

export interface CancelRequest extends AccountRequest {
  readonly orderNo: string;
  /** The order's name if it has one: a brokerage may use numbers again on another day. */
  readonly clientOrderId?: string;
  readonly symbol: string;
  readonly fence?: Fence;
}

export interface FindOrderRequest extends AccountRequest {
  readonly clientOrderId?: string;
  readonly orderNo?: string;
  /**
   * The date in the earlier records of the order with this `orderNo`: a brokerage can use numbers again on another day.
   */
  readonly createdDate?: string;
  readonly fence?: Fence;
}

/**
 * The codes of a brokerage that does not do what it is asked for. They are exact, because a sell relies on them:
 *
 * - `REJECTED`: the brokerage judged this request and refused it. For an order, no order exists by this request. For a
 *   repeat, it proves nothing about an earlier attempt.
 * - `NOT_NOW`: the order is valid, and the market or the session does not take it now (phase, halt, price band,
 *   measure). No order exists by this request; it can be sent again under its name. It is not the first answer that
 *   `idempotent` keeps.
 * - `NOT_FOUND`: proof that no such order (account) exists, and that none can come of any request so far. If that
 *   cannot be proven, `findOrder` returns `UNKNOWN`. To `place` and `chain` it is a refusal.
 * - `UNAUTHORIZED`: not passed on, because the user must log in to the brokerage first.
 * - `NOT_SENT`: certainly not passed on to the brokerage, and never will be. It is tried again.
 * - `UNAVAILABLE`: to `place`, `chain` and `cancel`: it can have been taken or can still be. A time-out, a broken
 *   connection and an answer that makes no sense are this. To questions: not answered now.
 * - `UNKNOWN`: to `findOrder`: it cannot be known, now or later (the brokerage forgot, numbers were reset): a person
 *   decides. To `place` and `chain` likewise if the promise is `idempotent`; else, and to `cancel`, as `UNAVAILABLE`.
 * - `FENCED`: not passed on, because a later leader or a later attempt was received, or because this attempt was
 *   already accepted or reported as missing (fence.ts).
 */
export const brokerFailureCodeSchema = z.enum([
  "REJECTED",
  "NOT_NOW",
  "NOT_FOUND",
  "UNAUTHORIZED",
  "NOT_SENT",
  "UNAVAILABLE",
  "UNKNOWN",
  "FENCED",
]);
export type BrokerFailureCode = z.infer<typeof brokerFailureCodeSchema>;

/** Whether a placement with this answer can exist at the brokerage anyway, or can still come to exist. */
export function mayHaveBeenTaken(code: BrokerFailureCode): boolean {
  return code === "UNAVAILABLE" || code === "UNKNOWN";
}

/** Whether the engine sends a placement with this answer again, and can do so under its number. */
export function isSentAgain(reply: BrokerReply<unknown>): boolean {
  return !reply.ok && (reply.code === "NOT_SENT" || reply.code === "UNAUTHORIZED" || reply.code === "NOT_NOW");
}

/** Whether the brokerage itself judged a placement: it serves the account. */
export function isJudged(reply: BrokerReply<unknown>): boolean {
  return reply.ok || reply.code === "REJECTED" || reply.code === "NOT_NOW" || reply.code === "NOT_FOUND";
}

export type BrokerReply<T> =
  | { readonly ok: true; readonly data: T }
  | {
      readonly ok: false;
      readonly code: BrokerFailureCode;
      readonly message: string;
      /**
       * Within the engine: the connector may refuse this attempt from now on, so the next needs a number of its own.
       */
      readonly isAttemptSpent?: true;
      /** Within the engine: the brokerage was not tried, as this engine might not act. */
      readonly isHeldBack?: true;
    };

/**
 * A brokerage's promise about a repeated order, and with it how an unknown outcome is settled:
 *
 * - `idempotent`: the first answer to a `clientOrderId`, acceptance or refusal, is the answer forever, and never a
 *   second order. It is sent again.
 * - `expiry`: an order that arrives after its `expiresAt` is not accepted. After that it is looked up, and sent again
 *   if it does not exist.
 * - `query`: no order is accepted later than `settleMs`. After that it is looked up, and sent again if it does not
 *   exist.
 * - `none`: nothing. It is never sent again: a person decides.
 */
export const resendSchema = z.enum(["idempotent", "expiry", "query", "none"]);
export type ResendPromise = z.infer<typeof resendSchema>;

const PROMISE_STRENGTH: Readonly<Record<ResendPromise, number>> = { none: 0, query: 1, expiry: 2, idempotent: 3 };

/** Whether to rely on `left` is to rely on more than `right` promises. */
export function isStrongerPromise(left: ResendPromise, right: ResendPromise): boolean {
  return PROMISE_STRENGTH[left] > PROMISE_STRENGTH[right];
}

/** Longer waits would overflow the loop's timers, which then do not wait at all. */
const DAY_MS = 86_400_000;
const waitMs = z.number().int().positive().max(DAY_MS);

const paperMarketSchema = z.enum(["open", "exchange"]);

/**
 * How the paper brokerage behaves; `parse({})` gives its defaults. Strict, as the whole entry is: a mistyped name must
 * not leave a preset in force.
 */
export const paperSettingsSchema = z.strictObject({
  startingCash: z.number().positive().default(1_000_000),
  startingPositions: z.record(z.string(), z.number().int().positive()).default({}),
  requiresLogin: z.boolean().default(false),
  /** Largest share of an order that one tick fills; 1 = whole. */
  fillShareMax: z.number().positive().max(1).default(1),
  /**
   * `open`: orders trade at any time and price. `exchange`: sessions, halts and the band of the day count (behaviour
   * 31). For all accounts, or by account number; an account that is not named has `open`, the
   * default.
   */
  market: z
    .union([paperMarketSchema, z.record(z.string().min(1), paperMarketSchema)], {
      error: 'must be "open", "exchange" or an object such as {"PAPER-1": "exchange"}',
    })
    .exactOptional(),
  /**
   * Whether the rest of a market order after one tick is cancelled, for all accounts or for the accounts with these
   * numbers; else it remains open.
   */
  cancelsMarketRest: z.union([z.boolean(), z.array(z.string().min(1))]).exactOptional(),
});
export type PaperSettings = z.infer<typeof paperSettingsSchema>;

/** One entry of `BROKERAGES_FILE`. */
export const brokerageSettingsSchema = z.strictObject({
  code: z.string().regex(/^[A-Za-z0-9_]{1,32}$/, "must be 1 to 32 letters, digits and _"),
  name: z.string().min(1).max(100),
  adapter: z.enum(["paper", "gateway"]),
  ordersPerMinute: z.number().int().positive().default(60),
  portfolioIntervalSeconds: z.number().int().positive().max(86_400).default(1),
  timeoutMs: z.number().int().positive().max(30_000).default(10_000),
  settleMs: waitMs.optional(),
  /** How long an `expiry` order stays acceptable. */
  expiryMs: waitMs.default(10_000),
  resend: resendSchema.default("query"),
  paper: paperSettingsSchema.optional(),
});
export type BrokerageSettings = z.infer<typeof brokerageSettingsSchema>;
