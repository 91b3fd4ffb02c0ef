/**
 * The brokerage gateway protocol (design, "Messages"): requests on `broker.<CODE>.<operation>`, answers as JSON, and
 * order records on `broker.<CODE>.updates`. Whoever connects a brokerage implements the other side.
 */
import { z } from "zod";
import {
  accountRecordSchema,
  loginAnswerSchema,
  orderAnswerSchema,
  orderRecordSchema,
  positionRecordSchema,
} from "./order.ts";

const MESSAGE_MAX = 2_000;

/** The code is what counts: a refusal stays one whatever its message looks like. */
export const gatewayFailureSchema = z.object({
  ok: z.literal(false),
  code: z.enum(["REJECTED", "NOT_FOUND", "UNAUTHORIZED", "UNAVAILABLE"]),
  message: z
    .string()
    .catch("")
    .transform((message) => message.slice(0, MESSAGE_MAX)),
});

/** What each operation answers with, in `data`. */
export const gatewayAnswers = {
  login: loginAnswerSchema,
  accounts: z.array(accountRecordSchema),
  positions: z.array(positionRecordSchema),
  dailyOrders: z.array(orderRecordSchema),
  place: orderAnswerSchema,
  chain: orderAnswerSchema,
  cancel: orderAnswerSchema,
  findOrder: orderRecordSchema,
} as const;

export type GatewayOperation = keyof typeof gatewayAnswers;
export const gatewayOperations = Object.keys(gatewayAnswers) as GatewayOperation[];

/** The fields of each operation's request. */
const user = z.object({ userId: z.number().int().positive() });
const account = user.extend({ accountNumber: z.string().min(1) });
const order = account.extend({
  clientOrderId: z.string().min(1),
  symbol: z.string().min(1),
  quantity: z.number().int().positive(),
  buySell: z.union([z.literal(1), z.literal(2)]),
  orderType: z.union([z.literal(1), z.literal(2)]),
  price: z.number().nonnegative(),
  expiresAt: z.string().optional(),
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
  cancel: account.extend({ orderNo: z.string().min(1), symbol: z.string().min(1) }),
  findOrder: account.extend({ clientOrderId: z.string().optional(), orderNo: z.string().optional() }),
} as const satisfies Record<GatewayOperation, z.ZodType>;
