/**
 * The contexts of actors as they are stored, checked on reading as strictly as they were written.
 */
import { z } from "zod";
import type { OcoGroup } from "../domain/oco.ts";
import { isStoredGroup } from "./snapshot-check.ts";

const id = z.number().int().positive();
const quantity = z.number().int().min(1).max(1_000_000_000);
const hundredths = z.number().int().min(1).max(999_999_900);
const timeMs = z.number().int().nonnegative();

const ocoRow = z.strictObject({
  id,
  quantity,
  price: hundredths,
  status: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  isInFlight: z.boolean(),
  triggeredPrice: z.number().positive().nullable(),
  triggeredAtMs: timeMs.nullable(),
  triggerErrorMessage: z.string().nullable(),
  updatedAtMs: timeMs.nullable(),
});

export const groupSnapshot = z.strictObject({
  version: z.literal(1),
  groupId: id,
  userId: id,
  brokerageCode: z.string(),
  accountNumber: z.string(),
  symbol: z.string(),
  createdAtMs: timeMs,
  dueAtMs: timeMs.nullable(),
  notes: z.string().nullable(),
  hasOversellGuard: z.boolean(),
  rows: z.array(ocoRow).min(2),
  stopLossOrdersOpen: z.number().int().nonnegative(),
}) satisfies z.ZodType<OcoGroup>;

/** Reads a stored group. Throws where it is not one, or is of another version. */
export function parseGroup(stored: unknown): OcoGroup {
  return isStoredGroup(stored) ? stored : groupSnapshot.parse(stored);
}
