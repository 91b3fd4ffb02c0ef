/**
 * Accounts and orders as clients see them (behaviour 11.1, "Orders"; behaviour 6).
 */
import { z } from "zod";
import { BUY, ORDER_WAITING, SELL } from "../../domain/order/order.ts";
import { LIMIT_ORDER, MARKET_ORDER } from "../../domain/order/order-request.ts";
import { RESET } from "../../domain/order/trading-state.ts";
import { body, choice, lots, named, priceOrZero, text } from "../fields.ts";
import { accountNumber, brokerageCode, symbolCode } from "./oco.ts";
import { loginAnswerSchema } from "./order.ts";

/** Most orders in a batch (behaviour 6.1). */
const BATCH_ITEMS_MAX = 100;

const orderNo = text(1, 100).meta({ description: "Number at the brokerage" });
const secret = text(1, 200);
export const SIDES = { Buy: BUY, Sell: SELL };
const ORDER_TYPES = { Market: MARKET_ORDER, Limit: LIMIT_ORDER };
const ORDER_STATUSES = { Waiting: 0, Open: 1, Completed: 2, Cancelled: 3, Rejected: 4 };

// ---------------------------------------------------------------------------------------------------------- accounts

/** Behaviour 11.1. */
export const accountSchema = z
  .object({
    accountNumber: z.string().meta({ description: "Identifies the account in other operations" }),
    number: z.string().meta({ description: "Account number at the brokerage" }),
    name: z.string(),
    brokerageCode: z.string(),
    brokerageName: z.string(),
    isActive: z.boolean(),
    isDefault: z.boolean(),
  })
  .meta({ id: "Account" });
export type AccountView = z.infer<typeof accountSchema>;

/** Stage 1 leaves out `sessionId` and `sms`, stage 2 has both (behaviour 6.6). */
export const loginBody = body({
  brokerageCode,
  username: secret.meta({ description: "National identity number" }),
  password: secret.meta({ description: "Account password; never stored", format: "password" }),
  accountNumber,
  sessionId: text(0, 1_000).nullish().meta({ description: "From stage 1; in stage 2 only" }),
  sms: text(0, 100).nullish().meta({ description: "Code received by phone; in stage 2 only" }),
}).refine(({ sessionId, sms }) => isGiven(sessionId) === isGiven(sms), {
  path: ["sms"],
  message: "and sessionId belong together: both in stage 2, neither in stage 1",
});
export type LoginBody = z.infer<typeof loginBody>;
export const loginSchema = loginAnswerSchema;

/** Clients that always send all fields send empty ones in stage 1. */
function isGiven(text: string | null | undefined): boolean {
  return text !== undefined && text !== null && text !== "";
}

export const positionsBody = body({
  brokerageCode,
  accountNumber,
  includeOrders: z.boolean().optional().meta({ description: "Default false" }),
});
export const dailyOrdersBody = body({ brokerageCode, accountNumber });

/** Body of `account.reset`. */
export const resetBody = body({
  brokerageCode,
  accountNumber,
  confirm: choice([RESET]).meta({ description: "Required, as what the account has traded is gone" }),
}).meta({ id: "AccountReset" });

/** Body of `accounts.balance`. */
export const balanceBody = body({ brokerageCode, accountNumber });
const amount = z.number();
/** The money of an account, in units of its currency (behaviour 11.1a). */
export const balanceViewSchema = z
  .object({
    cash: amount.meta({ description: "Negative where the account owes money" }),
    buyingPower: amount.meta({ description: "What may be bought now" }),
    equity: amount.meta({ description: "Cash, and positions at their last prices" }),
    currency: z.string(),
  })
  .meta({ id: "Balance" });

/** Body of `orders.get`. */
export const readOrderBody = z.object({ brokerageCode, accountNumber, orderNo });
/** Body of `accounts.resolve`: which account is meant by either of its names (behaviour 1.8). */
export const resolveAccountBody = z.object({ brokerageCode, accountNumber });
export const resolvedAccountSchema = accountSchema.pick({ accountNumber: true });

/** A daily order (behaviour 6.5). */
export const dailyOrderSchema = z
  .object({
    symbol: z.string(),
    quantity: z.number().int(),
    buySell: z.number().int().meta(named(SIDES)),
    orderNo: z.string(),
    orderStatus: z.number().int().meta(named(ORDER_STATUSES)),
    accountNumber: z.string(),
    orderType: z.number().int().meta(named(ORDER_TYPES)),
    price: z.number(),
    filledQuantity: z.number().int(),
    averagePrice: z.number().meta({ description: "0 until something filled" }),
    clientOrderId: z.string().nullable(),
    createdDate: z.string(),
    updatedDate: z.string().nullable(),
  })
  .meta({ id: "DailyOrder" });
export type DailyOrderView = z.infer<typeof dailyOrderSchema>;

/** A position (behaviour 6.5). `orders` only if they were asked for. */
export const positionSchema = z
  .object({
    symbol: z.string(),
    quantity: z.number(),
    availableQuantity: z.number(),
    averagePrice: z.number(),
    lastPrice: z.number().nullable(),
    profit: z.number().nullable(),
    orders: z.array(dailyOrderSchema).optional(),
  })
  .meta({ id: "Position" });
export type PositionView = z.infer<typeof positionSchema>;

/** The facts of a brokerage that the edge must know. */
export const brokerageSchema = z.object({
  code: z.string(),
  name: z.string(),
  ordersPerMinute: z.number().int().positive(),
  portfolioIntervalSeconds: z.number().int().positive(),
});
export type BrokerageView = z.infer<typeof brokerageSchema>;

// ------------------------------------------------------------------------------------------------------------ orders

const orderFields = {
  symbol: symbolCode,
  quantity: lots,
  buySell: choice([BUY, SELL]).meta(named(SIDES)),
  orderType: choice([MARKET_ORDER, LIMIT_ORDER]).meta(named(ORDER_TYPES)),
  price: priceOrZero
    .optional()
    .meta({ description: "Required for a limit order, a multiple of its tick; 0 for market" }),
};

/** One order of a batch. */
export const orderItemBody = body(orderFields);
export const placeOrderBody = body({ brokerageCode, accountNumber, ...orderFields });
export const chainOrderBody = body({
  ...placeOrderBody.shape,
  referenceOrderNo: orderNo.meta({ description: "The order that must be completed first" }),
});

const cancelItemFields = { orderNo, symbol: symbolCode };
/** One order of a cancel batch. */
export const cancelItemBody = body(cancelItemFields);
export const cancelOrderBody = body({ brokerageCode, accountNumber, ...cancelItemFields });

/**
 * A batch as a whole. Its items are checked one by one: a malformed item fails alone, as a refused one does. A batch
 * without items, or with too many, is refused whole (behaviour 6.1).
 */
function batchOf(item: z.ZodObject) {
  const { $schema: _, ...shape } = z.toJSONSchema(item, { io: "input" });
  return body({
    brokerageCode,
    accountNumber,
    items: z.array(z.unknown().meta(shape)).min(1).max(BATCH_ITEMS_MAX),
  });
}
export const placeBatchBody = batchOf(orderItemBody);
export const cancelBatchBody = batchOf(cancelItemBody);

/** Behaviour 6.5. */
export const placementSchema = z
  .object({
    symbol: z.string(),
    quantity: z.number().int(),
    buySell: z.number().int().meta(named(SIDES)),
    orderNo: z.string(),
    orderStatus: z.number().int().meta(named(ORDER_STATUSES)),
  })
  .meta({ id: "OrderPlacement" });

/**
 * Reads the `orderStatus` of a placement. A caller that only words an answer must not fail on a bad one: the order is
 * at the brokerage.
 */
export function orderStatusOf(placement: unknown): number {
  return placementSchema.pick({ orderStatus: true }).safeParse(placement).data?.orderStatus ?? ORDER_WAITING;
}

/** The outcome of one order of a batch. */
export const batchItemSchema = z
  .object({
    success: z.boolean(),
    message: z.string(),
    data: placementSchema.nullable(),
  })
  .meta({ id: "BatchItem" });
