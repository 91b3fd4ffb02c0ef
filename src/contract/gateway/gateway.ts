/**
 * The gateway contract, third edition: requests on `broker.<CODE>.<operation>`, answers as JSON, and order records on
 * `broker.<CODE>.updates`. A connector of a brokerage implements the other side; docs/brokerage.md is its manual.
 */
import { z } from "zod";
import {
  accountRecordSchema,
  balanceSchema,
  barSchema,
  brokerFailureCodeSchema,
  instrumentSchema,
  loginAnswerSchema,
  orderAnswerSchema,
  orderRecordSchema,
  positionRecordSchema,
  resendSchema,
} from "../trading/order.ts";
import { fencedEpochSchema, fenceSchema } from "./fence.ts";

const MESSAGE_MAX = 2_000;
const BARS_MAX = 1_000;
const instance = z.string().min(1).max(100);

/** The code counts: a refusal remains a refusal with any form of message. */
export const gatewayFailureSchema = z.object({
  ok: z.literal(false),
  code: brokerFailureCodeSchema,
  message: z
    .string()
    .catch("")
    .transform((message) => message.slice(0, MESSAGE_MAX)),
});

/** The edition of the contract that this program speaks. */
export const GATEWAY_PROTOCOL = 3;

/** The answer to `status`: the connector, its promises, and whether it can reach the brokerage now. */
export const gatewayStatusSchema = z.object({
  /** A connector of the second edition sends no `endedBy`, `replaces` or `NOT_NOW`, and lacks the new operations. */
  protocol: z.union([z.literal(2), z.literal(GATEWAY_PROTOCOL)]),
  /** `down`: the session with the brokerage is missing; orders are answered `NOT_SENT`. */
  session: z.enum(["up", "down"]),
  /** When the session entered this state, ISO 8601. */
  since: z.string(),
  /**
   * True: the session comes back only after a login by the account's owner or, while it is up, the brokerage does not
   * renew it. Absent: it does not need one.
   */
  needsLogin: z.boolean().exactOptional(),
  /** The strongest promise that can be relied on; the engine sends nothing while its settings promise more. */
  resend: resendSchema,
  supports: z.object({
    /** `findOrder` can find the outcome of an order. */
    orderStatus: z.boolean(),
    /** `positions` returns the brokerage's positions. */
    positions: z.boolean(),
    /** `instrument` answers. Absent, here and below: it does not. */
    instrument: z.boolean().exactOptional(),
    /** `balance` answers. */
    balance: z.boolean().exactOptional(),
    /** `bars` answers. */
    bars: z.boolean().exactOptional(),
  }),
  /**
   * The name of this process of the connector, which then answers `recall`. Absent if several can serve the brokerage.
   */
  instance: instance.exactOptional(),
});
export type GatewayStatus = Readonly<z.infer<typeof gatewayStatusSchema>>;

const placingAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), data: orderAnswerSchema }),
  gatewayFailureSchema,
]);

/**
 * The outcome of an attempt that has no answer yet. `recalled`: it was not received, or certainly not passed on, and
 * never will be passed on.
 */
const recallAnswerSchema = z.discriminatedUnion("attempt", [
  z.object({ attempt: z.literal("recalled") }),
  z.object({ attempt: z.literal("underWay") }),
  z.object({ attempt: z.literal("answered"), answer: placingAnswer }),
]);
export type RecallAnswer = Readonly<z.infer<typeof recallAnswerSchema>>;

/** The `data` of each operation's answer. */
export const gatewayAnswers = {
  login: loginAnswerSchema,
  accounts: z.array(accountRecordSchema),
  positions: z.array(positionRecordSchema),
  dailyOrders: z.array(orderRecordSchema),
  place: orderAnswerSchema,
  chain: orderAnswerSchema,
  cancel: orderAnswerSchema,
  findOrder: orderRecordSchema,
  instrument: instrumentSchema,
  balance: balanceSchema,
  bars: z.array(barSchema).max(BARS_MAX),
  status: gatewayStatusSchema,
  fence: fencedEpochSchema,
  recall: recallAnswerSchema,
} as const;

export type GatewayOperation = keyof typeof gatewayAnswers;
export const gatewayOperations = Object.keys(gatewayAnswers) as GatewayOperation[];

/** The fields of each operation's request. */
const userId = z.number().int().positive();
const user = z.object({ userId });
const account = user.extend({ accountNumber: z.string().min(1) });
const instrument = z.object({ symbol: z.string().min(1), userId: userId.exactOptional() });
const order = account.extend({
  clientOrderId: z.string().min(1),
  symbol: z.string().min(1),
  quantity: z.number().int().positive(),
  buySell: z.union([z.literal(1), z.literal(2)]),
  orderType: z.union([z.literal(1), z.literal(2)]),
  price: z.number().nonnegative(),
  expiresAt: z.string().optional(),
  fence: fenceSchema.optional(),
  /** The addressed process; any other process answers `NOT_SENT`. */
  instance: instance.optional(),
});

export const gatewayRequests = {
  login: account.extend({
    username: z.string(),
    password: z.string(),
    sessionId: z.string().optional(),
    sms: z.string().optional(),
  }),
  accounts: user,
  positions: account.extend({ includeOrders: z.boolean() }),
  dailyOrders: account,
  place: order,
  chain: order.extend({ referenceOrderNo: z.string().min(1) }),
  cancel: account.extend({
    orderNo: z.string().min(1),
    clientOrderId: z.string().optional(),
    symbol: z.string().min(1),
    fence: fenceSchema.optional(),
  }),
  findOrder: account.extend({
    clientOrderId: z.string().optional(),
    orderNo: z.string().optional(),
    createdDate: z.string().optional(),
    fence: fenceSchema.optional(),
  }),
  instrument,
  balance: account,
  bars: instrument.extend({
    periodMinutes: z.number().int().min(1).max(1_440),
    count: z.number().int().min(1).max(BARS_MAX),
  }),
  status: z.object({}),
  /** A later leader asks before it sends anything: no request of an earlier leader is passed on from here. */
  fence: fencedEpochSchema,
  /** Asks about an attempt that has waited for its answer. */
  recall: z.object({ clientOrderId: z.string().min(1), fence: fenceSchema, instance }),
} as const satisfies Record<GatewayOperation, z.ZodType>;

export type RecallRequest = Readonly<z.infer<typeof gatewayRequests.recall>>;
