/** Pending setups for tests. */
import { type PendingSetup, registerSetup } from "../../src/domain/setup.ts";

export const CREATED_MS = 1_000;

/** A setup for the buy `B-1` of 10 `ACME` at 100: 3 percent under for 10 lots, 5 percent over for 4. */
export function sampleSetup(change: { readonly dueAtMs?: number | null }): PendingSetup {
  return registerSetup(
    {
      stopLoss: { quantity: 10, percent: 3 },
      takeProfits: [{ quantity: 4, percent: 5 }],
      dueAtMs: change.dueAtMs ?? null,
      notes: "note",
      tickTable: "BIST",
    },
    {
      setupId: 5,
      userId: 7,
      brokerageCode: "PAPER",
      accountNumber: "A1",
      brokerOrderNo: "B-1",
      symbol: "ACME",
    },
    { clientOrderId: null, quantity: 10, orderType: 2, price: 100, createdDate: "2026-01-01T00:00:00Z" },
    CREATED_MS,
  );
}
