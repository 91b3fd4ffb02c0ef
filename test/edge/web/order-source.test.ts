/** Who sent an order: by the owner that the service names, and by the order's name when it is no longer followed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type FollowedOrder, groupRows, type OcoRow } from "../../../edge/web/dashboard/state/model.ts";
import { ownersOf, sourceOf } from "../../../edge/web/dashboard/trade/order-source.ts";

const GROUPS = groupRows([
  { id: 12, groupId: 12, orderType: 2, status: 1, price: 300 } as OcoRow,
  { id: 13, groupId: 12, orderType: 1, status: 1, price: 320 } as OcoRow,
]);
const NOBODY = ownersOf([]);

const followed = (orderNumbers: readonly string[], type: FollowedOrder["owner"]["type"], id: number) =>
  ({ orderNumbers, owner: { type, id } }) as FollowedOrder;

for (const [name, clientOrderId, source] of [
  ["the sell of a row is its group's", "abcdefghij-r13", { kind: "group", id: 12 }],
  ["a further sell of a stop-loss is its group's", "abcdefghij-r12-n2", { kind: "group", id: 12 }],
  ["a sell of the lots of a take-profit is its group's", "abcdefghij-r12-13", { kind: "group", id: 12 }],
  ["a sell of an unknown row is of some group", "abcdefghij-r99", { kind: "group", id: undefined }],
  ["an order of a pair is of some bot", "abcdefghij-p7s0-mf3k2a1b", { kind: "bot", id: undefined }],
  ["a buy of a pair is of some bot", "abcdefghij-p7b-mf3k2a1b", { kind: "bot", id: undefined }],
  ["an entry is its pending OCO's", "abcdefghij-e5", { kind: "pendingOco", id: 5 }],
  ["an order of a client is the user's", "abcdefghij-c8", { kind: "client", id: undefined }],
  ["an order with another name has no known source", "MANUAL-42", { kind: "unknown", id: undefined }],
  ["an order without a name has no known source", null, { kind: "unknown", id: undefined }],
] as const) {
  test(name, () => assert.deepEqual(sourceOf({ orderNo: "1", clientOrderId }, NOBODY, GROUPS), source));
}

test("a followed order is its owner's by each of its numbers, and its client's if a pending OCO waits for it", () => {
  const owners = ownersOf([
    followed(["1", "2"], "bot", 4),
    followed(["3"], "client", 8),
    followed(["3"], "pendingOco", 9),
    followed(["4"], "pendingOco", 10),
    followed(["4"], "client", 11),
  ]);
  const kindOf = (orderNo: string) => sourceOf({ orderNo, clientOrderId: null }, owners, GROUPS).kind;
  assert.deepEqual(["1", "2", "3", "4"].map(kindOf), ["bot", "bot", "client", "client"]);
});
