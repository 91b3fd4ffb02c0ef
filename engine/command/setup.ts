/**
 * Registers pending OCO setups (specification, "Register pending"; decisions 5).
 *
 * Invariant: the setup, its claim on the order number, and what the order's state as it was looked up means for it are
 * one decision: an order that is completed already converts in the turn that registers it.
 */

import type { AccountRecord, BrokerFailureCode, OrderRecord } from "../../src/contract/order.ts";
import { type RegisterSetupBody, registerSetupBody } from "../../src/contract/setup.ts";
import { BUY, isUndone } from "../../src/domain/order.ts";
import { accept, type Refusal, type Result, refuse } from "../../src/domain/refusal.ts";
import { type PendingSetup, planSetup, registerSetup as startSetup } from "../../src/domain/setup.ts";
import { setupClaim } from "../../src/machine/setup.ts";
import { setupEvent } from "../projection/setup.ts";
import { type CommandTurn, checked, type Desk, whyNotTraded } from "./desk.ts";

export const registerSetup = checked<RegisterSetupBody>({
  schema: registerSetupBody,
  handle: async (desk, body, turn) => {
    const plan = planSetup(body, desk.clock.nowMs());
    if (!plan.ok) return plan;
    const notTraded = whyNotTraded(desk, body.symbol);
    if (notTraded !== undefined) return notTraded;
    const account = await desk.accounts.resolve(turn.userId, body.brokerageCode, body.accountNumber);
    if (!account.ok) return account;
    const order = await findOrder(desk, body, account.value, turn);
    if (!order.ok) return order;
    return turn.decide(() => {
      const { userId } = turn;
      const { brokerageCode, brokerOrderNo, symbol } = body;
      const { accountNumber } = account.value;
      if (desk.actors.holderOf(setupClaim({ userId, brokerageCode, brokerOrderNo })) !== undefined) {
        return { ok: false, code: "INVALID", message: "a pending record already exists for this brokerOrderNo" };
      }
      const [setupId = 0] = desk.journal.allocateIds(1);
      const owner = { setupId, userId, brokerageCode, accountNumber, brokerOrderNo, symbol };
      const timeMs = desk.clock.nowMs();
      const setup: PendingSetup = startSetup(plan.value, owner, timeMs);
      desk.actors.create("setup", setupId, setup);
      desk.events.emit(userId, "setup.registered", setupEvent(setup));
      // Its state as it was looked up; whatever changed since comes to the setup, which follows the order from here on.
      desk.actors.deliver("setup", setupId, { type: "orderUpdated", record: order.value, timeMs });
      return { ok: true, data: setupId };
    });
  },
});

/** The order, where it can become a group: a buy of the same symbol and account that is not over (decisions 5.1). */
async function findOrder(
  desk: Desk,
  { brokerageCode, brokerOrderNo, symbol }: RegisterSetupBody,
  account: AccountRecord,
  { userId }: CommandTurn,
): Promise<Result<OrderRecord>> {
  const brokerage = desk.brokerages.find(brokerageCode);
  if (brokerage === undefined) return refuse("INVALID", "brokerageCode is not known");
  const { accountNumber } = account;
  const found = await brokerage.findOrder({ userId, accountNumber, orderNo: brokerOrderNo });
  if (!found.ok) return notFound(found.code);
  const order = found.data;
  const isOfAccount = order.accountNumber === accountNumber || order.accountNumber === account.number;
  if (!isOfAccount || order.orderNo !== brokerOrderNo) return notFound("NOT_FOUND");
  if (order.buySell !== BUY) return refuse("INVALID", "brokerOrderNo is not a buy order");
  if (order.symbol !== symbol) return refuse("INVALID", `brokerOrderNo is an order of another symbol than ${symbol}`);
  if (isUndone(order)) return refuse("INVALID", "brokerOrderNo is cancelled or rejected");
  return accept(order);
}

function notFound(code: BrokerFailureCode): Refusal {
  switch (code) {
    case "NOT_FOUND":
    case "REJECTED":
      return refuse("INVALID", "brokerOrderNo is not an order of the account");
    case "UNAUTHORIZED":
      return refuse("FORBIDDEN", "log in to the brokerage first");
    case "UNAVAILABLE":
    case "NOT_SENT":
    case "UNKNOWN":
    case "FENCED":
      return refuse("UNAVAILABLE", "the brokerage cannot be reached now; nothing was registered");
  }
}
