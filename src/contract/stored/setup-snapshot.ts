/**
 * The context of a pending OCO setup as it is stored, checked on reading as strictly as it was written.
 */
import { z } from "zod";
import { EXIT_POLICIES } from "../../domain/oco/group.ts";
import { QUANTITY_MAX } from "../../domain/price/quantity.ts";
import { TICK_TABLES } from "../../domain/price/tick-table.ts";
import { type PendingSetup, STOP_ENTRY } from "../../domain/setup.ts";
import { executionSnapshot, openedBefore, unansweredSnapshot } from "./execution-snapshot.ts";
import { renamedSnapshot } from "./renamed-snapshot.ts";
import { exitTimesFields, ladderSnapshot, setupCorporateSnapshot, trailingTermsFields } from "./snapshot.ts";

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
  z.strictObject({ type: z.literal("entryRefused"), reason: z.string(), timeMs }),
  z.strictObject({ type: z.literal("removed"), isPartFilled: z.boolean(), isByOwner: z.boolean(), timeMs }),
]);

const protection = z.strictObject({
  groupId: id.nullable(),
  bought: z.number().int().nonnegative(),
  price: z.number().positive().nullable(),
  isBuying: z.boolean(),
  refusal: z.string().exactOptional(),
});

const ending = z.strictObject({
  by: z.enum(["owner", "dueDate", "expiresAt", "group"]),
  againAtMs: timeMs,
  refusal: z.string().exactOptional(),
  isRefusalTold: z.literal(true).exactOptional(),
});

const entry = z.strictObject({
  orderType: z.literal([1, 2, STOP_ENTRY]),
  price: z.number().nonnegative(),
  commandId: z.string().min(1).exactOptional(),
  trigger: z
    .strictObject({
      level: hundredths,
      armedAtMs: timeMs.exactOptional(),
      reachedPrice: z.number().positive().exactOptional(),
    })
    .exactOptional(),
  expiresAtMs: timeMs.exactOptional(),
  ending: ending.exactOptional(),
  protection: protection.exactOptional(),
});

const fields = {
  setupId: id,
  userId: id,
  brokerageCode: z.string(),
  accountNumber: z.string(),
  symbol: z.string(),
  stopLoss: tier,
  takeProfits: z.array(tier).min(1),
  dueAtMs: timeMs.nullable(),
  notes: z.string().nullable(),
  tickTable: z.enum(TICK_TABLES),
  exitPolicy: z.enum(EXIT_POLICIES).exactOptional(),
  trailing: z.strictObject(trailingTermsFields).exactOptional(),
  ladder: ladderSnapshot.exactOptional(),
  exitTimes: z.strictObject(exitTimesFields).exactOptional(),
  corporate: setupCorporateSnapshot.exactOptional(),
  followsPosition: z.literal(true).exactOptional(),
  createdAtMs: timeMs,
  fillPrice: z.number().positive().nullable(),
  outcome: outcome.nullable(),
  hasMissedExitAt: z.literal(true).exactOptional(),
  changes: z.number().int().positive().exactOptional(),
  renamed: renamedSnapshot,
};

const brokerOrderNo = z.string().min(1);

export const setupSnapshot = z.union([
  z.strictObject({
    version: z.literal(2),
    ...fields,
    brokerOrderNo,
    buy: executionSnapshot,
    entry: entry.exactOptional(),
  }),
  z.strictObject({ version: z.literal(2), ...fields, brokerOrderNo: z.literal(""), buy: unansweredSnapshot, entry }),
]) satisfies z.ZodType<PendingSetup>;

const setupBefore = z.strictObject({ version: z.literal(1), ...fields, brokerOrderNo });

/** Reads a stored setup, also one of the edition before, which knew of its order no more than the number. */
export function parseSetup(stored: unknown): PendingSetup {
  const before = setupBefore.safeParse(stored);
  if (!before.success) return setupSnapshot.parse(stored);
  const { symbol, brokerOrderNo, outcome: end } = before.data;
  const buy = openedBefore({ symbol, buySell: 1, quantity: 0, needsPrice: true }, brokerOrderNo, "");
  return { ...before.data, version: 2, buy: end === null ? buy : { ...buy, phase: "settled" } };
}
