/**
 * Requests that are right in every field, to be made wrong in one.
 */
import assert from "node:assert/strict";
import type { AppUser, FaultApp, OcoRow } from "./app.ts";

export const GROUPS = "/api/v1/oco-orders";
export const PENDING = "/api/v1/oco-orders/register-pending";

/** A group of a user's, changed in some fields; undefined takes a field out. */
export function groupOf(user: AppUser, change: object = {}): object {
  return {
    brokerageCode: "PAPER",
    accountNumber: user.accountNumber,
    symbol: "THYAO",
    stopLossPrice: 90,
    stopLossQuantity: 10,
    takeProfitItems: [
      { price: 110, quantity: 4 },
      { price: 120, quantity: 6 },
    ],
    ...change,
  };
}

/** A registration of a user's, changed in some fields. */
export function pendingOf(user: AppUser, brokerOrderNo: string, change: object = {}): object {
  return {
    brokerageCode: "PAPER",
    accountNumber: user.accountNumber,
    brokerOrderNo,
    symbol: "THYAO",
    stopLossQuantity: 10,
    stopLossPercent: 3,
    takeProfitItems: [{ quantity: 5, percent: 5 }],
    ...change,
  };
}

/** Creates a group, which must succeed; gives its stop-loss row. */
export async function createGroup(app: FaultApp, user: AppUser, change: object = {}): Promise<OcoRow> {
  const answer = await app.send("POST", GROUPS, { token: user.token, json: groupOf(user, change) });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.success, true);
  return answer.body.data as OcoRow;
}

/** Cancels a group by any of its rows' ids, which must succeed. */
export async function cancelGroup(app: FaultApp, user: AppUser, id: number): Promise<void> {
  const answer = await app.send("DELETE", `${GROUPS}/${id}?brokerageCode=PAPER`, { token: user.token });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.data, true);
}

/** The rows of one group, in the order of the list. */
export async function rowsOf(app: FaultApp, user: AppUser, groupId: number): Promise<OcoRow[]> {
  const rows = await app.rows(user);
  return rows.filter((row) => row.groupId === groupId);
}
