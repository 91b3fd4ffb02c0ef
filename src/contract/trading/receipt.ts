/**
 * The receipt of a row that has fired: what the service did, and when.
 */
import { z } from "zod";

const moment = z.string().nullable();

/** One sell of a row as it is stored, by the order's name; times in epoch milliseconds, null if not known. */
export const storedReceiptSchema = z.strictObject({
  clientOrderId: z.string(),
  quantity: z.number().int(),
  tick: z
    .strictObject({
      /** By the publisher's clock. */
      ownTimeMs: z.number().nullable(),
      arrivedAtMs: z.number(),
      isCaughtUp: z.boolean(),
    })
    .nullable(),
  decidedAtMs: z.number().nullable(),
  durableAtMs: z.number().nullable(),
  sentAtMs: z.number().nullable(),
  attempts: z.number().int().nullable(),
  answeredAtMs: z.number(),
  orderNo: z.string().nullable(),
  orderStatus: z.number().int().nullable(),
  refusal: z.string().nullable(),
  filledQuantity: z.number().nullable(),
  averagePrice: z.number().nullable(),
  endedAtMs: z.number().nullable(),
});
export type StoredReceipt = z.infer<typeof storedReceiptSchema>;

/** Body of the query `oco.receipt`. */
export const receiptBody = z.object({ id: z.number().int().positive() });

export const orderReceipt = z
  .object({
    clientOrderId: z.string(),
    quantity: z.number().int(),
    orderNo: z.string().nullable().meta({ description: "The brokerage's number; null: no order exists" }),
    orderStatus: z.number().int().nullable().meta({ description: "2 completed, 3 cancelled, 4 rejected" }),
    refusal: z.string().nullable().meta({ description: "Why no order exists" }),
    attempts: z.number().int().nullable().meta({ description: "How often it was sent; null: not known" }),
    decidedDate: moment.meta({ description: "When the row fired here; null: the service was restarted since then" }),
    durableDate: moment.meta({ description: "When that was on disk" }),
    sentDate: moment.meta({ description: "When the last attempt left" }),
    acknowledgedDate: moment.meta({ description: "When its outcome was known" }),
    filledDate: moment.meta({ description: "When its end was reported" }),
    filledQuantity: z.number().nullable(),
    averagePrice: z.number().nullable(),
  })
  .meta({ id: "OrderReceipt" });

export const receiptSchema = z
  .object({
    id: z.number().int(),
    groupId: z.number().int(),
    symbol: z.string(),
    rule: z.string().meta({ description: "Why it fired, as text" }),
    level: z.number(),
    tick: z
      .object({
        price: z.number().meta({ description: "The live price that fired the row" }),
        time: z.string().meta({ description: "When that price counts as true: the trigger's moment" }),
        ownTime: moment.meta({ description: "By the publisher's clock; null: it gave none, or it is not known" }),
        arrivedDate: moment,
        isCaughtUp: z.boolean().nullable().meta({ description: "True: read back from the tick stream after a hole" }),
      })
      .nullable()
      .meta({ description: "Null: the clock fired the row" }),
    status: z.number().int().meta({ description: "Of the row: 1 = its sell is on its way" }),
    orders: z.array(orderReceipt).meta({
      description: "Its sells, the oldest first: several of a stop-loss that is sold until it is sold (behaviour 14)",
    }),
  })
  .meta({ id: "OcoReceipt" });
export type ReceiptView = z.infer<typeof receiptSchema>;
