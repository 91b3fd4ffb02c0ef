/**
 * The context of a pending OCO setup as it is stored, checked on reading as strictly as it was written.
 */
import { z } from "zod";
import { EXIT_POLICIES } from "../../domain/oco/group.ts";
import { QUANTITY_MAX } from "../../domain/price/quantity.ts";
import { TICK_TABLES } from "../../domain/price/tick-table.ts";
import type { PendingSetup } from "../../domain/setup.ts";

const id = z.number().int().positive();
const quantity = z.number().int().min(1).max(QUANTITY_MAX);
const hundredths = z.number().int().min(1).max(999_999_900);
const timeMs = z.number().int().nonnegative();

const tier = z.union([
  z.strictObject({ quantity, percent: z.number().positive() }),
  z.strictObject({ quantity, price: hundredths }),
]);

const outcome = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("converted"), groupId: id, timeMs }),
  z.strictObject({ type: z.literal("conversionFailed"), reason: z.string(), timeMs }),
  z.strictObject({ type: z.literal("removed"), isPartFilled: z.boolean(), isByOwner: z.boolean(), timeMs }),
]);

export const setupSnapshot = z.strictObject({
  version: z.literal(1),
  setupId: id,
  userId: id,
  brokerageCode: z.string(),
  accountNumber: z.string(),
  brokerOrderNo: z.string().min(1),
  symbol: z.string(),
  stopLoss: tier,
  takeProfits: z.array(tier).min(1),
  dueAtMs: timeMs.nullable(),
  notes: z.string().nullable(),
  tickTable: z.enum(TICK_TABLES),
  exitPolicy: z.enum(EXIT_POLICIES).exactOptional(),
  createdAtMs: timeMs,
  fillPrice: z.number().positive().nullable(),
  outcome: outcome.nullable(),
}) satisfies z.ZodType<PendingSetup>;
