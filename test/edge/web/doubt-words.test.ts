/** What the dashboard states of an order in doubt (behaviour 13.6). */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  adviceText,
  type DoubtPlan,
  decidingCommands,
  protectionText,
  settlingCommands,
  subjectText,
} from "../../../edge/web/dashboard/part/doubt-words.ts";
import type { DoubtfulOrder, OcoRow } from "../../../edge/web/dashboard/state/model.ts";

const orderOf = (type: DoubtfulOrder["owner"]["type"]): DoubtfulOrder => ({
  ...{ orderNo: "R-2", orderNumbers: ["R-1", "R-2"], clientOrderId: "abc-r8", symbol: "THYAO", buySell: 2 },
  ...{ quantity: 100, filledQuantity: 0, state: "inDoubt", since: "2026-01-05T09:00:00.000Z", message: "why" },
  ...{ owner: { type, id: 7 }, brokerageCode: "ACME", accountNumber: "A1" },
});

const rowOf = (id: number, orderType: 1 | 2, quantity: number, price: number, status: OcoRow["status"]): OcoRow => ({
  ...{ id, groupId: 7, accountNumber: "A1", symbol: "THYAO", orderType, quantity, price, status },
  ...{ triggeredPrice: null, triggeredDate: null, dueDate: null, notes: null, triggerErrorMessage: null },
  ...{ createdDate: "2026-01-05T09:00:00.000Z", updatedDate: null },
});

/** The states of a stop-loss of 100 at 90 and take-profits of 40 at 110 and 60 at 120; the order is of row `sent`. */
const planOf = (statuses: readonly OcoRow["status"][], sent: number): DoubtPlan => {
  const [stop = 1, first = 1, second = 1] = statuses;
  const rows = [rowOf(7, 2, 100, 90, stop), rowOf(8, 1, 40, 110, first), rowOf(9, 1, 60, 120, second)];
  return { rows, orders: [{ rowId: sent, orderNo: "R-1" }] };
};

test("the row of an order is named, also by the number that the order had before it was replaced", () => {
  assert.equal(subjectText(orderOf("group"), planOf([1, 2, 1], 8)), "Take-profit of 40 lots at 110.00 of OCO group 7");
  assert.equal(subjectText(orderOf("group")), "OCO group 7", "before its plan is read");
});

test("what is under watch is named level by level, the stop-loss first, and that none is", () => {
  const order = orderOf("group");
  const text = (...statuses: OcoRow["status"][]) => protectionText(order, planOf(statuses, 7));
  assert.equal(text(1, 2, 1), "Under watch: stop-loss of 100 lots at 90.00, take-profit of 60 lots at 120.00.");
  assert.equal(text(3, 1, 4), "No stop-loss is under watch. Under watch: take-profit of 40 lots at 110.00.");
  assert.match(text(2, 4, 4) ?? "", /^Nothing of the group is under watch: no stop-loss protects/);
  assert.equal(protectionText(order), undefined, "nothing is promised before the plan is read");
});

test("orders of bots, pending OCOs and clients have a text of their own", () => {
  assert.equal(subjectText(orderOf("bot"), undefined, new Map([[7, "Dips"]])), "Bot “Dips”");
  assert.equal(subjectText(orderOf("bot"), undefined, new Map()), "Bot 7");
  const texts = (["bot", "pendingOco", "client"] as const).map((type) => protectionText(orderOf(type)));
  assert.equal(new Set(texts).size, 3);
  assert.ok(texts.every((text) => text !== undefined && text !== ""));
});

test("its owner asks the operator, except for a pending OCO, of which its owner decides", () => {
  assert.match(adviceText(orderOf("group"), false), /^Look at order R-2 at ACME: .* Report it to your operator\.$/);
  assert.match(adviceText(orderOf("client"), true), /settle it with one of these commands\.$/);
  assert.match(adviceText(orderOf("pendingOco"), false), /remove the pending OCO/);
  assert.doesNotMatch(adviceText(orderOf("pendingOco"), false), /operator/);
});

test("the commands name order and id, and a number is one word of a shell whatever it contains", () => {
  assert.deepEqual(settlingCommands("R-2", "doubt-0-7"), [
    "npm run cli -- release doubt-0-7 --order-no R-2 --filled LOTS@PRICE",
    "npm run cli -- release doubt-0-7 --order-no R-2 --not-filled",
  ]);
  assert.match(settlingCommands("2026 7'; rm", "doubt-0-7")[1], /--order-no '2026 7'\\''; rm' --not-filled$/);
});

test("an order without an answer has a command for each decision that an operator can make", () => {
  assert.deepEqual(
    decidingCommands("order-0-17").map((command) => command.replace("npm run cli -- release order-0-17 ", "")),
    ["--placed ORDER_NO", '--refused "MESSAGE"', "--resend"],
  );
});
