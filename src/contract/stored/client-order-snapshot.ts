/** The stored context of a client's order, checked on reading as strictly as it was written. */
import { z } from "zod";
import type { ClientOrder } from "../../domain/order/client-order.ts";
import { executionSnapshot } from "./execution-snapshot.ts";
import { renamedSnapshot } from "./renamed-snapshot.ts";

const id = z.number().int().positive();

export const clientOrderSnapshot = z.strictObject({
  version: z.literal(1),
  orderId: id,
  userId: id,
  brokerageCode: z.string(),
  accountNumber: z.string(),
  placedAtMs: z.number().int().nonnegative(),
  execution: executionSnapshot,
  isOver: z.boolean(),
  renamed: renamedSnapshot,
}) satisfies z.ZodType<ClientOrder>;
