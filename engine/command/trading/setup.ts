/**
 * Registers pending OCO setups (behaviour 5.6; behaviour 5).
 *
 * Invariant: the setup, its claim on the order number, and the effect of the order's looked-up state on it are one
 * decision. A completed order converts in the turn that registers it, and the answer states that.
 */

import { removeSetupBody } from "../../../src/contract/command.ts";
import type { AccountRecord, BrokerFailureCode, OrderRecord } from "../../../src/contract/trading/order.ts";
import { type RegisterSetupBody, registerSetupBody } from "../../../src/contract/trading/setup.ts";
import { versionOf } from "../../../src/domain/oco/group.ts";
import { BUY, isUndone } from "../../../src/domain/order/order.ts";
import { isAbout } from "../../../src/domain/order/order-number.ts";
import { accept, type Refusal, type Result, refuse } from "../../../src/domain/refusal.ts";
import { excessText, type PendingSetup, planSetup, registerSetup as startSetup } from "../../../src/domain/setup.ts";
import { entryClaim, setupClaim } from "../../../src/machine/setup.ts";
import { refuseEnded, setupEvent } from "../../projection/setup.ts";
import { type CommandContext, type CommandTurn, checked, refuseUnlessTraded, waitsForOperator } from "../context.ts";
import { describeSale, waitsForTicks } from "./oco.ts";

export const registerSetup = checked<RegisterSetupBody>({
  schema: registerSetupBody,
  handle: async (context, body, turn) => {
    const { clock, symbols } = context;
    const { symbol: code } = body;
    const market = [symbols.tickTableOf(code), symbols.zoneOf(code), symbols.calendarOf(code)] as const;
    const plan = planSetup(body, clock.nowMs(), ...market);
    if (!plan.ok) return plan;
    const notTraded = refuseUnlessTraded(context, body.symbol);
    if (notTraded !== undefined) return notTraded;
    const account = await context.accounts.resolve(turn.userId, body.brokerageCode, body.accountNumber);
    if (!account.ok) return account;
    const order = await findOrder(context, body, account.value, turn);
    if (!order.ok) return order;
    return turn.decide(() => {
      const { userId } = turn;
      const { brokerageCode, brokerOrderNo, symbol } = body;
      const { accountNumber } = account.value;
      if (context.actors.holderOf(setupClaim({ userId, brokerageCode, brokerOrderNo })) !== undefined) {
        return { ok: false, code: "INVALID", message: "a pending record already exists for this brokerOrderNo" };
      }
      const entered = refuseEntered(
        context,
        { userId, brokerageCode, accountNumber, symbol },
        { ...order.value, symbol },
      );
      if (entered !== undefined) return entered;
      const waiting = waitsForTicks(context, { userId, brokerageCode, accountNumber, symbol });
      if (waiting !== undefined) return waiting;
      const [setupId = 0] = context.journal.allocateIds(1);
      const owner = { setupId, userId, brokerageCode, accountNumber, brokerOrderNo, symbol };
      const timeMs = context.clock.nowMs();
      const former = order.value.symbol === symbol ? {} : { renamed: [{ from: order.value.symbol, to: symbol }] };
      const setup: PendingSetup = { ...startSetup(plan.value, owner, order.value, timeMs), ...former };
      context.actors.create("setup", setupId, setup);
      context.events.emit(userId, "setup.registered", setupEvent(setup));
      // Its looked-up state. A later change was reported while nothing followed the order, so it is looked up again.
      context.actors.deliver("setup", setupId, { type: "orderUpdated", record: order.value, timeMs });
      const followed = { userId, brokerageCode, accountNumber, orderNo: brokerOrderNo };
      const found = context.actors.find("setup", setupId);
      if (found?.isEnded === false) {
        context.journal.afterDurable(() => context.followed.askNow(followed));
      }
      const said = tellOfEnd(context, found?.context);
      const excess = excessText(setup);
      const message = excess === null ? said : `${said ?? "The pending OCO was registered"}; ${excess}`;
      return { ok: true, data: setupId, version: versionOf(setup), ...(message === undefined ? {} : { message }) };
    });
  },
});

/** An entry's order already has its exits: a second group would sell the same lots (behaviour 24.2). */
function refuseEntered(
  { actors }: CommandContext,
  owner: Parameters<typeof entryClaim>[0],
  order: OrderRecord,
): Refusal | undefined {
  const holder = actors.holderOf(entryClaim(owner));
  const entry = holder === undefined ? undefined : actors.find("setup", holder)?.context;
  if (entry === undefined || !isAbout(entry.buy, order)) return undefined;
  return refuse("INVALID", `brokerOrderNo is the buy of pending OCO ${entry.setupId}, which has its exits`);
}

/** Returns a setup's outcome in the turn that registered it (behaviour 5.1); undefined if it waits for its order. */
function tellOfEnd(context: CommandContext, setup: PendingSetup | undefined): string | undefined {
  const outcome = setup?.outcome;
  if (outcome?.type === "conversionFailed") return `No group was made: ${outcome.reason}`;
  if (outcome?.type !== "converted") return undefined;
  const made = `The order was completed already: OCO group ${outcome.groupId} was made`;
  const sale = describeSale(context, outcome.groupId);
  return sale === undefined ? made : `${made}; ${sale}`;
}

const ENDING = "The entry is being cancelled at the brokerage; what was filled of it becomes a group";

/**
 * Removes a registered setup; the order at the brokerage continues without it (behaviour 5.4a). The buy of an entry is
 * cancelled (24.3).
 */
export const removeSetup = checked({
  schema: removeSetupBody,
  handle: async (context, { id, brokerageCode }, turn) => {
    if (context.brokerages.find(brokerageCode) === undefined) return refuse("INVALID", "brokerageCode is not known");
    return turn.decide(() => {
      const found = context.actors.find("setup", id);
      const setup = found?.context;
      const isMine = setup?.userId === turn.userId && setup.brokerageCode === brokerageCode;
      if (setup?.outcome !== null || !isMine) return refuseEnded(id, isMine ? setup : undefined);
      if (context.actors.isQuarantined(id)) return waitsForOperator("the pending OCO");
      context.actors.deliver("setup", id, { type: "remove", timeMs: context.clock.nowMs() });
      const left = context.actors.find("setup", id)?.context;
      return left?.outcome === null ? { ok: true, data: true, message: ENDING } : { ok: true, data: true };
    });
  },
});

/** Finds the order if it can become a group: a buy of the same symbol and account that is not over (behaviour 5.1). */
async function findOrder(
  context: CommandContext,
  { brokerageCode, brokerOrderNo, symbol }: RegisterSetupBody,
  account: AccountRecord,
  { userId }: CommandTurn,
): Promise<Result<OrderRecord>> {
  const brokerage = context.brokerages.find(brokerageCode);
  if (brokerage === undefined) return refuse("INVALID", "brokerageCode is not known");
  const { accountNumber } = account;
  const found = await brokerage.findOrder({ userId, accountNumber, orderNo: brokerOrderNo });
  if (!found.ok) return notFound(found.code);
  const order = found.data;
  const isOfAccount = order.accountNumber === accountNumber || order.accountNumber === account.number;
  if (!isOfAccount || order.orderNo !== brokerOrderNo) return notFound("NOT_FOUND");
  if (order.buySell !== BUY) return refuse("INVALID", "brokerOrderNo is not a buy order");
  // It can have been placed under a former name.
  if (context.symbols.presentName(order.symbol) !== symbol)
    return refuse("INVALID", `brokerOrderNo is an order of another symbol than ${symbol}`);
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
    case "NOT_NOW":
    case "UNKNOWN":
    case "FENCED":
      return refuse("UNAVAILABLE", "the brokerage cannot be reached now; nothing was registered");
  }
}
