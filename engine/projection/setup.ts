/**
 * Pending OCO setups in events. No list shows them: what is left of one is its group, or the event that says why there
 * is none.
 */
import type { PendingSetup } from "../../src/domain/setup.ts";
import { formatTime } from "../../src/domain/time.ts";

/** The payload of a setup's event: the setup, the group it became, or why it became none. */
export function setupEvent(setup: PendingSetup): object {
  const { setupId, brokerageCode, accountNumber, brokerOrderNo, symbol, outcome } = setup;
  const row = {
    setupId,
    brokerageCode,
    accountNumber,
    brokerOrderNo,
    symbol,
    notes: setup.notes,
    dueDate: setup.dueAtMs === null ? null : formatTime(setup.dueAtMs),
    createdDate: formatTime(setup.createdAtMs),
  };
  switch (outcome?.type) {
    case undefined:
      return { row };
    case "converted":
      return { row, groupId: outcome.groupId };
    case "conversionFailed":
      return { row, message: outcome.reason };
    case "removed":
      return { row, isPartFilled: outcome.isPartFilled };
  }
}
